"""Wrap the review rule's rows as values for the rest of the program."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from studykit.scheduling import review_rule
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.review_rule import MemoryRow

if TYPE_CHECKING:
    from studykit.scheduling.fsrs import Fsrs


class AnswerKind(StrEnum):
    """Name how an answer counts. Only reviews change the memory."""

    REVIEW = "review"
    DRILL = "drill"
    CRAM = "cram"


@dataclass(frozen=True, slots=True)
class Memory:
    """Hold what the log says about one card: SM-2's numbers, lapses, the last review, and FSRS's numbers."""

    repetition: int
    interval: int  # days
    ease: int  # hundredths
    lapses: int
    reviewed: date  # study day of the last review
    stability: float | None = None  # days; these three under FSRS alone
    difficulty: float | None = None
    sm2_interval: int | None = None  # days

    @property
    def due(self) -> date:
        """Return the first study day on which the card should come back."""
        return self.reviewed + timedelta(days=self.interval)


def answer(
    memory: Memory | None, grade: Grade, day: date, fsrs: "Fsrs | None" = None
) -> tuple[AnswerKind, Memory]:
    """Return what an answer on a study day counts as, and the memory after it. `memory` is None for a new card."""
    category, memory_after = review_rule.answer(_row_of(memory), grade, day.toordinal(), fsrs=fsrs)
    return kind_of(category), memory_of(memory_after)


def answer_kind(memory: Memory | None, day: date) -> AnswerKind:
    """Return what an answer on a study day would count as, whatever its grade."""
    return answer(memory, Grade.GOOD, day)[0]


def outcomes(memory: Memory | None, day: date, fsrs: "Fsrs | None" = None) -> dict[Grade, Memory]:
    """Return the memory after an answer of each of the six grades, to be shown before the answer."""
    return {grade: answer(memory, grade, day, fsrs)[1] for grade in Grade}


def document(memory: Memory) -> dict[str, object]:
    """Return the memory as JSON shows it. FSRS's numbers are null under SM-2."""
    return {
        "repetition": memory.repetition,
        "interval": memory.interval,
        "ease": memory.ease,
        "lapses": memory.lapses,
        "due": str(memory.due),
        "reviewed": str(memory.reviewed),
        "stability": memory.stability,
        "difficulty": memory.difficulty,
    }


def kind_of(category: int) -> AnswerKind:
    """Return the kind of answer for a category of `review_rule`."""
    if category == review_rule.DRILL:
        return AnswerKind.DRILL
    return AnswerKind.CRAM if category == review_rule.CRAM else AnswerKind.REVIEW


def memory_of(row: Sequence[Any]) -> Memory:
    """Convert a `MemoryRow`, or a database row that begins with the same columns."""
    repetition, interval, ease, lapses, reviewed, _, _, _, *numbers = row
    return Memory(repetition, interval, ease, lapses, date.fromordinal(reviewed), *numbers)


def _row_of(memory: Memory | None) -> MemoryRow | None:
    if memory is None:
        return None
    reviewed, due = memory.reviewed.toordinal(), memory.due.toordinal()
    numbers = memory.stability, memory.difficulty, memory.sm2_interval
    return memory.repetition, memory.interval, memory.ease, memory.lapses, reviewed, due, 0, 0, *numbers
