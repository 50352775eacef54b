"""SM-2, profile `sm2-text`: how one review changes what we believe about a card.

Wozniak's text (Optimization of Learning, 1990) where it is explicit, SuperMemo's own Delphi source where the text
is silent: intervals round up, they use the ease from *before* the review, and a failure keeps the ease.

Ease is counted in hundredths. Every SM-2 adjustment is a whole number of hundredths, so intervals come out the
same on every machine; with floats about one history in forty is off by a day.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum

PROFILE = "sm2-text"
INITIAL_EASE = 250
MINIMUM_EASE = 130
LONGEST_INTERVAL = 36_500  # days; also keeps due days inside what a date can hold


class Grade(IntEnum):
    """How well a card was recalled, on SM-2's scale."""

    BLACKOUT = 0
    AGAIN = 1
    FAMILIAR = 2  # wrong, but the right answer seemed easy once seen
    HARD = 3
    GOOD = 4
    EASY = 5

    @property
    def passed(self) -> bool:
        """Whether the card was recalled at all."""
        return self >= Grade.HARD

    @property
    def drilled(self) -> bool:
        """Whether SM-2 asks to repeat the card the same day, until it scores 4."""
        return self < Grade.GOOD


@dataclass(frozen=True, slots=True)
class Memory:
    """What the log says about one card: SM-2's three numbers, its lapses and its last review."""

    repetition: int
    interval: int  # days
    ease: int  # hundredths
    lapses: int
    reviewed: date  # study day of the last review

    @property
    def due(self) -> date:
        """The first study day on which the card should come back."""
        return self.reviewed + timedelta(days=self.interval)


def after(memory: Memory | None, grade: Grade, on: date) -> Memory:
    """Memory of a card after one review; `memory` is None for a new card."""
    if memory is None:
        memory = Memory(0, 0, INITIAL_EASE, 0, on)
    if not grade.passed:
        return Memory(0, 1, memory.ease, memory.lapses + (memory.repetition > 0), on)
    interval = min(_next_interval(memory), LONGEST_INTERVAL, (date.max - on).days)
    ease = max(MINIMUM_EASE, memory.ease + ease_change(grade))
    return Memory(memory.repetition + 1, interval, ease, memory.lapses, on)


def outcomes(memory: Memory | None, on: date) -> dict[Grade, Memory]:
    """Memory after each of the six grades, so that a screen can show them before the answer."""
    return {grade: after(memory, grade, on) for grade in Grade}


def ease_change(grade: Grade) -> int:
    """Hundredths added to the ease by a passing grade: +10, 0 or -14."""
    miss = 5 - grade
    return 10 - miss * (8 + 2 * miss)


def _next_interval(memory: Memory) -> int:
    match memory.repetition:
        case 0:
            return 1
        case 1:
            return 6
        case _:
            return -(-memory.interval * memory.ease // 100)  # rounded up
