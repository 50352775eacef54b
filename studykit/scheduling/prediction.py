"""Measure how well each scheduler predicts a learner's answers, and count the reviews that it would ask.

The log is replayed once. Before each review of a known card, each predictor gives the probability of recall: FSRS
by its curve, SM-2 by 90 % at the end of its interval (it promises no more), and two baselines, the average of all
answers so far and a moving average. The measures are those of the public benchmark of schedulers
(open-spaced-repetition/srs-benchmark): log loss, RMSE(bins), AUC.
"""

import math
from array import array
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from studykit.scheduling import review_rule, sm2
from studykit.scheduling.estimated_share import SURE
from studykit.scheduling.event_kinds import FSRS
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.review_rule import CRAM, DRILL, INTRODUCTION, EventRow, MemoryRow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Truths = NDArray[np.bool_]
    Places = NDArray[np.int64]

MIN_REVIEWS = 400
"""Reviews below which no difference between schedulers says much."""
_TINY = 2.220446049250313e-16
_STEP = 20_000  # events between two words on progress
_START, _PACE = 1.2, 0.3  # of the moving average: log-odds at first, and the part of an error that moves them
_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


@dataclass(frozen=True, slots=True)
class Prediction:
    """A predictor's scores. Smaller is better except for `auc`, which is None if all answers were alike."""

    name: str
    log_loss: float
    rmse_bins: float
    auc: float | None
    mean: float  # predicted, to hold against the share that was recalled


@dataclass(frozen=True, slots=True)
class SchedulerComparison:
    """Both schedulers and both baselines on one log."""

    reviews: int
    recalled: float  # share of them
    predictions: tuple[Prediction, ...] = ()
    difference: float = 0.0  # log loss of FSRS less that of SM-2, a review
    uncertainty: float = 0.0  # 95 percent lie within it

    @property
    def too_few(self) -> bool:
        """Return whether the log is too short for a difference to mean anything."""
        return self.reviews < MIN_REVIEWS


@dataclass(frozen=True, slots=True)
class Forecasts:
    """A comparison of both schedulers, and the reviews that each would ask on coming days."""

    comparison: SchedulerComparison
    sm2_load: list[int]
    fsrs_load: list[int]


@dataclass(slots=True)
class _Reviews:
    """The reviews of known cards in a log, a column each."""

    elapsed: "array[int]" = field(default_factory=lambda: array("q"))  # days since the last one
    stabilities: "array[float]" = field(default_factory=lambda: array("d"))
    intervals: "array[int]" = field(default_factory=lambda: array("q"))  # by SM-2
    numbers: "array[int]" = field(default_factory=lambda: array("q"))  # of the review of its card, from 1
    lapses: "array[int]" = field(default_factory=lambda: array("q"))  # before it
    outcomes: "array[int]" = field(default_factory=lambda: array("b"))  # 1 where it was recalled


def compare(
    events: Iterable[EventRow],
    undone_ids: Collection[bytes],
    fsrs: Fsrs,
    on_progress: Callable[[int], None] = lambda _: None,
) -> tuple[SchedulerComparison, dict[str, MemoryRow]]:
    """Score each scheduler's predictions of the reviews of known cards. Also return the memories under FSRS.

    `on_progress` is called with the number of events processed.
    """
    reviews, memories = _Reviews(), dict[str, MemoryRow]()
    no_review = {None, DRILL, CRAM, INTRODUCTION}
    for number, event in enumerate(events):
        if number % _STEP == 0:
            on_progress(number)
        if undone_ids and event[0] in undone_ids:
            continue
        _, _, card, day, grade, *_ = event
        memory = memories.get(card)
        category = review_rule.apply(memories, event, fsrs)
        if memory is None or grade is None or category in no_review:
            continue
        reviews.elapsed.append(day - memory[4])
        reviews.stabilities.append(memory[8] or 1.0)
        reviews.intervals.append(memory[10] or 1)
        reviews.numbers.append(memory[6] + 2)
        reviews.lapses.append(memory[3])
        reviews.outcomes.append(grade >= sm2.PASSING_GRADE)
    return _compare_predictions(reviews, fsrs), memories


