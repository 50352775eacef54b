"""Measure how well each scheduler predicts a learner's answers, and count the reviews that it would ask.

Before each review of a known card, each predictor gives the probability of recall: FSRS by its curve, SM-2 by
an assumed 90 % at the end of its interval, and two baselines, a moving average and the average of all
answers so far. The measures are those of the public benchmark of schedulers
(open-spaced-repetition/srs-benchmark): log loss, RMSE(bins), AUC.
"""

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean

from studykit.scheduling import review_rule, sm2
from studykit.scheduling.estimated_share import SURE
from studykit.scheduling.event_kinds import FSRS
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.log_figures import answers
from studykit.scheduling.review_rule import EventRow, MemoryRow

MIN_REVIEWS = 400
"""Reviews below which a difference between schedulers says little."""
_PREDICTORS = (FSRS, sm2.PROFILE, "moving average", "average so far")
_SM2_RECALL = 0.9  # when an interval of SM-2 ends
_MOVING_LOG_ODDS, _MOVING_STEP = 1.2, 0.3  # of the moving average: at first, and moved by this part of an error
_MIN_PROBABILITY = math.ulp(1.0)  # keeps the loss of a certain but wrong prediction finite
_BIN_BASES = (3.62, 1.89, 1.73)  # of the days since the last review, the review's number, the lapses before

_Bin = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Prediction:
    """Hold a predictor's scores, and its mean prediction.

    Smaller is better for `log_loss` and `rmse_bins`, larger for `auc`, which is None if all answers were alike.
    """

    name: str
    log_loss: float
    rmse_bins: float
    auc: float | None
    mean: float  # predicted, to be compared with the share that was recalled


@dataclass(frozen=True, slots=True)
class SchedulerComparison:
    """Hold the scores of both schedulers and both baselines on one log."""

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
    """Score each predictor on the reviews of known cards in a log. Also return the memories under FSRS."""
    memories: dict[str, MemoryRow] = {}
    outcomes: list[bool] = []
    bins: list[_Bin] = []
    columns: list[list[float]] = [[] for _ in _PREDICTORS]
    log_odds, passed = _MOVING_LOG_ODDS, _SM2_RECALL
    for _, day, grade, _, memory, is_review in answers(events, undone_ids, fsrs, memories):
        if memory is None or not is_review:
            continue
        days, recalled, moving_average = day - memory[4], grade >= sm2.PASSING_GRADE, 1 / (1 + math.exp(-log_odds))
        sm2_recall = _SM2_RECALL ** (days / (memory[10] or 1))
        so_far = passed / (1 + len(outcomes))
        predictions = fsrs.recall(memory[8] or 1.0, days), sm2_recall, moving_average, so_far
        for column, probability in zip(columns, predictions, strict=True):
            column.append(probability)
        outcomes.append(recalled)
        bins.append(_bin_of(days, memory[6] + 2, memory[3]))
        log_odds += _MOVING_STEP * (recalled - moving_average)
        passed += recalled
    return _score(columns, outcomes, bins), memories


def _score(
    columns: Sequence[Sequence[float]], outcomes: Sequence[bool], bins: Sequence[_Bin]
) -> SchedulerComparison:
    if not outcomes:
        return SchedulerComparison(0, 0.0)
    losses = [log_losses(column, outcomes) for column in columns]
    predictions = tuple(
        Prediction(name, fmean(loss), _rmse_of_bins(column, outcomes, bins), auc(column, outcomes), fmean(column))
        for name, column, loss in zip(_PREDICTORS, columns, losses, strict=True)
    )
    differences = [fsrs_loss - sm2_loss for fsrs_loss, sm2_loss in zip(losses[0], losses[1], strict=True)]
    reviews, mean = len(outcomes), fmean(differences)
    variance = math.fsum((each - mean) ** 2 for each in differences) / max(1, reviews - 1)
    return SchedulerComparison(reviews, fmean(outcomes), predictions, mean, SURE * math.sqrt(variance / reviews))


def log_losses(predicted: Iterable[float], outcomes: Iterable[bool]) -> list[float]:
    """Return the log loss of each prediction, at most 36 for one that was certain but wrong."""
    pairs = zip(predicted, outcomes, strict=True)
    return [-math.log(max(_MIN_PROBABILITY, p if recalled else 1 - p)) for p, recalled in pairs]


def auc(predicted: Iterable[float], outcomes: Iterable[bool]) -> float | None:
    """Return how often a recalled review was predicted above a forgotten one (ties half), or None without both."""
    predictions: dict[bool, list[float]] = {True: [], False: []}
    for probability, recalled in zip(predicted, outcomes, strict=True):
        predictions[bool(recalled)].append(probability)
    passed, forgotten = sorted(predictions[True]), sorted(predictions[False])
    if not passed or not forgotten:
        return None
    below = sum(bisect_left(forgotten, each) + bisect_right(forgotten, each) for each in passed) / 2
    return below / len(passed) / len(forgotten)


def _rmse_of_bins(predicted: Iterable[float], outcomes: Sequence[bool], bins: Iterable[_Bin]) -> float:
    """Return the root mean square of the bins' mean errors, each weighted by its reviews."""
    errors: dict[_Bin, list[float]] = defaultdict(list)
    for bin_, probability, recalled in zip(bins, predicted, outcomes, strict=True):
        errors[bin_].append(probability - recalled)
    return math.sqrt(math.fsum(math.fsum(each) ** 2 / len(each) for each in errors.values()) / len(outcomes))


@cache
def _bin_of(days: int, number: int, lapses: int) -> _Bin:
    """Return the bin of a review, whose bounds grow by the benchmark's factors. A zero has a bin of its own."""
    values = zip((days, number, lapses), _BIN_BASES, strict=True)
    return tuple(math.floor(math.log(value, base)) if value else -1 for value, base in values)


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
