"""A plan up to a day: how many new cards fit into so many minutes, what each day brings, what is recalled then.

Days are simulated in advance, several times over with dice from a seed: what is due is answered as far as minutes
go, then new cards, and an answer is recalled with the probability that the curve of forgetting gives. The curve is
FSRS's, its odds times one number so that it says on average what the learner's own log has shown; cards come back
on the days of the scheduler that plans them.
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
"""Reviews that a curve is fitted to, the last ones."""
_FEWER = 2  # for a look at what fits
_PASSES = (3, 4, 5)
_MIN_ODDS, _MAX_ODDS = 0.01, 100.0
DOUBTS = 20
"""Reviews that the published curve counts for, next to the learner's own."""
_HALVINGS = 24
_MORE_MINUTES = (1.25, 1.5, 2, 2.5, 3, 4)
_WAITING = 1.0  # due cards that a day may leave on average


@dataclass(frozen=True, slots=True)
class Pace:
    """What a card costs on one day, drill included, and how often a learner passes one as hard, good and easy."""

    review_s: float = 20.0
    new_s: float = 45.0
    passes: tuple[float, float, float] = (0.0, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class Curve:
    """A learner's forgetting: FSRS's curve, its odds times one number."""

    fsrs: Fsrs
    odds: float = 1.0

    def recall(self, memory: MemoryRow, day: int) -> float:
        """Return the probability that a card is recalled on a day."""
        return _times(self.fsrs.recall(memory[8] or 1.0, max(0, day - memory[4])), self.odds)


def _times(probability: float, odds: float) -> float:
    """Multiply the odds of a probability."""
    return probability * odds / (1 - probability + probability * odds)


@dataclass(frozen=True, slots=True)
class PlanStart:
    """Where a plan begins: the cards that are known, how many are not, and what plans their days."""

    known: Sequence[MemoryRow]  # under FSRS, as the others
    unseen: int
    others: Sequence[MemoryRow]  # cards that come too, though the plan is not for them
    by_fsrs: bool
    curve: Curve
    pace: Pace


@dataclass(frozen=True, slots=True)
class PlannedDay:
    """What a day brings, as a mean over the simulations."""

    day: int
    reviews: float
    new: float
    minutes: float
    waiting: float  # due cards that did not fit
    recall: float  # of the cards that were asked again


@dataclass(frozen=True, slots=True)
class Plan:
    """The days up to the last one, and what is recalled on the day after it."""

    minutes: float
    new_a_day: int
    days: tuple[PlannedDay, ...]
    left_out: int  # new cards that are never asked
    learnt: float  # cards of the plan that are known at the end
    recall: float  # of those
    enough_minutes: float | None = None  # a day, with which nothing is left out; None where it is not known

    @property
    def fits(self) -> bool:
        """Return whether every card is asked, and no due card waits at the end."""
        return not self.left_out and not self.overdue

    @property
    def overdue(self) -> bool:
        """Return whether due cards wait at the end."""
        return bool(self.days) and self.days[-1].waiting > _WAITING


class _Simulation:
    """One way in which the days may go."""

    def __init__(self, start: PlanStart, chance: Random) -> None:
        self.start = start
        self.chance = chance
        self.unseen = start.unseen
        self.cards = [*start.others, *start.known]
        self.due = [(self._due(card), place) for place, card in enumerate(self.cards)]
        heapify(self.due)

    @property
    def planned(self) -> Sequence[MemoryRow]:
        """Return the cards that the plan is for."""
        return self.cards[len(self.start.others) :]

    def study(self, day: int, seconds: float, new_a_day: int) -> tuple[int, int, float, int, float]:
        """Simulate a day: reviews, new cards, seconds, due cards left, and the summed recall of those reviewed."""
        pace, left, reviews, recalled = self.start.pace, seconds, 0, 0.0
        while self.due and self.due[0][0] <= day and left >= pace.review_s:
            _, place = heappop(self.due)
            recall = self.start.curve.recall(self.cards[place], day)
            self._answer(place, day, passed=self.chance.random() < recall)
            left -= pace.review_s
            reviews, recalled = reviews + 1, recalled + recall
        waiting = sum(due <= day for due, _ in self.due)
        new = 0 if waiting else min(new_a_day, self.unseen, max(0, int(left / pace.new_s)))
        for _ in range(new):
            self.cards.append(self._after(None, day, passed=True))
            heappush(self.due, (self._due(self.cards[-1]), len(self.cards) - 1))
        self.unseen -= new
        return reviews, new, seconds - left + new * pace.new_s, waiting, recalled

    def recall(self, day: int) -> float:
        """Return the expected number of cards recalled on a day."""
        return math.fsum(self.start.curve.recall(card, day) for card in self.planned)

    def _answer(self, place: int, day: int, *, passed: bool) -> None:
        self.cards[place] = self._after(self.cards[place], day, passed=passed)
        heappush(self.due, (max(day + 1, self._due(self.cards[place])), place))

    def _after(self, memory: MemoryRow | None, day: int, *, passed: bool) -> MemoryRow:
        grade = self.chance.choices(_PASSES, self.start.pace.passes)[0] if passed else 1
        profile = FSRS if self.start.by_fsrs else sm2.PROFILE
        return review_rule.answer(memory, grade, day, profile, self.start.curve.fsrs)[1]

    def _due(self, memory: MemoryRow) -> int:
        return memory[5] if self.start.by_fsrs else memory[4] + (memory[10] or 1)


def fitted(fsrs: Fsrs, seen: Sequence[tuple[float, int, bool]]) -> Curve:
    """Fit the curve to what was recalled: `seen` has stability, days since, and whether it was recalled.

    A short log counts little: the published curve weighs as many reviews as `DOUBTS` says.
    """
    recent = seen[-RECENT:]
    if not recent:
        return Curve(fsrs)

    published = [fsrs.recall(stability, days) for stability, days, _ in recent]

    def said(odds: float) -> float:
        return math.fsum(_times(each, odds) for each in published) / len(recent)

    target = (sum(recalled for *_, recalled in recent) + DOUBTS * said(1)) / (len(recent) + DOUBTS)
    least, most = _MIN_ODDS, _MAX_ODDS
    for _ in range(_HALVINGS):
        middle = math.sqrt(least * most)
        least, most = (least, middle) if said(middle) > target else (middle, most)
    return Curve(fsrs, math.sqrt(least * most))


def plan(
    start: PlanStart, days: range, minutes: float, *, seed: int, told: Callable[[int], None] = lambda _: None
) -> Plan:
    """Find what fits into days of so many minutes. `told` is called after each simulation."""
    needed = -(-start.unseen // len(days)) if days else 0

    def simulated(new_a_day: int, minutes: float, number: int = _FEWER) -> Plan:
        told(number)
        return at_pace(start, days, minutes, new_a_day, seed=seed, number=number)

    def is_kept(new_a_day: int, minutes: float = minutes) -> bool:
        tried = simulated(new_a_day, minutes)
        return tried.left_out <= max(0, start.unseen - new_a_day * len(days)) and not tried.overdue

    new_a_day = needed if is_kept(needed) else _largest(is_kept, needed)
    best = simulated(new_a_day, minutes, SIMULATIONS)
    if best.fits or not days:
        return best
    tries = (5 * math.ceil(minutes * more / 5) for more in _MORE_MINUTES)
    return replace(best, enough_minutes=next((more for more in tries if is_kept(needed, more)), None))


def at_pace(
    start: PlanStart, days: range, minutes: float, new_a_day: int, *, seed: int, number: int = SIMULATIONS
) -> Plan:
    """Simulate days of so many minutes and new cards, whether or not that is enough."""
    simulations = [_Simulation(start, Random(seed + place)) for place in range(number)]  # noqa: S311 - dice
    return _simulated(simulations, days, minutes, new_a_day)


def spread(start: PlanStart, first: int, minutes: float, *, most: int, seed: int) -> Plan:
    """Find the days until no due card waits, without new ones, `most` days at most."""
    simulations = [_Simulation(start, Random(seed + place)) for place in range(SIMULATIONS)]  # noqa: S311 - dice
    whole = _simulated(simulations, range(first, first + most), minutes, 0)
    done = next((place for place, day in enumerate(whole.days, start=1) if day.waiting < _WAITING), most)
    return replace(whole, days=whole.days[:done])


def _largest(is_kept: Callable[[int], bool], needed: int) -> int:
    """Return the largest number below `needed` that is kept, or 0."""
    least, most = 0, needed
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if is_kept(middle) else (least, middle)
    return least


def _simulated(simulations: Sequence[_Simulation], days: range, minutes: float, new_a_day: int) -> Plan:
    """Average the days over the simulations."""
    planned, number = [], len(simulations)
    for day in days:
        each = [one.study(day, 60 * minutes, new_a_day) for one in simulations]
        means = (math.fsum(column) / number for column in zip(*each, strict=True))
        reviews, new, seconds, waiting, recalled = means
        share = recalled / reviews if reviews else 1.0
        planned.append(PlannedDay(day, reviews, new, seconds / 60, waiting, share))
    learnt = sum(len(each.planned) for each in simulations) / number
    recall = math.fsum(each.recall(days.stop) for each in simulations) / number
    left_out = round(sum(each.unseen for each in simulations) / number)
    return Plan(minutes, new_a_day, tuple(planned), left_out, learnt, recall / learnt if learnt else 0.0)
