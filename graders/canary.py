"""A matmul of known cost, run beside a measurement to see whether the machine was free for it."""

import time
from dataclasses import dataclass
from typing import Any

import torch

from .sampling import quantile

SIDE = {"cpu": 768, "cuda": 4096}
WANTED_S = 0.2
FEWEST = 5


@dataclass(frozen=True, slots=True)
class Canary:
    """One look at the machine."""

    seconds: float  # of one matmul, the median
    cpu_per_wall: float  # processor time this process had, by the clock; about the number of threads when free
    threads: int  # that torch uses; 0 where the processor does not do the work


def sing(device: str) -> Canary:
    """How the machine does now."""
    call = _matmul(device)
    call()
    call()  # torch sets its threads and libraries up on the first calls
    times: list[float] = []
    began, began_cpu = time.perf_counter(), time.process_time()
    while len(times) < FEWEST or sum(times) < WANTED_S:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    wall, cpu = time.perf_counter() - began, time.process_time() - began_cpu
    threads = torch.get_num_threads() if device == "cpu" else 0
    return Canary(quantile(times, 0.5), cpu / wall, threads)


def _matmul(device: str) -> Any:  # noqa: ANN401 - a function without arguments
    side = SIDE[device]
    left, right, out = (torch.ones(side, side, device=device) for _ in range(3))
    if device == "cpu":
        return lambda: torch.mm(left, right, out=out)

    def finished() -> None:
        torch.mm(left, right, out=out)
        torch.cuda.synchronize()

    return finished
