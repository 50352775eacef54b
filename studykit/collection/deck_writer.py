"""Writing into a learner's deck files: whole or not at all, never over what somebody else wrote meanwhile.

What would break a deck is refused before anything is written: the text is read as a deck first, and has to hold
every card that it held, and those that were meant.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from studykit.cards.card import Card, Deck
from studykit.cards.note_lines import DeckText, NewNote, fresh_id
from studykit.cards.parser import parse_deck, slug
from studykit.cards.problem import Problem
from studykit.collection.files import read_text
from studykit.errors import BadDataError, StudyError, UsageError
from studykit.ordinary_file import explaining, write_fresh


@dataclass(frozen=True, slots=True)
class OpenedDeck:
    """A deck file as it was read: a later write must replace exactly this."""

    path: Path
    data: bytes
    deck: Deck
    problems: tuple[Problem, ...]

    @classmethod
    def read(cls, path: Path) -> "OpenedDeck":
        """Read the file; BadDataError if it is not text."""
        text, _, wrong = read_text(str(path))
        if wrong is not None:
            raise BadDataError(str(wrong))
        deck, problems = parse_deck(text, str(path))
        return cls(path, text.encode(), deck, tuple(problems))

    @property
    def text(self) -> DeckText:
        """Return the text as lines."""
        return DeckText(self.data.decode())

    def checked(self, text: str, *, without: Iterable[str] = ()) -> tuple[Card, ...]:
        """Return the cards that a new text adds. BadDataError if it breaks one or loses others than named."""
        deck, problems = parse_deck(text, str(self.path))
        before = {problem.message for problem in self.problems}
        if fresh := [problem for problem in problems if problem.message not in before]:
            raise BadDataError(f"Nothing was changed: {fresh[0].message}")
        hashes = {card.id: card.content_hash for card in self.deck.cards}
        after = {card.id: card.content_hash for card in deck.cards}
        ids = set(without)
        if any(after.get(id_) != content for id_, content in hashes.items() if id_ not in ids) or ids & set(after):
            raise BadDataError(
                f"{self.path} would lose or change other cards, so nothing was changed. Edit it by hand."
            )
        return tuple(card for card in deck.cards if card.id not in hashes)

    def replace(self, text: str) -> None:
        """Write a new text to disk in the file's place. Refused if the file has changed."""
        target = self.path.resolve()
        draft = target.with_name(f".{target.name}.study-part")
        try:
            with explaining(f"{self.path} cannot be written (", "). Allow writing to it.", StudyError):
                write_fresh(draft, text.encode(), mode=target.stat().st_mode & 0o777, synced=True)
                if target.read_bytes() != self.data:
                    raise StudyError(
                        f"{self.path} was changed by another program, so nothing was written. Try again."
                    )
                draft.replace(target)
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)


def add_note(opened: OpenedDeck, note: NewNote) -> tuple[Card, ...]:
    """Append a note to a deck, and return its cards. BadDataError if it would be read as something else."""
    text = opened.text
    _refuse_open_end(opened, text)
    new_text = text.with_note(note.lines(gap=text.answers_apart))
    cards = opened.checked(new_text)
    _refuse_misread(note, cards)
    opened.replace(new_text)
    return cards


def add_notes(opened: OpenedDeck, notes: str, is_taken: Callable[[str], bool]) -> tuple[Card, ...]:
    """Write notes that are deck text themselves, with an id for each that has none."""
    deck, problems = parse_deck(notes, "-")
    if problems:
        where = f"line {problems[0].line}: " if notes.count("\n") > 1 else ""
        raise BadDataError(f"{where}{problems[0].message} Nothing was added.")
    if not deck.cards:
        raise BadDataError('There is no note in it. Write "Q: ..." and "A: ...", or "C: ... [gap] ...".')
    _refuse_open_end(opened, opened.text)
    fresh: set[str] = set()

    def name(words: str) -> str:
        id_ = fresh_id(words, lambda id_: id_ in fresh or is_taken(id_))
        fresh.add(id_)
        return id_

    notes_with_ids = DeckText(DeckText(notes).with_ids({card.line for card in deck.cards if not card.named}, name))
    text = opened.text.with_note(notes_with_ids.notes()[0])
    for lines in notes_with_ids.notes()[1:]:
        text = DeckText(text).with_note(lines)
    cards = opened.checked(text)
    opened.replace(text)
    return cards


def move_note(card: Card, source: OpenedDeck, target: OpenedDeck) -> tuple[str, ...]:
    """Move a card's note from one file into another. The ids of its cards, which it returns, stay."""
    lines = source.text.note_at(card.line)
    moved = tuple(each.id for each in source.deck.cards if each.line == card.line)
    if not lines or card.id not in moved:
        raise StudyError(f"{source.path}:{card.line} was changed meanwhile, so nothing was moved. Try again.")
    _refuse_open_end(target, target.text)
    target_text, source_text = target.text.with_note(lines), source.text.without_note(card.line)
    came = {each.id for each in target.checked(target_text)}
    if came != set(moved):
        raise BadDataError(f"{card.id} would read as another card in {target.path}. Nothing was moved.")
    source.checked(source_text, without=moved)
    target.replace(target_text)
    try:
        source.replace(source_text)
    except StudyError:
        OpenedDeck.read(target.path).replace(target.data.decode())  # else it would stand in both
        raise
    return moved


def new_deck(folder: Path, name: str, used_names: Iterable[str]) -> Path:
    """Create the file of a new deck, with a name not in `used_names`; StudyError if the file exists."""
    if not name.strip() or not name.isprintable():
        raise UsageError("A deck needs a name, such as", "study deck new French")
    stem = slug(name)
    path = folder / f"{stem}.md"
    if path.name in set(used_names) or path.name in {"readme.md", "changelog.md", "license.md", "contributing.md"}:
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
        wrong = "a comment or a code fence begins here that never ends, so nothing can be written behind it."
        raise BadDataError(f"{opened.path}:{text.open_line}: {wrong} Close it first.")


def _refuse_misread(note: NewNote, cards: Sequence[Card]) -> None:
    """Refuse a note that would not be read as the one note that the learner gave."""
    notes = {card.note for card in cards}
    first = cards[0] if cards else None
    right = first is not None and len(notes) == 1 and (not note.back or _same(first.answer, note.back))
    if not right or first is None or (note.back and not _same(first.prompt, note.front)):
        raise BadDataError(
            "It would not be read as one note, because one of its lines is a marker of the deck format. "
            "Write it in your editor",
            "study add",
        )


def _same(one: str, other: str) -> bool:
    return one.split() == other.split()
