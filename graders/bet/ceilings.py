"""Measure this device's ceilings: matmul FLOP/s by dtype, memory bandwidth, and fixed costs of an operation."""

from dataclasses import asdict
from functools import partial
from typing import Any

import torch

from studykit.graders.bet import canary
from studykit.graders.bet.sampling import WARM_S, Timer
from studykit.graders.bet.stopwatch import device_name, driver, fix_allocator, timer_for, without_gc

SIDES = {"cpu": (512, 1024, 2048), "cuda": (2048, 4096, 8192)}
DTYPES = {"cpu": ("float32", "bfloat16"), "cuda": ("float32", "float16", "bfloat16")}
MATMUL_S = 0.25
STREAM_S = 0.35
MAX_MATMUL_S = 0.25  # larger matmuls are skipped after one this slow, as with a dtype that the CPU only emulates
ARRAY_BYTES = 256 << 20
BLOCK = 1 << 20  # elements
TINY = 16  # elements


def measured(device: str, cache: int) -> dict[str, Any]:
    """Measure the values of `bounds.Ceilings`, with canaries before and after."""
    return dict(without_gc(lambda: _measured(device, cache)))


def identity(device: str) -> dict[str, Any]:
    """Return the device and software to which a set of ceilings belongs."""
    threads = torch.get_num_threads() if device == "cpu" else 0
    return {
        "device": device_name(device),
        "kind": device,
        "driver": driver(device),
        "torch": str(torch.__version__),
        "threads": threads,
    }


def _measured(device: str, cache: int) -> dict[str, Any]:
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
        "canary_s": min(before.seconds, after.seconds),
        "stream_s": min(before.stream_s, after.stream_s),
        "tiny_s": min(before.tiny_s, after.tiny_s),
        "cache_bytes": cache,
        "link_bytes_per_s": _link() if device == "cuda" else 0.0,
        "canaries": [asdict(before), asdict(after)],
    }


def _matmul(dtype: str, device: str) -> float:
    """Return the best FLOP/s of square matmuls."""
    # On random numbers, because a GPU needs less power for constants and runs them faster.
    best = 0.0
    for side in SIDES[device]:
        left, right, out = (torch.randn(side, side, device=device).to(getattr(torch, dtype)) for _ in range(3))
        seconds = _best(timer_for(partial(torch.mm, left, right, out=out), device), MATMUL_S)
        best = max(best, 2 * side**3 / seconds)
        if seconds > MAX_MATMUL_S:
            break
    return best


def _streams(device: str, cache: int) -> dict[str, float]:
    """Return bytes per second for each memory pattern, of torch's fastest function for it."""
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
    """Return the size of each of three arrays: large enough for full speed, and a small part of memory."""
    return int(min(4 * ARRAY_BYTES, torch.cuda.get_device_properties(0).total_memory // 16))


def _random(elements: int, device: str) -> torch.Tensor:
    """Return a block of random numbers, repeated, because drawing all takes a CPU longer than measuring."""
    return torch.rand(min(elements, BLOCK), device=device).repeat(-(-elements // BLOCK))[:elements]


def _small(device: str) -> dict[str, float]:
    """Return the fixed seconds of an operation and of a view."""
    first, second = (torch.rand(TINY, device=device) for _ in range(2))
    overhead = min(
        _batched(timer_for(call, device)) for call in (lambda: first + second, lambda: first.add_(second))
    )
    view = min(_batched(timer_for(call, "cpu")) for call in (first.t, first.detach, lambda: first.view(-1)))
    return {"overhead_s": overhead, "dispatch_s": min(view, overhead)}


def _link() -> float:
    """Return bytes per second between pinned memory and the device, in the faster direction."""
    here = torch.ones(ARRAY_BYTES, dtype=torch.int8).pin_memory()
    there = torch.empty_like(here, device="cuda")
    ways = (lambda: there.copy_(here), lambda: here.copy_(there))
    return ARRAY_BYTES / min(_best(timer_for(way, "cuda"), STREAM_S) for way in ways)


def _best(timer: Timer, wanted_s: float, calls: int = 1) -> float:
    """Return seconds per call of the fastest of at least two batches of `calls`."""

    def batch() -> float:
        if calls == 1:
            timer.flush()  # on a GPU the call waits for it, so that launching takes no time
        return timer.timed(calls)

    quickest = batch()
    began = timer.now()
    while True:
        quickest = min(quickest, batch())
        if timer.now() - began > wanted_s:
            return quickest / calls


def _batched(timer: Timer) -> float:
    """Return seconds per call of the fastest batch of short calls."""
    return _best(timer, WARM_S, calls=200)
