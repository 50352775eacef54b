"""Check scores of bets: factors, forgiven noise, intervals, busy machines and impossible times."""

from collections.abc import Collection
from dataclasses import replace

import pytest
from devices import ceilings

from studykit.exercise.bet.bounds import Binds, Count, Kernel
from studykit.exercise.bet.score import Bet, Canary, Measurement, drifted, noise_of, settle
from studykit.exercise.verdict import Close, Correct, Incorrect, NotScored, Refused, Verdict
from studykit.scheduling.recall_grade import Grade

CEILINGS = ceilings("cpu")
FREE = Canary(5e-3, 1.98, 2)
RELU = Count((Kernel("relu.default", 10**8, 8 * 10**8, "float32"),), 8 * 10**8)  # at least 16 ms
STEADY = Measurement(0.020, 0.020, 0.020, samples=30, calls=1, cold=True, canaries=(FREE, FREE))


def bet(seconds: float, binds: Binds = Binds.MEMORY, low: float | None = None, high: float | None = None) -> Bet:
    return Bet(seconds, binds, low, high)


@pytest.mark.parametrize(
    ("seconds", "verdict", "grade"),
    [
        (0.020, Correct(), Grade.EASY),
        (0.0249, Correct(), Grade.EASY),
        (0.0161, Correct(), Grade.EASY),
        (0.030, Correct(), Grade.GOOD),
        (0.0101, Correct(), Grade.GOOD),
        (0.060, Close(3.0), Grade.HARD),
        (0.0051, Close(0.255), Grade.HARD),
        (0.2, Incorrect(10.0), Grade.AGAIN),
    ],
)
def test_bet_is_judged_by_its_factor(seconds: float, verdict: Verdict, grade: Grade) -> None:
    settled = settle(bet(seconds), STEADY, RELU, CEILINGS)

    assert (settled.verdict, settled.grade, settled.covered) == (verdict, grade, None)


def test_wrong_reason_is_at_most_hard() -> None:
    settled = settle(bet(0.020, Binds.COMPUTE), STEADY, RELU, CEILINGS)

    assert settled.verdict == Close(1.0)
    assert settled.grade is Grade.HARD
    assert not settled.right_reason


def test_any_reason_is_right_when_uncounted() -> None:
    uncounted = replace(RELU, problems=("qr has no formula",))

    assert settle(bet(0.020, Binds.COMPUTE), STEADY, uncounted, CEILINGS).verdict == Correct()


def test_bet_below_physics_is_a_slip() -> None:
    settled = settle(bet(0.002), STEADY, RELU, CEILINGS)

    assert isinstance(settled.verdict, Incorrect)
    assert settled.slips == ("below_physics",)


def test_the_noise_of_the_instrument_is_forgiven() -> None:
    noisy = replace(STEADY, p20=0.020, p80=0.028)

    assert noise_of(noisy, CEILINGS) == pytest.approx(1.4)
    assert settle(bet(0.028), noisy, RELU, CEILINGS).error == 0
    assert settle(bet(0.055), noisy, RELU, CEILINGS).grade is Grade.GOOD


@pytest.mark.parametrize(
    ("measured", "is_quiet"),
    [
        (replace(STEADY, p80=0.032), True),
        (replace(STEADY, canaries=(FREE, Canary(5e-3, 1.5, 2))), True),
        (replace(STEADY, canaries=(FREE, Canary(7e-3, 1.98, 2))), True),
        (STEADY, False),
    ],
    ids=["scattered", "few processors", "slow matmul", "busy ceilings"],
)
def test_unsteady_machine_scores_nothing(measured: Measurement, *, is_quiet: bool) -> None:
    settled = settle(bet(0.2), measured, RELU, replace(CEILINGS, quiet=is_quiet))

    assert isinstance(settled.verdict, NotScored)
    assert settled.grade is None


def test_busy_memory_scores_nothing_that_memory_binds() -> None:
    slow = replace(STEADY, canaries=(FREE, replace(FREE, stream_s=4e-3)))
    ceilings = replace(CEILINGS, stream_s=3e-3)
    matmul = Count((Kernel("mm.default", 4 * 10**9, 10**6, "float32"),), 10**6)

    assert settle(bet(0.020), slow, RELU, ceilings).verdict == NotScored(
        "memory runs 1.3x slower than when measured; bet again when the machine is free"
    )
    assert settle(bet(0.020, Binds.COMPUTE), slow, matmul, ceilings).verdict == Correct()


