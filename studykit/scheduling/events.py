"""The review log: what happened, in order. Everything else is worked out from it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from uuid import UUID

from studykit.cards.card import CardId
from studykit.scheduling import sm2
from studykit.scheduling.sm2 import Grade, Memory


class EventKind(StrEnum):
    """What a learner did."""

    ANSWER = "answer"
    PRACTICE = "practice"  # an exercise outside the queue
    QUIZ = "quiz"
    BET = "bet"
    UNDO = "undo"
    SUSPEND = "suspend"
    UNSUSPEND = "unsuspend"
    BURY = "bury"
    FLAG = "flag"
    UNFLAG = "unflag"
    RELINK = "relink"
    IMPORT = "import"
    RESET = "reset"


UNDOABLE = frozenset(EventKind) - {EventKind.UNDO, EventKind.RELINK, EventKind.IMPORT}
"""What a learner did with a card, which can be taken back; the rest is bookkeeping."""


class Became(StrEnum):
    """What an answer turned out to be; only reviews change the memory."""

    REVIEW = "review"
    DRILL = "drill"
    CRAM = "cram"


@dataclass(frozen=True, slots=True)
class Showing:
    """The variant of an exercise that was asked and what came of it, enough to ask it again years later."""

    template: str
    version: int
    seed: int
    parameters: str  # pinned parameters as a JSON object
    answer: str = ""  # the learner's text
    verdict: str = ""
    slips: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the log. `target` is the event that an undo takes back, or the card id that a relink leaves."""

    id: UUID  # version 7
    learner: str
    origin: str  # the installation that wrote it
    kind: EventKind
    card: CardId  # empty where no card is meant
    moment: int  # microseconds UTC
    day: date  # study day
    zone: str  # IANA
    grade: Grade | None = None
    took_ms: int = 0
    profile: str = sm2.PROFILE
    target: str = ""
    showing: Showing | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as it was written, and what it did to its card's memory."""

    event: Event
    before: Memory | None
    after: Memory | None
    became: Became | None  # None: not an answer


@dataclass(frozen=True, slots=True)
class Undone:
    """An event that was taken back, by which undo, and the memory of its card since."""

    target: Event
    undo: Event
    memory: Memory | None


def became(memory: Memory | None, day: date) -> Became:
    """What an answer on a study day is: the first one of a new or due card is its review.

    A memory changes only at a review, so an answer on the day of the last review is drill (or a clock stepped
    back, which must not count twice either), and one before the due day is cram.
    """
    if memory is None or memory.due <= day:
        return Became.REVIEW
    return Became.DRILL if day <= memory.reviewed else Became.CRAM


def replay(events: Iterable[Event]) -> dict[CardId, Memory]:
    """What is known of every card of one learner, from the events in any order."""
    ordered = sorted(events, key=lambda event: (event.moment, event.id))
    undone = {event.target for event in ordered if event.kind is EventKind.UNDO}
    memories: dict[CardId, Memory] = {}
    for event in ordered:
        if str(event.id) in undone:
            continue
        match event.kind:
            case EventKind.ANSWER if event.grade is not None:
                memory = memories.get(event.card)
                if became(memory, event.day) is Became.REVIEW:
                    memories[event.card] = sm2.after(memory, event.grade, event.day)
            case EventKind.RELINK:
                if (moved := memories.pop(CardId(event.target), None)) is not None:
                    memories[event.card] = moved
            case EventKind.RESET:
                memories.pop(event.card, None)
            case _:
                pass
    return memories
