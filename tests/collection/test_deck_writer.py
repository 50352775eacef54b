"""Test that deck files are written atomically, and that text which would break one is refused."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from decks import read_deck
from studykit.cards.note_lines import NewNote
from studykit.collection.deck_writer import OpenedDeck, add_notes, move_note, new_deck, refuse_misread
from studykit.errors import BadDataError, StudyError, UsageError

DECK = '---\nname = "Mine"\n---\n\nQ: one {#one}\nA: eins\n\nC: [two] and [three] {#two}\n'
FOUR = "Q: four {#four}\nA: vier\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "mine.md"
    file.write_text(DECK)
    return file


def is_never_taken(_: str) -> bool:
    return False


def test_a_note_is_added_and_everything_else_stays(path: Path) -> None:
    path.chmod(0o640)

    cards = add_notes(OpenedDeck.read(path), FOUR, is_never_taken)

    assert [(card.id, card.line) for card in cards] == [("four", 10)]
    assert path.read_text() == DECK + "\nQ: four {#four}\nA: vier\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [file.name for file in path.parent.iterdir()] == ["mine.md"]


@pytest.mark.parametrize(
    ("front", "back"),
    [("a", "b\nQ: c\nA: d"), ("a", "b\n---\nC: [c]"), ("a <!-- b -->", "c"), ("a", "b\ncheck: 1 = 1")],
)
def test_what_would_read_as_something_else_is_refused(front: str, back: str) -> None:
    note = NewNote(front, back, "new")
    deck = read_deck("\n".join(note.lines()), "-")

    with pytest.raises(BadDataError, match="This note would be misread"):
        refuse_misread(note, deck.cards)


def test_a_file_that_changed_meanwhile_is_not_overwritten(path: Path) -> None:
    opened = OpenedDeck.read(path)
    path.write_text("Q: of somebody else\nA: b\n")

    with pytest.raises(StudyError, match="was changed by another program, so nothing was written"):
        add_notes(opened, FOUR, is_never_taken)

    assert path.read_text() == "Q: of somebody else\nA: b\n"
    assert [file.name for file in path.parent.iterdir()] == ["mine.md"]


def test_add_notes_refuses_an_unclosed_comment(path: Path) -> None:
    path.write_text(DECK + "<!-- open\n")

    with pytest.raises(BadDataError, match=r"mine\.md:9: a comment or code fence begins here"):
        add_notes(OpenedDeck.read(path), FOUR, is_never_taken)


def test_add_notes_works_despite_other_mistakes(path: Path) -> None:
    path.write_text("A: lost\n\n" + DECK.partition("\n\n")[2])

    add_notes(OpenedDeck.read(path), FOUR, is_never_taken)

    assert path.read_text().endswith("Q: four {#four}\nA: vier\n")


def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.md"
    link.symlink_to(path)

    add_notes(OpenedDeck.read(link), FOUR, is_never_taken)

    assert link.is_symlink()
    assert "vier" in path.read_text()


@pytest.mark.parametrize("make", [lambda at, own: at.symlink_to(own), lambda at, _: os.mkfifo(at)])
def test_link_beside_a_deck_stays(path: Path, tmp_path: Path, make: Callable[[Path, Path], object]) -> None:
    own = tmp_path / "own"
    own.write_text("the learner's own\n")
    make(path.with_name(f".{path.name}.part"), own)

    add_notes(OpenedDeck.read(path), FOUR, is_never_taken)

    assert own.read_text() == "the learner's own\n"
    assert "vier" in path.read_text()
    assert not path.is_symlink()


def test_a_file_that_is_no_text_is_told(path: Path) -> None:
    path.write_bytes(b"Q: \xff\nA: b\n")

    with pytest.raises(BadDataError, match="byte 0xFF is not UTF-8"):
        OpenedDeck.read(path)


def test_notes_get_ids_by_themselves(path: Path) -> None:
    cards = add_notes(
        OpenedDeck.read(path), "Q: What is a cat?\nA: b\nC: A [cat]\nQ: d {#mine}\nA: e\n", is_never_taken
    )

    assert [card.id for card in cards] == ["cat", "cat-2", "mine"]
    assert "Q: What is a cat? {#cat}\nA: b\n\nC: A [cat] {#cat-2}\n\nQ: d {#mine}\nA: e\n" in path.read_text()


@pytest.mark.parametrize(
    ("notes", "message"), [("hello", "text outside"), ("Q: a", "without an answer"), ("\n", "no note")]
)
def test_notes_that_are_none_are_told(path: Path, notes: str, message: str) -> None:
    with pytest.raises(BadDataError, match=message):
        add_notes(OpenedDeck.read(path), notes, is_never_taken)

    assert path.read_text() == DECK


def test_a_note_moves_with_its_siblings(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_bytes(b"Q: a {#a}\r\nA: b\r\n")
    source = OpenedDeck.read(path)
    card = next(card for card in source.deck.cards if card.id == "two.2")

    assert move_note(card, source, OpenedDeck.read(other)) == ("two.1", "two.2")

    assert other.read_bytes() == b"Q: a {#a}\r\nA: b\r\n\r\nC: [two] and [three] {#two}\r\n"
    assert path.read_text() == '---\nname = "Mine"\n---\n\nQ: one {#one}\nA: eins\n'


def test_failed_note_move_keeps_one_copy(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text("Q: a {#a}\nA: b\n")
    source = OpenedDeck.read(path)
    os.utime(path)
    path.write_text(DECK + "\n")

    with pytest.raises(StudyError, match="was changed by another program"):
        move_note(source.deck.cards[0], source, OpenedDeck.read(other))

    assert other.read_text() == "Q: a {#a}\nA: b\n"
    assert path.read_text() == DECK + "\n"


def test_new_deck_has_its_name_and_replaces_nothing(tmp_path: Path) -> None:
    path = new_deck(tmp_path / "decks", 'The "big" one', ())

    assert path.name == "the-big-one.md"
    assert OpenedDeck.read(path).deck.name == 'The "big" one'
    with pytest.raises(StudyError, match="already exists"):
        new_deck(tmp_path / "decks", 'The "big" one', ())


@pytest.mark.parametrize("name", ["", " ", "a\nb", "\x07"])
def test_a_deck_needs_a_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="A deck needs a name"):
        new_deck(tmp_path, name, ())


@pytest.mark.parametrize("name", ["README", "Claude", "2-flops"])
def test_a_new_deck_hides_no_other_file(tmp_path: Path, name: str) -> None:
    assert new_deck(tmp_path, name, ["2-flops.md"]).name == f"my-{name.lower()}.md"
