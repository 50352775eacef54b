"""Check that the self-test describes a template's problems so that its author can fix them."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from templates import template_named

from studykit.exercise.estimate import number
from studykit.exercise.estimate.selftest import problems
from studykit.exercise.estimate.template import SlipRule, draw

GOOD = template_named("flops.matmul")
JUDGE = number.judge


def rule(factor: float, *, question: str = "How?", message: str = "So.") -> SlipRule:
    return SlipRule("mine", lambda v: v.answer * factor, question, message)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": "matmul"}, "the id must be family.name"),
        ({"hints": ("one", "one", "two")}, "a hint is empty or stands twice"),
        ({"hints": ("", "a", "b")}, "a hint is empty or stands twice"),
        ({"solution": ()}, "the worked solution is missing"),
        ({"slips": ()}, "no slip is named; add at least the most likely one"),
        ({"slips": (rule(0.5, question=""),)}, "slip mine has no question or no message"),
        (
            {"slips": (rule(1.005),)},
            "flops.matmul has no variant with its own parameters: these slips are too near the answer: mine.",
        ),
        ({"prompt": "What of {Q}?"}, "a formula or a text fails with seed 0: KeyError: 'Q'"),
        (
            {"answer": lambda v: v.m / 0},
            "a formula or a text fails with seed 0: ZeroDivisionError: division by zero",
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_fault_is_told_in_words(change: Mapping[str, object], problem: str) -> None:
    wrong = replace(GOOD, **change)  # type: ignore[arg-type] # one field of any type

    assert problem in problems(wrong, JUDGE, range(3))


def test_conversion_that_nobody_needs_is_reported() -> None:
    interval = template_named("ckpt.interval")

    assert problems(interval, JUDGE, range(6)) == []
    assert "not converting mtbf gives the right answer in 6 of 6 draws" in problems(
        replace(interval, unit="min", slips=interval.slips[:2]), JUDGE, range(6)
    )


def test_number_that_changes_nothing_is_reported() -> None:
    idle = replace(GOOD, answer=lambda v: 2 * v.m * v.n)

    assert "leaving out k gives the right answer in 6 of 6 draws" in problems(idle, JUDGE, range(6))


def test_sound_template_has_no_problem() -> None:
    tied = replace(GOOD, slips=(rule(0.5), replace(rule(0.5), id="other")))

    assert problems(tied, JUDGE, range(5)) == []
    assert problems(template_named("mem.gib"), JUDGE, range(1)) == []  # of a fixed unit


def test_a_grader_that_passes_everything_is_caught() -> None:
    judged = JUDGE(draw(GOOD, 0), "1e3")

    lines = problems(GOOD, lambda *_: judged, range(1))

    assert "'soon' is not called malformed" in lines
