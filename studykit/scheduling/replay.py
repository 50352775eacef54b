"""The log replayed: the caches that a store keeps, and what each event did to its card.

What an event does to a memory is for `review_rule` to say. Nothing here reads or writes a database.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import tzinfo
from typing import TYPE_CHECKING

from studykit.scheduling import review_rule
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.memory import AnswerKind, Memory, kind_of, memory_of
from studykit.scheduling.review_rule import EXERCISES_COUNTED_IN, WHOLE_DAY, EventRow, MemoryRow, TallyKey
from studykit.scheduling.study_day import QUARTER_US, local_hour, month_of

if TYPE_CHECKING:
    from studykit.scheduling.fsrs import Fsrs


@dataclass(frozen=True, slots=True)
class CardMarks:
    """What a learner set on a card by hand."""

    suspended: bool = False
    buried: int = 0  # the study day it is out for
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """What happened on one study day. Reviews are young or mature by the interval that they ended."""

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
        """Count the reviews of the day, those of new cards included."""
        return self.introduced + self.young + self.mature

    @property
    def answers(self) -> int:
        """Count everything that was answered on the day, cards and exercises."""
        return self.reviews + self.drills + self.crams + self.practised


TALLY_COUNTS = tuple(field.name for field in fields(Tally))

ReplayRow = tuple[*EventRow, int, str]
"""An event as the review rule takes it, and behind that its moment in microseconds and its zone."""


@dataclass(frozen=True, slots=True)
class Caches:
    """Everything that is worked out from one learner's log: memories and marks by card, tallies by what of."""

    memories: dict[str, MemoryRow]
    marks: dict[str, CardMarks]
    tallies: dict[TallyKey, Tally]


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """One event with its card's memory before and after it; `undone` events changed nothing."""

    event: Event
    before: Memory | None
    after: Memory | None
    answer_kind: AnswerKind | None
    undone: bool = False


def replay(
    events: Iterable[ReplayRow], undone: Collection[bytes], fsrs: "Fsrs | None", zone_of: Callable[[str], tzinfo]
) -> Caches:
    """Build the caches from the events, in the order given and without the undone ones.

    `zone_of` gives the zone of a name, by which answers are tallied by local hour and grade too.
    """
    known: dict[str, MemoryRow] = {}
    marks: dict[str, CardMarks] = {}
    counts: dict[int, list[int]] = {}
    today, count = 0, [0]
    by_hour, grades, until, place = _HourCounts(zone_of), list[list[int]](), 0, ""
    for row in events:
        id_, kind, _, day, grade, took_ms, _, _ = event = row[:8]
        if undone and id_ in undone:
            continue
        counted = review_rule.apply(known, event, fsrs)
        if counted is not None and grade is not None:
            if day != today:
                today, count = day, counts.setdefault(day, [0] * _COUNTS)
                until = 0
            count[counted] += 1
            count[_TOOK_MS] += took_ms
            moment, zone = row[8:]
            if moment >= until or zone != place:
                grades, until = by_hour.turn(day, moment, zone)
                place = zone
            graded = grades[grade]
            graded[counted] += 1
            graded[_TOOK_MS] += took_ms
        elif kind in EXERCISES_COUNTED_IN:
            other = counts.setdefault(day, [0] * _COUNTS)
            other[_PRACTISED] += len(EXERCISES_COUNTED_IN[kind])
            other[_TOOK_MS] += took_ms
        else:
            _mark(marks, event)
    days = {(day, *WHOLE_DAY): tally_of_counts(count) for day, count in counts.items()}
    marks = {card: mark for card, mark in marks.items() if mark != CardMarks()}
    return Caches(known, marks, {**days, **dict(by_hour.tallies())})


_PRACTISED, _TOOK_MS, _COUNTS = review_rule.CRAM + 1, review_rule.CRAM + 2, review_rule.CRAM + 3
_GRADES = 6


class _HourCounts:
    """Answers of each month by local hour and grade, while a log is gone through in its order."""

    __slots__ = ("_months", "_zone_of")

    def __init__(self, zone_of: Callable[[str], tzinfo]) -> None:
        self._zone_of = zone_of
        self._months: dict[tuple[int, int], list[list[int]]] = {}

    def turn(self, day: int, moment: int, zone: str) -> tuple[list[list[int]], int]:
        """Return the counts, by grade, for an answer, and until when later answers of its day share them."""
        hour = local_hour(moment, self._zone_of(zone))
        grades = self._months.setdefault((month_of(day), hour), [])
        grades += [[0] * _COUNTS for _ in range(_GRADES - len(grades))]
        return grades, (moment // QUARTER_US + 1) * QUARTER_US

    def tallies(self) -> Iterator[tuple[TallyKey, Tally]]:
        """Yield what was counted."""
        for (month, hour), grades in self._months.items():
            yield from (
                ((month, hour, grade), tally_of_counts(count)) for grade, count in enumerate(grades) if any(count)
            )


def tally_of_counts(count: list[int]) -> Tally:
    """Make the tally of answers by what they count as, then the exercises and the milliseconds of all."""
    totals = dict.fromkeys(TALLY_COUNTS, 0) | {"practised": count[_PRACTISED], "took_ms": count[_TOOK_MS]}
    for counted, names in enumerate(review_rule.COUNTED_IN):
        for name in names:
            totals[name] += count[counted]
    return Tally(**totals)


def _mark(marks: dict[str, CardMarks], event: EventRow) -> None:
    _, kind, card, day, _, _, target, _ = event
    if kind == EventKind.RELINK:
        review_rule.relink(marks, target, card)
    else:
        marks[card] = marked(marks.get(card, CardMarks()), kind, day)


def marked(marks: CardMarks, kind: str, day: int) -> CardMarks:
    """Return the marks of a card after an event of some kind."""
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
    """Return what to add to the tallies before to get those after."""
    changes: dict[TallyKey, dict[str, int]] = {}
    nothing = Tally()
    for key in before.keys() | after.keys():
        old, new = before.get(key, nothing), after.get(key, nothing)
        if old != new:
            changes[key] = {name: getattr(new, name) - getattr(old, name) for name in TALLY_COUNTS}
    return changes


def steps(history: Iterable[Event], fsrs: "Fsrs | None" = None) -> Iterator[HistoryStep]:
    """Yield the events of some cards in order, each with what it did to its own card."""
    events = sorted(history, key=lambda event: (event.moment, event.id))
    undone = {event.target for event in events if event.kind is EventKind.UNDO}
    memories: dict[str, MemoryRow] = {}
    for event in events:
        before, taken_back = memories.get(event.card), str(event.id) in undone
        counted = review_rule.apply(dict(memories) if taken_back else memories, row_of(event), fsrs)
        after = memories.get(event.card)
        yield HistoryStep(
            event,
            before=memory_of(before) if before else None,
            after=memory_of(after) if after else None,
            answer_kind=None if counted is None else kind_of(counted),
            undone=taken_back,
        )


def row_of(event: Event) -> EventRow:
    """Return an event as `replay` and the review rule take it."""
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
