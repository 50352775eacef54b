"""What a log tells a plan: memories under FSRS, how long cards took, and what was recalled after which time."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from studykit.scheduling import review_rule
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.plan import Pace
from studykit.scheduling.review_rule import CRAM, DRILL, INTRODUCTION, EventRow, MemoryRow
from studykit.scheduling.sm2 import PASSING_GRADE

MAX_ANSWER_S = 180
"""An answer that took longer was not thought about for longer."""
LAST_DAYS = 90
"""Days of the log that tell the pace."""
_DOUBTS = 20  # cards that the usual pace counts for, next to the learner's own
_FIRST_PASS = 3


@dataclass(slots=True)
class LogFigures:
    """Memories by card; for each review of a known card its stability, the days since the last, the outcome."""

    memories: dict[str, MemoryRow] = field(default_factory=dict)
    seen: list[tuple[float, int, bool]] = field(default_factory=list)
    pace: Pace = field(default_factory=Pace)


@dataclass(slots=True)
class _Spent:
    """Seconds that cards took on days on which they were reviewed, or were new."""

    seconds: float
    cards: float


def read(events: Iterable[EventRow], undone: Collection[bytes], fsrs: Fsrs, today: int) -> LogFigures:
    """Compute the figures of a whole log in its order, without undone events."""
    figures, usual = LogFigures(), Pace()
    spent = {kind: _Spent(_DOUBTS * s, _DOUBTS) for kind, s in (("review", usual.review_s), ("new", usual.new_s))}
    passes = [0.0, float(_DOUBTS), 0.0]
    new_on: dict[str, int] = {}
    for event in events:
        id_, _, card, day, grade, took_ms, _, _ = event
        if undone and id_ in undone:
            continue
        before = figures.memories.get(card)
        counted = review_rule.apply(figures.memories, event, fsrs)
        if grade is None or counted is None:
            continue
        if counted == INTRODUCTION:
            new_on[card] = day
        elif before is not None and counted not in {DRILL, CRAM}:
            figures.seen.append((before[8] or 1.0, day - before[4], grade >= PASSING_GRADE))
        if day > today - LAST_DAYS:
            cost = spent["new" if new_on.get(card) == day else "review"]
            cost.seconds += min(took_ms / 1000, MAX_ANSWER_S)
            cost.cards += counted not in {DRILL, CRAM}
            if counted not in {DRILL, CRAM, INTRODUCTION} and grade >= PASSING_GRADE:
                passes[grade - _FIRST_PASS] += 1
    rates = {kind: cost.seconds / cost.cards for kind, cost in spent.items()}
    figures.pace = Pace(rates["review"], rates["new"], (passes[0], passes[1], passes[2]))
    return figures
