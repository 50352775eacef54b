"""Check how bets are read, their bounds derived, and their outcomes shown."""

from dataclasses import replace

import pytest
from devices import ceilings

from studykit.errors import UsageError
from studykit.exercise.bet.bounds import Binds, Count, Kernel, MemoryPattern
from studykit.exercise.bet.describe import (
    derivation,
    omission,
    read_binds,
    read_interval,
    read_time,
    table,
    verdict_line,
)
from studykit.exercise.bet.score import Bet, BetOutcome, Measurement, settle
from studykit.exercise.verdict import NotScored
from studykit.help_pages import PAGES
from studykit.quantity.reading import BadAnswerError

GPU = ceilings("even gpu")
MATMUL = Kernel("mm.default", 2 * 10**12, 10**9, "bfloat16")
ADD = Kernel("add.Tensor", 10**9, 10**9, "float32")
COPY = Kernel("copy_.default", 0, 4 * 10**9, "float32")
TINY = Kernel("add.Tensor", 16, 192, "float32")
LINKED = replace(COPY, pattern=MemoryPattern.LINK)


def outcome(count: Count, *, seconds: float = 2e-3, cold: bool = True) -> BetOutcome:
    measured = Measurement(2e-3, 2e-3, 2e-3, samples=9, calls=1, cold=cold)
    return settle(Bet(seconds), measured, count, GPU)


@pytest.mark.parametrize(
    ("kernels", "said"),
    [
        ((MATMUL,), "1 kernel: 2 TFLOP at 1 PFLOP/s = 2 ms"),
        ((COPY, COPY), "2 kernels: 8 GB at 2 TB/s = 4 ms"),
        ((LINKED,), "1 kernel: 4 GB at 50 GB/s = 80 ms"),
        ((TINY,) * 3, "3 kernels: 3 small x 5 us = 15 us"),
        (
            (MATMUL, COPY, TINY),
            "3 kernels: 2 TFLOP at 1 PFLOP/s = 2 ms + 4 GB at 2 TB/s = 2 ms + 1 small x 5 us = 5 us",
        ),
        ((), "no kernel runs: one view, 1 us"),
    ],
    ids=["compute", "memory", "link", "overhead", "all", "view"],
)
def test_a_bound_is_derived_in_one_line(kernels: tuple[Kernel, ...], said: str) -> None:
    assert derivation(Count(kernels, 0), GPU) == said


def test_table_has_a_line_per_comparison() -> None:
    assert table(outcome(Count((MATMUL,), 10**9))) == [
        "you         2 ms",
        "measured    2 ms   (p20 2 ms, p80 2 ms, 9 samples)",
        "eager       2 ms   1 kernel: 2 TFLOP at 1 PFLOP/s = 2 ms",
        "reached     1 PFLOP/s, intensity 2000 FLOP per byte",
    ]


def test_only_a_wrong_bet_names_its_omission() -> None:
    wrong, right = outcome(Count((MATMUL,), 10**9), seconds=1e-5), outcome(Count((MATMUL,), 10**9))

    assert omission(wrong) == "2 TFLOP take 2 ms at the best speed of this device."
    assert omission(right) == ""
    assert omission(replace(wrong, verdict=NotScored("busy"))) == ""


def test_copy_shows_bandwidth_and_warm_caches() -> None:
    lines = table(outcome(Count((COPY,), 4 * 10**9), cold=False))

    assert lines[1].endswith("9 samples, caches warm)")
    assert lines[-1] == "reached     2 TB/s, no FLOPs"


def test_least_of_batches_is_shown_with_its_spread() -> None:
    warm = outcome(Count((TINY,), 192))
    measured = replace(warm.measured, p80=2.1e-3, cold=False, least=True)

    lines = table(replace(warm, measured=measured))

    output = "the least of several batches, which vary by 5%, 9 samples, caches warm"
    assert lines[1] == f"measured    2 ms   ({output})"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (2e-3, "right: exact, and compute binds it"),
        (5e-3, "close: 2.5x too high, and compute binds it"),
        (2e-4, "wrong: 10x too low, and compute binds it"),
        (5e-8, "wrong: 40000x too low, and compute binds it"),
    ],
)
def test_the_verdict_says_how_far_and_why(seconds: float, said: str) -> None:
    assert verdict_line(outcome(Count((MATMUL,), 10**9), seconds=seconds)) == said


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0.2ms", 2e-4), ("150 us", 1.5e-4), ("~3 s", 3.0), ("2 * 10 ms", 0.02), ("1e-9 s", 1e-9)],
)
def test_a_time_is_read_with_its_unit(text: str, seconds: float) -> None:
    assert read_time(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "0 s", "1e9 s", "-1 ms", "1e999 s"])
def test_what_is_no_time_is_asked_again(text: str) -> None:
    with pytest.raises(BadAnswerError):
        read_time(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *(
            (text, "give one time")
            for text in ("0.1-0.4 ms", "0.1 ms to 0.4 ms", "between 1 and 2 ms", "1 ms, 2 ms", "1/2 ms to 1 ms")
        ),
        *((text, "give the interval separately") for text in ("~2 us to 5 us", "2 us TO 5 us.", "5 us ± 2")),
        *((text, "a time with its unit") for text in ("fast", "memory", "?", "7", "3 GB")),
        ("1,5 ms", "decimal point"),
        ("3 micros", "did you mean microsec"),
    ],
)
def test_invalid_time_says_what_to_type(text: str, said: str) -> None:
    with pytest.raises(BadAnswerError, match=said):
        read_time(text)


@pytest.mark.parametrize(
    "text",
    [
        *("1 ms to 4 ms", "4 ms to 1 ms", "1 ms .. 4 ms", "1 ms, 4 ms", "1 to 4 ms", "1 ms to 4", "1 ms 4ms"),
        *("1-4 ms", "1ms–4ms", "1..4ms", "between 1 ms and 4 ms", "[1 ms, 4 ms]", "1e-3 to 4e-3 s"),
        *("1/1 ms to 8/2 ms", "1,000 us to 4,000 us"),
    ],
)
def test_an_interval_has_its_lower_end_first(text: str) -> None:
    assert read_interval(text) == pytest.approx((1e-3, 4e-3))


@pytest.mark.parametrize("text", ["1 ms", "12 ms", "0.25 ms", "1 to 4", "a to b"])
def test_half_an_interval_is_asked_again(text: str) -> None:
    with pytest.raises(BadAnswerError):
        read_interval(text)


def test_reason_may_be_shortened() -> None:
    assert [read_binds(word) for word in ("mem", "C", "overhead")] == [Binds.MEMORY, Binds.COMPUTE, Binds.OVERHEAD]
    for word in ("", "luck"):
        with pytest.raises(UsageError):
            read_binds(word)


def test_help_shows_the_lines_of_a_bet() -> None:
    page = (PAGES / "bets.md").read_text("utf-8")
    sample = page[page.index("$ study time bet.chain") :].partition("```")[0].splitlines()[1:]
    once = outcome(Count((ADD,) * 4, 10**9))
    interval = replace(once.bet, low=1e-3, high=4e-3)
    output = table(replace(once, bet=interval))

    labels = [line[:12].strip() for line in output]
    assert [line.strip()[:12].strip() for line in sample] == labels
