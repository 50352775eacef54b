"""The transition table knows every line everywhere."""

from itertools import product

import pytest

from studykit.cards.lines import Kind, Reader
from studykit.cards.notes import MOVES, Where, read_notes


@pytest.mark.parametrize(("where", "kind"), list(product(Where, Kind)), ids=lambda value: value.name)
def test_every_kind_of_line_leads_somewhere_from_everywhere(where: Where, kind: Kind) -> None:
    move = MOVES[where, kind]

    assert not (move.keeps and (move.ends or move.complaint))
    assert move.complaint == "" or move.complaint.endswith(".")


def test_one_complaint_is_enough_until_the_next_note() -> None:
    lines = ["A: x", "more", "", "A: again", "and more", "Q: a", "A: b"]

    notes, problems = read_notes(Reader().read(lines), "d.md")

    assert [problem.line for problem in problems] == [1]
    assert [(note.line, note.front, note.back) for note in notes] == [(6, "a", "b")]
