"""Run work of known cost before, during and after a measurement, to find out whether the machine was busy."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

import torch

from studykit.exercise.bet.score import Canary
from studykit.graders.bet.sampling import quantile

SIDE = {"cpu": 768, "cuda": 4096}
STREAM_BYTES = {"cpu": 64 << 20, "cuda": 512 << 20}
WANTED_S = 0.2
STREAM_S = 0.1
MIN_CANARY_SAMPLES = 7
TINY = 16  # elements
TINY_CALLS = 500
TINY_S = 0.02
MEASURE_EVERY = 4


def measure(device: str) -> Canary:
    """Measure how fast the machine is now, and what part of the CPU time this process got."""
    began, began_cpu = time.perf_counter(), time.process_time()
    seconds = _median(_matmul(device), WANTED_S)
    wall, cpu = time.perf_counter() - began, time.process_time() - began_cpu
    threads = torch.get_num_threads() if device == "cpu" else 0
    tiny_s = _median(_tiny, TINY_S) / TINY_CALLS if device == "cpu" else 0.0
    return Canary(seconds, cpu / wall, threads, _median(_stream(device), STREAM_S), tiny_s)


@dataclass(slots=True)
class FlushWithCanary:
    """Flush caches and also time memory and CPU, because they may slow down for only a second."""

    plain: Callable[[], object]  # the flush without measuring
    device: str
    streams: list[float] = field(default_factory=list)
    tinies: list[float] = field(default_factory=list)
    flushes: int = 0

    def flush(self) -> None:
        """Flush the caches before a sample, and every few times also measure memory and CPU."""
        self.flushes += 1
        if self.flushes % MEASURE_EVERY == 0:
            # A GPU that still flushes would copy later, and memory would seem slow.
            _synchronized(self.plain, self.device)()
            self.streams.append(seconds_of(_stream(self.device)))
            if self.device == "cpu":
                self.tinies.append(seconds_of(_tiny) / TINY_CALLS)
        # Last, because data that measuring left dirty in the caches would be written back during the next sample.
        self.plain()

    def canaries(self, like: Canary) -> list[Canary]:
        """Return [`like`] with the median times of memory and CPU between samples, or [] if none were taken."""
        if not self.streams:
            return []
        tiny_s = quantile(self.tinies, 0.5) if self.tinies else 0.0
        return [replace(like, stream_s=quantile(self.streams, 0.5), tiny_s=tiny_s)]


def _median(call: Callable[[], object], wanted_s: float) -> float:
    """Call repeatedly for `wanted_s`, and return the median seconds of a call."""
    times: list[float] = []
    while len(times) < MIN_CANARY_SAMPLES or sum(times) < wanted_s:
        times.append(seconds_of(call))
    # torch sets up its threads and libraries during the first two calls.
    return quantile(times[2:], 0.5)


def seconds_of(call: Callable[[], object]) -> float:
    """Return the seconds of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _stream(device: str) -> Callable[[], object]:
    source, target = (_array(device, place) for place in range(2))
    return _synchronized(lambda: target.copy_(source), device)


@cache
def _array(device: str, place: int) -> torch.Tensor:
    """Return a cached array, so that only the first call pays for its page faults."""
    return torch.full((STREAM_BYTES[device] // 4,), float(place), device=device)


def _tiny() -> None:
    small = torch.ones(TINY)
    for _ in range(TINY_CALLS):
        small + small  # allocates its output, as most operations do


def _synchronized(call: Callable[[], object], device: str) -> Callable[[], object]:
    if device == "cpu":
        return call

    def waited() -> None:
        call()
        torch.cuda.synchronize()

    return waited


def _matmul(device: str) -> Callable[[], object]:
    side = SIDE[device]
    left, right, out = (torch.ones(side, side, device=device) for _ in range(3))
    return _synchronized(lambda: torch.mm(left, right, out=out), device)
