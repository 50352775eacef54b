"""Compute what a plan needs from a log: memories under FSRS, time per card, and outcomes by elapsed time."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from studykit.scheduling import review_rule
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.plan import Pace
from studykit.scheduling.review_rule import CRAM, DRILL, INTRODUCTION, EventRow, MemoryRow
from studykit.scheduling.sm2 import PASSING_GRADE

MAX_ANSWER_S = 180
"""Longer answers count as this: the learner was away from the keyboard."""
LAST_DAYS = 90
"""Days of the log that tell the pace."""
_DOUBTS = 20  # cards that the usual pace counts for, next to the learner's own
_FIRST_PASS = 3


@dataclass(slots=True)
class LogFigures:
    """Memories by card, and for each review of a known card its stability, elapsed days and outcome."""

    memories: dict[str, MemoryRow] = field(default_factory=dict)
    seen: list[tuple[float, int, bool]] = field(default_factory=list)
    pace: Pace = field(default_factory=Pace)


@dataclass(slots=True)
class _Cost:
    """Seconds spent on cards, and the number of those cards."""

    seconds: float
    cards: float


def read(events: Iterable[EventRow], undone_ids: Collection[bytes], fsrs: Fsrs, today: int) -> LogFigures:
    """Compute the figures of a whole log in order, skipping undone events."""
    figures, usual = LogFigures(), Pace()
    costs = {kind: _Cost(_DOUBTS * s, _DOUBTS) for kind, s in (("review", usual.review_s), ("new", usual.new_s))}
    passes = [0.0, float(_DOUBTS), 0.0]
    new_on: dict[str, int] = {}
    for event in events:
        id_, _, card, day, grade, took_ms, _, _ = event
        if undone_ids and id_ in undone_ids:
            continue
        memory = figures.memories.get(card)
        category = review_rule.apply(figures.memories, event, fsrs)
        if grade is None or category is None:
            continue
        if category == INTRODUCTION:
            new_on[card] = day
        elif memory is not None and category not in {DRILL, CRAM}:
            figures.seen.append((memory[8] or 1.0, day - memory[4], grade >= PASSING_GRADE))
        if day > today - LAST_DAYS:
            cost = costs["new" if new_on.get(card) == day else "review"]
            cost.seconds += min(took_ms / 1000, MAX_ANSWER_S)
            # Drill adds its seconds to the card of its review, since a failed card costs both.
            cost.cards += category not in {DRILL, CRAM}
            if category not in {DRILL, CRAM, INTRODUCTION} and grade >= PASSING_GRADE:
                passes[grade - _FIRST_PASS] += 1
    rates = {kind: cost.seconds / cost.cards for kind, cost in costs.items()}
    figures.pace = Pace(rates["review"], rates["new"], (passes[0], passes[1], passes[2]))
    return figures
