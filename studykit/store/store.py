"""The store: everything that is remembered, behind methods that take and give the program's own values."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from uuid import UUID

from studykit.cards.card import CardId
from studykit.errors import StudyError, UsageError
from studykit.scheduling.events import UNDOABLE, Event, EventKind, Showing, became
from studykit.scheduling.fold import PRACTICE, Standing, Tally, answer, introduce
from studykit.scheduling.sm2 import Grade, Memory
from studykit.scheduling.study_day import EARLIEST, LATEST, microseconds, study_day
from studykit.store import sql, uuid7
from studykit.store.caches import memory_values, rebuild, refold, tally_values, unite
from studykit.store.connection import Handle, Link, one, rows, run
from studykit.store.reader import Reader, memory_of
from studykit.store.results import Recorded, Undone, United
from studykit.store.rows import Reshelving, clean, event_of, event_values

_SEED_LIMIT = 2**63


@dataclass(frozen=True, slots=True)
class _State:
    """A card as an event finds it, and the event's moment and id."""

    card: CardId
    moment: datetime
    id: UUID
    standing: Standing | None
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
    ) -> Recorded:
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

    def undo(self, target: UUID | None = None) -> Undone | None:
        """Take back the newest event that can be, or the one named; None when there is nothing to take back."""
        with self._link.writing(self._learner) as connection:
            found = self._undoable(connection, target)
            if found is None:
                return None
            state = self._state(connection, found.card, None)
            event = self._event(state, EventKind.UNDO, target=str(found.id))
            return Undone(found, event, self._append(connection, state, event).after)

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
            standing=Standing(*numbers) if numbers and numbers[0] is not None else None,
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

    def _append(self, connection: Handle, state: _State, event: Event) -> Recorded:
        before = state.standing.memory() if state.standing else None
        newest = state.newest is None or event.moment > state.newest
        values = event_values(event)
        if event.kind is EventKind.ANSWER and event.grade is not None and newest:
            run(connection, sql.INSERT_EVENT, values)
            after: Memory | None = self._answer(connection, event, state.standing, event.grade)
        elif event.kind in PRACTICE:
            run(connection, sql.INSERT_EVENT, values)
            practised = int(event.kind is not EventKind.BET)  # a bet is a promise; what comes of it follows
            self._bump(connection, event, Tally(practised=practised, took_ms=event.took_ms))
            after = before
        else:
            cards = [event.card, event.target] if event.kind is EventKind.RELINK else [event.card]
            refold(connection, self._learner, cards, lambda: run(connection, sql.INSERT_EVENT, values))
            row = one(connection, sql.MEMORY, learner=self._learner, card=event.card)
            after = memory_of(row) if row else None
        answered = became(before, event.day) if event.kind is EventKind.ANSWER else None
        return Recorded(event, before, after, answered)

    def _answer(self, connection: Handle, event: Event, standing: Standing | None, grade: Grade) -> Memory:
        tally = Tally(took_ms=event.took_ms)
        day = event.day.toordinal()
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

    def _bump(self, connection: Handle, event: Event, tally: Tally) -> None:
        which = {"learner": self._learner, "day": event.day.toordinal()}
        run(connection, sql.ADD_TALLY, {**which, **tally_values(tally)})

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
