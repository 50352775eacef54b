"""Append to and read the log of one learner.

An event and the caches that it changes are written in one transaction. `studykit.scheduling` decides what an event
does to a card.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from itertools import islice
from sqlite3 import Connection
from typing import TYPE_CHECKING, Unpack

from studykit.cards.card import CardId
from studykit.errors import BadDataError, StudyError, UsageError
from studykit.scheduling import review_rule
from studykit.scheduling.event_kinds import FSRS, FSRS_AHEAD, UNDOABLE, EventKind
from studykit.scheduling.events import Event, EventDetails, RecordedEvent, UndoneEvent
from studykit.scheduling.memory import AnswerKind, kind_of, memory_of
from studykit.scheduling.review_rule import MemoryRow
from studykit.scheduling.study_day import LATEST, local_hour, microseconds, moment_of, month_of, study_day
from studykit.store import sql
from studykit.store.rows import (
    TALLY_COLUMNS,
    clean,
    event_of,
    event_values,
    known_memory,
    memory_values,
    tally_key_values,
    undone,
    unreadable_row,
    within_limits,
)
from studykit.store.sqlite import LearnerRows, SqliteDatabase

if TYPE_CHECKING:
    from uuid import UUID

    from studykit.scheduling.fsrs import Fsrs

_MAX_AHEAD_US = 3_600_000_000
_ORIGIN = re.compile("[0-9a-f]{8}")  # it names a folder, so nothing else may get through
_PAYLOAD_BITS = 122  # of a UUID: all but version and variant
_RANDOM_BITS = 74  # of those, after the milliseconds
_STEP_BITS = 40
_NO_COUNTS = dict.fromkeys(TALLY_COLUMNS, 0)


@dataclass(frozen=True, slots=True)
class MergeCounts:
    """Count the events of another log that were new here, and those already known."""

    added: int
    known: int
    answers: int = 0  # among the new ones


@dataclass(frozen=True, slots=True)
class _NextEvent:
    """Hold the moment and id for the next event, and the state of its card before it."""

    card: CardId
    moment: datetime
    id: "UUID"
    memory: MemoryRow | None
    newest: int | None  # moment of the card's newest event


class EventLog(LearnerRows):
    """Read the log of one learner, and append to it as one installation."""

    def __init__(
        self,
        database: SqliteDatabase,
        learner: str,
        *,
        clock: Callable[[], datetime],
        zone_name: str,
        zone: tzinfo,
        origin: str | None,
        fsrs: "Fsrs | None" = None,
    ) -> None:
        super().__init__(database, learner)
        self._fsrs = fsrs
        self._clock = clock
        self._zone_name = zone_name
        self._zone = zone
        self.origin = origin or self._own_origin()
        self.recorded: Counter[EventKind] = Counter()  # in this run, not counting undone ones
        self.refusal = ""  # why nothing can be written, or "" if it can

    # Writing

    def record(
        self,
        kind: EventKind,
        card: CardId,
        *,
        at: datetime | None = None,
        is_recalled: bool | None = None,
        **details: Unpack[EventDetails],
    ) -> RecordedEvent:
        """Append one event and update the caches. It is on disk when this returns.

        `at` is the moment of an event that did not happen now. For a relink, `target` is the old card.
        `is_recalled` overrides the grade for retention, for a card that the program judged.
        """
        if kind is EventKind.UNDO or (kind is EventKind.ANSWER and details.get("grade") is None):
            raise UsageError(
                f"{kind.value!r} cannot be recorded here: an answer needs a grade, and `undo` records undos."
            )
        self._check_writable()
        with self._database.writing() as connection:
            upcoming = self._next(connection, clean(card), at)
            event = self._event(upcoming, kind, **details)
            if self._fsrs is not None and event.grade is not None:
                event = replace(event, profile=self._profile(connection, upcoming, event, self._fsrs))
            if is_recalled is not None and event.grade is not None:
                profile = review_rule.profile_of(event.profile, event.grade, is_recalled=is_recalled)
                event = replace(event, profile=profile)
            answer_kind, after = self._append(connection, upcoming, event)
            _check_logged(connection, self._learner, [event.id])
        self.recorded[kind] += 1
        before = memory_of(upcoming.memory) if upcoming.memory else None
        return RecordedEvent(event, before, memory_of(after) if after else None, answer_kind)

    def undo(self, target: "UUID | None" = None) -> UndoneEvent | None:
        """Undo the event with id `target`, or the newest one of this installation that can be undone.

        Return None if there is none, and raise StudyError if `target` cannot be undone.
        """
        self._check_writable()
        with self._database.writing() as connection:
            event = self._undoable(connection, target)
            if event is None:
                return None
            upcoming = self._next(connection, event.card, self._undo_moment(event))
            undo = self._event(upcoming, EventKind.UNDO, target=str(event.id))
            _, after = self._append(connection, upcoming, undo)
            _check_logged(connection, self._learner, [undo.id])
        self.recorded[event.kind] -= 1
        return UndoneEvent(event, undo, memory_of(after) if after else None)

    def merge(self, events: Iterable[Event]) -> MergeCounts:
        """Add the new events of another log as this learner's. Known ones change nothing."""
        from studykit.store.caches import merge

        self._check_writable()
        unique = {event.id: replace(event, learner=self._learner) for event in events}
        with self._database.writing() as connection:
            logged = _logged(connection, self._learner, unique)
            fresh = [event for id_, event in unique.items() if id_.bytes not in logged]
            if fresh:
                merge(connection, self._learner, fresh, self._fsrs)
                _check_logged(connection, self._learner, [event.id for event in fresh])
        answers = sum(event.kind is EventKind.ANSWER for event in fresh)
        return MergeCounts(len(fresh), len(unique) - len(fresh), answers)

    def _check_writable(self) -> None:
        if self.refusal:
            raise StudyError(self.refusal)

    def renew_origin(self) -> str:
        """Give this installation a new name, because another one writes under its old name."""
        self.origin = os.urandom(4).hex()
        values = {"learner": self._learner, "name": "origin", "value": self.origin}
        with self._database.writing() as connection:
            connection.execute(sql.PUT_SETTING, values)
        return self.origin

    def _own_origin(self) -> str:
        """Return this installation's name. Make one at the first use, or if the stored one is invalid."""
        row = self._first(sql.ORIGIN)
        origin = _ORIGIN.fullmatch(str(row[0])) if row else None
        return origin[0] if origin else self.renew_origin()

    # Reading

    def events(self) -> Generator[Event, None, None]:
        """Yield all events of the learner in order."""
        with self._database.streaming() as connection:
            rows = connection.execute(sql.LOG, {"learner": self._learner})
            try:
                yield from map(event_of, rows)
            finally:
                rows.close()

    def ids(self) -> set[bytes]:
        """Return the ids of all events of the learner's log."""
        return {bytes(row[0]) for row in self._rows(sql.IDS)}

    def with_ids(self, ids: Iterable[bytes]) -> list[Event]:
        """Return the events with these ids that this version understands."""
        with self._database.reading():
            rows = [self._first(sql.EVENT, id=id_) for id_ in ids]
        return [event_of(row) for row in rows if row is not None]

    def count(self) -> int:
        """Count the events of the learner's log."""
        ((count,),) = self._rows(sql.COUNT_EVENTS)
        return int(count)

    def history(self, card: CardId) -> tuple[Event, ...]:
        """Return all events of a card in order, including those under its earlier ids."""
        with self._database.reading() as connection:
            return self._history(connection, card)

    def undoable(self, last: int = 1) -> tuple[Event, ...]:
        """Return the newest events of this installation that can be undone, newest first."""
        with self._database.reading() as connection:
            return tuple(self._undoables(connection, last))

    def ahead(self) -> tuple[Event, ...]:
        """Return events dated more than an hour in the future, as by a wrong clock, newest first."""
        moment = microseconds(self._clock()) + _MAX_AHEAD_US
        with self._database.reading() as connection:
            return tuple(self._live(connection, sql.AFTER, moment=moment))

    def unreadable(self) -> tuple[str, ...]:
        """Describe each entry of the log that this version cannot read."""
        return tuple(map(unreadable_row, self._rows(sql.UNREADABLE)))

    def showings(self, template: str | None = None, last: int = 5) -> tuple[Event, ...]:
        """Return the newest events with an exercise, newest first, of one template or of all."""
        query = sql.SHOWINGS if template is None else sql.SHOWINGS_OF
        with self._database.reading() as connection:
            live = self._live(connection, query, newest=last, template=template)
            return tuple(islice(live, last))

    def family(self, name: str) -> tuple[Event, ...]:
        """Return the events with exercises of a family, such as `bet`, in order and without undone ones."""
        with self._database.reading() as connection:
            # `/` follows `.` in ASCII, so this range holds all names that start with `name.`.
            return tuple(self._live(connection, sql.SHOWINGS_OF_FAMILY, first=f"{name}.", last=f"{name}/"))

    # Inside a transaction

    def relink(self, connection: Connection, moves: Iterable[tuple[str, str]]) -> None:
        """Move the history of each pair's first card to the second, in order: ids ascend within one moment."""
        from uuid import UUID

        from studykit.store.caches import merge

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
            merge(connection, self._learner, events, self._fsrs)
            _check_logged(connection, self._learner, [event.id for event in events])

    def _next(self, connection: Connection, card: str, at: datetime | None) -> _NextEvent:
        """Return the moment and id for the next event, and its card's state. Call it under the write lock."""
        now = self._clock()
        moment = at or now
        key = {"learner": self._learner, "card": card, "origin": self.origin}
        row = connection.execute(sql.CARD_STATE, key).fetchone()
        *numbers, newest, last_id, scheduler = row or [None, None, None]
        if (scheduler or "") != (self._fsrs.name if self._fsrs else ""):
            raise StudyError("Another command changed the scheduler, so nothing was recorded. Start again.")
        return _NextEvent(
            card=CardId(card),
            moment=moment,
            id=next_id(max(0, microseconds(now)) // 1000, bytes(last_id) if last_id else None),
            memory=known_memory(card, numbers) if numbers and numbers[0] is not None else None,
            newest=newest,
        )

    def _history(self, connection: Connection, card: CardId) -> tuple[Event, ...]:
        relinks = connection.execute(sql.RELINKS, {"learner": self._learner})
        former = {row[0]: row[1] for row in relinks}
        names: list[str] = [card]
        while (last := former.get(names[-1])) is not None and last not in names:
            names.append(last)
        keys = ({"learner": self._learner, "card": name} for name in names)
        events = [event_of(row) for key in keys for row in connection.execute(sql.CARD_EVENTS, key)]
        return tuple(sorted(events, key=lambda event: (event.moment, event.id)))

    def _event(self, upcoming: _NextEvent, kind: EventKind, **details: Unpack[EventDetails]) -> Event:
        event = Event(
            id=upcoming.id,
            learner=self._learner,
            origin=self.origin,
            kind=kind,
            card=upcoming.card,
            moment=microseconds(upcoming.moment),
            day=study_day(upcoming.moment, self._zone),
            zone=self._zone_name,
            **details,
        )
        return within_limits(event)

    def _profile(self, connection: Connection, upcoming: _NextEvent, event: Event, fsrs: "Fsrs") -> str:
        """Return the profile of FSRS to log, which says whether the answer is a review."""
        memory = upcoming.memory
        if not _is_newest(upcoming, event):
            from studykit.store.caches import memory_before

            memory = memory_before(connection, self._learner, event, fsrs)
        counted, _ = review_rule.answer(memory, int(event.grade or 0), event.day.toordinal(), fsrs=fsrs)
        return FSRS_AHEAD if counted in {review_rule.DRILL, review_rule.CRAM} else FSRS

    def _undo_moment(self, event: Event) -> datetime | None:
        """Return the moment of an event in the future, so that its undo is not before it, or None for now."""
        moment = moment_of(event.moment)
        return moment if event.day <= LATEST and moment > self._clock() else None

    def _append(
        self, connection: Connection, upcoming: _NextEvent, event: Event
    ) -> tuple[AnswerKind | None, MemoryRow | None]:
        """Append an event. Return its kind of answer, and its card's memory after it and any later events."""
        before, counted, after = upcoming.memory, None, upcoming.memory
        if event.kind is EventKind.ANSWER and event.grade is not None:
            day = event.day.toordinal()
            counted, after = review_rule.answer(before, event.grade, day, event.profile, self._fsrs)
        # The usual case needs no replay: the newest event of its card follows from the cached memory.
        if (counted is not None and _is_newest(upcoming, event)) or event.kind in review_rule.EXERCISES_COUNTED_IN:
            connection.execute(sql.INSERT_EVENT, event_values(event))
            self._change_memory(connection, event.card, before, after)
            self._count(connection, event, counted)
            return None if counted is None else kind_of(counted), after
        from studykit.store.caches import merge

        merge(connection, self._learner, [event], self._fsrs)
        row = connection.execute(sql.MEMORY, {"learner": self._learner, "card": event.card}).fetchone()
        return self._kind_in_place(connection, event), known_memory(event.card, row[1:]) if row else None

    def _kind_in_place(self, connection: Connection, event: Event) -> AnswerKind | None:
        """Return what an answer counted as when it was given, although its card already has later events."""
        if event.kind is not EventKind.ANSWER:
            return None
        from studykit.scheduling.replay import steps

        history = steps(self._history(connection, event.card), self._fsrs)
        return next((step.answer_kind for step in history if step.event.id == event.id), None)

    def _change_memory(
        self, connection: Connection, card: str, before: MemoryRow | None, after: MemoryRow | None
    ) -> None:
        if after is None or after is before:
            return
        values = memory_values(self._learner, card, after)
        if before is not None:
            connection.execute(sql.UPDATE_MEMORY, values)
            return
        connection.execute(sql.INSERT_MEMORY, values)
        connection.execute(sql.MAKE_KNOWN, {"learner": self._learner, "card": card})

    def _count(self, connection: Connection, event: Event, counted: int | None) -> None:
        day = event.day.toordinal()
        if counted is None:
            names, query = review_rule.EXERCISES_COUNTED_IN[event.kind], sql.ADD_TALLY
            key = tally_key_values(self._learner, (day, *review_rule.WHOLE_DAY))
        else:
            names, query = review_rule.COUNTED_IN[counted], sql.ADD_ANSWER
            hour, grade = local_hour(event.moment, self._zone), int(event.grade or 0)
            key = {"learner": self._learner, "day": day, "month": month_of(day), "hour": hour, "grade": grade}
        connection.execute(query, {**key, **_NO_COUNTS, **dict.fromkeys(names, 1), "took_ms": event.took_ms})

    def _undoable(self, connection: Connection, target: "UUID | None") -> Event | None:
        if target is None:
            return next(self._undoables(connection, 1), None)
        row = connection.execute(sql.EVENT, {"learner": self._learner, "id": target.bytes}).fetchone()
        if row is None:
            message = f"{target} is not an event of this log. List those that can be undone"
            raise StudyError(message, "study undo --list")
        if row[3] not in UNDOABLE:
            raise StudyError(f"Event {target} cannot be undone. List those that can be", "study undo --list")
        if target.bytes in undone(connection, self._learner):
            raise StudyError(f"Event {target} is already undone. List those that are not", "study undo --list")
        return event_of(row)

    def _undoables(self, connection: Connection, last: int) -> Iterator[Event]:
        """Yield the newest events of this installation that can be undone."""
        return islice(self._live(connection, sql.UNDOABLE, origin=self.origin), last)

    def _live(self, connection: Connection, query: str, newest: int = 0, **values: object) -> Iterator[Event]:
        """Yield the events of a query that were not undone."""
        undone_ids = undone(connection, self._learner)
        # Each undone event may be among the newest, so ask for as many more.
        rows = connection.execute(query, {"learner": self._learner, "limit": newest + len(undone_ids), **values})
        return (event for event in map(event_of, rows) if event.id.bytes not in undone_ids)


def _is_newest(upcoming: _NextEvent, event: Event) -> bool:
    """Return whether the card of an event has no later event."""
    return upcoming.newest is None or event.moment > upcoming.newest


def _logged(connection: Connection, learner: str, events: Collection["UUID"]) -> set[bytes]:
    """Return which of these event ids exist, in one query."""
    if not events:
        return set()
    which = {"learner": learner, "low": min(events).bytes, "high": max(events).bytes}
    return {bytes(row[0]) for row in connection.execute(sql.LOGGED, which)}


def _check_logged(connection: Connection, learner: str, ids: Collection["UUID"]) -> None:
    """Raise BadDataError unless the log holds these events."""
    # A foreign trigger can silently skip an INSERT (RAISE(IGNORE)), and the learner would believe it was saved.
    if not {id_.bytes for id_ in ids} <= _logged(connection, learner, ids):
        raise BadDataError("The log did not accept the event, so nothing was saved. Find out why", "study doctor")


def next_id(milliseconds: int, newest: bytes | None) -> "UUID":
    """Return a UUID of version 7 for now, after `newest`, this origin's last, even if the clock stepped back."""
    from uuid import UUID

    fresh = milliseconds << _RANDOM_BITS | _random(_RANDOM_BITS)
    if newest is not None and (last := _payload(newest)) >= milliseconds << _RANDOM_BITS:
        # A random step, because copies of a log have the same newest id and must not make the same next one.
        later = last + 1 + _random(_STEP_BITS)
        fresh = later if later < 1 << _PAYLOAD_BITS else fresh  # only a forged id can be that late
    high, low = divmod(fresh, 1 << 62)
    return UUID(int=high >> 12 << 80 | 7 << 76 | (high & 0xFFF) << 64 | 0b10 << 62 | low)


def _payload(id_: bytes) -> int:
    number = int.from_bytes(id_)
    return number >> 80 << _RANDOM_BITS | (number >> 64 & 0xFFF) << 62 | number & (1 << 62) - 1


def _random(bits: int) -> int:
    """Return random bits from the system, at most 128."""
    return int.from_bytes(os.urandom(16)) >> 128 - bits
