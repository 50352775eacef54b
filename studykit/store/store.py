"""The store: everything that is remembered, behind methods that take and give the program's own values."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from uuid import UUID

from studykit.cards.card import CardId
from studykit.errors import StudyError, UsageError
from studykit.scheduling.events import UNDOABLE, Event, EventKind, RecordedEvent, Showing, UndoneEvent
from studykit.scheduling.memory import Grade, answer_kind, memory_of
from studykit.scheduling.replay import EXERCISES, replay, row_of
from studykit.scheduling.review_rule import MemoryRow
from studykit.scheduling.study_day import EARLIEST, LATEST, microseconds, study_day
from studykit.store import sql, uuid7
from studykit.store.caches import memory_values, rebuild, refold, tally_values, unite
from studykit.store.connection import Handle, Link, one, rows, run
from studykit.store.reader import Reader
from studykit.store.results import United
from studykit.store.rows import Reshelving, clean, event_of, event_values

_SEED_LIMIT = 2**63


@dataclass(frozen=True, slots=True)
class _State:
    """A card as an event finds it, and the event's moment and id."""

    card: CardId
    moment: datetime
    id: UUID
    memory: MemoryRow | None
    newest: int | None  # moment of the card's newest event


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
        self.recorded: Counter[EventKind] = Counter()  # by this run

    def _kept_origin(self) -> str:
        with self._link.reading() as connection:
            row = one(connection, sql.SETTING, learner="", name="origin")
        if row is not None:
            return str(row[0])
        with self._link.writing(self._learner) as connection:
            values = {"learner": "", "name": "origin", "value": f"{uuid7.random_bits(32):08x}"}
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
    ) -> RecordedEvent:
        """Append one event and bring the caches along; it is on disk when this returns.

        `at` is for an event that happened at another moment than now; `target` is the card that a relink leaves.
        """
        if kind is EventKind.ANSWER and grade is None:
            raise UsageError("An answer needs a grade.")
        if showing is not None and not -_SEED_LIMIT <= showing.seed < _SEED_LIMIT:
            raise UsageError(f"Seed {showing.seed} does not fit in 64 bits.")
        with self._link.writing(self._learner) as connection:
            state = self._state(connection, clean(card), at)
            event = self._event(state, kind, grade=grade, took_ms=max(0, took_ms), showing=showing, target=target)
            done = self._append(connection, state, event)
        self.recorded[kind] += 1
        return done

    def reshelve(self, change: Reshelving) -> bool:
        """Follow the decks; False, and nothing is done, where another process was quicker."""
        with self._link.writing(self._learner) as connection:
            digests = {row[0]: row[3] for row in rows(connection, sql.FILES)}
            if any(digests.get(path) != digest for path, digest in change.seen.items()):
                return False
            if change.moves:
                unite(connection, self._learner, self._relinks(connection, change.moves))
            self._replace_cards(connection, change.files, change.cards, change.gone, change.places)
        return True

    def _relinks(self, connection: Handle, moves: Iterable[tuple[str, str]]) -> list[Event]:
        """Relinks of one moment, in order: ids count up, so that progress that moves on twice moves in turn."""
        state = self._state(connection, "", None)
        return [
            replace(
                self._event(state, EventKind.RELINK, target=clean(old)),
                id=UUID(int=state.id.int + number),
                card=CardId(clean(new)),
            )
            for number, (old, new) in enumerate(moves)
        ]

    def undo(self, target: UUID | None = None) -> UndoneEvent | None:
        """Take back the newest event that can be, or the one named; None when there is nothing to take back."""
        with self._link.writing(self._learner) as connection:
            found = self._undoable(connection, target)
            if found is None:
                return None
            state = self._state(connection, found.card, None)
            event = self._event(state, EventKind.UNDO, target=str(found.id))
            return UndoneEvent(found, event, self._append(connection, state, event).after)

    def unite(self, events: Iterable[Event]) -> United:
        """Add the events of another log that are not known here, as this learner's; known ones change nothing."""
        ordered = [
            replace(event, learner=self._learner) for event in {event.id: event for event in events}.values()
        ]
        for event in ordered:
            _check(event.day)
        with self._link.writing(self._learner) as connection:
            fresh = [event for event in ordered if one(connection, sql.KNOWN, id=event.id.bytes) is None]
            if fresh:
                unite(connection, self._learner, fresh)
        return United(len(fresh), len(ordered) - len(fresh))

    def rebuild(self) -> None:
        """Make the caches again from the log."""
        with self._link.writing(self._learner) as connection:
            rebuild(connection, self._learner)

    # Inside a transaction

    def _state(self, connection: Handle, card: str, at: datetime | None) -> _State:
        """What the lock is held for: the moment, and what the card's newest event is."""
        now = self._clock()
        moment = at or now
        _check(moment.date(), now.date())
        milliseconds = microseconds(now) // 1000
        low, high = uuid7.bounds(milliseconds)
        row = one(connection, sql.STATE, learner=self._learner, card=card, low=low, high=high)
        *numbers, newest, last_id = row or [None, None]
        return _State(
            card=CardId(card),
            moment=moment,
            id=uuid7.fresh(milliseconds, bytes(last_id) if last_id else None, uuid7.random_bits),
            memory=tuple(numbers) if numbers and numbers[0] is not None else None,
            newest=newest,
        )

    def _event(
        self,
        state: _State,
        kind: EventKind,
        *,
        grade: Grade | None = None,
        took_ms: int = 0,
        showing: Showing | None = None,
        target: str = "",
    ) -> Event:
        return Event(
            id=state.id,
            learner=self._learner,
            origin=self._origin,
            kind=kind,
            card=state.card,
            moment=microseconds(state.moment),
            day=study_day(state.moment, self._zone),
            zone=self._zone_name,
            grade=grade,
            took_ms=took_ms,
            showing=showing,
            target=target,
        )

    def _append(self, connection: Handle, state: _State, event: Event) -> RecordedEvent:
        values = event_values(event)
        in_order = event.kind is EventKind.ANSWER and (state.newest is None or event.moment > state.newest)
        if in_order or event.kind in EXERCISES:
            run(connection, sql.INSERT_EVENT, values)
            after = self._go_on(connection, event, state.memory)
        else:
            cards = [event.card, event.target] if event.kind is EventKind.RELINK else [event.card]
            refold(connection, self._learner, cards, lambda: run(connection, sql.INSERT_EVENT, values))
            row = one(connection, sql.MEMORY, learner=self._learner, card=event.card)
            after = tuple(row[1:]) if row else None
        before = memory_of(state.memory) if state.memory else None
        kind = answer_kind(before, event.day) if event.kind is EventKind.ANSWER else None
        return RecordedEvent(event, before, memory_of(after) if after else None, kind)

    def _go_on(self, connection: Handle, event: Event, before: MemoryRow | None) -> MemoryRow | None:
        """Bring the caches past an event that is its card's newest; returns the card's memory after it."""
        caches = replay([row_of(event)], memories={event.card: before} if before else None)
        after = caches.memories.get(event.card)
        if after is not None and before is None:
            run(connection, sql.INSERT_MEMORY, memory_values(self._learner, event.card, after))
            run(connection, sql.MAKE_STALE, {"card": event.card})
        elif after is not None and after is not before:
            run(connection, sql.UPDATE_MEMORY, memory_values(self._learner, event.card, after))
        for day, tally in caches.tallies.items():
            run(connection, sql.ADD_TALLY, {"learner": self._learner, "day": day, **tally_values(tally)})
        return after

    def _undoable(self, connection: Handle, target: UUID | None) -> Event | None:
        if target is None:
            return next(iter(self._undoables(connection, 1)), None)
        if (row := one(connection, sql.EVENT, id=target.bytes)) is None:
            raise StudyError(f"There is no event {target} to undo.")
        if row[3] not in UNDOABLE or row[1] != self._learner:
            raise StudyError(f"Event {target} is none that can be undone.")
        if one(connection, sql.IS_UNDONE, learner=self._learner, target=str(target)) is not None:
            raise StudyError(f"Event {target} was undone before.")
        return event_of(row)


def _check(*days: date) -> None:
    if wrong := [day for day in days if not EARLIEST <= day <= LATEST]:
        raise UsageError(f"{wrong[0]} is no day to study on: give a moment between 1970 and 9000.")
