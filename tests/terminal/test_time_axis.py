"""Several times on one log axis, as text."""

import pytest

from studykit.picture import TimeMark
from studykit.terminal.pictures.time_axis import scale

MARKS = (
    TimeMark("◆", 1e-3, "eager 1 ms"),
    TimeMark("●", 2e-3, "measured 2 ms", 1.5e-3, 3e-3),
    TimeMark("▲", 2e-2, "you 20 ms", 1e-2, 4e-2, solid=False),
)


def test_marks_stand_over_an_axis_of_decades_with_a_legend() -> None:
    assert scale(MARKS, width=60) == [
        "                     ◆    ●                ▲",
        "    ┼────────────────┼──━━━━━━────────[─────────]──────┼",
        "    100 us           1 ms             10 ms           100 ms",
        "◆ eager 1 ms   ● measured 2 ms   ▲ you 20 ms",
    ]


def test_plain_characters_draw_the_same() -> None:
    assert scale(MARKS, width=60, ascii=True)[:2] == [
        "                     #    @                ^",
        "    +----------------+--======--------[---------]------+",
    ]


def test_marks_at_one_place_stand_on_each_other() -> None:
    same = (TimeMark("◆", 1e-3, "eager"), TimeMark("●", 1e-3, "measured"))

    assert [row.strip() for row in scale(same, width=50)[:2]] == ["●", "◆"]


def test_a_legend_that_is_too_wide_takes_another_line() -> None:
    assert scale(MARKS, width=40)[3:] == ["◆ eager 1 ms   ● measured 2 ms", "▲ you 20 ms"]


@pytest.mark.parametrize("width", [40, 50, 60, 78, 120])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    far = (*MARKS, TimeMark("○", 1e5, "far away"))

    assert max(len(line) for line in scale(far, width=width)) <= width


def test_without_room_or_without_a_positive_value_there_is_no_picture() -> None:
    assert scale(MARKS, width=39) == []
    assert scale((TimeMark("●", 0.0, "nothing"),)) == []
    assert scale(()) == []
