"""The store: everything that is remembered, behind methods that take and give the program's own values."""

import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, tzinfo
from typing import Any
from uuid import UUID

from sqlalchemy import Connection

from studykit.agenda import NEW_A_DAY, Agenda
from studykit.card import CardId
from studykit.errors import StudyError, UsageError
from studykit.history import Mark, Standing, Tally, answer, introduce
from studykit.log import Became, Event, EventKind, Showing, became
from studykit.sm2 import Grade, Memory
from studykit.store import ids, sql
from studykit.store.link import Link, one, rows, run
from studykit.store.replay import (
    Disagreement,
    disagreements,
    memory_values,
    read_marks,
    rebuild,
    refold,
)
from studykit.store.rows import event_of, event_values
from studykit.store.shelf import Shelf
from studykit.store.today import read_agenda
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


class Store(Shelf):
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

    # Reading

    def agenda(self, day: date, *, new: int = NEW_A_DAY, decks: Collection[str] = ()) -> Agenda:
        """Due, new and drill cards of a study day, in order; `new` is how many new cards a day may bring."""
        with self._link.reading() as connection:
            return read_agenda(_query(connection), self._learner, day, new=new, decks=decks)

    def ahead(self, day: date, *, decks: Collection[str] = ()) -> tuple[CardId, ...]:
        """Known cards that are not yet due, soonest first: what a cram can ask."""
        with self._link.reading() as connection:
            found = rows(connection, sql.AHEAD, learner=self._learner, day=day.toordinal())
            return tuple(CardId(row[0]) for row in found if not decks or row[2] in decks)

    def memories(self, cards: Iterable[CardId] | None = None) -> dict[CardId, Memory]:
        """Memories of these cards, or of all that have one."""
        with self._link.reading() as connection:
            if cards is None:
                found = rows(connection, sql.MEMORIES, learner=self._learner)
                return {CardId(row[0]): _memory(row[1:]) for row in found}
            each = {card: one(connection, sql.MEMORY, learner=self._learner, card=card) for card in cards}
            return {card: _memory(row[1:]) for card, row in each.items() if row is not None}

    def history(self, card: CardId) -> tuple[Event, ...]:
        """Every event of a card in order, under the ids that it had before as well."""
        with self._link.reading() as connection:
            former = {row[0]: row[1] for row in rows(connection, sql.RELINKS, learner=self._learner)}
            named: list[str] = [card]
            while (last := former.get(named[-1])) is not None and last not in named:
                named.append(last)
            found = [
                row
                for name in named
                for row in rows(connection, sql.CARD_EVENTS, learner=self._learner, card=name)
            ]
        return tuple(sorted(map(event_of, found), key=lambda event: (event.moment, event.id)))

    def log(self) -> Iterable[Event]:
        """Every event of the learner in order, one at a time."""
        with self._link.reading() as connection:
            for row in rows(connection, sql.LOG, learner=self._learner):
                yield event_of(row)

    def undoable(self, last: int = 1) -> tuple[Event, ...]:
        """The newest events that can be taken back, newest first."""
        with self._link.reading() as connection:
            return tuple(self._undoables(connection, last))

    def showings(self, template: str | None = None, last: int = 5) -> tuple[Event, ...]:
        """The newest events with an exercise, newest first; of one template if named."""
        with self._link.reading() as connection:
            taken_back = {row[0] for row in rows(connection, sql.UNDONE, learner=self._learner)}
            text = sql.SHOWINGS if template is None else sql.SHOWINGS_OF
            found: list[Event] = []
            for row in rows(connection, text, learner=self._learner, template=template):
                if len(found) == last:
                    break
                if str(UUID(bytes=bytes(row[0]))) not in taken_back:
                    found.append(event_of(row))
        return tuple(found)

    def marks(self) -> Mapping[CardId, Mark]:
        """What is set by hand on each card that has something set: suspended, buried for a day, flagged."""
        with self._link.reading() as connection:
            return {CardId(card): mark for card, mark in read_marks(connection, self._learner).items()}

    def disagreements(self) -> tuple[Disagreement, ...]:
        """Where the caches differ from a replay of the log; empty when all is well."""
        with self._link.reading() as connection:
            return tuple(disagreements(connection, self._learner))

    # Inside a transaction

    def _event(self, connection: Connection, kind: EventKind, card: CardId, at: datetime | None) -> Event:
        now = self._clock()
        moment = at or now
        day = study_day(moment, self._zone)
        milliseconds = microseconds(now) // 1000
        low, high = ids.bounds(milliseconds)
        newest = one(connection, sql.NEWEST_ID, low=low, high=high)
        id_ = ids.fresh(milliseconds, bytes(newest[0]) if newest and newest[0] else None, secrets.randbits)
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
        else:
            cards = [event.card, event.target] if event.kind is EventKind.RELINK else [event.card]
            values = event_values(event)
            refold(connection, self._learner, cards, lambda: run(connection, sql.INSERT_EVENT, values))
            row = one(connection, sql.MEMORY, learner=self._learner, card=event.card)
            after = _memory(row[1:]) if row else None
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
        run(connection, sql.ADD_TALLY, {"learner": self._learner, "day": day, **asdict(tally)})
        return standing.memory()

    def _undoable(self, connection: Connection, target: UUID | None) -> Event | None:
        if target is None:
            return next(iter(self._undoables(connection, 1)), None)
        row = one(connection, sql.EVENT, id=target.bytes)
        if row is None:
            raise StudyError(f"There is no event {target} to undo.")
        if one(connection, sql.IS_UNDONE, learner=self._learner, target=str(target)) is not None:
            raise StudyError(f"Event {target} was undone before.")
        return event_of(row)

    def _undoables(self, connection: Connection, last: int) -> list[Event]:
        found: list[Event] = []
        for row in rows(connection, sql.UNDOABLE, learner=self._learner):
            if len(found) == last:
                break
            event = event_of(row)
            if one(connection, sql.IS_UNDONE, learner=self._learner, target=str(event.id)) is None:
                found.append(event)
        return found


def _check(event: Event) -> None:
    if not _EARLIEST <= event.day <= _LATEST:
        raise UsageError(f"{event.day} is no day to study on: give a moment between 1970 and 9000.")


def _memory(numbers: Sequence[Any]) -> Memory:
    return Standing(*numbers).memory()


def _query(connection: Connection) -> Callable[[str, Mapping[str, object]], Iterable[Sequence[Any]]]:
    return lambda query, values: rows(connection, query, **values)
