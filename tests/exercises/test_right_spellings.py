"""Check spellings that people use: right ones cost no try, and misleading ones are asked about."""

import shlex
from pathlib import Path

import pytest
from templates import template_named

from studykit.exercise.estimate import feedback
from studykit.exercise.estimate.number import judge
from studykit.exercise.estimate.pins import pins
from studykit.exercise.estimate.template import NumericJudgment, Variant, draw
from studykit.exercise.verdict import Correct, Incorrect, Malformed

FOLDER = Path(__file__).parents[1] / "data" / "estimates"
RIGHT, DOUBTS, NUMBERS = (
    [line for line in (FOLDER / name).read_text("utf-8").splitlines() if not line.startswith("#")]
    for name in ("spellings.txt", "doubts.txt", "spelled_numbers.txt")
)
MIN_ACCEPTED = 0.97
PINS = dict(row.split(" | ") for row in NUMBERS)


def posed(exercise: str) -> Variant:
    template = template_named(exercise)
    pinned = dict(word.split("=", 1) for word in shlex.split(PINS[exercise]))
    return draw(template, 7, pins(template, pinned))


def judged(exercise: str, answer: str, *, rough: bool = False) -> NumericJudgment:
    return judge(posed(exercise), answer, rough=rough)


@pytest.mark.parametrize("row", RIGHT)
def test_right_spelling_costs_no_try(row: str) -> None:
    assert isinstance(judged(*row.split(" | ")).verdict, Correct | Malformed)


def test_right_spellings_are_accepted() -> None:
    asked_again = [row for row in RIGHT if not isinstance(judged(*row.split(" | ")).verdict, Correct)]

    assert len(asked_again) <= (1 - MIN_ACCEPTED) * len(RIGHT), asked_again


@pytest.mark.parametrize("row", DOUBTS)
def test_misleading_answer_is_asked_or_named(row: str) -> None:
    exercise, answer, verdict, expected = (part.strip() for part in row.split("|"))

    judgment = judged(exercise, answer)

    assert judgment.verdict.name == verdict
    if isinstance(judgment.verdict, Malformed):
        assert expected in judgment.verdict.why
    else:
        assert expected in {"", *(slip.id for slip in judgment.slips)}


def test_rate_is_not_read_as_a_formula() -> None:
    verdict = judged("inf.prefill_flops", "557 TFLOP/s").verdict

    assert verdict == Incorrect(why="that is FLOP/s, but the question asks for FLOPs")


def test_converted_formula_is_told_to_leave_that_out() -> None:
    (slip,) = judged("time.train_days", "6ND/(86400 G peak mfu)").slips

    assert slip.message.endswith("Formulas are in SI units, so leave out the conversion.")


def test_words_around_an_amount_are_echoed() -> None:
    assert judged("accum.steps", "16 gradient accumulation steps").notes == ("comment: gradient",)
    assert judged("time.gpus_needed", "41 (40.5 rounded up)").notes == ("comment: 40.5 rounded up",)
    assert judged("accum.steps", "16 steps").notes == ()


@pytest.mark.parametrize(("exercise", "answer"), [("time.gpus_needed", "45"), ("inf.max_batch", "270")])
def test_rough_whole_count_may_be_near(exercise: str, answer: str) -> None:
    variant = posed(exercise)

    assert isinstance(judged(exercise, answer, rough=True).verdict, Correct)
    assert feedback.tolerance(variant) == "accepted only if exact"
    assert feedback.tolerance(variant, rough=True) == "accepted within a factor of 1.5"
