"""The store: everything that is remembered, behind methods that take and give the program's own values."""

import secrets
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, tzinfo
from uuid import UUID

from sqlalchemy import Connection

from studykit.card import CardId
from studykit.errors import StudyError, UsageError
from studykit.history import PRACTICE, Standing, Tally, answer, introduce
from studykit.log import Became, Event, EventKind, Showing, became
from studykit.sm2 import Grade, Memory
from studykit.store import ids, sql
from studykit.store.link import Link, one, run
from studykit.store.reader import Reader, memory_of
from studykit.store.replay import (
    memory_values,
    rebuild,
    refold,
)
from studykit.store.rows import event_of, event_values
from studykit.studyday import microseconds, study_day

_EARLIEST, _LATEST = date(1970, 1, 2), date(9000, 1, 1)
_SEED_LIMIT = 2**63


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as it was written, and what it did to its card's memory."""

    event: Event
    before: Memory | None
    after: Memory | None
    became: Became | None  # None: not an answer


@dataclass(frozen=True, slots=True)
class Undone:
    """An event that was taken back, by which undo, and the memory of its card since."""

    target: Event
    undo: Event
    memory: Memory | None


@dataclass(frozen=True, slots=True)
class United:
    """How many events of another log were new here, and how many were known."""

    added: int
    known: int


