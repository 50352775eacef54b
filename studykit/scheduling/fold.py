"""The log folded once into everything that is kept beside it: memories, marks and daily tallies.

`studykit.scheduling.events.replay` says what a history means; this is the same rule over plain rows, fast enough
to check a million of them, and a test holds the two equal.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from studykit.scheduling import sm2
from studykit.scheduling.events import EventKind
from studykit.scheduling.sm2 import Grade, Memory

Row = tuple[bytes, str, str, int, int | None, int, str]
"""An event as far as a fold needs it: id, kind, card, study day as an ordinal, grade, milliseconds, target."""

MATURE = 21  # days of interval from which a review counts as mature, as in Anki
PRACTICE = frozenset({EventKind.PRACTICE, EventKind.QUIZ, EventKind.BET})
"""What a learner does outside the queue; it counts as study and leaves every memory alone."""

_LAST_DAY = date.max.toordinal()
_ANSWER = EventKind.ANSWER.value
_HARD = int(Grade.HARD)  # plain numbers, quicker to look up and compare than members of an enumeration
_EASE_CHANGE = {int(grade): sm2.ease_change(grade) for grade in Grade}
_LONGEST, _MINIMUM_EASE = sm2.LONGEST_INTERVAL, sm2.MINIMUM_EASE


@dataclass(slots=True)
class Standing:
    """A card's memory as plain numbers, days as ordinals, and how its reviews after the first one went."""

    repetition: int = 0
    interval: int = 0
    ease: int = sm2.INITIAL_EASE
    lapses: int = 0
    reviewed: int = 0
    due: int = 0
    reviews: int = 0
    passed: int = 0

    def memory(self) -> Memory:
        """The same as the scheduler knows it."""
        return Memory(self.repetition, self.interval, self.ease, self.lapses, date.fromordinal(self.reviewed))


@dataclass(slots=True)
class Mark:
    """What a learner set on a card by hand."""

    suspended: bool = False
    buried: int = 0  # the study day it is out for
    flagged: bool = False


@dataclass(slots=True)
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


@dataclass(slots=True)
class Folded:
    """What a log comes to."""

    standings: dict[str, Standing] = field(default_factory=dict)
    marks: dict[str, Mark] = field(default_factory=dict)
    tallies: dict[int, Tally] = field(default_factory=dict)


def fold(rows: Iterable[Row], undone: Collection[bytes] = ()) -> Folded:
    """What the events come to, in the order given, without the undone ones."""
    folded = Folded()
    standings, tallies = folded.standings, folded.tallies
    today, tally = 0, Tally()
    for id_, kind, card, day, grade, took_ms, target in rows:
        if undone and id_ in undone:
            continue
        if kind == _ANSWER and grade is not None:
            if day != today:
                today, tally = day, tallies.setdefault(day, Tally())
            tally.took_ms += took_ms
            standing = standings.get(card)
            if standing is None:
                standings[card] = introduce(tally, grade, day)
            else:
                answer(standing, tally, grade, day)
        elif kind in PRACTICE:
            other = tallies.setdefault(day, Tally())
            other.practised += kind != EventKind.BET  # a bet is a promise; what comes of it follows
            other.took_ms += took_ms
        else:
            _other(folded, kind, card, day, target)
    return folded


def introduce(tally: Tally, grade: int, day: int) -> Standing:
    """The standing of a new card after its first review."""
    tally.introduced += 1
    standing = Standing()
    _review(standing, grade, day)
    return standing


def answer(standing: Standing, tally: Tally, grade: int, day: int) -> None:
    """Count an answer to a known card, and change its standing if it is a review."""
    if standing.due <= day:
        passed = grade >= _HARD
        standing.reviews += 1
        standing.passed += passed
        if standing.interval >= MATURE:
            tally.mature += 1
            tally.mature_passed += passed
        else:
            tally.young += 1
            tally.young_passed += passed
        _review(standing, grade, day)
    elif day <= standing.reviewed:
        tally.drills += 1
    else:
        tally.crams += 1


def _review(standing: Standing, grade: int, day: int) -> None:
    """`sm2.after` on plain numbers."""
    if grade < _HARD:
        standing.lapses += standing.repetition > 0
        standing.repetition, interval = 0, 1
    else:
        repetition, ease = standing.repetition, standing.ease
        interval = 1 if repetition == 0 else 6 if repetition == 1 else -(-standing.interval * ease // 100)
        if interval > _LONGEST or interval > _LAST_DAY - day:
            interval = min(_LONGEST, _LAST_DAY - day)
        if change := _EASE_CHANGE[grade]:
            standing.ease = max(_MINIMUM_EASE, ease + change)
        standing.repetition = repetition + 1
    standing.interval = interval
    standing.reviewed = day
    standing.due = day + interval


def _other(folded: Folded, kind: str, card: str, day: int, target: str) -> None:
    match kind:
        case EventKind.RELINK:
            for kept in (folded.standings, folded.marks):
                if target in kept:
                    kept[card] = kept.pop(target)  # type: ignore[assignment]
        case EventKind.RESET:
            folded.standings.pop(card, None)
        case EventKind.SUSPEND | EventKind.UNSUSPEND:
            folded.marks.setdefault(card, Mark()).suspended = kind == EventKind.SUSPEND
        case EventKind.FLAG | EventKind.UNFLAG:
            folded.marks.setdefault(card, Mark()).flagged = kind == EventKind.FLAG
        case EventKind.BURY:
            folded.marks.setdefault(card, Mark()).buried = day
        case _:
            pass


def difference(before: Mapping[int, Tally], after: Mapping[int, Tally]) -> dict[int, dict[str, int]]:
    """What to add to each day's tally to come from one fold to another."""
    changes: dict[int, dict[str, int]] = {}
    nothing = Tally()
    for day in before.keys() | after.keys():
        old, new = before.get(day, nothing), after.get(day, nothing)
        if old != new:
            changes[day] = {name: getattr(new, name) - getattr(old, name) for name in COUNTS}
    return changes


COUNTS = tuple(Tally.__slots__)
