"""Replay the log to build the caches that a store keeps, or to show what each event did to its card.

`review_rule` decides what an event does to a memory. Nothing here reads or writes a database.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import tzinfo
from typing import TYPE_CHECKING

from studykit.scheduling import review_rule
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, RecordedEvent
from studykit.scheduling.memory import kind_of, memory_of
from studykit.scheduling.review_rule import EXERCISES_COUNTED_IN, WHOLE_DAY, EventRow, MemoryRow, TallyKey
from studykit.scheduling.study_day import QUARTER_US, local_hour, month_of

if TYPE_CHECKING:
    from studykit.scheduling.fsrs import Fsrs


@dataclass(frozen=True, slots=True)
class CardMarks:
    """Hold what a learner set on a card by hand."""

    suspended: bool = False
    buried: int = 0  # the study day it is out for
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """Count the answers of a study day, or of a month by local hour and grade.

    Reviews are young or mature by the interval that they ended.
    """

    introduced: int = 0
    young: int = 0
    young_passed: int = 0
    mature: int = 0
    mature_passed: int = 0
    drills: int = 0
    crams: int = 0
    practised: int = 0  # exercises outside the queue
    took_ms: int = 0

    @property
    def reviews(self) -> int:
        """Count the reviews, those of new cards included."""
        return self.introduced + self.young + self.mature

    @property
    def answers(self) -> int:
        """Count everything that was answered, cards and exercises."""
        return self.reviews + self.drills + self.crams + self.practised


TALLY_COUNTS = tuple(field.name for field in fields(Tally))

ReplayRow = tuple[*EventRow, int, str]
"""An event as the review rule takes it, followed by its moment in microseconds and its zone."""


@dataclass(frozen=True, slots=True)
class Caches:
    """Hold everything that is computed from one learner's log: memories and marks by card, and tallies by key."""

    memories: dict[str, MemoryRow]
    marks: dict[str, CardMarks]
    tallies: dict[TallyKey, Tally]


def replay(
    events: Iterable[ReplayRow],
    undone_ids: Collection[bytes],
    fsrs: "Fsrs | None",
    zone_of: Callable[[str], tzinfo],
) -> Caches:
    """Build the caches from the events in the given order, skipping undone ones.

    `zone_of` returns the time zone of a name, so that answers can also be tallied by local hour.
    """
    memories: dict[str, MemoryRow] = {}
    marks: dict[str, CardMarks] = {}
    counts: dict[int, list[int]] = {}
    today, count = 0, [0]
    by_hour: dict[tuple[int, int], list[list[int]]] = {}  # month and local hour: counts by grade
    grades, until, latest_zone = list[list[int]](), 0, ""
    for row in events:
        id_, kind, _, day, grade, took_ms, _, _ = event = row[:8]
        if undone_ids and id_ in undone_ids:
            continue
        category = review_rule.apply(memories, event, fsrs)
        if category is not None and grade is not None:
            if day != today:
                today, count = day, counts.setdefault(day, [0] * _COUNTS)
                until = 0
            count[category] += 1
            count[_TOOK_MS] += took_ms
            moment, zone = row[8:]
            # Finding a local hour is slow, so it is done once a quarter of an hour, where offsets can change.
            if moment >= until or zone != latest_zone:
                hour = month_of(day), local_hour(moment, zone_of(zone))
                grades = by_hour.setdefault(hour, [[0] * _COUNTS for _ in range(_GRADES)])
                until, latest_zone = (moment // QUARTER_US + 1) * QUARTER_US, zone
            grade_counts = grades[grade]
            grade_counts[category] += 1
            grade_counts[_TOOK_MS] += took_ms
        elif kind in EXERCISES_COUNTED_IN:
            exercise_counts = counts.setdefault(day, [0] * _COUNTS)
            exercise_counts[_PRACTISED] += len(EXERCISES_COUNTED_IN[kind])
            exercise_counts[_TOOK_MS] += took_ms
        else:
            _apply_to_marks(marks, event)
    tallies: dict[TallyKey, Tally] = {(day, *WHOLE_DAY): tally_of_counts(count) for day, count in counts.items()}
    for hour, grades in by_hour.items():
        tallies |= {(*hour, grade): tally_of_counts(count) for grade, count in enumerate(grades) if any(count)}
    return Caches(memories, {card: mark for card, mark in marks.items() if mark != CardMarks()}, tallies)


_PRACTISED, _TOOK_MS, _COUNTS = review_rule.CRAM + 1, review_rule.CRAM + 2, review_rule.CRAM + 3
_GRADES = 6


def tally_of_counts(count: list[int]) -> Tally:
    """Convert a row of counts to a tally: answers by category, then exercises, then milliseconds."""
    totals = dict.fromkeys(TALLY_COUNTS, 0) | {"practised": count[_PRACTISED], "took_ms": count[_TOOK_MS]}
    for category, names in enumerate(review_rule.COUNTED_IN):
        for name in names:
            totals[name] += count[category]
    return Tally(**totals)


def _apply_to_marks(marks: dict[str, CardMarks], event: EventRow) -> None:
    _, kind, card, day, _, _, target, _ = event
    if kind == EventKind.RELINK:
        review_rule.relink(marks, target, card)
    else:
        marks[card] = marked(marks.get(card, CardMarks()), kind, day)


def marked(marks: CardMarks, kind: str, day: int) -> CardMarks:
    """Return a card's marks after an event of this kind."""
    match kind:
        case EventKind.SUSPEND | EventKind.UNSUSPEND:
            return replace(marks, suspended=kind == EventKind.SUSPEND)
        case EventKind.FLAG | EventKind.UNFLAG:
            return replace(marks, flagged=kind == EventKind.FLAG)
        case EventKind.BURY | EventKind.UNBURY:
            return replace(marks, buried=day if kind == EventKind.BURY else 0)
    return marks


def tally_changes(
    before: Mapping[TallyKey, Tally], after: Mapping[TallyKey, Tally]
) -> dict[TallyKey, dict[str, int]]:
    """Return the changes of the counts between two sets of tallies, leaving out equal tallies."""
    changes: dict[TallyKey, dict[str, int]] = {}
    nothing = Tally()
    for key in before.keys() | after.keys():
        old, new = before.get(key, nothing), after.get(key, nothing)
        if old != new:
            changes[key] = {name: getattr(new, name) - getattr(old, name) for name in TALLY_COUNTS}
    return changes


def steps(history: Iterable[Event], fsrs: "Fsrs | None" = None) -> Iterator[RecordedEvent]:
    """Sort the events and yield each with its effect on its own card."""
    events = sorted(history, key=lambda event: (event.moment, event.id))
    undone_ids = {event.target for event in events if event.kind is EventKind.UNDO}
    memories: dict[str, MemoryRow] = {}
    for event in events:
        before, is_undone = memories.get(event.card), str(event.id) in undone_ids
        # An undone event is applied to a copy, only to name what it counted as.
        category = review_rule.apply(dict(memories) if is_undone else memories, row_of(event), fsrs)
        after = memories.get(event.card)
        yield RecordedEvent(
            event,
            before=memory_of(before) if before else None,
            after=memory_of(after) if after else None,
            answer_kind=None if category is None else kind_of(category),
            undone=is_undone,
        )


def row_of(event: Event) -> EventRow:
    """Convert an event to the row that `replay` and the review rule take."""
    grade = None if event.grade is None else int(event.grade)
    return (
        event.id.bytes,
        event.kind.value,
        event.card,
        event.day.toordinal(),
        grade,
        event.took_ms,
        event.target,
        event.profile,
    )
