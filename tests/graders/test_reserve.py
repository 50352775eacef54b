"""What is told from the second failure on, in texts that hold an answer's own words."""

import pytest

from studykit.graders.rewrite.diagnosis.reserve import at_second, unmarked


@pytest.mark.parametrize("own", ["", "\x01", "\x02", "\x03", "\x01a\x02b\x03", "\x03\x01"])
def test_marks_in_an_answer_give_nothing_away(own: str) -> None:
    text = f"Yours: {own} b d{at_second(f' {own}, wanted: d b', f' {own}')}."

    assert "wanted" not in unmarked(text, again=False)
    assert "wanted: d b." in unmarked(text, again=True)


def test_marks_without_end_are_read_once() -> None:
    text = "\x01" * 100_000 + "\x02" * 100_000

    assert unmarked(text, again=False) == text
