"""How well each scheduler would have predicted a learner's own answers, and what load it would bring.

The log is replayed once, and before each review of a known card everybody says how probable it is that it will be
recalled: FSRS by its curve, SM-2 by nine of ten at the end of its interval (it promises no more), and two that
know nothing of the card, the average of the answers so far and one that follows the last answers. The measures are
those of the public benchmark of schedulers (open-spaced-repetition/srs-benchmark): log loss, RMSE(bins), AUC.
"""

import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from studykit.scheduling import review_rule, sm2
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.review_rule import CRAM, DRILL, INTRODUCTION, EventRow, MemoryRow

FEW = 400
"""Reviews below which no difference between schedulers says much."""
_TINY = 2.220446049250313e-16
_SURE = 1.96  # standard errors of 95 percent
_STEP = 20_000  # events between two words on progress
_START, _PACE = 1.2, 0.3  # of the moving average: log-odds at first, and the part of an error that moves them

Bin = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Prediction:
    """How good one predictor was; smaller is better but for `auc`, which is None where all answers were alike."""

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
        """Whether the log is too short for a difference to mean anything."""
        return self.reviews < FEW


@dataclass(frozen=True, slots=True)
class Forecasts:
    """Both schedulers on what was, and their reviews of each day to come."""

    comparison: SchedulerComparison
    sm2_load: list[int]
    fsrs_load: list[int]


class _Baselines:
    """Two predictors that know nothing of a card."""

    __slots__ = ("_odds", "_passed", "_seen")

    def __init__(self) -> None:
        self._seen, self._passed, self._odds = 1.0, 0.9, _START

    def predict(self) -> tuple[float, float]:
        """The average so far, and the moving one."""
        return self._passed / self._seen, 1 / (1 + math.exp(-self._odds))

    def learn(self, moving: float, recalled: bool) -> None:  # noqa: FBT001 - an outcome
        """Take the outcome in; `moving` is what the moving average had said."""
        self._seen += 1
        self._passed += recalled
        self._odds += _PACE * (recalled - moving)


def compare(
    events: Iterable[EventRow],
    undone: Collection[bytes],
    fsrs: Fsrs,
    told: Callable[[int], None] = lambda _: None,
) -> tuple[SchedulerComparison, dict[str, MemoryRow]]:
    """What each predictor said of every review of a known card, measured; and the memories under FSRS.

    `told` hears how many events are done.
    """
    said = {name: array("d") for name in ("fsrs-6", sm2.PROFILE, "moving average", "average so far")}
    by_fsrs, by_text, by_moving, by_average = said.values()
    outcomes, bins = array("b"), _Bins()
    memories: dict[str, MemoryRow] = {}
    baselines, no_review = _Baselines(), {DRILL, CRAM, INTRODUCTION}
    for number, event in enumerate(events):
        if number % _STEP == 0:
            told(number)
        if undone and event[0] in undone:
            continue
        _, kind, card, day, grade, _, _, profile = event
        if kind != review_rule.ANSWER or grade is None:
            review_rule.apply(memories, event, fsrs)
            continue
        before = memories.get(card)
        counted, memories[card] = review_rule.answer_by(fsrs, before, grade, day, profile)
        if before is None or counted in no_review:
            continue
        elapsed, stability, interval = day - before[4], before[8] or 1.0, before[10] or 1
        recalled, (average, moving) = grade >= sm2.PASSING_GRADE, baselines.predict()
        by_fsrs.append(fsrs.recall(stability, elapsed))
        by_text.append(math.pow(0.9, elapsed / interval))
        by_moving.append(moving)
        by_average.append(average)
        baselines.learn(moving, recalled)
        outcomes.append(recalled)
        bins.add(elapsed, before[6] + 2, before[3])
    return _compared(said, outcomes, bins), memories


