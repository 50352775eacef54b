"""The logs of a class as its staff read them: by learner, or all in a row for a report; nothing is written."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import cast

from studykit.classroom.membership import server_url
from studykit.errors import NotFoundError, StudyError
from studykit.ordinary_file import make_folder, write_fresh
from studykit.scheduling.progress_file import progress_json
from studykit.scheduling.student_figures import StudentRow
from studykit.store import sql
from studykit.store.address import Address
from studykit.store.database_types import Connection
from studykit.store.engine import EngineDatabase, role_of
from studykit.store.migrate import open_migrated
from studykit.store.store import Store
from studykit.text import counted

_MAX_NAMES = 5  # in an error


class ClassDatabase:
    """All logs of one database."""

    def __init__(self, database: EngineDatabase) -> None:
        role = role_of(database)
        if role.confined and not role.staff:
            raise StudyError(f"{role.name} is not of the staff of {database.name}, who alone read all logs.")
        self.database = database
        with database.reading() as connection:
            hidden = [str(row[0]) for row in connection.execute(sql.HIDDEN_LEARNERS)]
        if hidden:
            names = ", ".join(hidden[:_MAX_NAMES]) + (", ..." if hidden[_MAX_NAMES:] else "")
            raise StudyError(
                f"{role.name} cannot read the logs of {counted(len(hidden), 'learner')} of {database.name} "
                f"({names}): ask its owner to let the policy staff_read show all rows of event."
            )

    def learners(self) -> tuple[str, ...]:
        """Everybody who has recorded something, in order, those who left too."""
        with self.database.reading() as connection:
            return tuple(str(row[0]) for row in connection.execute(sql.LEARNERS))

    def store(self, learner: str) -> Store:
        """What is remembered for a learner; never to be closed by itself, and never written to."""
        clock = lambda: datetime(2000, 1, 1, tzinfo=UTC)  # noqa: E731 - nothing is recorded here
        return Store(
            self.database, learner=learner, read_only=True, clock=clock, zone_name="UTC", zone=UTC, origin=None
        )

    def export(self, folder: Path) -> Iterator[tuple[str, int]]:
        """Write a copy of progress for each learner; gives each learner's name and number of events."""
        try:
            make_folder(folder, 0o700)
            for learner in self.learners():
                events = tuple(self.store(learner).log.events())
                write_fresh(folder / f"{_file_name(learner)}.json", progress_json(events).encode(), mode=0o600)
                yield learner, len(events)
        except OSError as error:
            raise StudyError(f"{folder} cannot be written ({error.strerror}): name another folder.") from error


@contextmanager
def opened_class(address: Address) -> Iterator[ClassDatabase]:
    """The class at an address, for its staff or its owner."""
    database = open_migrated(server_url(address), address.name, None)
    try:
        yield ClassDatabase(database)
    finally:
        database.close()


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
    """The logs at an address, for the class's staff or its owner; NotFoundError for an empty class."""
    with opened_class(address) as class_, class_.database.reading() as connection:
        logs = ClassLogs(connection)
        if not logs.students:
            raise NotFoundError(
                f"the class in {class_.database.name} is empty; let students in with: study class add ROSTER.csv"
            )
        yield logs


def _file_name(learner: str) -> str:
    """A learner's name as a file's, one way only."""
    return "".join(sign if sign.isalnum() or sign in "_@-." else f"%{ord(sign):x}" for sign in learner).replace(
        "..", "%2e."
    )
