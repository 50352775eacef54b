"""Check plans: what fits, what waits, and how close they come to a simulated learner."""

from collections.abc import Sequence
from random import Random

import pytest

from studykit.scheduling import fsrs
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.plan import Curve, Pace, Plan, PlanStart, fitted, plan
from studykit.scheduling.review_rule import MemoryRow, answer

DAY = 739_000
FSRS = Fsrs()
CURVE = Curve(FSRS)


def fresh(
    unseen: int, known: Sequence[MemoryRow] = (), others: Sequence[MemoryRow] = (), *, by_fsrs: bool = True
) -> PlanStart:
    return PlanStart(known, unseen, others, by_fsrs, CURVE, Pace())


def test_new_cards_are_spread_over_the_days() -> None:
    result = plan(fresh(120), range(DAY, DAY + 40), 20, seed=1)

    assert (result.fits, result.new_a_day, result.left_out) == (True, 3, 0)
    assert sum(day.new for day in result.days) == 120
    assert max(day.minutes for day in result.days) <= 20
    assert 0.85 < result.recall < 1


def test_plan_names_the_minutes_that_suffice() -> None:
    result = plan(fresh(400), range(DAY, DAY + 20), 10, seed=1)

    assert not result.fits
    assert 0 < result.new_a_day < 20
    assert result.left_out == pytest.approx(400 - sum(day.new for day in result.days), abs=1)
    assert result.enough_minutes is not None
    assert plan(fresh(400), range(DAY, DAY + 20), result.enough_minutes, seed=1).fits


def test_backlog_comes_before_new_cards() -> None:
    memories = [answer(None, 4, DAY - 30, fsrs=FSRS)[1]] * 100

    result = plan(fresh(50, memories), range(DAY, DAY + 30), 10, seed=1)

    assert [round(day.reviews) for day in result.days[:3]] == [30, 30, 30]
    assert [day.new for day in result.days[:3]] == [0, 0, 0]
    waiting = [day.waiting for day in result.days]
    assert waiting[0] == 70 > waiting[1] > waiting[2] > waiting[9] == 0  # what was forgotten comes again
    assert result.days[0].recall == pytest.approx(FSRS.recall(FSRS.first(4)[0], 30))


def test_other_decks_cost_time_only() -> None:
    others = [answer(None, 4, DAY - 30, fsrs=FSRS)[1]] * 30

    result = plan(fresh(0, (), others), range(DAY, DAY + 10), 20, seed=1)

    assert (result.learnt, result.recall) == (0, 0)
    assert result.days[0].minutes == 10


def test_too_few_minutes_leave_cards_waiting() -> None:
    memories = [answer(None, 4, DAY - 30, fsrs=FSRS)[1]] * 300

    result = plan(fresh(0, memories), range(DAY, DAY + 10), 5, seed=1)

    assert result.overdue
    assert not result.fits


@pytest.mark.parametrize("unseen", [0, 5])
def test_an_exam_today_leaves_no_day(unseen: int) -> None:
    result = plan(fresh(unseen), range(DAY, DAY), 20, seed=1)

    assert (result.days, result.left_out, result.learnt, result.recall) == ((), unseen, 0, 0)


def test_the_same_seed_makes_the_same_plan() -> None:
    assert plan(fresh(60), range(DAY, DAY + 20), 20, seed=4) == plan(fresh(60), range(DAY, DAY + 20), 20, seed=4)


def test_each_scheduler_uses_its_own_days() -> None:
    text, other = (plan(fresh(60, by_fsrs=by_fsrs), range(DAY, DAY + 40), 20, seed=1) for by_fsrs in (False, True))

    assert sum(day.reviews for day in text.days) > sum(day.reviews for day in other.days)


def test_a_curve_is_fitted_to_what_was_recalled() -> None:
    """Fit reviews at the end of a stability, where the curve predicts 0.9 and half were recalled."""
    reviews = [(10.0, 10, number % 2 == 0) for number in range(4000)]
    memory = answer(None, 4, DAY, fsrs=FSRS)[1]

    curve = fitted(FSRS, reviews)

    assert curve.odds == pytest.approx(1 / 9, rel=0.05)
    assert curve.recall(memory, DAY) == 1
    assert fitted(FSRS, ()).odds == 1
    assert fitted(FSRS, reviews[:2]).odds > 0.6  # two reviews say little


class Person:
    """Represent a learner who forgets by other parameters than the program's, with stabilities a third shorter."""

    def __init__(self, cards: int, seed: int) -> None:
        self.chance = Random(seed)
        self.truth = Fsrs(0.9, (*fsrs.PUBLISHED[:8], 1.6, *fsrs.PUBLISHED[9:20], 0.2))
        self.shown: list[MemoryRow | None] = [None] * cards
        self.own: list[MemoryRow | None] = [None] * cards
        self.seen: list[tuple[float, int, bool]] = []

    def recall(self, card: int, day: int) -> float:
        own = self.own[card]
        return 0.0 if own is None else self.truth.recall((own[8] or 1) * 0.67, day - own[4])

    def answer(self, card: int, day: int) -> None:
        memory = self.shown[card]
        recalled = memory is None or self.chance.random() < self.recall(card, day)
        if memory is not None:
            self.seen.append((memory[8] or 1, day - memory[4], recalled))
        grade = 4 if recalled else 1
        self.shown[card] = answer(memory, grade, day, "fsrs-6", fsrs=FSRS)[1]
        self.own[card] = answer(self.own[card], grade, day, "fsrs-6", fsrs=self.truth)[1]

    def study(self, day: int, minutes: float, new: int) -> float:
        """Study for a day at 20 s per review and 45 s per new card, and return the minutes."""
        spent = 0.0
        for card, memory in enumerate(self.shown):
            if memory is not None and memory[5] <= day and spent + 20 <= 60 * minutes:
                self.answer(card, day)
                spent += 20
        for card in [card for card, memory in enumerate(self.shown) if memory is None][:new]:
            if spent + 45 <= 60 * minutes:
                self.answer(card, day)
                spent += 45
        return spent / 60


def planned(person: Person, day: int, exam: int, minutes: float) -> Plan:
    memories = [memory for memory in person.shown if memory is not None]
    unseen, curve = len(person.shown) - len(memories), fitted(FSRS, person.seen)
    return plan(
        PlanStart(memories, unseen, (), by_fsrs=True, curve=curve, pace=Pace()),
        range(day, exam),
        minutes,
        seed=day,
    )


@pytest.mark.no_cover
def test_long_plan_predicts_recall_and_keeps_minutes() -> None:
    """Fit a hundred days of this person's log, then check a plan of a hundred more against them."""
    cards, exam, minutes = 800, DAY + 200, 30
    person = Person(cards, 11)
    for first in (DAY, DAY + 50):
        new_a_day = planned(person, first, exam, minutes).new_a_day
        for day in range(first, first + 50):
            person.study(day, minutes, new_a_day)
    foretold = planned(person, DAY + 100, exam, minutes)

    spent = [person.study(day, minutes, foretold.new_a_day) for day in range(DAY + 100, exam)]

    true = sum(person.recall(card, exam) for card in range(cards)) / cards
    assert foretold.fits
    assert max(spent) <= minutes
    assert foretold.recall == pytest.approx(true, abs=0.03)
    assert sum(day.minutes for day in foretold.days) == pytest.approx(sum(spent), rel=0.1)