@pytest.mark.parametrize("seconds", [0.020, 0.010], ids=["as usual", "below the floor"])
def test_faster_memory_is_not_scored(seconds: float) -> None:
    fast = replace(STEADY, median=seconds, p20=seconds, p80=seconds, canaries=(FREE, replace(FREE, stream_s=2e-3)))

    assert settle(bet(seconds), fast, RELU, replace(CEILINGS, stream_s=3e-3)).verdict == NotScored(
        "memory runs faster than when measured; run: study device --measure"
    )


@pytest.mark.parametrize(
    ("tiny_s", "why"),
    [
        (1.5e-6, "small operations run 1.5x slower than when measured; bet again when the machine is free"),
        (0.5e-6, "small operations run faster than when measured; run: study device --measure"),
    ],
)
def test_drifted_overhead_is_not_scored(tiny_s: float, why: str) -> None:
    measured = replace(STEADY, canaries=(FREE, replace(FREE, tiny_s=tiny_s)))
    ceilings = replace(CEILINGS, tiny_s=1e-6)
    tiny = Count((Kernel("add.Tensor", 16, 192, "float32"),), 192)

    assert settle(bet(0.020, Binds.OVERHEAD), measured, tiny, ceilings).verdict == NotScored(why)
    assert settle(bet(0.020), measured, RELU, ceilings).verdict == Correct()


def test_gpu_ignores_processor_time() -> None:
    gpu = replace(STEADY, canaries=(Canary(5e-3, 0.1, 0), Canary(5e-3, 0.1, 0)))

    assert settle(bet(0.020), gpu, RELU, CEILINGS).verdict == Correct()


def test_impossible_time_is_refused_with_its_reason() -> None:
    settled = settle(bet(0.001), replace(STEADY, median=0.001, p20=0.001, p80=0.001), RELU, CEILINGS)

    assert settled.verdict == Refused(
        "measured 1 ms, but this device needs at least 16 ms for the work: it was not done, or was counted wrong"
    )
    assert settled.grade is None


@pytest.mark.parametrize(
    ("low", "high", "covered"),
    [(0.016, 0.025, True), (0.010, 0.040, True), (0.002, 0.2, True), (0.041, 0.045, False)],
)
def test_an_interval_covers_what_lies_inside_it(low: float, high: float, *, covered: bool) -> None:
    settled = settle(bet(0.020, Binds.MEMORY, low, high), STEADY, RELU, CEILINGS)

    assert settled.covered is covered


SLOW_MEMORY = replace(FREE, stream_s=4e-3, tiny_s=1e-6)


@pytest.mark.parametrize(
    ("binds", "canaries", "is_drift"),
    [
        ((), (Canary(8e-3, 1.98, 2), Canary(8.1e-3, 1.98, 2)), True),
        ((), (Canary(2e-3, 1.98, 2), Canary(2e-3, 1.98, 2)), True),
        ({Binds.MEMORY}, (SLOW_MEMORY, SLOW_MEMORY), True),
        ({Binds.OVERHEAD}, (SLOW_MEMORY, SLOW_MEMORY), False),
        ({Binds.MEMORY}, (replace(FREE, stream_s=3e-3), SLOW_MEMORY, SLOW_MEMORY), False),
        ({Binds.COMPUTE}, (FREE, FREE), False),
        ({Binds.COMPUTE}, (Canary(8e-3, 1.0, 2), Canary(8e-3, 1.0, 2)), False),
        ({Binds.COMPUTE}, (Canary(5e-3, 1.98, 2), Canary(9e-3, 1.98, 2)), False),
        (set(Binds), (), False),
    ],
    ids=["slower", "faster", "memory", "unbound", "memory once", "as measured", "busy", "unsteady", "none"],
)
def test_other_speed_on_a_free_machine_is_drift(
    binds: Collection[Binds], canaries: tuple[Canary, ...], *, is_drift: bool
) -> None:
    assert drifted(binds, canaries, replace(CEILINGS, stream_s=3e-3, tiny_s=1e-6)) is is_drift
