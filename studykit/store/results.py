"""What came of writing to the log."""

from dataclasses import dataclass

from studykit.scheduling.events import Became, Event
from studykit.scheduling.sm2 import Memory


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


@dataclass(frozen=True, slots=True)
class United:
    """How many events of another log were new here, and how many were known."""

    added: int
    known: int