def _compare_predictions(reviews: _Reviews, fsrs: Fsrs) -> SchedulerComparison:
    import numpy as np

    if not reviews.outcomes:
        return SchedulerComparison(0, 0.0)
    outcomes, bins = (
        np.array(reviews.outcomes, bool),
        _bin_reviews(reviews.elapsed, reviews.numbers, reviews.lapses),
    )
    elapsed = np.array(reviews.elapsed)
    predictions_by_name = {
        FSRS: fsrs.recalls(np.array(reviews.stabilities), elapsed),
        sm2.PROFILE: 0.9 ** (elapsed / np.array(reviews.intervals)),
        "moving average": np.array(_moving_averages(reviews.outcomes)),
        "average so far": _so_far(outcomes),
    }
    losses = {name: _log_losses(predicted, outcomes) for name, predicted in predictions_by_name.items()}
    predictions = tuple(
        Prediction(
            name,
            float(losses[name].mean()),
            _rmse_of_bins(predicted, outcomes, bins),
            auc(predicted, outcomes),
            float(predicted.mean()),
        )
        for name, predicted in predictions_by_name.items()
    )
    differences = losses[FSRS] - losses[sm2.PROFILE]
    spread = float(differences.var(ddof=1)) if len(differences) > 1 else 0.0
    uncertainty = SURE * math.sqrt(spread / len(differences))
    return SchedulerComparison(
        len(outcomes), float(outcomes.mean()), predictions, float(differences.mean()), uncertainty
    )


def _so_far(outcomes: "Truths") -> "Numbers":
    """Return the share recalled before each review, starting from 0.9."""
    import numpy as np

    before: Places = np.cumsum(outcomes) - outcomes
    return (0.9 + before) / (1 + np.arange(len(outcomes)))


def _moving_averages(outcomes: Iterable[int]) -> "array[float]":
    """Return a moving average of recall before each review."""
    predictions, exp, odds = array("d"), math.exp, _START
    for recalled in outcomes:
        prediction = 1 / (1 + exp(-odds))
        predictions.append(prediction)
        odds += _PACE * (recalled - prediction)
    return predictions


def _log_losses(predicted: "Numbers", outcomes: "Truths") -> "Numbers":
    import numpy as np

    losses: Numbers = -np.log(np.clip(np.where(outcomes, predicted, 1 - predicted), _TINY, 1 - _TINY))
    return losses


def auc(predicted: "Sequence[float] | Numbers", outcomes: "Sequence[int] | Truths") -> float | None:
    """Return how often a recalled review had a higher prediction than a forgotten one. Ties count half."""
    import numpy as np

    predictions, recalled = np.asarray(predicted, float), np.asarray(outcomes, bool)
    passed, forgotten = np.sort(predictions[recalled]), np.sort(predictions[~recalled])
    if not len(passed) or not len(forgotten):
        return None
    below = sum(int(np.searchsorted(forgotten, passed, side).sum()) for side in _SIDES)
    return below / 2 / len(forgotten) / len(passed)


def _rmse_of_bins(predicted: "Numbers", outcomes: "Truths", bins: "Places") -> float:
    """Return the root mean square error of the bins' mean predictions, over reviews."""
    import numpy as np

    errors, sizes = np.bincount(bins, predicted - outcomes), np.bincount(bins)
    is_used = sizes > 0
    return math.sqrt(float((errors[is_used] ** 2 / sizes[is_used]).sum()) / len(outcomes))


def _bin_reviews(days: Sequence[int], numbers: Sequence[int], lapses: Sequence[int]) -> "Places":
    """Group reviews by history: days since the last one, its number from 1, and the lapses before."""
    import numpy as np

    places = np.zeros(len(days), np.int64)
    for values, bin_of in ((days, _days_bin), (numbers, _number_bin), (lapses, _lapses_bin)):
        distinct, which = np.unique(np.array(values), return_inverse=True)
        _, bins = np.unique([bin_of(int(value)) for value in distinct], return_inverse=True)
        places = places * (int(bins.max()) + 1) + bins[which]
    return places


def _days_bin(days: int) -> float:
    return round(2.48 * 3.62 ** math.floor(math.log(max(days, 1e-6)) / math.log(3.62)), 2)


def _number_bin(number: int) -> float:
    return round(1.99 * 1.89 ** math.floor(math.log(number) / math.log(1.89)))


def _lapses_bin(lapses: int) -> float:
    return round(1.65 * 1.73 ** math.floor(math.log(lapses) / math.log(1.73))) if lapses else 0


def by_sm2(memory: MemoryRow) -> MemoryRow:
    """Convert a memory under FSRS to SM-2's."""
    interval = memory[1] if memory[10] is None else memory[10]
    return memory[0], interval, *memory[2:5], memory[4] + interval, *memory[6:8], None, None, None


def load(memories: Iterable[MemoryRow], first: int, days: int, fsrs: Fsrs | None) -> list[int]:
    """Count each day's reviews if every card is answered good on its day, overdue ones on the first."""
    counts = [0] * days
    for memory in memories:
        day, current = max(first, memory[5]), memory
        while day < first + days:
            counts[day - first] += 1
            _, current = review_rule.answer(current, 4, day, fsrs=fsrs)
            day = max(current[5], day + 1)
    return counts
