"""Check that the transition table covers every line in every state."""

from itertools import product

import pytest

from studykit.cards.lines import LineKind, LineReader
from studykit.cards.notes import TRANSITIONS, NoteState, read_notes


@pytest.mark.parametrize(("state", "kind"), list(product(NoteState, LineKind)), ids=lambda value: value.name)
def test_every_kind_of_line_leads_somewhere_from_everywhere(state: NoteState, kind: LineKind) -> None:
    transition = TRANSITIONS[state, kind]

    assert not (transition.keeps and (transition.ends or transition.complaint))
    assert transition.complaint == "" or transition.complaint.endswith(".")


def test_one_complaint_is_enough_until_the_next_note() -> None:
    lines = ["A: x", "more", "", "A: again", "and more", "Q: a", "A: b"]

    notes, problems = read_notes(LineReader().read(lines), "d.md")

    assert [problem.line for problem in problems] == [1]
    assert [(note.line, note.front, note.back) for note in notes] == [(6, "a", "b")]
