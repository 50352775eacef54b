"""Check the 80 % interval after the answer to a counted bet."""

import pytest
from templates import template_named

from studykit.exercise.estimate.interval import Interval, split_interval
from studykit.exercise.estimate.template import Variant, draw
from studykit.quantity.reading import BadAnswerError


def variant(name: str) -> Variant:
    return draw(template_named(name), 1)


@pytest.mark.parametrize(
    "ends",
    [
        *("5, 8", "8 5", "5 GB to 8 GB", "5 to 8 GB", "5..8", "5000 MB; 8 GB", "5,8", "5e9 byte, 8 GB"),
        *("5-8", "5 GB - 8 GB", "500e-2 800e-2"),
    ],
)
def test_interval_is_read_from_both_ends(ends: str) -> None:
    answer, interval = split_interval(f"6.5 GB [{ends}]", variant("count.peak"))

    assert answer == "6.5 GB"
    assert interval is not None
    assert [*interval] == pytest.approx([5e9, 8e9])
    assert interval.words(6e9, variant("count.peak").template.target) == "Your interval, 5 GB to 8 GB, holds it."


@pytest.mark.parametrize(
    ("text", "low"),
    [
        ("6500 MB [500, 8000]", 5e8),
        ("6e9 bytes [5e8, 8e9]", 5e8),
        ("16*N [5, 8]", 5e9),
        ("6 [5 MB, 8]", 5e6),
        ("6 [5, 8e9 B]", 5),
    ],
)
def test_bare_end_has_the_unit_beside_it(text: str, low: float) -> None:
    _, interval = split_interval(text, variant("count.peak"))

    assert interval is not None
    assert interval.low == pytest.approx(low)


@pytest.mark.parametrize(
    "answer",
    ["6 GB [4 8", "[4, 8]", "6 GB 4, 8]["]
    + [f"6.5 GB [{ends}]" for ends in ("5", "", "5, 8, 9 s", "5 s, 8 s", "low, high", "5, 8, 9")],
)
def test_unreadable_interval_is_asked_again(answer: str) -> None:
    with pytest.raises(BadAnswerError, match="its interval in brackets"):
        split_interval(answer, variant("count.peak"))


def test_unitless_interval_of_bytes_is_asked_again() -> None:
    with pytest.raises(BadAnswerError, match="are in GB here; add a unit"):
        split_interval("16*N [5e9, 8e9]", variant("count.peak"))


def test_other_questions_have_no_interval() -> None:
    assert split_interval("6 [5, 8]", variant("mem.gib")) == ("6 [5, 8]", None)


def test_interval_holds_its_ends() -> None:
    assert [Interval(5, 8).holds(value) for value in (4, 5, 8, 9)] == [False, True, True, False]
