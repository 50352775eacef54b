"""Test that a mistake in a note is reported once and loses no other note."""

from studykit.cards.lines import LineReader
from studykit.cards.notes import read_notes


def test_one_complaint_is_enough_until_the_next_note() -> None:
    lines = ["A: x", "more", "", "A: again", "and more", "Q: a", "A: b"]

    notes, problems = read_notes(LineReader().read(lines), "d.md")

    assert [problem.line for problem in problems] == [1]
    assert [(note.line, note.front, note.back) for note in notes] == [(6, "a", "b")]
