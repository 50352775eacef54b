"""Measure how well each scheduler predicts a learner's answers, and count the reviews that it would ask.

Before each review of a known card, each gives the probability of recall: FSRS by its curve, SM-2 by an assumed
90 % at the end of its interval. Their log loss says how far they were off.
"""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from statistics import fmean, variance

from studykit.scheduling import review_rule, sm2
from studykit.scheduling.estimated_share import SURE
from studykit.scheduling.event_kinds import FSRS
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.log_figures import answers
from studykit.scheduling.review_rule import EventRow, MemoryRow

MIN_REVIEWS = 400
"""Reviews below which a difference between schedulers says little."""
_SM2_RECALL = 0.9  # when an interval of SM-2 ends
_MIN_PROBABILITY = math.ulp(1.0)  # keeps the loss of a certain but wrong prediction finite


@dataclass(frozen=True, slots=True)
class Prediction:
    """Hold a scheduler's log loss, of which less is better, and its mean prediction."""

    name: str
    log_loss: float
    mean: float  # predicted, to be compared with the share that was recalled


@dataclass(frozen=True, slots=True)
class SchedulerComparison:
    """Hold the scores of both schedulers on one log."""

    reviews: int
    recalled: float  # share of them
    predictions: tuple[Prediction, ...] = ()
    difference: float = 0.0  # log loss of FSRS less that of SM-2, per review
    uncertainty: float = 0.0  # half of the 95 percent interval of the difference

    @property
    def too_few(self) -> bool:
        """Return whether the log is too short for a difference to mean anything."""
        return self.reviews < MIN_REVIEWS


def compare(
    events: Iterable[EventRow], undone_ids: Collection[bytes], fsrs: Fsrs
) -> tuple[SchedulerComparison, dict[str, MemoryRow]]:
    """Score both schedulers on the reviews of known cards in a log. Also return the memories under FSRS."""
    memories: dict[str, MemoryRow] = {}
    outcomes: list[bool] = []
    predictions: dict[str, list[float]] = {FSRS: [], sm2.PROFILE: []}
    for _, day, grade, _, memory, is_review in answers(events, undone_ids, fsrs, memories):
        if memory is not None and is_review:
            days = day - memory[4]
            predictions[FSRS].append(fsrs.recall(memory[8] or 1.0, days))
            predictions[sm2.PROFILE].append(_SM2_RECALL ** (days / (memory[10] or 1)))
            outcomes.append(grade >= sm2.PASSING_GRADE)
    if not outcomes:
        return SchedulerComparison(0, 0.0), memories
    losses = {name: log_losses(predicted, outcomes) for name, predicted in predictions.items()}
    differences = [by_fsrs - by_sm2 for by_fsrs, by_sm2 in zip(*losses.values(), strict=True)]
    spread = variance(differences) if len(differences) > 1 else 0.0
    return SchedulerComparison(
        len(outcomes),
        fmean(outcomes),
        tuple(Prediction(name, fmean(losses[name]), fmean(predicted)) for name, predicted in predictions.items()),
        fmean(differences),
        SURE * math.sqrt(spread / len(outcomes)),
    ), memories


def log_losses(predicted: Iterable[float], outcomes: Iterable[bool]) -> list[float]:
    """Return the log loss of each prediction, at most 36 for one that was certain but wrong."""
    pairs = zip(predicted, outcomes, strict=True)
    return [-math.log(max(_MIN_PROBABILITY, p if recalled else 1 - p)) for p, recalled in pairs]


def load(memories: Iterable[MemoryRow], first: int, days: int, fsrs: Fsrs | None) -> list[int]:
    """Count the reviews of each day if every card is answered good on its day, overdue ones on the first."""
    counts = [0] * days
    for memory in memories:
        day, current = max(first, memory[5]), memory
        while day < first + days:
            counts[day - first] += 1
            _, current = review_rule.answer(current, 4, day, fsrs=fsrs)
            day = max(current[5], day + 1)
    return counts
