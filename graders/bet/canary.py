"""Work of known cost, run beside a measurement to see whether the machine was free for it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

import torch

from studykit.graders.bet.sampling import quantile

SIDE = {"cpu": 768, "cuda": 4096}
STREAM_BYTES = {"cpu": 64 << 20, "cuda": 512 << 20}
WANTED_S = 0.2
STREAM_S = 0.1
FEWEST = 7
TINY = 16  # elements
TINY_CALLS = 500
TINY_S = 0.02
LOOK_EVERY = 4


@dataclass(frozen=True, slots=True)
class Canary:
    """One look at the machine."""

    seconds: float  # of one matmul, the median
    cpu_per_wall: float  # processor time this process had, by the clock; about the number of threads when free
    threads: int  # that torch uses; 0 where the processor does not do the work
    stream_s: float  # of one pass over arrays that no cache holds, the median
    tiny_s: float  # of the smallest operation, the median of batches; 0 on a GPU, where it is the host's


def sing(device: str) -> Canary:
    """How the machine does now."""
    began, began_cpu = time.perf_counter(), time.process_time()
    seconds = _median(_matmul(device), WANTED_S)
    wall, cpu = time.perf_counter() - began, time.process_time() - began_cpu
    threads = torch.get_num_threads() if device == "cpu" else 0
    tiny_s = _median(_tiny, TINY_S) / TINY_CALLS if device == "cpu" else 0.0
    return Canary(seconds, cpu / wall, threads, _median(_stream(device), STREAM_S), tiny_s)


@dataclass(slots=True)
class Between:
    """Looks between the samples: memory and processor may change their speed for a second and change it back."""

    emptied: Callable[[], None]  # the flush without a look
    device: str
    streams: list[float] = field(default_factory=list)
    tinies: list[float] = field(default_factory=list)
    flushes: int = 0

    def flush(self) -> None:
        """Drive the caches' contents out, before each sample; every few times look as well."""
        self.emptied()
        self.flushes += 1
        if self.flushes % LOOK_EVERY == 0:
            self.streams.append(_spent(_stream(self.device)))
            if self.device == "cpu":
                self.tinies.append(_spent(_tiny) / TINY_CALLS)
            self.emptied()  # what the look wrote would be written back in the sample's time

    def said(self, like: Canary) -> list[Canary]:
        """What memory and small operations did, none without a look; the rest is as in another canary."""
        if not self.streams:
            return []
        tiny_s = quantile(self.tinies, 0.5) if self.tinies else 0.0
        return [replace(like, stream_s=quantile(self.streams, 0.5), tiny_s=tiny_s)]


def _median(call: Callable[[], object], wanted_s: float) -> float:
    """Seconds of one call; torch sets its threads and libraries up on the first two."""
    times: list[float] = []
    while len(times) < FEWEST or sum(times) < wanted_s:
        times.append(_spent(call))
    return quantile(times[2:], 0.5)


def _spent(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _stream(device: str) -> Callable[[], object]:
    source, target = (_kept(device, place) for place in range(2))
    return _finished(lambda: target.copy_(source), device)


@cache
def _kept(device: str, place: int) -> torch.Tensor:
    """An array that stays, so that only the first look pays for its memory."""
    return torch.full((STREAM_BYTES[device] // 4,), float(place), device=device)


def _tiny() -> None:
    small = torch.ones(TINY)
    for _ in range(TINY_CALLS):
        small + small  # a fresh output, as most operations have


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
