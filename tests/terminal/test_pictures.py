"""Test rooflines, rulers and time axes: right values, and no line too wide."""

import pytest

from studykit.picture import Difference, Roofline, TimeMark
from studykit.review.typed_answer import compare
from studykit.terminal.pictures import painted, roofline
from studykit.terminal.pictures.log_axis import description, ruler, time_axis

ROOFLINE = Roofline(989e12, 3.35e12, 60, 110e12, "you")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(989e12, "989T"), (1e15, "1P"), (3.35e12, "3.35T"), (999.9, "1k"), (0.25, "0.25"), (12, "12")],
)
def test_a_number_is_shown_with_its_prefix(value: float, shown: str) -> None:
    assert roofline.si(value) == shown


@pytest.mark.parametrize(("value", "shown"), [(3.35e12, "3.35 TB/s"), (12, "12 B/s")])
def test_the_prefix_stands_with_the_unit(value: float, shown: str) -> None:
    assert roofline.with_unit(value, "B/s") == shown


@pytest.mark.parametrize("width", [40, 60, 120])
@pytest.mark.parametrize("ascii", [False, True])
def test_a_roofline_is_never_wider_than_asked(width: int, ascii: bool) -> None:  # noqa: A002, FBT001
    lines = roofline.lines(ROOFLINE, width=width, ascii=ascii)

    assert max(map(len, lines)) <= min(width, 88)
    assert "".join(lines).isascii() == ascii


@pytest.mark.parametrize("width", [40, 78])
def test_roofline_names_roofs_ridge_and_point(width: int) -> None:
    lines = roofline.lines(ROOFLINE, width=width, ascii=False)

    assert lines[-2:] == ["roof 989 TFLOP/s, 3.35 TB/s, ridge 295", "● you 110 TFLOP/s = 55% of roof"]


def test_roofline_point_lies_below_its_roof() -> None:
    lines = roofline.lines(ROOFLINE, width=78, ascii=False)

    roof = next(line for line in lines if "○" in line)
    point = next(line for line in lines if "●" in line)
    assert roof.index("○") == point.index("●")
    assert lines.index(roof) < lines.index(point)


def test_a_roofline_in_words_names_what_binds() -> None:
    sentences = roofline.sentence(ROOFLINE)

    assert sentences == (
        "Roofline: peak 989 TFLOP/s, bandwidth 3.35 TB/s, ridge at 295 FLOP per byte. "
        "you: intensity 60, memory-bound, roof 201 TFLOP/s, reached 110 TFLOP/s, 55% of the roof."
    )


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("width", [40, 60, 78])
def test_a_ruler_is_never_wider_than_asked(width: int, ascii: bool) -> None:  # noqa: A002, FBT001
    lines = ruler(6.3e24, [2.1e24], width=width, ascii=ascii)

    assert max(map(len, lines)) <= width
    assert "".join(lines).isascii() == ascii
    assert ascii or lines[0].index("●") < lines[0].index("▲")


@pytest.mark.parametrize(
    ("answer", "tries", "legend"),
    [
        (6.3e24, [2.1e24, 6.3e24], "● try 1 2.1e24, 3x too low   ● try 2 6.3e24, exact   ▲ answer 6.3e24"),
        (5.0, [0.0, 5.0], "● try 2 5, exact   ▲ answer 5"),
        (5.0, [float("inf")], None),
    ],
)
def test_a_ruler_explains_its_signs(answer: float, tries: list[float], legend: str | None) -> None:
    assert next(reversed(ruler(answer, tries)), None) == legend


@pytest.mark.parametrize(
    ("answer", "attempt", "words"),
    [
        (6.3e24, 2.1e24, "you 2.1e24, 3x too low; answer 6.3e24."),
        (268.4e6, 268e6, "you 2.68e8, 0.15 % too low; answer 2.684e8."),
    ],
)
def test_a_ruler_in_words_gives_the_distance(answer: float, attempt: float, words: str) -> None:
    assert description(answer, [attempt]) == words


def test_ruler_of_huge_span_separates_its_numbers() -> None:
    numbers = ruler(1e-9, [1e24], width=60)[2].split()

    assert numbers[0] == "1e-10"
    assert all(number.startswith("1e") and number.count("e") == 1 for number in numbers)


MARKS = (
    TimeMark("◆", 1e-3, "eager 1 ms"),
    TimeMark("●", 2e-3, "measured 2 ms", 1.5e-3, 3e-3),
    TimeMark("▲", 2e-2, "you 20 ms", 1e-2, 4e-2, solid=False),
)


def test_time_axis_shows_marks_decades_and_legend() -> None:
    assert time_axis(MARKS, width=60) == [
        "                     ◆    ●                ▲",
        "    ┼────────────────┼──━━━━━━────────[─────────]──────┼",
        "    100 us           1 ms             10 ms           100 ms",
        "◆ eager 1 ms   ● measured 2 ms   ▲ you 20 ms",
    ]


def test_plain_characters_draw_the_same() -> None:
    assert time_axis(MARKS, width=60, ascii=True)[:2] == [
        "                     #    @                ^",
        "    +----------------+--======--------[---------]------+",
    ]


def test_marks_at_one_place_stand_on_each_other() -> None:
    same = (TimeMark("◆", 1e-3, "eager"), TimeMark("●", 1e-3, "measured"))

    assert [row.strip() for row in time_axis(same, width=50)[:2]] == ["●", "◆"]


@pytest.mark.parametrize("width", [40, 60, 120])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    far = (*MARKS, TimeMark("○", 1e5, "far away"))

    assert max(len(line) for line in time_axis(far, width=width)) <= width
    assert time_axis(MARKS, width=40)[3:] == ["◆ eager 1 ms   ● measured 2 ms", "▲ you 20 ms"]


def test_picture_without_room_or_values_is_empty() -> None:
    assert roofline.lines(ROOFLINE, width=39, ascii=False) == []
    assert time_axis(MARKS, width=39) == []
    assert time_axis((TimeMark("●", 0.0, "nothing"),)) == []
    assert time_axis(()) == []


@pytest.mark.parametrize(
    ("typed", "wanted", "width", "shown"),
    [
        ("2mn", "2mnk", 60, ["you   2mn·", "         ^", "want  2mnk"]),
        (
            "約1500万 abd",
            "約1400万人 abc",
            60,
            ["you   約1500万·  abd", "         ^    ^^   ^", "want  約1400万人 abc"],
        ),
        (
            "no idea, 42?",
            "every one of the many different elements of the tensor in the memory",
            40,
            [
                "you   no idea, 42?",
                "want  every one of the many different",
                "      elements of the tensor in the",
                "      memory",
            ],
        ),
    ],
)
def test_a_typed_answer_stands_over_the_wanted_one(typed: str, wanted: str, width: int, shown: list[str]) -> None:
    comparison = compare(typed, wanted)
    picture = Difference(comparison.you, comparison.carets, comparison.want)

    assert painted.lines(picture, width=width, ascii=False) == shown
    assert painted.sentence(picture) == f"You typed: {typed}\n\nWanted: {wanted}"


def test_of_a_pasted_book_the_beginning_is_shown() -> None:
    comparison = compare("word " * 20_000, "2mnk")

    lines = painted.lines(Difference(comparison.you, comparison.carets, comparison.want), width=80, ascii=False)

    assert (len(lines) < 12, lines[-1]) == (True, "want  2mnk")
