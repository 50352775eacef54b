"""Plan the days up to a date: how many new cards fit into the minutes, and what will be recalled then.

Days are simulated in advance, several times with random numbers from a seed: due cards are answered as far as the
minutes go, then new cards, and a card is recalled with the probability that the forgetting curve gives. The curve
is FSRS's, with its odds multiplied by one number that fits it to the learner's own log. Cards come back on the
days that the learner's scheduler sets.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from random import Random

from studykit.scheduling import review_rule, sm2
from studykit.scheduling.event_kinds import FSRS
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.review_rule import MemoryRow

SIMULATIONS = 8
"""How often the days are simulated in advance."""
RECENT = 2_000
"""How many of the last reviews a curve is fitted to."""
_TRIAL_SIMULATIONS = 2  # for a look at what fits
_PASSES = (3, 4, 5)
_MIN_ODDS, _MAX_ODDS = 0.01, 100.0
DOUBTS = 20
"""How many of the learner's reviews the published curve counts as."""
_HALVINGS = 24
_MORE_MINUTES = (1.25, 1.5, 2, 2.5, 3, 4)
_WAITING = 1.0  # due cards that a day may leave on average


@dataclass(frozen=True, slots=True)
class Pace:
    """Hold the seconds that a review and a new card take, drill included, and shares of the passing grades."""

    review_s: float = 20.0
    new_s: float = 45.0
    passes: tuple[float, float, float] = (0.0, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class Curve:
    """Compute a learner's forgetting curve: FSRS's, with its odds multiplied by `odds`."""

    fsrs: Fsrs
    odds: float = 1.0

    def recall(self, memory: MemoryRow, day: int) -> float:
        """Return the probability that a card is recalled on a day."""
        return self.recall_after(memory[8] or 1.0, max(0, day - memory[4]))

    def recall_after(self, stability: float, days: int) -> float:
        """Return the probability of recall when so many days have passed since the last review."""
        return _multiply_odds(self.fsrs.recall(stability, days), self.odds)


def _multiply_odds(probability: float, odds: float) -> float:
    """Multiply the odds of a probability."""
    return probability * odds / (1 - probability + probability * odds)


@dataclass(frozen=True, slots=True)
class PlanStart:
    """Hold the state that a plan starts from: known cards, the number of unseen ones, and the scheduler."""

    known: Sequence[MemoryRow]  # under FSRS, as the others
    unseen: int
    others: Sequence[MemoryRow]  # cards that come too, though the plan is not for them
    by_fsrs: bool
    curve: Curve
    pace: Pace


@dataclass(frozen=True, slots=True)
class PlannedDay:
    """Hold a day's reviews, new cards, minutes, waiting cards and recall, as means over the simulations."""

    day: int
    reviews: float
    new: float
    minutes: float
    waiting: float  # due cards that did not fit
    recall: float  # of the cards that were asked again


@dataclass(frozen=True, slots=True)
class Plan:
    """Hold the planned days, and what is recalled on the day after the last."""

    new_a_day: int
    days: tuple[PlannedDay, ...]
    left_out: int  # new cards that are never asked
    learnt: float  # cards of the plan that are known at the end
    recall: float  # of those
    enough_minutes: float | None = None  # a day, with which nothing is left out; None where it is not known

    @property
    def fits(self) -> bool:
        """Return whether every new card is asked, and no more than one due card waits at the end, on average."""
        return not self.left_out and not self.overdue

    @property
    def overdue(self) -> bool:
        """Return whether more than one due card waits at the end, on average."""
        return bool(self.days) and self.days[-1].waiting > _WAITING


class _Simulation:
    """Simulate the days of a plan once, with random answers."""

    def __init__(self, start: PlanStart, chance: Random) -> None:
        self.start = start
        self.chance = chance
        self.unseen = start.unseen
        self.cards = [*start.others, *start.known]
        self.due = [(self._due_day(card), place) for place, card in enumerate(self.cards)]
        heapify(self.due)

    @property
    def planned(self) -> Sequence[MemoryRow]:
        """Return the cards that the plan is for."""
        return self.cards[len(self.start.others) :]

    def study(self, day: int, seconds: float, new_a_day: int) -> tuple[int, int, float, int, float]:
        """Simulate a day. Return reviews, new cards, seconds, waiting cards, and the reviews' summed recall."""
        pace, seconds_left, reviews, recalled = self.start.pace, seconds, 0, 0.0
        while self.due and self.due[0][0] <= day and seconds_left >= pace.review_s:
            _, place = heappop(self.due)
            recall = self.start.curve.recall(self.cards[place], day)
            self._record_answer(place, day, passed=self.chance.random() < recall)
            seconds_left -= pace.review_s
            reviews, recalled = reviews + 1, recalled + recall
        waiting = sum(due <= day for due, _ in self.due)
        # New cards wait while due ones do: each would bring more reviews into days that are already full.
        new = 0 if waiting else min(new_a_day, self.unseen, max(0, int(seconds_left / pace.new_s)))
        for _ in range(new):
            self.cards.append(self._memory_after(None, day, passed=True))
            heappush(self.due, (self._due_day(self.cards[-1]), len(self.cards) - 1))
        self.unseen -= new
        return reviews, new, seconds - seconds_left + new * pace.new_s, waiting, recalled

    def recall(self, day: int) -> float:
        """Return how many of the plan's cards are expected to be recalled on a day."""
        return math.fsum(self.start.curve.recall(card, day) for card in self.planned)

    def _record_answer(self, place: int, day: int, *, passed: bool) -> None:
        self.cards[place] = self._memory_after(self.cards[place], day, passed=passed)
        heappush(self.due, (max(day + 1, self._due_day(self.cards[place])), place))

    def _memory_after(self, memory: MemoryRow | None, day: int, *, passed: bool) -> MemoryRow:
        grade = self.chance.choices(_PASSES, self.start.pace.passes)[0] if passed else 1
        profile = FSRS if self.start.by_fsrs else sm2.PROFILE
        return review_rule.answer(memory, grade, day, profile, self.start.curve.fsrs)[1]

    def _due_day(self, memory: MemoryRow) -> int:
        return memory[5] if self.start.by_fsrs else memory[4] + (memory[10] or 1)


def fitted(fsrs: Fsrs, reviews: Sequence[tuple[float, int, bool]]) -> Curve:
    """Fit the forgetting curve to reviews, each with its stability, elapsed days, and whether it was recalled.

    A short log counts little: the published curve weighs as many reviews as `DOUBTS` says.
    """
    recent = reviews[-RECENT:]
    if not recent:
        return Curve(fsrs)

    published = [fsrs.recall(stability, days) for stability, days, _ in recent]

    def mean_recall(odds: float) -> float:
        return math.fsum(_multiply_odds(each, odds) for each in published) / len(recent)

    target = (sum(recalled for *_, recalled in recent) + DOUBTS * mean_recall(1)) / (len(recent) + DOUBTS)
    low, high = _MIN_ODDS, _MAX_ODDS
    for _ in range(_HALVINGS):
        # Odds are halved on a log scale, since 0.01 and 100 are equally far from 1.
        middle = math.sqrt(low * high)
        low, high = (low, middle) if mean_recall(middle) > target else (middle, high)
    return Curve(fsrs, math.sqrt(low * high))


def plan(
    start: PlanStart,
    days: range,
    minutes: float,
    *,
    seed: int,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Plan:
    """Plan days of `minutes` with as many new cards a day as fit, and find enough minutes if they do not all fit.

    `on_progress` is called before each run of simulations, with their number.
    """
    needed = -(-start.unseen // len(days)) if days else 0

    def simulate(new_a_day: int, minutes: float, number: int = _TRIAL_SIMULATIONS) -> Plan:
        on_progress(number)
        return at_pace(start, days, minutes, new_a_day, seed=seed, number=number)

    def is_kept(new_a_day: int, minutes: float = minutes) -> bool:
        candidate = simulate(new_a_day, minutes)
        return candidate.left_out <= max(0, start.unseen - new_a_day * len(days)) and not candidate.overdue

    new_a_day = needed if is_kept(needed) else _largest_kept(is_kept, needed)
    best = simulate(new_a_day, minutes, SIMULATIONS)
    if best.fits or not days:
        return best
    tries = (5 * math.ceil(minutes * more / 5) for more in _MORE_MINUTES)
    return replace(best, enough_minutes=next((more for more in tries if is_kept(needed, more)), None))


def at_pace(
    start: PlanStart, days: range, minutes: float, new_a_day: int, *, seed: int, number: int = SIMULATIONS
) -> Plan:
    """Simulate days with fixed minutes and new cards, whether or not all cards fit, and average the figures."""
    simulations = [_Simulation(start, Random(seed + place)) for place in range(number)]  # noqa: S311 - dice
    planned_days = []
    for day in days:
        columns = [simulation.study(day, 60 * minutes, new_a_day) for simulation in simulations]
        reviews, new, seconds, waiting, recalled = (
            math.fsum(column) / number for column in zip(*columns, strict=True)
        )
        share = recalled / reviews if reviews else 1.0
        planned_days.append(PlannedDay(day, reviews, new, seconds / 60, waiting, share))
    learnt = sum(len(simulation.planned) for simulation in simulations) / number
    recall = math.fsum(simulation.recall(days.stop) for simulation in simulations) / number
    left_out = round(sum(simulation.unseen for simulation in simulations) / number)
    return Plan(new_a_day, tuple(planned_days), left_out, learnt, recall / learnt if learnt else 0.0)


def spread(start: PlanStart, first: int, minutes: float, *, max_days: int, seed: int) -> Plan:
    """Simulate days without new cards until less than one due card waits on average, for at most `max_days`."""
    plan_of_all_days = at_pace(start, range(first, first + max_days), minutes, 0, seed=seed)
    length = next(
        (place for place, day in enumerate(plan_of_all_days.days, start=1) if day.waiting < _WAITING), max_days
    )
    return replace(plan_of_all_days, days=plan_of_all_days.days[:length])


def _largest_kept(is_kept: Callable[[int], bool], needed: int) -> int:
    """Return the largest number of new cards below `needed` that fits the plan, or 0."""
    low, high = 0, needed
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_kept(middle) else (low, middle)
    return low
