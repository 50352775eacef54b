"""What this device reaches: matmul by dtype, memory bandwidth, and what it costs to do nothing."""

import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import torch

from studykit.graders.bet import canary
from studykit.graders.bet.sampling import WARM_S, Timer, quantile
from studykit.graders.bet.stopwatch import (
    device_name,
    driver,
    fix_allocator,
    timer_for,
    without_gc,
)

SIDES = {"cpu": (512, 1024, 2048), "cuda": (2048, 4096, 8192)}
DTYPES = {"cpu": ("float32", "bfloat16"), "cuda": ("float32", "float16", "bfloat16")}
MATMUL_S = 0.25
STREAM_S = 0.5
TOO_SLOW_S = 0.25  # the next side is skipped after one this slow: a dtype that the processor only emulates
ARRAY_BYTES = 256 << 20
TINY = 16  # elements
PAGE_BLOCK = 64 << 20
AWAKE = 1 << 16  # elements: the fewest that torch shares between threads, twice over


def measured(device: str, cache: int) -> dict[str, Any]:
    """The ceilings as `bounds.Ceilings` names them, and how the machine did before and after."""
    return dict(without_gc(lambda: _measured(device, cache)))


def identity(device: str) -> dict[str, Any]:
    """What a set of ceilings belongs to."""
    threads = torch.get_num_threads() if device == "cpu" else 0
    return {
        "device": device_name(device),
        "kind": device,
        "driver": driver(device),
        "torch": str(torch.__version__),
        "threads": threads,
    }


def _measured(device: str, cache: int) -> dict[str, Any]:
    touch = _first_touch(device)  # before the allocator is told to keep what it was given
    fix_allocator()
    before = canary.measure(device)
    flops_per_s = {dtype: _matmul(dtype, device) for dtype in DTYPES[device]}
    streams = _streams(device, cache)
    small = _small(device)
    after = canary.measure(device)
    return {
        "flops_per_s": flops_per_s,
        **streams,
        **small,
        "touch_s_per_byte": touch,
        "canary_s": min(before.seconds, after.seconds),
        "stream_s": min(before.stream_s, after.stream_s),
        "tiny_s": min(before.tiny_s, after.tiny_s),
        "cache_bytes": cache,
        "link_bytes_per_s": _link() if device == "cuda" else 0.0,
        "canaries": [asdict(before), asdict(after)],
    }


def _matmul(dtype: str, device: str) -> float:
    best = 0.0
    for side in SIDES[device]:
        left, right, out = (torch.ones(side, side, dtype=getattr(torch, dtype), device=device) for _ in range(3))
        seconds = _best(timer_for(_three(torch.mm, left, right, out), device), MATMUL_S)
        best = max(best, 2 * side**3 / seconds)
        if seconds > TOO_SLOW_S:
            break
    return best


def _streams(device: str, cache: int) -> dict[str, float]:
    elements = max(ARRAY_BYTES, min(4 * cache, 4 * ARRAY_BYTES)) // 4
    first, second, third = (torch.ones(elements, device=device) for _ in range(3))
    moved = 4 * elements
    copied = _best(timer_for(lambda: third.copy_(first), device), STREAM_S)
    added = _best(timer_for(lambda: torch.add(first, second, alpha=3, out=third), device), STREAM_S)
    updated = _best(timer_for(lambda: first.add_(second, alpha=1e-6), device), STREAM_S)
    read = _best(timer_for(first.sum, device), STREAM_S)
    return {
        "copy_bytes_per_s": 2 * moved / copied,
        "triad_bytes_per_s": 3 * moved / added,
        "update_bytes_per_s": 3 * moved / updated,
        "read_bytes_per_s": moved / read,
    }


def _small(device: str) -> dict[str, float]:
    left, right = (torch.ones(TINY, device=device) for _ in range(2))
    overhead = _batched(timer_for(lambda: left + right, device))
    view = min(_batched(timer_for(call, "cpu")) for call in (left.t, left.detach, lambda: left.view(-1)))
    return {
        "overhead_s": overhead,
        "dispatch_s": min(view, overhead),
        "launch_s": _waking() if device == "cpu" else _launch(left),
    }


def _waking() -> float:
    """What it costs to share an operation between all threads: two halves at once, less one half alone."""
    whole, half = torch.ones(AWAKE), torch.ones(AWAKE // 2)
    shared = _batched(timer_for(whole.neg_, "cpu"))
    alone = _batched(timer_for(half.neg_, "cpu"))
    return max(0.0, shared - alone)


def _launch(small: torch.Tensor) -> float:
    """Seconds of the host for one kernel that nobody waits for."""
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(1000):
        small.neg_()
    passed = time.perf_counter() - began
    torch.cuda.synchronize()
    return passed / 1000


def _first_touch(device: str) -> float:
    """Seconds a byte of writing to memory that the system has just given, beyond writing again."""
    if device != "cpu":
        return 0.0
    spent = []
    for _ in range(3):
        fresh = torch.empty(PAGE_BLOCK, dtype=torch.int8)
        first, again = _once(fresh.zero_), _once(fresh.zero_)
        spent.append(max(0.0, first - again))
    return quantile(spent, 0.5) / PAGE_BLOCK


def _link() -> float:
    """Bytes a second from the host's pinned memory to the device."""
    here = torch.ones(ARRAY_BYTES, dtype=torch.int8).pin_memory()
    there = torch.empty_like(here, device="cuda")
    return ARRAY_BYTES / _best(timer_for(lambda: there.copy_(here), "cuda"), STREAM_S)


def _three(op: Any, left: torch.Tensor, right: torch.Tensor, out: torch.Tensor) -> Callable[[], Any]:
    return lambda: op(left, right, out=out)


def _once(call: Callable[[], Any]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def _best(timer: Timer, wanted_s: float) -> float:
    """The quickest call in a while, at least two."""
    quickest = timer.timed(1)
    began = timer.now()
    while True:
        quickest = min(quickest, timer.timed(1))
        if timer.now() - began > wanted_s:
            return quickest


def _batched(timer: Timer) -> float:
    """The quickest batch of short calls in a while, in seconds a call."""
    calls = 200
    began = timer.now()
    quickest = timer.timed(calls)
    while timer.now() - began < WARM_S:
        quickest = min(quickest, timer.timed(calls))
    return quickest / calls
