"""Time calls by other means than the program's own: CUDA events by hand, or torch's timer on a CPU."""

from collections.abc import Callable
from typing import Any

import torch
from torch.utils.benchmark import Timer as TorchTimer

CALLS = 30
SLOW_S = 0.05
_WARM = 5


def quickest(call: Callable[[], Any], device: str) -> float:
    """Return the seconds of the quickest call."""
    return min(_by_events(call)) if device == "cuda" else _by_torch(call)


def _by_events(call: Callable[[], Any]) -> list[float]:
    """Time each call with a pair of events, and wait once for all of them."""
    for _ in range(_WARM):
        call()
    torch.cuda.synchronize()
    pairs = []
    for _ in range(CALLS):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
        start.record()
        call()
        end.record()
        pairs.append((start, end))
    torch.cuda.synchronize()
    return [float(start.elapsed_time(end)) / 1e3 for start, end in pairs]


def _by_torch(call: Callable[[], Any]) -> float:
    timer = TorchTimer("call()", globals={"call": call}, num_threads=torch.get_num_threads())
    once = timer.timeit(1)
    return min(once.median, timer.blocked_autorange(min_run_time=SLOW_S).median)
