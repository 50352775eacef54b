"""Check the previews of what each grade would do."""

from datetime import date

import pytest

from studykit.review.keymap import SCALES
from studykit.review.preview import buttons_line, day_name, span
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


@pytest.mark.parametrize(
    ("memory", "scale", "expected"),
    [
        (THIRD, "4", ("today", "", "", "15 d")),
        (THIRD, "sm2", ("", "", "today", "", "", "15 d")),
        (THIRD, "2", ("today", "15 d")),
        (None, "4", ("", "today", "", "1 d")),
        (None, "2", ("today", "1 d")),
        (Memory(1, 1, 250, 0, TODAY), "4", ("", "back today", "", "done for today")),
    ],
    ids=["third", "third of six", "third of two", "new", "new of two", "drill"],
)
def test_equal_previews_are_told_once(memory: Memory | None, scale: str, expected: tuple[str, ...]) -> None:
    words = [word for _, word in buttons_line(memory, TODAY, SCALES[scale])]

    assert tuple(word.partition(": ")[2] for word in words) == expected


def test_buttons_that_bring_the_same_stand_together() -> None:
    buttons = buttons_line(THIRD, TODAY, SCALES["4"])

    assert buttons == [("1", "again: today"), ("2", "hard,"), ("3", "good,"), ("4", "easy: 15 d")]
