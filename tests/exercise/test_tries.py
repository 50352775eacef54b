"""Check how wrong answers are named: by slip, by factor, or by the diagnosis of code."""

import pytest
from templates import template_named

from studykit.exercise import catalog
from studykit.exercise.estimate.template import draw
from studykit.exercise.wrong_answers import cluster, off_by
from studykit.scheduling.events import Showing


def asked(answer: str, version: int = 2) -> Showing:
    return Showing("flops.matmul", version, 3, "{}", answer)


@pytest.mark.parametrize(
    ("times", "said"), [(0.5, "mac"), (37, "about 30 times too large"), (1 / 230, "about 200 times too small")]
)
def test_wrong_number_is_a_slip_or_a_factor(times: float, said: str) -> None:
    right = draw(template_named("flops.matmul"), 3).answer

    assert said in cluster(asked(f"{right * times:.12g} FLOP"))


def test_unreadable_or_old_answer_is_not_sorted() -> None:
    assert cluster(asked("no idea")) == ""
    assert cluster(asked("1", version=99)) == ""
    assert cluster(Showing("gone.exercise", 1, 1, "{}", "1")) == ""


def test_another_kind_of_quantity_is_told() -> None:
    assert cluster(asked("3 hours")) == "another kind of quantity"


@pytest.mark.parametrize(
    ("factor", "said"),
    [
        (1.4, "less than 2 times too large"),
        (0.6, "less than 2 times too small"),
        (2, "about 2 times too large"),
        (0.2, "about 5 times too small"),
        (9, "about 10 times too large"),
        (1024, "about 1,000 times too large"),
        (4.2e5, "about 500,000 times too large"),
        (0.7e-23, "more than 1,000,000 times too small"),
        (0, "zero or negative"),
        (-3, "zero or negative"),
        (float("inf"), "zero or negative"),
    ],
)
def test_how_far_off_is_said_in_round_numbers(factor: float, said: str) -> None:
    assert off_by(factor) == said


def test_code_is_diagnosed_only_if_asked_for() -> None:
    version = catalog.find("rewrite.split_heads").version
    showing = Showing("rewrite.split_heads", version, 1, "{}", "rearrange(x)")

    assert cluster(showing) == ""
    assert cluster(showing, "{} judged {}".format) == "rewrite.split_heads judged rearrange(x)"
