"""Decide how often to call a snippet, and summarize its times. The clock is passed in, so tests can fake it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from studykit.exercise.bet.score import Measurement

MIN_CALL_S = 20e-6  # a shorter call takes hardly longer than reading the clock
BATCH_S = 1e-3  # a batch of short calls should take this long, so that 300 of them cover a third of a second
WARM_S = 0.1
WARM_CALLS = 3
MAX_WARM_CALLS = 20
MAX_WARM_S = 2.0
MAX_SETTLED_FAULTS = 64
WANTED_S = 0.5  # of samples
MIN_SAMPLES = 9
MAX_SAMPLES = 300
PATIENCE_S = 6.0  # limit, including flushes
BATCHES = 10  # of samples, when the fastest of each counts


@dataclass(frozen=True, slots=True)
class Timer:
    """Hold functions that read the clock, time a call, flush the caches and count page faults."""

    now: Callable[[], float]
    timed: Callable[[int], float]  # seconds for this many calls in a row, until all have finished
    flush: Callable[[], object]
    faults: Callable[[], int] = lambda: 0  # page faults of this process so far


def sample(
    timer: Timer, wanted_s: float = WANTED_S, patience_s: float = PATIENCE_S, *, least: bool = False
) -> Measurement:
    """Warm up, find how many calls make a sample, and take samples until there are enough.

    Return the median, or with `least` the fastest sample, because launching kernels is often disturbed.
    """
    once = _warmed(timer)
    calls = 1 if once >= MIN_CALL_S else round(BATCH_S / max(once, 1e-8))
    cold = calls == 1
    times: list[float] = []
    began = timer.now()
    while not _enough(times, calls, timer.now() - began, wanted_s, patience_s):
        if cold:
            timer.flush()
        times.append(timer.timed(calls) / calls)
    count = len(times)
    if least:
        size = -(-count // BATCHES)
        times = [min(times[start : start + size]) for start in range(0, count, size)]
    middle = min(times) if least else quantile(times, 0.5)
    p20, p80 = min(middle, quantile(times, 0.2)), quantile(times, 0.8)
    return Measurement(middle, p20, p80, count, calls, cold, least=least)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the interpolated quantile of the values."""
    return float(np.quantile(values, share))


def _warmed(timer: Timer) -> float:
    """Warm up until the allocator settles or a limit is reached, and return the seconds of the fastest call."""
    began, quickest, calls, is_growing = timer.now(), float("inf"), 0, True
    while calls < WARM_CALLS or timer.now() - began < WARM_S or (is_growing and calls < MAX_WARM_CALLS):
        before = timer.faults()
        quickest = min(quickest, timer.timed(1))
        is_growing = timer.faults() - before > MAX_SETTLED_FAULTS
        calls += 1
        if timer.now() - began > MAX_WARM_S:
            break
    return quickest


def _enough(times: Sequence[float], calls: int, passed: float, wanted_s: float, patience_s: float) -> bool:
    if len(times) < MIN_SAMPLES:
        return bool(times) and passed > patience_s
    return len(times) >= MAX_SAMPLES or sum(times) * calls >= wanted_s or passed > patience_s
