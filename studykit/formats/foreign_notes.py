"""Define what every import format returns: notes as Markdown, their cards' history, media and losses."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta, tzinfo
from enum import Enum
from pathlib import Path
from typing import Protocol

from studykit.errors import StudyError
from studykit.scheduling.memory import Memory
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.review_rule import MAX_STATE_COUNT
from studykit.scheduling.sm2 import MAX_INTERVAL, MINIMUM_EASE, SECOND_INTERVAL
from studykit.scheduling.study_day import EARLIEST

MEDIA_OPEN, MEDIA_CLOSE = "\ue020", "\ue021"
"""Around the name of a media file in a note's Markdown, until the deck's path is known."""
MEDIA = re.compile(f"{MEDIA_OPEN}([^{MEDIA_CLOSE}]*){MEDIA_CLOSE}")
MAX_NOTES = 500_000
_MAX_EXAMPLES = 3


class NoteForm(Enum):
    """Name the form of a note in a deck."""

    BASIC = "Q"
    REVERSED = "Q, and the other way round"
    CLOZE = "C"


@dataclass(frozen=True, slots=True)
class ImportedNote:
    """Hold a note as a deck will have it. The `front` of a cloze has its gaps in brackets."""

    id: str
    deck: str  # levels joined by `::`
    form: NoteForm
    front: str
    back: str = ""
    tags: tuple[str, ...] = ()
    typed: bool = False
    entry: str = field(default="", compare=False)
    """Its place at the source. Several notes may come from one entry."""


@dataclass(frozen=True, slots=True)
class PastReview:
    """Hold an answer in another program, or a reset of the card, which has no grade."""

    key: str  # unique among the reviews of its card
    moment: int  # microseconds UTC
    grade: Grade | None
    took_ms: int = 0


@dataclass(frozen=True, slots=True)
class CardPast:
    """Hold the history of a card in another program."""

    reviews: tuple[PastReview, ...] = ()
    state: Memory | None = None  # its present schedule there
    suspended: bool = False
    flagged: bool = False
    changed: int = 0  # microseconds UTC, of the last change there


@dataclass(slots=True)
class LossList:
    """Count what could not be imported, by kind, with examples."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)
    left_out: int = 0  # whole entries of the source
    mendable: int = 0  # of these, left out for a reason that their owner can mend

    def leave_out(self, reason: str, example: str = "", *, mendable: bool = True) -> None:
        """Count an entry of the source that is not imported at all."""
        self.add(reason, example)
        self.left_out += 1
        self.mendable += mendable

    def add(self, kind: str, example: str = "", number: int = 1) -> None:
        """Count a loss, with a place or a word to find it by."""
        self.counts[kind] += number
        examples = self.examples.setdefault(kind, [])
        if example and example not in examples and len(examples) < _MAX_EXAMPLES:
            examples.append(example)

    def lines(self) -> tuple[str, ...]:
        """Return one line for each kind of loss, the most frequent first."""
        lines = []
        for kind, number in self.counts.most_common():
            examples = ", ".join([*self.examples[kind], *["..."] * (number > len(self.examples[kind]))])
            lines.append(f"{kind}: {number:,}" + f" ({examples})" * bool(self.examples[kind]))
        return tuple(lines)


@dataclass(frozen=True, slots=True)
class ImportedDecks:
    """Hold everything that is imported from a source. `copy_media` writes the named media to a folder."""

    origin: str  # of the events, a word such as `anki`
    name: str  # of the folder that the decks go into
    notes: tuple[ImportedNote, ...]
    pasts: Mapping[str, CardPast]  # by card id
    media: tuple[str, ...] = ()
    copy_media: Callable[[Path, Iterable[str]], None] = lambda _folder, _names: None
    losses: LossList = field(default_factory=LossList)
    entries: int | None = None  # that were read, each of which is new, known or left out


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Hold options of a format's reader: the learner's day and zone, and a callback for progress."""

    today: date
    zone: tzinfo
    reach: Callable[[int, int], object] = lambda _done, _total: None


def foreign_memory(due: date, interval: int, ease: int, *, repetition: int = 2, lapses: int = 0) -> Memory:
    """Return the memory of a card in another program within the limits of ours. Its due day stays."""
    interval = min(max(interval, 1), MAX_INTERVAL)
    review_day = max(due - timedelta(days=interval), EARLIEST)
    return Memory(
        1 if interval < SECOND_INTERVAL else min(max(repetition, 2), MAX_STATE_COUNT),
        max(0, (due - review_day).days),
        min(max(ease, MINIMUM_EASE), MAX_STATE_COUNT),
        min(max(lapses, 0), MAX_STATE_COUNT),
        review_day,
    )


class FormatError(StudyError):
    """Raised for a file that is not of its format, is broken, or looks hostile. Nothing is imported."""

    exit_code = 5


class Format(Protocol):
    """Define the names that the module of each format has."""

    NAME: str

    def sniff(self, path: Path, head: bytes) -> bool:
        """Return whether a file or folder looks like this format. `head` is the start of a file."""

    def read(self, path: Path, options: ReadOptions) -> ImportedDecks:
        """Return the notes, their history and the losses, or raise FormatError for what cannot be read."""


def with_media(
    notes: Iterable[ImportedNote], file_of: Callable[[str], str | None], losses: LossList
) -> Iterator[ImportedNote]:
    """Yield the notes with their media links changed to the files' names. A link without a file is a loss."""

    def link(match: re.Match[str]) -> str:
        name = file_of(match[1])
        if name is None:
            losses.add("links to pictures and recordings that are not there", match[1])
        return f"{MEDIA_OPEN}{name or match[1]}{MEDIA_CLOSE}"

    for note in notes:
        front, back = (MEDIA.sub(link, side) for side in (note.front, note.back))
        yield replace(note, front=front, back=back)
