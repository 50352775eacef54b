"""Read and add one student's events on a class's server, for `study sync`."""

from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING
from uuid import UUID

from studykit.classroom.class_server import Server
from studykit.errors import BadDataError, UsageError
from studykit.scheduling.events import Event
from studykit.store.address import LEARNER
from studykit.store.rows import EVENT_COLUMNS, event_of, event_values
from studykit.store.sql import KNOWN
from studykit.store.sync_table import MOMENT_MODULUS, Totals

if TYPE_CHECKING:
    from sqlalchemy import URL

    from studykit.classroom.class_server import Row

_COLUMNS = ", ".join(EVENT_COLUMNS)
_OWN = f"FROM event WHERE learner = %(learner)s AND {KNOWN}"
_COUNTS = f"count(*), coalesce(sum(mod(moment, {MOMENT_MODULUS})), 0)"
_ORIGINS = f"""
SELECT origin, {_COUNTS}, (array_agg(machine ORDER BY id DESC) FILTER (WHERE machine <> ''))[1]
{_OWN} GROUP BY origin ORDER BY origin
"""
_EVENTS = f"SELECT {_COLUMNS} {_OWN} AND origin = %(origin)s AND id > %(last)s ORDER BY id"
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

    def origins(self) -> dict[str, tuple[Totals, str]]:
        """Return the totals of each machine's events and its owner's name for it, by origin."""
        rows = self._rows(_ORIGINS)
        return {row[0]: (Totals(int(row[1]), int(row[2])), row[3] or "") for row in rows}

    def events(self, origin: str, last: str = "") -> list[Event]:
        """Return an origin's events after the one with id `last` (all if empty), in the order of recording."""
        after = UUID(last).bytes if last else b""
        return list(map(event_of, self._rows(_EVENTS, origin=origin, last=after)))

    def add(self, events: Collection[Event], origin: str, machine: str) -> int:
        """Add events and return how many are new. `machine` names the machine with this origin."""
        rows = [
            {**event_values(event), "learner": self._learner, "machine": machine if event.origin == origin else ""}
            # Sorted: two machines that add the same events in different orders could deadlock.
            for event in sorted(events, key=lambda event: event.id)
        ]
        ids = [row["id"] for row in rows]

        with self._server.writing() as connection:
            cursor = connection.cursor()
            cursor.executemany(_ADD, rows)
            (logged,) = connection.execute(_LOGGED, [self._learner, ids]).fetchone() or (0,)
            if logged != len({*ids}):
                raise BadDataError(
                    f"{self.name} did not accept the events, so nothing was saved there. Try again."
                )
            return cursor.rowcount

    def _rows(self, query: str, **values: object) -> "list[Row]":
        with self._server.reading() as connection:
            return connection.execute(query, {"learner": self._learner, **values}).fetchall()


@contextmanager
def opened_log(url: "URL") -> Iterator[LearnerLog]:
    """Open the log of the URL's role, or of `me` if no row policy applies. Raise UsageError for staff: no log."""
    with closing(Server(url)) as server:
        server.check_version()
        role, confined, staff = server.role()
        if confined and staff:
            raise UsageError(f"{role} is on the staff of that class, and staff have no log. Sync as a student.")
        yield LearnerLog(server, role if confined else LEARNER)
