"""Implement FSRS-6, profile `fsrs-6`: how a review changes a card's stability and difficulty.

The published formulas with 21 parameters (Ye and others, The Algorithm, FSRS-6), on study days: no learning steps,
no fuzz, one review a day. Stability is the number of days after which nine of ten such cards are still recalled;
difficulty goes from 1 to 10. A grade below 3 is FSRS's *again*; 3, 4 and 5 are *hard*, *good* and *easy*.

Formulas only: `review_rule` decides which answers are reviews.
"""

import math
from collections.abc import Sequence

from studykit.errors import UsageError
from studykit.scheduling.event_kinds import FSRS
from studykit.scheduling.sm2 import MAX_INTERVAL, PASSING_GRADE

# fmt: off
PUBLISHED = (
    0.212, 1.2931, 2.3065, 8.2956,  # stability after a first again, hard, good, easy
    6.4133, 0.8334, 3.0194, 0.001,  # difficulty: the first, by grade, its change, its return to the mean
    1.8722, 0.1666, 0.796,  # growth: scale, less for the stable, more for what was nearly forgotten
    1.4835, 0.0614, 0.2629, 1.6483,  # after a lapse
    0.6014, 1.8729,  # hard, easy
    0.5425, 0.0912, 0.0658,  # once more on one day; two of them cap what a lapse leaves
    0.1542,  # how the curve of forgetting flattens
)
# fmt: on
MIN_PARAMETERS = (0.001,) * 4 + (1, 0.001, 0.001, 0.001, 0, 0, 0.001, 0.001, 0.001, 0.001, 0, 0, 1, 0, 0, 0, 0.1)
MAX_PARAMETERS = (100.0,) * 4 + (10, 4, 4, 0.75, 4.5, 0.8, 3.5, 5, 0.25, 0.9, 4, 1, 6, 2, 2, 0.8, 0.8)
"""Between which values a parameter lies, as the published optimizer keeps them."""

MIN_RETENTION, MAX_RETENTION = 0.7, 0.99
MIN_STABILITY = 0.001  # days
EASIEST, HARDEST = 1.0, 10.0
AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4


