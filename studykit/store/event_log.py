"""The log of one learner: what is appended to it, and what it can tell.

An event is written together with the caches that it changes, in one transaction; what it does to a card is said in
`studykit.scheduling`.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from itertools import islice
from uuid import UUID

from studykit.cards.card import CardId
from studykit.errors import StudyError, UsageError
from studykit.scheduling import review_rule
from studykit.scheduling.events import UNDOABLE, Event, EventKind, RecordedEvent, Showing, UndoneEvent
from studykit.scheduling.memory import Grade, kind_of, memory_of
from studykit.scheduling.replay import TALLY_COUNTS
from studykit.scheduling.review_rule import COUNTED_IN, EXERCISES_COUNTED_IN, MemoryRow
from studykit.scheduling.study_day import EARLIEST, LATEST, microseconds, study_day
from studykit.store import sql
from studykit.store.caches import merge, refold
from studykit.store.database import Connection, Database
from studykit.store.rows import clean, event_of, event_values, memory_row, memory_values

_SEED_LIMIT = 2**63
_RANDOM_BITS = 74  # of an id
_STEP_BITS = 40
_NOTHING = dict.fromkeys(TALLY_COUNTS, 0)


@dataclass(frozen=True, slots=True)
class MergeCounts:
    """How many events of another log were new here, and how many were known."""

    added: int
    known: int
    answers: int = 0  # among the new ones


@dataclass(frozen=True, slots=True)
class _NextEvent:
    """The moment and the id of the event that is to be written, and its card as it finds it."""

    card: CardId
    moment: datetime
    id: UUID
    memory: MemoryRow | None
    newest: int | None  # moment of the card's newest event


class EventLog:
    """The log of one learner, written at one installation."""

    def __init__(
        self,
        database: Database,
        learner: str,
        *,
        clock: Callable[[], datetime],
        zone_name: str,
        zone: tzinfo,
        origin: str | None,
    ) -> None:
        self._database = database
        self._learner = learner
        self._clock = clock
        self._zone_name = zone_name
        self._zone = zone
        self.origin = origin or _own_origin(database, learner)
        self.recorded: Counter[EventKind] = Counter()  # by this run

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
    ) -> RecordedEvent:
        """Append one event and bring the caches along; it is on disk when this returns.

        `at` is for an event that happened at another moment than now; `target` is the card that a relink leaves.
        """
        if kind is EventKind.ANSWER and grade is None:
            raise UsageError("An answer needs a grade.")
        if showing is not None and not -_SEED_LIMIT <= showing.seed < _SEED_LIMIT:
            raise UsageError(f"Seed {showing.seed} does not fit in 64 bits.")
        with self._database.writing(self._learner) as connection:
            upcoming = self._next(connection, clean(card), at)
            event = self._event(
                upcoming, kind, grade=grade, took_ms=max(0, took_ms), showing=showing, target=target
            )
            counted, after = self._append(connection, upcoming, event)
        self.recorded[kind] += 1
        before = upcoming.memory
        return RecordedEvent(
            event,
            before=memory_of(before) if before else None,
            after=memory_of(after) if after else None,
            answer_kind=None if counted is None else kind_of(counted),
        )

    def undo(self, target: UUID | None = None) -> UndoneEvent | None:
        """Take back the newest event that can be, or the one named; None when there is nothing to take back."""
        with self._database.writing(self._learner) as connection:
            event = self._undoable(connection, target)
            if event is None:
                return None
            upcoming = self._next(connection, event.card, None)
            undo = self._event(upcoming, EventKind.UNDO, target=str(event.id))
            _, after = self._append(connection, upcoming, undo)
        return UndoneEvent(event, undo, memory_of(after) if after else None)

    def merge(self, events: Iterable[Event]) -> MergeCounts:
        """Add the events of another log that are not known here, as this learner's; known ones change nothing."""
        unique = {event.id: replace(event, learner=self._learner) for event in events}
        for event in unique.values():
            _check(event.day)
        with self._database.writing(self._learner) as connection:
            fresh = [event for id_, event in unique.items() if not _is_logged(connection, id_)]
            if fresh:
                merge(connection, self._learner, fresh)
        answers = sum(event.kind is EventKind.ANSWER for event in fresh)
        return MergeCounts(len(fresh), len(unique) - len(fresh), answers)

    def renew_origin(self) -> str:
        """Another name for this installation from now on, where two write under one."""
        self.origin = f"{_random(32):08x}"
        with self._database.writing(self._learner) as connection:
            connection.execute(sql.PUT_SETTING, {"learner": "", "name": "origin", "value": self.origin})
        return self.origin

    # Reading

    def events(self) -> Iterator[Event]:
        """Every event of the learner in order, one at a time."""
        with self._database.streaming() as connection:
            rows = connection.execute(sql.LOG, {"learner": self._learner})
            try:
                yield from map(event_of, rows)
            finally:
                rows.close()

    def count(self) -> int:
        """How many events the learner's log holds."""
        with self._database.reading() as connection:
            row = connection.execute(sql.COUNT_EVENTS, {"learner": self._learner}).fetchone()
        return int(row[0]) if row else 0

    def history(self, card: CardId) -> tuple[Event, ...]:
        """Every event of a card in order, under the ids that it had before as well."""
        with self._database.reading() as connection:
            relinks = connection.execute(sql.RELINKS, {"learner": self._learner})
            former = {row[0]: row[1] for row in relinks}
            names: list[str] = [card]
            while (last := former.get(names[-1])) is not None and last not in names:
                names.append(last)
            each = ({"learner": self._learner, "card": name} for name in names)
            events = [event_of(row) for one in each for row in connection.execute(sql.CARD_EVENTS, one)]
        return tuple(sorted(events, key=lambda event: (event.moment, event.id)))

    def moved(self) -> dict[CardId, CardId]:
        """Where the progress of each card has gone that another one took it over from."""
        with self._database.reading() as connection:
            rows = connection.execute(sql.RELINKS, {"learner": self._learner})
            moves = [(CardId(new), CardId(old)) for new, old in rows]
        last: dict[CardId, CardId] = {}
        since: dict[CardId, CardId] = {}  # the same, as seen from the moment of each relink
        for new, old in reversed(moves):
            since[old] = since.get(new, new)
            last.setdefault(old, since[old])
        return {old: new for old, new in last.items() if new != old}

    def undoable(self, last: int = 1) -> tuple[Event, ...]:
        """The newest events that can be taken back, newest first."""
        with self._database.reading() as connection:
            return tuple(self._undoables(connection, last))

    def showings(self, template: str | None = None, last: int = 5) -> tuple[Event, ...]:
        """The newest events with an exercise, newest first; of one template if named."""
        query = sql.SHOWINGS if template is None else sql.SHOWINGS_OF
        with self._database.reading() as connection:
            live = self._live(connection, query, template=template)
            return tuple(islice(live, last))

    def family(self, name: str) -> tuple[Event, ...]:
        """Every event with an exercise of a family, such as `bet`, in order and without what was taken back."""
        with self._database.reading() as connection:  # `/` is the sign after the full stop
            return tuple(self._live(connection, sql.SHOWINGS_OF_FAMILY, first=f"{name}.", last=f"{name}/"))

    # Inside a transaction

    def relink(self, connection: Connection, moves: Iterable[tuple[str, str]]) -> None:
        """Let each second card go on where the first was.

        The events are of one moment and their ids count up, so that progress that moves on twice moves in turn.
        """
        upcoming = self._next(connection, "", None)
        events = [
            replace(
                self._event(upcoming, EventKind.RELINK, target=clean(old)),
                id=UUID(int=upcoming.id.int + number),
                card=CardId(clean(new)),
            )
            for number, (old, new) in enumerate(moves)
        ]
        if events:
            merge(connection, self._learner, events)

    def _next(self, connection: Connection, card: str, at: datetime | None) -> _NextEvent:
        """What the lock is held for: the moment, and what the card's newest event is."""
        now = self._clock()
        moment = at or now
        _check(moment.date(), now.date())
        milliseconds = microseconds(now) // 1000
        low, high = _first_id(milliseconds), _first_id(milliseconds + 1)
        which = {"learner": self._learner, "card": card, "low": low, "high": high}
        row = connection.execute(sql.CARD_STATE, which).fetchone()
        *numbers, newest, last_id = row or [None, None]
        return _NextEvent(
            card=CardId(card),
            moment=moment,
            id=_new_id(milliseconds, bytes(last_id) if last_id else None),
            memory=tuple(numbers) if numbers and numbers[0] is not None else None,
            newest=newest,
        )

    def _event(
        self,
        upcoming: _NextEvent,
        kind: EventKind,
        *,
        grade: Grade | None = None,
        took_ms: int = 0,
        showing: Showing | None = None,
        target: str = "",
    ) -> Event:
        return Event(
            id=upcoming.id,
            learner=self._learner,
            origin=self.origin,
            kind=kind,
            card=upcoming.card,
            moment=microseconds(upcoming.moment),
            day=study_day(upcoming.moment, self._zone),
            zone=self._zone_name,
            grade=grade,
            took_ms=took_ms,
            showing=showing,
            target=target,
        )

    def _append(
        self, connection: Connection, upcoming: _NextEvent, event: Event
    ) -> tuple[int | None, MemoryRow | None]:
        """What the event counts as if it is an answer, and its card's memory after it."""
        values, before, counted, after = event_values(event), upcoming.memory, None, upcoming.memory
        if event.kind is EventKind.ANSWER and event.grade is not None:
            counted, after = review_rule.answer(before, event.grade, event.day.toordinal())
        in_order = counted is not None and (upcoming.newest is None or event.moment > upcoming.newest)
        if in_order or event.kind in EXERCISES_COUNTED_IN:
            connection.execute(sql.INSERT_EVENT, values)
            self._change_memory(connection, event.card, before, after)
            self._count(connection, event, counted)
            return counted, after
        cards = [event.card, event.target] if event.kind is EventKind.RELINK else [event.card]
        refold(connection, self._learner, cards, lambda: connection.execute(sql.INSERT_EVENT, values))
        row = connection.execute(sql.MEMORY, {"learner": self._learner, "card": event.card}).fetchone()
        return counted, memory_row(row) if row else None

    def _change_memory(
        self, connection: Connection, card: str, before: MemoryRow | None, after: MemoryRow | None
    ) -> None:
        if after is None or after is before:
            return
        change = sql.INSERT_MEMORY if before is None else sql.UPDATE_MEMORY
        connection.execute(change, memory_values(self._learner, card, after))
        if before is None:
            connection.execute(sql.MAKE_KNOWN, {"card": card})

    def _count(self, connection: Connection, event: Event, counted: int | None) -> None:
        names = EXERCISES_COUNTED_IN[event.kind] if counted is None else COUNTED_IN[counted]
        which = {"learner": self._learner, "day": event.day.toordinal()}
        connection.execute(
            sql.ADD_TALLY, {**_NOTHING, **which, **dict.fromkeys(names, 1), "took_ms": event.took_ms}
        )

    def _undoable(self, connection: Connection, target: UUID | None) -> Event | None:
        if target is None:
            return next(self._undoables(connection, 1), None)
        if (row := connection.execute(sql.EVENT, {"id": target.bytes}).fetchone()) is None:
            raise StudyError(f"There is no event {target} to undo.")
        if row[3] not in UNDOABLE or row[1] != self._learner:
            raise StudyError(f"Event {target} is none that can be undone.")
        if self._is_undone(connection, target):
            raise StudyError(f"Event {target} was undone before.")
        return event_of(row)

    def _undoables(self, connection: Connection, last: int) -> Iterator[Event]:
        rows = connection.execute(sql.UNDOABLE, {"learner": self._learner})
        live = (event for event in map(event_of, rows) if not self._is_undone(connection, event.id))
        return islice(live, last)

    def _is_undone(self, connection: Connection, event: UUID) -> bool:
        which = {"learner": self._learner, "target": str(event)}
        return connection.execute(sql.IS_UNDONE, which).fetchone() is not None

    def _live(self, connection: Connection, query: str, **values: object) -> Iterator[Event]:
        """The events of a query that were not taken back."""
        taken_back = {row[0] for row in connection.execute(sql.UNDONE, {"learner": self._learner})}
        rows = connection.execute(query, {"learner": self._learner, **values})
        return (event_of(row) for row in rows if str(UUID(bytes=bytes(row[0]))) not in taken_back)


