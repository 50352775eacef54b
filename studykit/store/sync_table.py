"""How far this database has come with each place where machines meet, and its log as an exchange reads it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from sqlite3 import Connection
from typing import Any
from uuid import UUID

from studykit.scheduling.events import LATEST_MOMENT, Event
from studykit.store import sql
from studykit.store.rows import event_of, settings_starting
from studykit.store.sqlite import SqliteDatabase

_NAME_PREFIX = "sync "
MOMENT_MODULUS = 1_000_003
_NO_ID = b""


@dataclass(frozen=True, slots=True)
class SyncState:
    """How far the exchange with one place has come."""

    positions: Mapping[str, Any]  # how far each source was read, in words of the transport
    size: int = 0  # events of the log when the last exchange ended; the place had all of them
    last: str = ""  # id of the newest of them with this machine's origin, whichever machine recorded it
    at: int = 0  # microseconds UTC of the last exchange


@dataclass(frozen=True, slots=True)
class Totals:
    """How many events there are, and the sum of their moments, each modulo `MOMENT_MODULUS`.

    Whatever comes or goes changes one of the two.
    """

    events: int = 0
    moments: int = 0

    def plus(self, events: Iterable[Event]) -> "Totals":
        """Return the totals with these events."""
        moments = [event.moment % MOMENT_MODULUS for event in events]
        return Totals(self.events + len(moments), self.moments + sum(moments))


class SyncTable:
    """The standing with each place, for one learner."""

    def __init__(self, database: SqliteDatabase, learner: str) -> None:
        self._database = database
        self._learner = learner

    def standing(self, place: str) -> SyncState:
        """Return how far the exchange with a place has come, from the beginning for an unknown one."""
        row = self._database.first(sql.SETTING, self._named(place))
        return _standing(row[0] if row else "")

    def standings(self) -> dict[str, SyncState]:
        """Return the standing with every place."""
        texts = settings_starting(self._database, self._learner, _NAME_PREFIX)
        return {place: _standing(text) for place, text in texts.items()}

    def give(self, place: str, work: "Callable[[Offer], SyncState]") -> None:
        """Let `work` give what the place lacks and store the standing that it returns, in one transaction."""
        with self._database.writing() as connection:
            standing = work(Offer(connection, self._learner))
            value = json.dumps(asdict(standing))
            connection.execute(sql.PUT_SETTING, {**self._named(place), "value": value})

    def _named(self, place: str) -> dict[str, object]:
        return {"learner": self._learner, "name": f"{_NAME_PREFIX}{place}"}


@dataclass(frozen=True, slots=True)
class Offer:
    """The log inside one transaction, as somebody sees it who gives from it."""

    connection: Connection
    learner: str

    def count(self) -> int:
        """Count the events of the log."""
        row = self.connection.execute(sql.COUNT_EVENTS, {"learner": self.learner}).fetchone()
        return int(row[0]) if row else 0

    def own_after(self, origin: str, last: str) -> list[Event]:
        """Return the events of this origin recorded after the one with this id."""
        which = {"learner": self.learner, "origin": origin, "last": _id(last)}
        return [event_of(row) for row in self.connection.execute(sql.OWN_EVENTS_AFTER, which)]

    def events(self) -> Iterator[Event]:
        """Yield the whole log."""
        yield from map(event_of, self.connection.execute(sql.LOG, {"learner": self.learner}))


def _id(text: str) -> bytes:
    """Return the bytes of an id, or bytes that sort before all ids."""
    return UUID(text).bytes if text else _NO_ID


def _standing(text: str) -> SyncState:
    """Parse a standing. An unreadable one counts as nothing exchanged."""
    try:
        values = json.loads(text or "{}")
        positions, last = dict(values["positions"]), values["last"]
        if last:
            UUID(last)
        size, at = int(values["size"]), int(values["at"])
        if not 0 <= at <= LATEST_MOMENT:
            return SyncState({})
        return SyncState(positions, size, str(last), at)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return SyncState({})
