"""Define cards and decks, as the parser makes them and every other room reads them.

They are named tuples, because the shell prompt imports this file and importing `dataclasses` would take 8 of its
35 ms.
"""

from enum import StrEnum
from typing import NamedTuple, NewType

CardId = NewType("CardId", str)
NoteId = NewType("NoteId", str)
DeckId = NewType("DeckId", str)
NO_CARD = CardId("")
"""The card of an event without a card, such as practice."""

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
"""The nine objectives of lesson 2, in its order. Tags with these names are objectives."""


class Kind(StrEnum):
    """Name the form of a card's question."""

    BASIC = "basic"
    REVERSED = "reversed"
    CLOZE = "cloze"
    CHOICE = "choice"
    EXERCISE = "exercise"


JUDGED = frozenset({Kind.EXERCISE, Kind.CHOICE})
"""Kinds of cards that the program judges. Learners grade the others themselves."""


GAP = "[…]"
"""Stands for the hidden words in the prompt of a cloze."""


class Task(NamedTuple):
    """Name the exercise of an `E:` card, and the parameters that its author pinned, as written."""

    name: str
    pinned: tuple[tuple[str, str], ...] = ()


class Card(NamedTuple):
    """Hold one question with its answer, the unit that is scheduled.

    `prompt`, `answer` and `full` are Markdown. A cloze's prompt has `GAP` for the hidden words and shows the other
    gaps, its answer is the hidden words, and `full` is the whole text without brackets. Other kinds have no
    `full`. An exercise has no prompt and answer, because they differ at each showing. A choice's answer is its
    list of options (`cards/choice.py`).
    """

    id: CardId
    note: NoteId  # shared by siblings
    deck: DeckId
    kind: Kind
    prompt: str
    answer: str
    path: str  # of the deck file
    line: int  # of the note's first line, from 1
    position: int  # place among all cards of its deck, from 0: the order in which new cards come
    content_hash: str  # of the words that the learner sees, without white space; 32 hexadecimal digits
    named: bool  # the author gave an explicit id
    full: str = ""
    tags: tuple[str, ...] = ()
    objectives: tuple[str, ...] = ()
    typed: bool = False  # the learner types the answer
    task: Task | None = None
    url: str | None = None  # of the lesson
    source: str = ""  # where its author found the fact: a paper, datasheet or documentation
    checks: tuple[tuple[int, str], ...] = ()  # line and text of each check line of the note


class Deck(NamedTuple):
    """Hold the cards of a file, or of several files with the same deck name."""

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
    lang: str = ""  # BCP 47 code of the text's language, or "" if the author does not say
    course: str = ""  # decks of one course share their readers' progress on pages
    root: str = ""  # folder of the collection, which `@/` in an image's path stands for
