"""Define the grades of an answer, on SM-2's scale."""

from enum import IntEnum

from studykit.scheduling import review_rule, sm2


class Grade(IntEnum):
    """Name how well a card was recalled, on SM-2's scale."""

    BLACKOUT = 0
    AGAIN = 1
    FAMILIAR = 2  # wrong, but the right answer seemed easy once seen
    HARD = 3
    GOOD = 4
    EASY = 5

    @property
    def passed(self) -> bool:
        """Return whether the card was recalled at all."""
        return self >= sm2.PASSING_GRADE

    @property
    def drilled(self) -> bool:
        """Return whether the card is asked once more the same day."""
        return review_rule.is_drilled(self)
