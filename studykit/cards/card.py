"""Cards and decks: frozen data that the parser makes and every other room reads; no rules here.

They are named tuples: the shell prompt loads this file, and `dataclasses` alone would take 8 of its 35 ms.
"""

from enum import StrEnum
from typing import NamedTuple, NewType

CardId = NewType("CardId", str)
NoteId = NewType("NoteId", str)
DeckId = NewType("DeckId", str)
NO_CARD = CardId("")
"""The card of an event that is of none, such as practice."""

OBJECTIVES = (
    "flops",
    "memory",
    "intensity",
    "utilization",
    "einops",
    "precision",
    "tensors",
    "training",
    "inference",
)
"""The nine things that lesson 2 teaches, in its order; tags of these names are objectives."""


class Kind(StrEnum):
    """How a card asks."""

    BASIC = "basic"
    REVERSED = "reversed"
    CLOZE = "cloze"
    CHOICE = "choice"
    EXERCISE = "exercise"


JUDGED = frozenset({Kind.EXERCISE, Kind.CHOICE})
"""Kinds of cards that the program asks and judges; the others a learner grades."""


GAP = "[…]"
"""Stands for the hidden words in the prompt of a cloze."""


class Task(NamedTuple):
    """The exercise behind an `E:` card: its name and the parameters the author pinned, as written."""

    name: str
    pinned: tuple[tuple[str, str], ...] = ()


class Card(NamedTuple):
    """One question with one answer; the thing that is scheduled.

    `prompt`, `answer` and `full` are Markdown. A cloze's prompt holds `GAP` in place of the hidden words (the
    other gaps are shown), its answer is the hidden words, and `full` is the whole text without brackets. For
    other kinds `full` is empty. An exercise's prompt and answer are empty: they are drawn at each showing. A
    choice's answer holds its options as their author wrote them (`cards/choice.py`).
    """

    id: CardId
    note: NoteId  # siblings share it
    deck: DeckId
    kind: Kind
    prompt: str
    answer: str
    path: str  # of the deck file
    line: int  # of the note's first line, from 1
    position: int  # place among all cards of its deck, from 0: the order in which new cards come
    content_hash: str  # of what the learner sees, not of its layout; 32 hexadecimal digits
    named: bool  # the author gave an explicit id
    full: str = ""
    tags: tuple[str, ...] = ()
    objectives: tuple[str, ...] = ()
    typed: bool = False  # the learner types the answer
    task: Task | None = None
    url: str | None = None  # of the lesson
    source: str = ""  # where its author has a fact of the world from: paper, datasheet, documentation
    checks: tuple[tuple[int, str], ...] = ()  # line and text of each check line of the note


class Deck(NamedTuple):
    """A named file, or several files of one name, of notes."""

    id: DeckId
    name: str
    path: str
    cards: tuple[Card, ...]
    description: str = ""
    objectives: tuple[str, ...] = ()
    license: str | None = None
    url: str | None = None
    macros: tuple[tuple[str, str], ...] = ()  # TeX macros: name with its backslash, replacement
    source: str = ""  # the deck's text, for export
    lang: str = ""  # of the text, as BCP 47 has it; empty where the author does not say
    course: str = ""  # whose decks share their readers' progress on pages
    root: str = ""  # the collection's folder: what `@/` in an image's path stands for
