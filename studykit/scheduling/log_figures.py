"""Compute what a plan needs from a log: memories under FSRS, time per card, and outcomes by elapsed time."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from studykit.scheduling import review_rule
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.plan import Pace
from studykit.scheduling.review_rule import CRAM, DRILL, EventRow, MemoryRow
from studykit.scheduling.sm2 import PASSING_GRADE

MAX_ANSWER_S = 180
"""Longer answers count as this: the learner was away from the keyboard."""
LAST_DAYS = 90
"""Days of the log that tell the pace."""
_DOUBTS = 20  # cards that the usual pace counts for, next to the learner's own
_FIRST_PASS = 3

LoggedAnswer = tuple[str, int, int, int, MemoryRow | None, bool]
"""Card, study day, grade, milliseconds, the card's memory before (None for a new card), whether it is a review."""


@dataclass(slots=True)
class LogFigures:
    """Hold memories by card, the pace, and each review of a known card: stability, elapsed days, outcome."""

    memories: dict[str, MemoryRow] = field(default_factory=dict)
    seen: list[tuple[float, int, bool]] = field(default_factory=list)
    pace: Pace = field(default_factory=Pace)


def answers(
    events: Iterable[EventRow], undone_ids: Collection[bytes], fsrs: Fsrs, memories: dict[str, MemoryRow]
) -> Iterator[LoggedAnswer]:
    """Yield the answers of a log in order, without undone ones, and update `memories` by FSRS."""
    for event in events:
        id_, _, card, day, grade, took_ms, _, _ = event
        if undone_ids and id_ in undone_ids:
            continue
        memory = memories.get(card)
        category = review_rule.apply(memories, event, fsrs)
        if grade is not None and category is not None:
            yield card, day, grade, took_ms, memory, category not in {DRILL, CRAM}


def read(events: Iterable[EventRow], undone_ids: Collection[bytes], fsrs: Fsrs, today: int) -> LogFigures:
    """Compute the figures of a whole log, whose events come in order, skipping undone ones."""
    figures, usual = LogFigures(), Pace()
    seconds = {"review": _DOUBTS * usual.review_s, "new": _DOUBTS * usual.new_s}
    cards = dict.fromkeys(seconds, _DOUBTS)
    passes = [0.0, float(_DOUBTS), 0.0]
    new_on: dict[str, int] = {}
    for card, day, grade, took_ms, memory, is_review in answers(events, undone_ids, fsrs, figures.memories):
        is_recent, passed = day > today - LAST_DAYS, grade >= PASSING_GRADE
        if memory is None:
            new_on[card] = day
        elif is_review:
            figures.seen.append((memory[8] or 1.0, day - memory[4], passed))
            if is_recent and passed:
                passes[grade - _FIRST_PASS] += 1
        if is_recent:
            kind = "new" if new_on.get(card) == day else "review"
            seconds[kind] += min(took_ms / 1000, MAX_ANSWER_S)
            # Drill adds its seconds to the card of its review, since a failed card costs both.
            cards[kind] += is_review
    review_s, new_s = (seconds[kind] / cards[kind] for kind in seconds)
    figures.pace = Pace(review_s, new_s, (passes[0], passes[1], passes[2]))
    return figures


def by_sm2(memory: MemoryRow) -> MemoryRow:
    """Convert a memory under FSRS to the one that SM-2 would have."""
    interval = memory[1] if memory[10] is None else memory[10]
    return memory[0], interval, *memory[2:5], memory[4] + interval, *memory[6:8], None, None, None
