"""Which cost a wrong bet left out, or counted in though it was not measured."""

import math
from collections.abc import Iterator

from studykit.exercise.bet.bounds import Binds, Bounds, Ceilings, Count, times
from studykit.exercise.bet.score import Bet, Measurement
from studykit.quantity.formatting import amount, seconds
from studykit.quantity.units import BYTE, FLOP
from studykit.text import counted

NEAR = 1.3  # a bet this near to what one reckoning gives was reckoned so
LEAST = 1.25  # a cost that changes the time by less is not told
LARGE = 0.2  # share of a fresh run from which first touch is told


def omission(bet: Bet, measured: Measurement, count: Count, ceilings: Ceilings, limits: Bounds) -> str:
    """The cost that a bet too low left out, or a bet too high counted in; empty where it was neither."""
    factor = bet.seconds / measured.median
    if 1 / LEAST < factor < LEAST:
        return ""
    found = list(_left_out(count, ceilings, limits) if factor < 1 else _counted_in(measured, limits))
    near = [(abs(math.log(bet.seconds / alone)), words) for alone, words in found if alone > 0]
    if near and min(near)[0] <= math.log(NEAR):
        return min(near)[1]
    if factor > 1:
        return ""
    if bet.seconds * LEAST < limits.eager:
        return _largest(count, limits)
    reached = limits.eager / measured.median
    return f"{seconds(limits.eager)} is the bound, and this run reached {reached:.0%} of it: no run reaches all"


def _left_out(count: Count, ceilings: Ceilings, limits: Bounds) -> Iterator[tuple[float, str]]:
    """What a bet is that leaves one cost out, and that cost."""
    flops = sum(kernel.flops / ceilings.peak(kernel.dtype) for kernel in count.kernels)
    memory = limits.shares[Binds.MEMORY]
    kernels = len(count.kernels)
    if memory > flops * LEAST:
        moved = f"{amount(count.bytes_moved, BYTE)} that move take {seconds(memory)}"
        yield flops, f"that is the FLOPs alone; the {moved}"
        yield memory / 2, f"that is half of the traffic; what is read and what is written both count: the {moved}"
    if limits.fused * LEAST < limits.eager and kernels > 1:
        traffic = amount(count.bytes_moved, BYTE)
        yield limits.fused, f"that is one pass over the data; {kernels} operations move {traffic} between them"
    if limits.shares[Binds.OVERHEAD] > LEAST * max(flops, memory):
        alone = sum(max(times(kernel, ceilings)[Binds.MEMORY], flops / kernels) for kernel in count.kernels)
        yield alone, _largest(count, limits)


def _counted_in(measured: Measurement, limits: Bounds) -> Iterator[tuple[float, str]]:
    """What a bet is that counts something in which the measurement leaves out."""
    fresh = measured.fresh
    if fresh is not None and fresh.first_touch > LARGE * fresh.median:
        touched = f"{seconds(fresh.first_touch)} of it is the first touch of new pages"
        yield fresh.median, f"that is what it takes by itself; {touched}, which the measurement leaves out"
    if limits.eager > LEAST * measured.median:
        yield limits.eager, "that is the time from memory; here the data stays in the caches"


def _largest(count: Count, limits: Bounds) -> str:
    """The cost that alone is longest."""
    reason = max(limits.shares, key=lambda each: limits.shares[each])
    took = seconds(limits.shares[reason])
    match reason:
        case Binds.COMPUTE:
            return f"{amount(count.flops, FLOP)} take {took} at the best speed of this device"
        case Binds.MEMORY:
            return f"{amount(count.bytes_moved, BYTE)} have to move, which takes {took} at best"
        case Binds.OVERHEAD:
            number = max(1, len(count.kernels))
            return f"torch needs {took} to start {counted(number, 'operation')}, however small"
