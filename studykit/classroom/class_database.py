"""Read the logs of a class for its staff, by learner or in one stream for a report."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, cast

from studykit.classroom.class_server import Connection, Server
from studykit.errors import NotFoundError, StudyError
from studykit.ordinary_file import make_folder, write_fresh
from studykit.scheduling.progress_file import progress_json
from studykit.scheduling.student_figures import StudentRow
from studykit.store.rows import EVENT_COLUMNS, event_of
from studykit.store.sql import KNOWN, LEARNERS, REPLAY_COLUMNS
from studykit.text import counted

if TYPE_CHECKING:
    from sqlalchemy import URL

_MAX_NAMES = 5  # in an error
_ROWS_PER_FETCH = 2000
_HIDDEN_LEARNERS = "SELECT learner FROM class_learner EXCEPT SELECT learner FROM event ORDER BY learner"
_STUDENTS = """
SELECT m.rolname FROM pg_auth_members AS a JOIN pg_roles AS m ON m.oid = a.member
    JOIN pg_roles AS g ON g.oid = a.roleid
WHERE g.rolname = current_database() || '_students'
"""
_CLASS_LOG = f"""
SELECT learner, {REPLAY_COLUMNS}, template, version, seed, parameters, answer, verdict, slips
FROM event WHERE {KNOWN} ORDER BY learner, moment, id
"""  # noqa: S608 - our names
_LOG = f"SELECT {', '.join(EVENT_COLUMNS)} FROM event WHERE learner = %s AND {KNOWN} ORDER BY moment, id"  # noqa: S608


class ClassDatabase:
    """Read all logs of one class in one transaction, so that all show the same moment."""

    def __init__(self, name: str, connection: Connection) -> None:
        self.name = name
        self._connection = connection

    def learners(self) -> tuple[str, ...]:
        """Return everybody who has recorded something, in order, including those who left the class."""
        return tuple(str(row[0]) for row in self._connection.execute(LEARNERS))

    def size(self) -> int:
        """Count the learners with a log and the students without one. Raise NotFoundError for an empty class."""
        if size := len(self.learners()) + len(self.students_without_log()):
            return size
        raise NotFoundError(f"The class in {self.name} is empty. Add students with", "study class add ROSTER.csv")

    def logs(self) -> Iterator[tuple[str, list[StudentRow]]]:
        """Yield each learner's name and log in its order, then each student without a log, with an empty list."""
        # A named cursor stays on the server. Without a name psycopg would fetch all rows, which may be millions.
        with self._connection.cursor(name="class_log") as rows:
            rows.itersize = _ROWS_PER_FETCH
            for name, events in groupby(rows.execute(_CLASS_LOG), key=itemgetter(0)):
                yield str(name), [cast("StudentRow", tuple(event[1:])) for event in events]
        for name in self.students_without_log():
            yield name, []

    def students_without_log(self) -> list[str]:
        """Return the students who are in the class but have recorded nothing yet, in order."""
        return sorted({str(row[0]) for row in self._connection.execute(_STUDENTS)} - set(self.learners()))

    def export(self, folder: Path) -> Iterator[tuple[str, int]]:
        """Write a progress file for each learner, and yield each name with its number of events."""
        try:
            make_folder(folder, 0o700)
            for learner in self.learners():
                events = list(map(event_of, self._connection.execute(_LOG, [learner])))
                write_fresh(folder / f"{_file_name(learner)}.json", progress_json(events).encode(), mode=0o600)
                yield learner, len(events)
        except OSError as error:
            raise StudyError(f"{folder} cannot be written ({error.strerror}). Name another folder.") from error


@contextmanager
def opened_class(url: "URL") -> Iterator[ClassDatabase]:
    """Open the class at a URL for its staff or its owner. Raise StudyError for anybody else."""
    with closing(Server(url)) as server:
        server.check_version()
        role, confined, staff = server.role()
        if confined and not staff:
            raise StudyError(
                f"{role} is not on the staff of {server.name}. Ask its owner to add you to the staff."
            )
        with server.reading() as connection:
            # Row-level security hides rows without an error, and a report would silently lack students.
            if hidden := [str(row[0]) for row in connection.execute(_HIDDEN_LEARNERS)]:
                names = ", ".join(hidden[:_MAX_NAMES]) + (", ..." if hidden[_MAX_NAMES:] else "")
                raise StudyError(
                    f"{role} cannot read the logs of {counted(len(hidden), 'learner')} of {server.name} "
                    f"({names}). Ask its owner to let the policy staff_read show all rows of event."
                )
            yield ClassDatabase(server.name, connection)


def _file_name(learner: str) -> str:
    """Encode a learner's name as a file name, so that different learners get different files."""
    return "".join(sign if sign.isalnum() or sign in "_@-." else f"%{ord(sign):x}" for sign in learner).replace(
        "..", "%2e."
    )
