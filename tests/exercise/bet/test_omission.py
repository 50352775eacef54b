"""Check that a wrong bet names the cost that it left out or added."""

from dataclasses import replace

import pytest
from devices import ceilings

from studykit.exercise.bet.bounds import Ceilings, Count, Kernel
from studykit.exercise.bet.describe import omission
from studykit.exercise.bet.score import Bet, Measurement, settle

CPU = ceilings("slow cpu")
ADD = Kernel("add.Tensor", 10**7, 120_000_000, "float32")  # 0.1 ms of FLOPs, 12 ms of traffic
CHAIN = (ADD,) * 4
MATMUL = Kernel("mm.default", 2 * 10**9, 12 * 10**6, "float32")  # 20 ms, 1.2 ms
TINY = Kernel("add.Tensor", 16, 192, "float32")


def omission_of(kernels: tuple[Kernel, ...], bet: float, measured: float, device: Ceilings = CPU) -> str:
    count = Count(kernels, kernels[0].bytes_moved)
    times = Measurement(measured, measured, measured, samples=9, calls=1, cold=True)
    return omission(settle(Bet(bet), times, count, device))


@pytest.mark.parametrize(
    ("kernels", "bet", "measured", "words"),
    [
        ((ADD,), 1e-4, 14e-3, "That is only the FLOPs; the 120 MB that move take 12 ms"),
        ((ADD,), 6.5e-3, 14e-3, "That is half of the traffic; what is read and what is written both count"),
        (CHAIN, 12e-3, 50e-3, "That is one pass over the data; 4 operations move 480 MB between them"),
        ((TINY,) * 100, 2e-8, 100e-6, "Torch needs 100 us to start 100 operations, however small"),
        ((MATMUL,), 1e-3, 22e-3, "2 GFLOP take 20 ms at the best speed of this device"),
        ((ADD,), 1e-3, 14e-3, "120 MB have to move, which takes 12 ms at best"),
        ((ADD,), 12e-3, 48e-3, "12 ms is the bound, and this run reached 25% of it: no run reaches all"),
    ],
    ids=["flops", "half", "fused", "starts", "compute", "memory", "bound"],
)
def test_low_bet_names_its_omission(kernels: tuple[Kernel, ...], bet: float, measured: float, words: str) -> None:
    assert omission_of(kernels, bet, measured).startswith(words)


def test_bet_on_memory_names_faster_caches() -> None:
    cached = replace(CPU, cache_bytes=10**9)

    assert (
        omission_of((ADD,), 11e-3, 3e-3, device=cached)
        == "That is the time from memory; here the data stays in the caches."
    )


@pytest.mark.parametrize("factor", [0.85, 1.0, 1.2])
def test_a_bet_that_is_near_forgot_nothing(factor: float) -> None:
    assert omission_of((ADD,), 14e-3 * factor, 14e-3) == ""