class Fsrs:
    """Schedule by FSRS with a learner's parameters and the recall that they want on a due day."""

    __slots__ = ("_factor", "_lapse_cap", "_mean", "_per_day", "name", "retention", "weights")

    def __init__(self, retention: float = 0.9, weights: Sequence[float] = PUBLISHED) -> None:
        """Check the retention and the parameters. Raises UsageError if one is missing or invalid."""
        _refuse_invalid(retention, weights)
        self.retention = retention
        self.weights = tuple(weights)
        decay = -self.weights[20]
        self._factor = math.pow(0.9, 1 / decay) - 1
        self._per_day = (math.pow(retention, 1 / decay) - 1) / self._factor
        self._mean = self._first_difficulty(EASY)
        self._lapse_cap = math.exp(self.weights[17] * self.weights[18])
        own = "" if self.weights == PUBLISHED else " " + " ".join(map(repr, self.weights))
        self.name = f"{FSRS} {retention:g}{own}"

    def first(self, grade: int) -> tuple[float, float]:
        """Return stability and difficulty after the first review of a card."""
        rating = rating_of(grade)
        return max(MIN_STABILITY, self.weights[rating - 1]), _clamp_difficulty(self._first_difficulty(rating))

    def review(self, stability: float, difficulty: float, elapsed: int, grade: int) -> tuple[float, float]:
        """Return stability and difficulty after a review `elapsed` days after the one before."""
        rating, recall = rating_of(grade), self.recall(stability, elapsed)
        if rating == AGAIN:
            new_stability = self._stability_after_lapse(stability, difficulty, recall)
        else:
            new_stability = self._stability_after_pass(stability, difficulty, recall, rating)
        return max(MIN_STABILITY, new_stability), self._next_difficulty(difficulty, rating)

    def recall(self, stability: float, elapsed: float) -> float:
        """Return the probability of recall `elapsed` days after the last review."""
        return math.pow(1 + self._factor * elapsed / stability, -self.weights[20])

    def interval(self, stability: float) -> int:
        """Return the days, 1 to 36,500, until recall falls to the desired retention."""
        days = stability * self._per_day
        return 1 if days < 1 else MAX_INTERVAL if days > MAX_INTERVAL else round(days)

    def adopted(self, interval: int, ease: int) -> tuple[float, float]:
        """Return stability and difficulty for a card that has only SM-2's numbers. The ease is in hundredths.

        As published for a move from SM-2: nine of ten such cards are taken to be recalled when the interval ends,
        and the difficulty is the one by which that stability grows by the ease.
        """
        stability = float(max(1, interval))
        weights = self.weights
        growth = math.exp(weights[8]) * math.pow(stability, -weights[9]) * math.expm1(0.1 * weights[10])
        return stability, _clamp_difficulty(11 - (ease / 100 - 1) / growth)

    def _first_difficulty(self, rating: int) -> float:
        return self.weights[4] - math.exp(self.weights[5] * (rating - 1)) + 1

    def _next_difficulty(self, difficulty: float, rating: int) -> float:
        change = -self.weights[6] * (rating - 3)
        new_difficulty = difficulty + (10 - difficulty) * change / 9
        return _clamp_difficulty(self.weights[7] * self._mean + (1 - self.weights[7]) * new_difficulty)

    def _stability_after_pass(self, stability: float, difficulty: float, recall: float, rating: int) -> float:
        weights = self.weights
        penalty = weights[15] if rating == HARD else 1
        bonus = weights[16] if rating == EASY else 1
        growth = math.exp(weights[8]) * (11 - difficulty) * math.pow(stability, -weights[9])
        return stability * (1 + growth * (math.exp((1 - recall) * weights[10]) - 1) * penalty * bonus)

    def _stability_after_lapse(self, stability: float, difficulty: float, recall: float) -> float:
        weights = self.weights
        stability_left = (
            weights[11] * math.pow(difficulty, -weights[12]) * (math.pow(stability + 1, weights[13]) - 1)
        )
        return min(stability_left * math.exp((1 - recall) * weights[14]), stability / self._lapse_cap)


def named(name: str) -> Fsrs | None:
    """Return FSRS for a name such as `fsrs-6 0.9`, or None for SM-2's empty name. Raises UsageError for others."""
    if not name:
        return None
    try:
        profile, *numbers = name.split()
        retention, *weights = map(float, numbers)
    except ValueError:
        raise UsageError(f"{name!r} is not a scheduler. Use one such as 'fsrs-6 0.9'.") from None
    if profile != FSRS:
        raise UsageError(f"{name!r} is not a scheduler of this version. Upgrade studykit.")
    return Fsrs(retention, weights or PUBLISHED)


def _refuse_invalid(retention: float, weights: Sequence[float]) -> None:
    if not MIN_RETENTION <= retention <= MAX_RETENTION:
        bounds = f"{MIN_RETENTION:.0%} to {MAX_RETENTION:.0%}"
        raise UsageError(f"A recall of {retention:.0%} cannot be scheduled. Give {bounds}.")
    if len(weights) != len(PUBLISHED):
        raise UsageError(
            f"FSRS-6 has {len(PUBLISHED)} parameters, not {len(weights)}. Give exactly {len(PUBLISHED)}."
        )
    for place, (weight, least, most) in enumerate(zip(weights, MIN_PARAMETERS, MAX_PARAMETERS, strict=True)):
        if not least <= weight <= most:
            raise UsageError(
                f"Parameter w{place} of FSRS-6 is {weight:g}. Give a number from {least:g} to {most:g}."
            )


def rating_of(grade: int) -> int:
    """Convert a grade from 0 to 5 into one of FSRS's four."""
    return AGAIN if grade < PASSING_GRADE else grade - 1


def _clamp_difficulty(difficulty: float) -> float:
    return min(HARDEST, max(EASIEST, difficulty))
