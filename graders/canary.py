"""Work of known cost, run beside a measurement to see whether processor and memory were free for it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import torch

from .sampling import quantile

SIDE = {"cpu": 768, "cuda": 4096}
STREAM_BYTES = {"cpu": 64 << 20, "cuda": 512 << 20}
WANTED_S = 0.2
STREAM_S = 0.1
FEWEST = 7


@dataclass(frozen=True, slots=True)
class Canary:
    """One look at the machine."""

    seconds: float  # of one matmul, the median
    cpu_per_wall: float  # processor time this process had, by the clock; about the number of threads when free
    threads: int  # that torch uses; 0 where the processor does not do the work
    stream_s: float  # of one pass over arrays that no cache holds, the median


def sing(device: str) -> Canary:
    """How the machine does now."""
    began, began_cpu = time.perf_counter(), time.process_time()
    seconds = _median(_matmul(device), WANTED_S)
    wall, cpu = time.perf_counter() - began, time.process_time() - began_cpu
    threads = torch.get_num_threads() if device == "cpu" else 0
    return Canary(seconds, cpu / wall, threads, _median(_stream(device), STREAM_S))


def _median(call: Callable[[], object], wanted_s: float) -> float:
    """Seconds of one call; torch sets its threads and libraries up on the first two."""
    times: list[float] = []
    while len(times) < FEWEST or sum(times) < wanted_s:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return quantile(times[2:], 0.5)


def _stream(device: str) -> Callable[[], object]:
    source, target = (_kept(device, place) for place in range(2))
    return _finished(lambda: target.copy_(source), device)


@cache
def _kept(device: str, place: int) -> torch.Tensor:
    """An array that stays, so that only the first look pays for its memory."""
    return torch.full((STREAM_BYTES[device] // 4,), float(place), device=device)


def _finished(call: Callable[[], object], device: str) -> Callable[[], object]:
    if device == "cpu":
        return call

    def waited() -> None:
        call()
        torch.cuda.synchronize()

    return waited


def _matmul(device: str) -> Callable[[], object]:
    side = SIDE[device]
    left, right, out = (torch.ones(side, side, device=device) for _ in range(3))
    return _finished(lambda: torch.mm(left, right, out=out), device)
