"""The logs of a class on a server, read one student after another in one transaction, and nothing written."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from typing import cast

from studykit.classroom.class_database import opened_class
from studykit.errors import NotFoundError
from studykit.scheduling.student_figures import StudentRow
from studykit.store import sql
from studykit.store.address import Address
from studykit.store.database import Connection


class ClassLogs:
    """The logs of everybody who has one, and of the students who are in and have none yet."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        have = {str(row[0]) for row in connection.execute(sql.LEARNERS)}
        self._without = sorted({str(row[0]) for row in connection.execute(sql.STUDENTS)} - have)
        self.students = len(have) + len(self._without)

    def __iter__(self) -> Iterator[tuple[str, list[StudentRow]]]:
        """Each student's name, and the log in its order."""
        for name, events in groupby(self._connection.execute(sql.CLASS_LOG), key=itemgetter(0)):
            yield str(name), [cast("StudentRow", tuple(event[1:])) for event in events]
        for name in self._without:
            yield name, []


@contextmanager
def class_logs(address: Address) -> Iterator[ClassLogs]:
    """The logs at an address, for the class's staff or its owner; NotFoundError where there is nobody."""
    with opened_class(address) as class_, class_.reading() as connection:
        logs = ClassLogs(connection)
        if not logs.students:
            raise NotFoundError(
                f"there is nobody in {class_.name}; let students in with: study class add ROSTER.csv"
            )
        yield logs
