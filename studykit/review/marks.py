"""Where a card stands, in a word or two: due, new, a leech, and what is set on it by hand."""

from datetime import date
from typing import Protocol

from studykit.scheduling.memory import Memory
from studykit.scheduling.replay import CardMarks


class MarkedCard(Protocol):
    """What is known of a card, and what is set on it by hand."""

    @property
    def memory(self) -> Memory | None:
        """Its memory; None where it is new."""

    @property
    def marks(self) -> CardMarks:
        """What the learner set on it."""


def mark_words(card: MarkedCard, today: date, leech: int) -> list[str]:
    """The words in the order of how much they matter; none for a card that waits for its day."""
    memory, marks = card.memory, card.marks
    named = {
        "suspended": marks.suspended,
        "buried": marks.buried == today.toordinal(),
        "leech": memory is not None and memory.lapses >= leech,
        "due": memory is not None and memory.due <= today and not marks.suspended,
        "new": memory is None,
        "flagged": marks.flagged,
    }
    return [word for word, is_so in named.items() if is_so]