class Store(Reader):
    """The database of one learner at one installation. Not for two threads at once."""

    def __init__(
        self,
        link: Link,
        *,
        learner: str,
        clock: Callable[[], datetime],
        zone_name: str,
        zone: tzinfo,
        origin: str | None,
    ) -> None:
        super().__init__(link, learner)
        self._clock = clock
        self._zone_name = zone_name
        self._zone = zone
        self._origin = origin or self._kept_origin()

    def _kept_origin(self) -> str:
        with self._link.reading() as connection:
            row = one(connection, sql.SETTING, learner="", name="origin")
        if row is not None:
            return str(row[0])
        with self._link.writing(self._learner) as connection:
            values = {"learner": "", "name": "origin", "value": secrets.token_hex(4)}
            run(connection, sql.PUT_SETTING, values)
        return values["value"]

    # Writing

    def record(
        self,
        kind: EventKind,
        card: CardId,
        *,
        grade: Grade | None = None,
        took_ms: int = 0,
        showing: Showing | None = None,
        at: datetime | None = None,
        target: str = "",
    ) -> Recorded:
        """Append one event and bring the caches along; it is on disk when this returns.

        `at` is for an event that happened at another moment than now; `target` is the card that a relink leaves.
        """
        if kind is EventKind.ANSWER and grade is None:
            raise UsageError("An answer needs a grade.")
        if showing is not None and not -_SEED_LIMIT <= showing.seed < _SEED_LIMIT:
            raise UsageError(f"Seed {showing.seed} does not fit in 64 bits.")
        with self._link.writing(self._learner) as connection:
            event = self._event(connection, kind, card, at)
            event = replace(event, grade=grade, took_ms=max(0, took_ms), showing=showing, target=target)
            return self._append(connection, event)

    def undo(self, target: UUID | None = None) -> Undone | None:
        """Take back the newest event that can be, or the one named; None when there is nothing to take back."""
        with self._link.writing(self._learner) as connection:
            found = self._undoable(connection, target)
            if found is None:
                return None
            event = replace(self._event(connection, EventKind.UNDO, found.card, None), target=str(found.id))
            after = self._append(connection, event).after
            return Undone(found, event, after)

    def unite(self, events: Iterable[Event]) -> United:
        """Add the events of another log that are not known here, as this learner's; known ones change nothing."""
        ordered = [replace(event, learner=self._learner) for event in events]
        for event in ordered:
            _check(event)
        with self._link.writing(self._learner) as connection:
            fresh = [event for event in ordered if one(connection, sql.KNOWN, id=event.id.bytes) is None]
            if fresh:
                run(connection, sql.ADD_EVENT, [event_values(event) for event in fresh])
                rebuild(connection, self._learner)
        return United(len(fresh), len(ordered) - len(fresh))

    def rebuild(self) -> None:
        """Make the caches again from the log."""
        with self._link.writing(self._learner) as connection:
            rebuild(connection, self._learner)
            run(connection, sql.PLACE_MEMORY)

    # Inside a transaction

    def _event(self, connection: Connection, kind: EventKind, card: CardId, at: datetime | None) -> Event:
        now = self._clock()
        moment = at or now
        day = study_day(moment, self._zone)
        milliseconds = microseconds(now) // 1000
        low, high = ids.bounds(milliseconds)
        newest = one(connection, sql.NEWEST_ID, low=low, high=high)
        id_ = ids.fresh(milliseconds, bytes(newest[0]) if newest else None, secrets.randbits)
        event = Event(
            id=id_,
            learner=self._learner,
            origin=self._origin,
            kind=kind,
            card=card,
            moment=microseconds(moment),
            day=day,
            zone=self._zone_name,
        )
        _check(event)
        return event

    def _append(self, connection: Connection, event: Event) -> Recorded:
        state = one(connection, sql.STATE, learner=self._learner, card=event.card)
        *numbers, newest = state or [None]
        standing = Standing(*numbers) if numbers and numbers[0] is not None else None
        before = standing.memory() if standing else None
        in_order = newest is None or event.moment >= newest
        if event.kind is EventKind.ANSWER and event.grade is not None and in_order:
            run(connection, sql.INSERT_EVENT, event_values(event))
            after: Memory | None = self._answer(connection, event, standing, event.grade)
        elif event.kind in PRACTICE:
            run(connection, sql.INSERT_EVENT, event_values(event))
            self._bump(connection, event, Tally(practised=1, took_ms=event.took_ms))
            after = before
        else:
            cards = [event.card, event.target] if event.kind is EventKind.RELINK else [event.card]
            values = event_values(event)
            refold(connection, self._learner, cards, lambda: run(connection, sql.INSERT_EVENT, values))
            row = one(connection, sql.MEMORY, learner=self._learner, card=event.card)
            after = memory_of(row) if row else None
        answered = became(before, event.day) if event.kind is EventKind.ANSWER else None
        return Recorded(event, before, after, answered)

    def _answer(self, connection: Connection, event: Event, standing: Standing | None, grade: Grade) -> Memory:
        tally = Tally(took_ms=event.took_ms)
        day, reviewed = event.day.toordinal(), True
        if standing is None:
            standing = introduce(tally, grade, day)
            run(connection, sql.INSERT_MEMORY, memory_values(self._learner, event.card, standing))
            run(connection, sql.MAKE_STALE, {"card": event.card})
        else:
            reviewed = standing.due <= day
            answer(standing, tally, grade, day)
            if reviewed:
                run(connection, sql.UPDATE_MEMORY, memory_values(self._learner, event.card, standing))
        self._bump(connection, event, tally)
        return standing.memory()

    def _bump(self, connection: Connection, event: Event, tally: Tally) -> None:
        values = {"learner": self._learner, "day": event.day.toordinal(), **asdict(tally)}
        run(connection, sql.ADD_TALLY, values)

    def _undoable(self, connection: Connection, target: UUID | None) -> Event | None:
        if target is None:
            return next(iter(self._undoables(connection, 1)), None)
        row = one(connection, sql.EVENT, id=target.bytes)
        if row is None:
            raise StudyError(f"There is no event {target} to undo.")
        if one(connection, sql.IS_UNDONE, learner=self._learner, target=str(target)) is not None:
            raise StudyError(f"Event {target} was undone before.")
        return event_of(row)


def _check(event: Event) -> None:
    if not _EARLIEST <= event.day <= _LATEST:
        raise UsageError(f"{event.day} is no day to study on: give a moment between 1970 and 9000.")