def _check(*days: date) -> None:
    if wrong := [day for day in days if not EARLIEST <= day <= LATEST]:
        raise UsageError(f"{wrong[0]} is no day to study on: give a moment between 1970 and 9000.")


def _own_origin(database: Database, lock: str) -> str:
    """The name of this installation, drawn at its first use and kept."""
    which = {"learner": "", "name": "origin"}
    with database.reading() as connection:
        row = connection.execute(sql.SETTING, which).fetchone()
    if row is not None:
        return str(row[0])
    origin = f"{_random(32):08x}"
    with database.writing(lock) as connection:
        connection.execute(sql.PUT_SETTING, {**which, "value": origin})
    return origin


def _is_logged(connection: Connection, event: UUID) -> bool:
    return connection.execute(sql.IS_LOGGED, {"id": event.bytes}).fetchone() is not None


# Ids of events are UUIDs of version 7, which sort by the moment they were made.


def _new_id(milliseconds: int, newest: bytes | None) -> UUID:
    """A new id for this millisecond, after `newest`, the greatest one of the same millisecond in the log.

    The step from `newest` is random as well, so that two logs with the same newest event do not give two events
    one id.
    """
    bits = _random(_RANDOM_BITS)
    if newest is not None:
        last = int.from_bytes(newest)
        last_bits = (last >> 64 & 0xFFF) << 62 | last & (1 << 62) - 1
        bits = (last_bits + 1 + _random(_STEP_BITS)) % (1 << _RANDOM_BITS)
    high, low = divmod(bits, 1 << 62)
    return UUID(int=milliseconds << 80 | 7 << 76 | high << 64 | 0b10 << 62 | low)


def _first_id(milliseconds: int) -> bytes:
    """No id of this millisecond is less, and every id of an earlier one is."""
    return (milliseconds << 80).to_bytes(16)


def _random(bits: int) -> int:
    """That many bits from the system, 128 at most."""
    return int.from_bytes(os.urandom(16)) >> 128 - bits
