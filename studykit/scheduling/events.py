"""Define the events of the review log. Everything else is computed from them."""

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, TypedDict

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.memory import AnswerKind, Memory
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.sm2 import PROFILE
from studykit.text import printable

if TYPE_CHECKING:
    from uuid import UUID

# What an event may hold: recording keeps to it, so that every log can be exported and imported again.
MAX_TEXT_CHARACTERS = 20_000  # characters of one field
MAX_ANSWER_MS = 86_400_000  # a card that stayed open for longer was not looked at for longer
LATEST_MOMENT = 2**53 - 1  # microseconds that JavaScript counts exactly: the year 2255
MAX_VERSION = 2**31
SEEDS_BELOW = 2**63


@dataclass(frozen=True, slots=True)
class Showing:
    """Hold the variant of an exercise that was asked, and its outcome: enough to ask it again years later."""

    template: str
    version: int
    seed: int
    parameters: str  # pinned parameters as a JSON object
    answer: str = ""  # the learner's text
    verdict: str = ""
    slips: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """Hold one row of the log. `target` is the event that an undo reverts, or the old card id of a relink.

    The target of an adopt is the state that it takes over: repetition, interval, ease and lapses, separated by
    spaces. Its day is that of the last review in the other program.
    """

    id: "UUID"  # version 7
    learner: str
    origin: str  # the installation that wrote it
    kind: EventKind
    card: CardId  # empty where no card is meant
    moment: int  # microseconds UTC
    day: date  # study day
    zone: str  # IANA
    grade: Grade | None = None
    took_ms: int = 0
    profile: str = PROFILE
    target: str = ""
    showing: Showing | None = None
    typed: str = ""  # at a card whose answer is typed, where it was not right; an exercise has it in its showing


class EventDetails(TypedDict, total=False):
    """Hold the fields of `Event` that a caller may set when it records an event."""

    grade: Grade | None
    took_ms: int
    showing: Showing | None
    typed: str
    target: str


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """Hold an event of the log, and its card's memory before and after. An `undone` event changed nothing."""

    event: Event
    before: Memory | None
    after: Memory | None
    answer_kind: AnswerKind | None  # None: not an answer
    undone: bool = False


@dataclass(frozen=True, slots=True)
class UndoneEvent:
    """Hold an undone event, the undo that reverted it, and the memory of its card after that."""

    target: Event
    undo: Event
    memory: Memory | None


def is_name(text: str) -> bool:
    """Return whether the text is one line that lists and messages can show."""
    return len(text) <= MAX_TEXT_CHARACTERS and "\n" not in text and printable(text) == text
