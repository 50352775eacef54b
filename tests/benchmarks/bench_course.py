"""Simulate how many minutes a day the shipped course asks of a learner, over its first 60 days.

A learner who forgets at a typical rate studies ten new cards a day, in the order and with the burying of the real
agenda, scheduled by the real SM-2. How long a card takes depends on its kind. Prints the typical and the busiest
days of twenty learners.

    python tests/benchmarks/bench_course.py
"""

import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from statistics import mean, median

from studykit.cards.card import Card, Kind
from studykit.scheduling.agenda import NEW_A_DAY, arrange
from studykit.scheduling.memory import Memory, answer
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.today import Today

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
from decks import shipped_cards

DAYS = 60
LEARNERS = 20
FIRST_DAY = date(2026, 9, 1)

SECONDS: Mapping[str, float] = {
    "basic": 7,
    "reversed": 7,
    "cloze": 5,
    "typed": 10,
    "number": 25,
    "rewrite": 30,
    "bet": 20,
}
"""From the question's appearance to its grade, for a card that is known."""

FIRST_TIME = 1.5  # a new card is read, not recalled, so it takes this much longer
FORGOTTEN = 6.0  # seconds to read the answer of a card that did not come
DRILL = 0.6  # a repetition on the same day is quicker than the review before it

KNOWN_AT_FIRST = 0.6
STABLE_AT_FIRST = 2.0  # days until nine in ten remember
GROWTH = 2.6  # of stability, at each success
LOSS = 0.4

PASSES = (Grade.HARD, Grade.GOOD, Grade.EASY)
CHANCES = (10, 75, 15)


@dataclass(slots=True)
class _Trace:
    """Hold how well the learner remembers a card, which the scheduler cannot see."""

    stability: float  # days until the chance of recall is 0.9
    seen: date

    def chance(self, on: date) -> float:
        return float(0.9 ** ((on - self.seen).days / self.stability))


def minutes_a_day(cards: Sequence[Card], seed: int, days: int = DAYS) -> list[float]:
    """Return the minutes of work on each day of one simulated learner."""
    learner = _Learner(cards, random.Random(seed))
    return [learner.study(FIRST_DAY + timedelta(days=day)) / 60 for day in range(days)]


def first_days(cards: Sequence[Card], learner: int) -> Mapping[str, int]:
    """Return the day, counted from 1, on which a learner first meets each card."""
    head = _Learner(cards, random.Random(learner))
    met: dict[str, int] = {}
    for day in range(DAYS):
        head.study(FIRST_DAY + timedelta(days=day))
        met |= {name: day + 1 for name in head.known() if name not in met}
    return met


def seconds(card: Card) -> float:
    """Return the seconds that a card of this kind usually takes once it is known."""
    return SECONDS[_kind(card)]


def _kind(card: Card) -> str:
    if card.task is not None:
        family = card.task.name.partition(".")[0]
        return family if family in {"rewrite", "bet"} else "number"
    return "typed" if card.typed and card.kind is Kind.BASIC else card.kind.value


class _Learner:
    """Simulate a learner: how well each card is remembered, and the memories that SM-2 keeps."""

    def __init__(self, cards: Sequence[Card], chance: random.Random) -> None:
        self._cards = {card.id: card for card in cards}
        self._chance = chance
        self._memories: dict[str, Memory] = {}
        self._traces: dict[str, _Trace] = {}

    def study(self, day: date) -> float:
        """Study the cards of a day, and return the seconds of work, including drills."""
        due = [
            (card.id, card.note, card.deck, self._memories[card.id].due.toordinal())
            for card in self._cards.values()
            if card.id in self._memories and self._memories[card.id].due <= day
        ]
        new = [(card.id, card.note, card.deck) for card in self._cards.values() if card.id not in self._memories]
        agenda = arrange(day, due, new, Today({}), limit=NEW_A_DAY)
        return sum(self._answer(self._cards[name], day) for name in (*agenda.due, *agenda.new))

    def known(self) -> Sequence[str]:
        """Return the ids of the cards seen so far."""
        return tuple(self._memories)

    def _answer(self, card: Card, day: date) -> float:
        trace = self._traces.get(card.id)
        recalled = self._chance.random() < (KNOWN_AT_FIRST if trace is None else trace.chance(day))
        grade = self._chance.choices(PASSES, CHANCES)[0] if recalled else Grade.AGAIN
        _, self._memories[card.id] = answer(self._memories.get(card.id), grade, day)
        self._traces[card.id] = _Trace(_stability(trace, recalled=recalled), day)
        spent = seconds(card) * (FIRST_TIME if trace is None else 1) + (0 if recalled else FORGOTTEN)
        return spent + self._drill(card, grade)

    def _drill(self, card: Card, grade: Grade) -> float:
        spent = 0.0
        while grade.drilled:
            spent += seconds(card) * DRILL
            grade = self._chance.choices((Grade.AGAIN, Grade.GOOD), (15, 85))[0]
        return spent


def _stability(trace: _Trace | None, *, recalled: bool) -> float:
    if trace is None:
        return STABLE_AT_FIRST
    return trace.stability * GROWTH if recalled else max(1.0, trace.stability * LOSS)


def main() -> None:
    """Print the load of twenty learners."""
    cards = shipped_cards()
    learners = [minutes_a_day(cards, seed) for seed in range(LEARNERS)]
    worst = [max(days) for days in learners]
    fresh = [day for days in learners for day in days[: -(-len(cards) // NEW_A_DAY)]]  # days that bring new cards
    short = sum(day <= 15 for day in fresh) / len(fresh)
    print(f"{len(cards)} cards, {DAYS} days, {LEARNERS} learners, {NEW_A_DAY} new cards a day")
    print(f"a day with new cards       {median(fresh):5.1f} minutes, {short:.0%} of them at most 15")
    print(f"worst day of any learner   {max(worst):5.1f} minutes")
    print(f"worst day, typically       {median(worst):5.1f} minutes")
    print(f"a day, on average          {mean(mean(days) for days in learners):5.1f} minutes")


if __name__ == "__main__":
    main()
