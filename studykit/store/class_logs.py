"""The logs of a class on a server, read one student after another by whoever may read them all."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from typing import cast

from studykit.errors import NotFoundError, UsageError
from studykit.scheduling.student_figures import StudentRow
from studykit.store import sql
from studykit.store.database import Row
from studykit.store.engine import EngineConnection, EngineDatabase, database_url, shown_url
from studykit.store.migrate import refuse_other_revision

Log = tuple[str, list[StudentRow]]
"""A student's name, and the log in its order."""


class ClassLogs:
    """The event table of a class as it is at one moment; nothing is written, and nothing migrated."""

    def __init__(self, connection: EngineConnection) -> None:
        self._connection = connection
        row = connection.execute(sql.COUNT_CLASS).fetchone()
        self.students: int
        self.events: int
        self.students, self.events = (row[0], row[1]) if row else (0, 0)

    def __iter__(self) -> Iterator[Log]:
        rows = self._connection.execute(sql.CLASS_LOG)
        for name, events in groupby(rows, key=itemgetter(0)):
            yield str(name), [_row(event) for event in events]


@contextmanager
def class_logs(address: str) -> Iterator[ClassLogs]:
    """The logs at this address; UsageError where it is no server's, NotFoundError where nobody has a log."""
    url = database_url(address)
    if url.get_backend_name() == "sqlite":
        raise UsageError("a class is on a PostgreSQL server, or in a folder of progress files: name one of them.")
    database = EngineDatabase(url, shown_url(url))
    try:
        refuse_other_revision(database)
        with database.reading() as connection:
            logs = ClassLogs(connection)
            if not logs.students:
                raise NotFoundError(f"nobody at {database.name} has answered anything that you may read.")
            yield logs
    finally:
        database.close()


def _row(event: Row) -> StudentRow:
    return cast("StudentRow", tuple(event[1:]))
