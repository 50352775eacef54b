"""What this device reaches: matmul by dtype, memory bandwidth, and what it costs to do nothing."""

import time
from dataclasses import asdict
from functools import partial
from typing import Any

import torch

from studykit.graders.bet import canary
from studykit.graders.bet.sampling import WARM_S, Timer, quantile
from studykit.graders.bet.stopwatch import device_name, driver, fix_allocator, timer_for, without_gc

SIDES = {"cpu": (512, 1024, 2048), "cuda": (2048, 4096, 8192)}
DTYPES = {"cpu": ("float32", "bfloat16"), "cuda": ("float32", "float16", "bfloat16")}
MATMUL_S = 0.25
STREAM_S = 0.35
TOO_SLOW_S = 0.25  # the next side is skipped after one this slow: a dtype that the processor only emulates
ARRAY_BYTES = 256 << 20
BLOCK = 1 << 20  # elements
TINY = 16  # elements
PAGE_BLOCK = 64 << 20
AWAKE = 1 << 16  # elements: the fewest that torch shares between threads, twice over


def measured(device: str, cache: int) -> dict[str, Any]:
    """Measure the ceilings that `bounds.Ceilings` names, and the machine before and after."""
    return dict(without_gc(lambda: _measured(device, cache)))


def identity(device: str) -> dict[str, Any]:
    """Return what a set of ceilings belongs to."""
    threads = torch.get_num_threads() if device == "cpu" else 0
    return {
        "device": device_name(device),
        "kind": device,
        "driver": driver(device),
        "torch": str(torch.__version__),
        "threads": threads,
    }


def _measured(device: str, cache: int) -> dict[str, Any]:
    touch = _first_touch(device)  # before the allocator keeps what it was given
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
    """Return the best FLOP/s of square matmuls on random numbers: on constants a GPU runs faster."""
    best = 0.0
    for side in SIDES[device]:
        left, right, out = (torch.randn(side, side, device=device).to(getattr(torch, dtype)) for _ in range(3))
        seconds = _best(timer_for(partial(torch.mm, left, right, out=out), device), MATMUL_S)
        best = max(best, 2 * side**3 / seconds)
        if seconds > TOO_SLOW_S:
            break
    return best


def _streams(device: str, cache: int) -> dict[str, float]:
    """Return the bytes a second of each pattern, the best of torch's ways to do it."""
    size = max(ARRAY_BYTES, min(4 * cache, 4 * ARRAY_BYTES)) if device == "cpu" else _gpu_array_bytes()
    first, second, third = (_random(size // 4, device) for _ in range(3))
    moved = first.nbytes
    calls: tuple[tuple[str, int, Any], ...] = (
        ("copy", 2, lambda: third.copy_(first)),
        ("copy", 2, lambda: torch.cat([first], out=third)),
        ("triad", 3, lambda: torch.add(first, second, alpha=3, out=third)),
        ("update", 3, lambda: first.add_(second, alpha=1e-6)),
        ("read", 1, first.sum),
        ("read", 2, lambda: torch.dot(first, second)),
        ("fill", 1, lambda: third.fill_(1.0)),
        ("fill", 1, third.zero_),
    )
    speeds: dict[str, float] = {}
    for pattern, arrays, call in calls:
        name, seconds = f"{pattern}_bytes_per_s", _best(timer_for(call, device), STREAM_S)
        speeds[name] = max(speeds.get(name, 0.0), arrays * moved / seconds)
    return speeds


def _gpu_array_bytes() -> int:
    """Return the bytes of one of three arrays: long enough for full speed, a small part of memory."""
    return int(min(4 * ARRAY_BYTES, torch.cuda.get_device_properties(0).total_memory // 16))


def _random(elements: int, device: str) -> torch.Tensor:
    """Return repeated blocks of random numbers: drawing them all takes a CPU longer than measuring."""
    return torch.rand(min(elements, BLOCK), device=device).repeat(-(-elements // BLOCK))[:elements]


def _small(device: str) -> dict[str, float]:
    """Return the least time of an operation with a new output, of one in place, and of views."""
    first, second = (torch.rand(TINY, device=device) for _ in range(2))
    overhead = min(
        _batched(timer_for(call, device)) for call in (lambda: first + second, lambda: first.add_(second))
    )
    view = min(_batched(timer_for(call, "cpu")) for call in (first.t, first.detach, lambda: first.view(-1)))
    return {
        "overhead_s": overhead,
        "dispatch_s": min(view, overhead),
        "launch_s": _waking() if device == "cpu" else _launch(first),
    }


def _waking() -> float:
    """Return the cost of sharing an operation between all threads: two halves at once, less one half."""
    whole, half = torch.ones(AWAKE), torch.ones(AWAKE // 2)
    shared = _batched(timer_for(whole.neg_, "cpu"))
    alone = _batched(timer_for(half.neg_, "cpu"))
    return max(0.0, shared - alone)


def _launch(small: torch.Tensor) -> float:
    """Return the host's seconds to launch one kernel without waiting for it."""
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(1000):
        small.neg_()
    passed = time.perf_counter() - began
    torch.cuda.synchronize()
    return passed / 1000


def _first_touch(device: str) -> float:
    """Return the seconds a byte of writing to new memory, beyond writing again."""
    if device != "cpu":
        return 0.0
    spent = []
    for _ in range(3):
        fresh = torch.empty(PAGE_BLOCK, dtype=torch.int8)
        first, again = canary.seconds_of(fresh.zero_), canary.seconds_of(fresh.zero_)
        spent.append(max(0.0, first - again))
    return quantile(spent, 0.5) / PAGE_BLOCK


def _link() -> float:
    """Return the bytes a second between pinned memory and the device, the quicker way."""
    here = torch.ones(ARRAY_BYTES, dtype=torch.int8).pin_memory()
    there = torch.empty_like(here, device="cuda")
    ways = (lambda: there.copy_(here), lambda: here.copy_(there))
    return ARRAY_BYTES / min(_best(timer_for(way, "cuda"), STREAM_S) for way in ways)


def _best(timer: Timer, wanted_s: float, calls: int = 1) -> float:
    """Return the quickest of at least two calls, or of batches of `calls`, in seconds a call."""
    quickest = timer.timed(calls)
    began = timer.now()
    while True:
        quickest = min(quickest, timer.timed(calls))
        if timer.now() - began > wanted_s:
            return quickest / calls


def _batched(timer: Timer) -> float:
    """Return the quickest batch of short calls, in seconds a call."""
    return _best(timer, WARM_S, calls=200)
