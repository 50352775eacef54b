"""Check what each verdict counts as, in one table for grades, points and figures."""

from typing import get_args

import pytest

from studykit.exercise.verdict import Verdict
from studykit.scheduling.outcomes import JUDGED, LATE, points, right_at_once, suggested_grade
from studykit.scheduling.recall_grade import Grade


@pytest.mark.parametrize(
    ("verdict", "tries", "hints", "grade"),
    [
        ("correct", 1, 0, Grade.GOOD),
        ("correct", 1, 1, Grade.HARD),
        ("correct", 2, 0, Grade.HARD),
        ("correct", 3, 0, Grade.AGAIN),
        ("close", 1, 0, Grade.HARD),
        ("close", 2, 1, Grade.HARD),
        ("close", 3, 0, Grade.AGAIN),
        ("incorrect", 1, 0, Grade.AGAIN),
        ("timed_out", 1, 0, Grade.AGAIN),
        ("crashed", 1, 0, Grade.AGAIN),
        ("refused", 1, 0, Grade.AGAIN),
        ("malformed", 1, 0, None),
        ("not_scored", 1, 0, None),
    ],
)
def test_verdict_and_tries_suggest_a_grade(verdict: str, tries: int, hints: int, grade: Grade | None) -> None:
    assert suggested_grade(verdict, tries, hints) == grade


def test_every_verdict_is_judged_but_two() -> None:
    names = {kind.name for kind in get_args(Verdict)}

    assert {*names, LATE} == {*JUDGED, "malformed", "not_scored"}


@pytest.mark.parametrize(
    ("verdict", "grade", "right"),
    [
        ("correct", 4, True),
        ("correct", 5, True),
        ("correct", None, True),  # code graded from a file
        ("correct", 3, False),  # with a hint, or at the second try
        ("incorrect", 4, False),  # the learner overrode the grade
        ("close", 3, False),
        ("incorrect", None, False),
        ("not_scored", None, False),
        ("", 4, True),  # a card that its learner marked
        ("", 1, False),
        ("", None, False),
    ],
)
def test_right_at_once_needs_verdict_and_grade(verdict: str, grade: int | None, *, right: bool) -> None:
    assert right_at_once(verdict, grade) is right


def test_close_is_half_a_point() -> None:
    assert [points(verdict) for verdict in ("correct", "close", "incorrect", "not_scored")] == [1, 0.5, 0, 0]
