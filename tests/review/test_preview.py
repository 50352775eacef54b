"""Check the previews of what each grade would do."""

from datetime import date

import pytest

from studykit.review.keymap import SCALES
from studykit.review.preview import buttons_line, day_name, previews, span
from studykit.scheduling.memory import Memory

TODAY = date(2026, 11, 20)
THIRD = Memory(2, 6, 250, 0, date(2026, 11, 14))


@pytest.mark.parametrize(
    ("days", "said"), [(1, "1 d"), (99, "99 d"), (128, "4.2 mo"), (365, "1.0 y"), (36500, "99.9 y")]
)
def test_a_span_is_said_as_people_say_it(days: int, said: str) -> None:
    assert span(days) == said


def test_a_day_of_another_year_has_its_year() -> None:
    assert day_name(date(2027, 1, 3), TODAY) == "3 Jan 2027"


def test_equal_previews_are_told_once() -> None:
    assert previews(THIRD, TODAY, SCALES["4"]) == ("today", "", "", "15 d")


def test_six_grades_collapse_as_honestly() -> None:
    assert previews(THIRD, TODAY, SCALES["sm2"]) == ("", "", "today", "", "", "15 d")


def test_new_card_previews_its_differences() -> None:
    assert previews(None, TODAY, SCALES["4"]) == ("", "today", "", "1 d")
    assert previews(None, TODAY, SCALES["2"]) == ("today", "1 d")


def test_two_buttons_have_one_preview_each() -> None:
    assert previews(THIRD, TODAY, SCALES["2"]) == ("today", "15 d")


def test_a_drill_promises_no_new_interval() -> None:
    reviewed_today = Memory(1, 1, 250, 0, TODAY)

    assert previews(reviewed_today, TODAY, SCALES["4"]) == ("", "back today", "", "done for today")


def test_buttons_that_bring_the_same_stand_together() -> None:
    assert buttons_line(THIRD, TODAY, SCALES["4"]) == [
        ("1", "again: today"),
        ("2", "hard,"),
        ("3", "good,"),
        ("4", "easy: 15 d"),
    ]
