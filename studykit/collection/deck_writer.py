"""Write to a learner's deck files atomically, and never over another program's changes.

The new text is parsed before it is written. It must still have every card of the old text, and the intended ones.
"""

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from studykit.cards.card import Card, Deck
from studykit.cards.note_lines import DeckText, NewNote, fresh_id
from studykit.cards.parser import parse_deck, slug
from studykit.cards.problem import Problem
from studykit.collection.files import read_text
from studykit.errors import BadDataError, StudyError, UsageError
from studykit.ordinary_file import explaining, replacing
from studykit.paths import is_deck


@dataclass(frozen=True, slots=True)
class OpenedDeck:
    """Hold a deck file as it was read, so that a later write fails if the file has changed since."""

    path: Path
    data: bytes
    deck: Deck
    problems: tuple[Problem, ...]

    @classmethod
    def read(cls, path: Path) -> "OpenedDeck":
        """Read the file. BadDataError if it cannot be read as text."""
        text, _, problem = read_text(str(path))
        if problem is not None:
            raise BadDataError(str(problem))
        deck, problems = parse_deck(text, str(path))
        return cls(path, text.encode(), deck, tuple(problems))

    @property
    def text(self) -> DeckText:
        """Return the text, to be edited note by note."""
        return DeckText(self.data.decode())

    def check_text(self, text: str, *, without: Iterable[str] = ()) -> tuple[Card, ...]:
        """Return the cards that a new text adds. BadDataError if the text has new problems or changes old cards.

        `without` has the ids of the only old cards that the text may lose, and must.
        """
        deck, problems = parse_deck(text, str(self.path))
        old_messages = {problem.message for problem in self.problems}
        if fresh := [problem for problem in problems if problem.message not in old_messages]:
            raise BadDataError(f"Nothing was changed: {fresh[0].message}")
        removed_ids = set(without)
        kept = {card.id: card.content_hash for card in self.deck.cards if card.id not in removed_ids}
        hashes = {card.id: card.content_hash for card in deck.cards}
        if not kept.items() <= hashes.items() or removed_ids & hashes.keys():
            raise BadDataError(
                f"{self.path} would lose or change other cards, so nothing was changed. Edit it by hand."
            )
        return tuple(card for card in deck.cards if card.id not in kept)

    def replace(self, text: str) -> None:
        """Replace the file by a new text. StudyError if it has changed since it was read, or cannot be written."""
        target = self.path.resolve()
        with (
            explaining(
                f"{self.path} cannot be written (", "). Make room there, or allow writing to it.", StudyError
            ),
            replacing(target) as file,
        ):
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())  # now, so that hardly any time is left after the comparison
            if target.read_bytes() != self.data:
                raise StudyError(f"{self.path} was changed by another program, so nothing was written. Try again.")


def add_notes(opened: OpenedDeck, notes: str, is_taken: Callable[[str], bool]) -> tuple[Card, ...]:
    """Append notes that are written as deck text, with an id for each that has none, and return their cards."""
    deck, problems = parse_deck(notes, "-")
    if problems:
        where = f"line {problems[0].line}: " if notes.count("\n") > 1 else ""
        raise BadDataError(f"{where}{problems[0].message} Nothing was added.")
    if not deck.cards:
        raise BadDataError('This text has no note. Write "Q: ..." and "A: ...", or "C: ... [gap] ...".')
    _refuse_open_end(opened, opened.text)
    fresh: set[str] = set()

    def name(words: str) -> str:
        id_ = fresh_id(words, lambda id_: id_ in fresh or is_taken(id_))
        fresh.add(id_)
        return id_

    notes_with_ids = DeckText(DeckText(notes).with_ids({card.line for card in deck.cards if not card.named}, name))
    text = opened.data.decode()
    for lines in notes_with_ids.notes():
        text = DeckText(text).with_note(lines)
    cards = opened.check_text(text)
    opened.replace(text)
    return cards


def move_note(card: Card, source: OpenedDeck, target: OpenedDeck) -> tuple[str, ...]:
    """Move a card's note from one file into another, and return the ids of its cards, which stay the same."""
    lines = source.text.note_at(card.line)
    moved_ids = tuple(each.id for each in source.deck.cards if each.line == card.line)
    if not lines or card.id not in moved_ids:
        raise StudyError(f"{source.path}:{card.line} was changed meanwhile, so nothing was moved. Try again.")
    _refuse_open_end(target, target.text)
    target_text, source_text = target.text.with_note(lines), source.text.without_note(card.line)
    arrived_ids = {each.id for each in target.check_text(target_text)}
    if arrived_ids != set(moved_ids):
        raise BadDataError(
            f"{card.id} would become another card in {target.path}, so nothing was moved. Move it by hand."
        )
    source.check_text(source_text, without=moved_ids)
    target.replace(target_text)
    try:
        source.replace(source_text)
    except StudyError:
        OpenedDeck.read(target.path).replace(target.data.decode())  # otherwise both files would have the note
        raise
    return moved_ids


def new_deck(folder: Path, name: str, used_names: Iterable[str]) -> Path:
    """Create the file of a new deck, and return its path. StudyError if it exists or cannot be made.

    A file name in `used_names`, or one that no deck may have, gets `my-` before it.
    """
    if not name.strip() or not name.isprintable():
        raise UsageError("A deck needs a name of printable characters, such as", "study deck new French")
    stem = slug(name)
    path = folder / f"{stem}.md"
    if path.name in set(used_names) or not is_deck(path.name):
        path = folder / f"my-{stem}.md"
    if path.exists():
        raise StudyError(f"{path} already exists. Choose another name.")
    with explaining(f"{path} cannot be made (", "). Make room there, or allow writing to it.", StudyError):
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(f"---\nname = {json.dumps(name.strip(), ensure_ascii=False)}\n---\n")
    return path


def _refuse_open_end(opened: OpenedDeck, text: DeckText) -> None:
    if text.open_line is not None:
        message = "a comment or code fence begins here and never ends, so nothing can be written after it."
        raise BadDataError(f"{opened.path}:{text.open_line}: {message} Close it first.")


def refuse_misread(note: NewNote, cards: Sequence[Card]) -> None:
    """Raise BadDataError if the cards of a new note are not those of the one note that the learner wrote."""
    is_one = len({card.note for card in cards}) == 1
    if not is_one or (
        note.back and not (_same(cards[0].answer, note.back) and _same(cards[0].prompt, note.front))
    ):
        raise BadDataError(
            "This note would be misread, because one of its lines begins like a line of the deck format. "
            "Write it in your editor",
            "study add",
        )


def _same(left: str, right: str) -> bool:
    return left.split() == right.split()
