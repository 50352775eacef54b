"""What any format gives: notes as readable Markdown, what their cards went through, media, and what was lost."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, tzinfo
from enum import Enum
from pathlib import Path
from typing import Protocol

from studykit.errors import StudyError
from studykit.scheduling.memory import Memory
from studykit.scheduling.recall_grade import Grade

MEDIA_OPEN, MEDIA_CLOSE = "\ue020", "\ue021"
"""Around the name of a media file in a note's Markdown, until it is known where the deck will stand."""
MEDIA = re.compile(f"{MEDIA_OPEN}([^{MEDIA_CLOSE}]*){MEDIA_CLOSE}")
MAX_NOTES = 500_000
_MAX_EXAMPLES = 3


class NoteForm(Enum):
    """How a note of a deck asks."""

    BASIC = "Q"
    REVERSED = "Q, and the other way round"
    CLOZE = "C"


@dataclass(frozen=True, slots=True)
class ImportedNote:
    """A note as it will stand in a deck: `front` has its gaps in brackets where the form is a cloze."""

    id: str
    deck: str  # levels joined by `::`
    form: NoteForm
    front: str
    back: str = ""
    tags: tuple[str, ...] = ()
    typed: bool = False
    entry: str = field(default="", compare=False)
    """What it is found by at its source; several may come from one entry there."""


@dataclass(frozen=True, slots=True)
class PastReview:
    """An answer in another program; without a grade it made the card new again."""

    key: str  # tells it from every other one of its card there
    moment: int  # microseconds UTC
    grade: Grade | None
    took_ms: int = 0


@dataclass(frozen=True, slots=True)
class CardPast:
    """What another program knows of a card."""

    reviews: tuple[PastReview, ...] = ()
    state: Memory | None = None  # where it stands there
    suspended: bool = False
    flagged: bool = False
    changed: int = 0  # microseconds UTC, of the last change there


@dataclass(slots=True)
class LossList:
    """What could not be brought along, a sentence for each kind of it."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)
    left_out: int = 0  # whole entries of the source
    mendable: int = 0  # of these, for a reason that their owner can mend

    def leave_out(self, reason: str, example: str = "", *, mendable: bool = True) -> None:
        """Count an entry of the source of which nothing comes in."""
        self.add(reason, example)
        self.left_out += 1
        self.mendable += mendable

    def add(self, what: str, example: str = "", number: int = 1) -> None:
        """Count something that was lost, with a place or a word to find it by."""
        self.counts[what] += number
        examples = self.examples.setdefault(what, [])
        if example and example not in examples and len(examples) < _MAX_EXAMPLES:
            examples.append(example)

    def lines(self) -> tuple[str, ...]:
        """Return one line for each kind of loss, the most frequent first."""
        return tuple(self._line(what, number) for what, number in self.counts.most_common())

    def _line(self, what: str, number: int) -> str:
        examples = self.examples.get(what, [])
        more = ", ..." if examples and number > len(examples) else ""
        return f"{what}: {number:,}" + (f" ({', '.join(examples)}{more})" if examples else "")


@dataclass(frozen=True, slots=True)
class ImportedDecks:
    """Everything that a source holds for us. `media` are names; `copy_media` puts those named into a folder."""

    origin: str  # of the events, a word such as `anki`
    name: str  # of the folder that the decks go into
    notes: tuple[ImportedNote, ...]
    pasts: Mapping[str, CardPast]  # by card id
    media: tuple[str, ...] = ()
    copy_media: Callable[[Path, Iterable[str]], None] = lambda _folder, _names: None
    losses: LossList = field(default_factory=LossList)
    entries: int | None = None  # read: every one is new, known or left out


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options of a format's reader: the learner's day and zone, and a callback for progress."""

    today: date
    zone: tzinfo
    reach: Callable[[int, int], object] = lambda _done, _total: None


class FormatError(StudyError):
    """A file that is not what it seems, or that looks hostile: one sentence, and nothing was done."""

    exit_code = 5


class Format(Protocol):
    """A program's way to keep cards; each is a module of this room with these names."""

    NAME: str

    def sniff(self, path: Path, head: bytes) -> bool:
        """Return whether a file or folder looks like this format. `head` is the start of a file."""

    def read(self, path: Path, options: ReadOptions) -> ImportedDecks:
        """Return the notes, their history and the losses, or raise FormatError for what cannot be read."""


def with_media(
    notes: Iterable[ImportedNote], file_of: Callable[[str], str | None], losses: LossList
) -> Iterator[ImportedNote]:
    """Yield the notes with links to the files that come along. Dead links are losses."""

    def link(match: re.Match[str]) -> str:
        name = file_of(match[1])
        if name is None:
            losses.add("links to pictures and recordings that are not there", match[1])
        return f"{MEDIA_OPEN}{name or match[1]}{MEDIA_CLOSE}"

    for note in notes:
        front, back = (MEDIA.sub(link, side) for side in (note.front, note.back))
        yield replace(note, front=front, back=back)
