"""Read the rows of an untrusted database, and no more of them than its file can hold."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from studykit.errors import BadDataError
from studykit.store.database import Row, database_error, known_revision
from studykit.store.readonly import SQLITE_ERRORS
from studykit.store.untrusted_file import holds_only_rows, open_untrusted
from studykit.text import printable

VERSION = "alembic_version"
_LOOKS = 1_000  # for a file of any size
_BYTES_A_LOOK = 5_000  # larger files take more steps to read
_TIMES = 2  # bytes of UTF-8 from a byte of the file, which may hold UTF-16
_ROW = 4  # bytes that a row takes at least
_MIN_BYTES = 1_000_000
_MAX_VALUE_BYTES = 1_000_000_000  # bytes of a value, SQLite's own limit
_REFUSED = frozenset((sqlite3.SQLITE_AUTH, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_TOOBIG))


class StrangeDatabase:
    """Read the revision and the rows of an untrusted database."""

    def __init__(self, connection: sqlite3.Connection, name: str, size: int) -> None:
        """Set the connection, the name for messages, and the file's size in bytes, which limits its rows."""
        self._connection = connection
        self._name = name
        self._bytes_left = max(_MIN_BYTES, _TIMES * size)

    def revision(self) -> str:
        """Return the revision of its tables, or raise BadDataError for an unknown one."""
        row = next(self.rows(VERSION, ("version_num",)), ("",))
        return known_revision(printable(str(row[0]), 40), self._name)

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        """Yield the rows of a table, or raise BadDataError if it is computed, virtual, missing or too large."""
        if not holds_only_rows(self._connection, table):
            raise _strange(f"its table {table} is missing or computed")
        query = f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED"  # noqa: S608 - our names
        for row in self._connection.execute(query):
            self._bytes_left -= _ROW + sum(len(value) for value in row if isinstance(value, str | bytes))
            if self._bytes_left < 0:
                raise _strange(f"its table {table} is larger than the file")
            yield row


@contextmanager
def opened_database(file: Path) -> Iterator[StrangeDatabase]:
    """Open a database to read its rows. Raise StudyError if anything is wrong with it."""
    size = sum(path.stat().st_size for path in (file, file.with_name(f"{file.name}-wal")) if path.exists())
    longest_value = min(_MAX_VALUE_BYTES, max(_MIN_BYTES, _TIMES * size))
    try:
        with open_untrusted(file, longest_value=longest_value, looks=_LOOKS + size // _BYTES_A_LOOK) as connection:
            yield StrangeDatabase(connection, str(file), size)
    except SQLITE_ERRORS as error:
        if getattr(error, "sqlite_errorcode", None) in _REFUSED:
            raise _strange("it holds code that would run, or more data than fits its size") from error
        raise database_error(str(file), error) from error


def _strange(problem: str) -> BadDataError:
    return BadDataError(f"This is not a database made by studykit ({problem}). Name another file.")