def _compared(said: Mapping[str, Sequence[float]], outcomes: Sequence[int], bins: "_Bins") -> SchedulerComparison:
    if not outcomes:
        return SchedulerComparison(0, 0.0)
    losses = {name: _losses(predicted, outcomes) for name, predicted in said.items()}
    predictions = tuple(
        Prediction(
            name,
            math.fsum(losses[name]) / len(outcomes),
            bins.error(predicted, outcomes),
            auc(predicted, outcomes),
            math.fsum(predicted) / len(outcomes),
        )
        for name, predicted in said.items()
    )
    mine, theirs = list(losses.values())[:2]
    differences = [one - other for one, other in zip(mine, theirs, strict=True)]
    mean = math.fsum(differences) / len(differences)
    spread = math.fsum((each - mean) ** 2 for each in differences) / max(1, len(differences) - 1)
    recalled = sum(outcomes) / len(outcomes)
    return SchedulerComparison(
        len(outcomes), recalled, predictions, mean, _SURE * math.sqrt(spread / len(differences))
    )


def log_loss(predicted: Sequence[float], outcomes: Sequence[int]) -> float:
    """The mean of the natural logarithm of what was said against what came."""
    return math.fsum(_losses(predicted, outcomes)) / len(outcomes)


def _losses(predicted: Sequence[float], outcomes: Sequence[int]) -> "array[float]":
    log = math.log
    return array(
        "d",
        (
            -log(min(max(p if recalled else 1 - p, _TINY), 1 - _TINY))
            for p, recalled in zip(predicted, outcomes, strict=True)
        ),
    )


def auc(predicted: Sequence[float], outcomes: Sequence[int]) -> float | None:
    """How often a recalled review had the higher prediction than a forgotten one, ties counted half."""
    forgotten = sorted(p for p, recalled in zip(predicted, outcomes, strict=True) if not recalled)
    passed = [p for p, recalled in zip(predicted, outcomes, strict=True) if recalled]
    if not forgotten or not passed:
        return None
    below = sum(bisect_left(forgotten, p) + bisect_right(forgotten, p) for p in passed)
    return below / 2 / len(forgotten) / len(passed)


def rmse_bins(
    predicted: Sequence[float], outcomes: Sequence[int], histories: Iterable[tuple[int, int, int]]
) -> float:
    """The error of the mean prediction over reviews of like histories: days since the last, number, lapses."""
    bins = _Bins()
    for history in histories:
        bins.add(*history)
    return bins.error(predicted, outcomes)


class _Bins:
    """Reviews grouped by history: days since the last one, its number from 1, and the lapses before."""

    def __init__(self) -> None:
        self._places: dict[tuple[int, int, int], int] = {}
        self._numbers: dict[Bin, int] = {}
        self._of = array("l")

    def add(self, days: int, number: int, lapses: int) -> None:
        """One more review."""
        if (place := self._places.get((days, number, lapses))) is None:
            place = self._numbers.setdefault(_bin(days, number, lapses), len(self._numbers))
            self._places[days, number, lapses] = place
        self._of.append(place)

    def error(self, predicted: Sequence[float], outcomes: Sequence[int]) -> float:
        """The root of the mean square, over reviews, of what a bin's mean prediction is off."""
        off, sizes = [0.0] * len(self._numbers), [0] * len(self._numbers)
        for place, p, recalled in zip(self._of, predicted, outcomes, strict=True):
            off[place] += p - recalled
            sizes[place] += 1
        squares = math.fsum(total * total / size for total, size in zip(off, sizes, strict=True) if size)
        return math.sqrt(squares / len(outcomes))


def _bin(days: int, number: int, lapses: int) -> Bin:
    return (
        round(2.48 * 3.62 ** math.floor(math.log(max(days, 1e-6)) / math.log(3.62)), 2),
        round(1.99 * 1.89 ** math.floor(math.log(number) / math.log(1.89))),
        round(1.65 * 1.73 ** math.floor(math.log(lapses) / math.log(1.73))) if lapses else 0,
    )


def by_sm2(memory: MemoryRow) -> MemoryRow:
    """A memory under FSRS as SM-2 has it."""
    interval = memory[1] if memory[10] is None else memory[10]
    return memory[0], interval, *memory[2:5], memory[4] + interval, *memory[6:8], None, None, None


def load(memories: Iterable[MemoryRow], first: int, days: int, fsrs: Fsrs | None) -> list[int]:
    """Reviews of each day if every card is answered good on its day; what is overdue falls on the first."""
    counts = [0] * days
    for memory in memories:
        day, after = max(first, memory[5]), memory
        while day < first + days:
            counts[day - first] += 1
            _, after = review_rule.answer_by(fsrs, after, 4, day)
            day = max(after[5], day + 1)
    return counts
