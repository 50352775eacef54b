"""Exchange a student's events with a class's server, which holds the union of their machines: `study sync`.

Both sides are sets of events, and the ids of one side that the other lacks are what has to be exchanged.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from studykit.classroom.class_server import Server
from studykit.errors import BadDataError, UsageError
from studykit.scheduling.events import Event, is_name
from studykit.store.address import LEARNER
from studykit.store.rows import EVENT_COLUMNS, event_of, event_values, within_limits
from studykit.store.sql import KNOWN
from studykit.store.store import Store
from studykit.store.sync_table import SyncState
from studykit.sync.exchange import ExchangeReport
from studykit.text import counted, printable

if TYPE_CHECKING:
    from sqlalchemy import URL

    from studykit.classroom.class_server import Row

_EVENTS_PER_BATCH = 5_000
_MAX_NAME_CHARACTERS = 40
_COLUMNS = ", ".join(EVENT_COLUMNS)
_OWN = f"FROM event WHERE learner = %(learner)s AND {KNOWN}"
_IDS = f"SELECT id {_OWN}"
_EVENTS = f"SELECT {_COLUMNS} {_OWN} AND id = ANY(%(ids)s) ORDER BY id"
_MACHINES = f"SELECT DISTINCT ON (origin) origin, machine {_OWN} AND machine <> '' ORDER BY origin, id DESC"
_ADD = f"""
INSERT INTO event ({_COLUMNS}, machine) VALUES ({", ".join(f"%({name})s" for name in EVENT_COLUMNS)}, %(machine)s)
ON CONFLICT DO NOTHING
"""  # noqa: S608 - our names
_LOGGED = "SELECT count(*) FROM event WHERE learner = %s AND id = ANY(%s)"


class LearnerLog:
    """Read and extend the log of one learner on the server."""

    def __init__(self, server: Server, learner: str) -> None:
        self._server = server
        self._learner = learner
        self.name = server.name
        """The server's address, without a password."""

    def ids(self) -> set[bytes]:
        """Return the ids of all events."""
        return {row[0] for row in self._rows(_IDS)}

    def events(self, ids: list[bytes]) -> list[Event]:
        """Return the events with these ids, in the order of recording."""
        return list(map(event_of, self._rows(_EVENTS, ids=ids)))

    def machines(self) -> dict[str, str]:
        """Return the name that its owner gave to each machine, by origin."""
        return dict(self._rows(_MACHINES))

    def add(self, events: Collection[Event], origin: str, machine: str) -> None:
        """Add events that the server lacks. `machine` names the machine with this origin."""
        rows = [
            {**event_values(event), "learner": self._learner, "machine": machine if event.origin == origin else ""}
            # Sorted: two machines that add the same events in different orders could deadlock.
            for event in sorted(events, key=lambda event: event.id)
        ]
        ids = [row["id"] for row in rows]
        with self._server.writing() as connection:
            connection.cursor().executemany(_ADD, rows)
            (logged,) = connection.execute(_LOGGED, [self._learner, ids]).fetchone() or (0,)
            if logged != len({*ids}):
                raise BadDataError(
                    f"{self.name} did not accept the events, so nothing was saved there. Try again."
                )

    def _rows(self, query: str, **values: object) -> "list[Row]":
        with self._server.reading() as connection:
            return connection.execute(query, {"learner": self._learner, **values}, binary=True).fetchall()


@contextmanager
def opened_log(url: "URL") -> Iterator[LearnerLog]:
    """Open the log of the URL's role, or of `me` if no row policy applies. Raise UsageError for staff: no log."""
    with closing(Server(url)) as server:
        server.check_version()
        role, confined, staff = server.role()
        if confined and staff:
            raise UsageError(f"{role} is on the staff of that class, and staff have no log. Sync as a student.")
        yield LearnerLog(server, role if confined else LEARNER)


def exchange_with_class(
    store: Store, log: LearnerLog, machine: str, *, now: int, before_taking: Callable[[], object] = lambda: None
) -> ExchangeReport:
    """Exchange events with the learner's log on a class's server, and report how many went each way.

    `machine` is what its owner calls this one. `now` is in microseconds UTC. `before_taking` is called before
    anything is added to the log.
    """
    report, here, there = ExchangeReport(), store.log.ids(), log.ids()
    names, invalid = log.machines() if there - here else {}, Counter[str]()
    skipped = store.sync.standing(log.name).positions
    for ids in _batches(there - here):
        by_machine = defaultdict[str, list[Event]](list)
        for event in log.events(ids):
            name = printable(names.get(event.origin) or event.origin or "a page", _MAX_NAME_CHARACTERS)
            if (valid := _validated(event)) is not None:
                by_machine[name].append(valid)
            else:
                invalid[name] += 1
        if by_machine and not report.took:
            before_taking()
        for name, events in by_machine.items():
            report.take(name, store.log.merge(events))
    # Writing by SQL, a student can add anything.
    report.remarks = tuple(
        f"{counted(number, 'invalid event')} of {name} skipped."
        for name, number in invalid.items()
        if number != skipped.get(name)
    )
    for ids in _batches(here - there):
        log.add(given := store.log.with_ids(ids), store.log.origin, machine)
        for event in given:
            report.gave.add(event)
    store.sync.give(log.name, lambda: SyncState(dict(invalid), at=now))
    return report


def _batches(ids: set[bytes]) -> Iterator[list[bytes]]:
    """Yield some thousand ids at a time, in the order of recording."""
    ordered = sorted(ids)
    for start in range(0, len(ordered), _EVENTS_PER_BATCH):
        yield ordered[start : start + _EVENTS_PER_BATCH]


def _validated(event: Event) -> Event | None:
    """Return the event cut to the limits of what this program records, or None if it cannot be."""
    try:
        return within_limits(event) if all(map(is_name, (event.origin, event.zone, event.profile))) else None
    except UsageError:
        return None
