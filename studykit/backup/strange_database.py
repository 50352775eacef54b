"""The rows of an untrusted database: they are read, and nothing in it runs.

Its triggers, views and computed columns may never end, and its pages may claim to contain each other.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from studykit.errors import BadDataError
from studykit.store.database import Row, database_error, known_revision
from studykit.store.readonly import SQLITE_ERRORS, WAITING_SECONDS, open_existing
from studykit.text import printable

VERSION = "alembic_version"
_ALLOWED = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ))
_STEPS = 100_000  # of SQLite's machine between two looks
_LOOKS = 1_000  # whatever the size
_BYTES_A_LOOK = 5_000  # a row takes a step for a few bytes
_TIMES = 2  # bytes of text in a byte of the file, which may hold UTF-16
_ROW = 4  # bytes, the least that one takes
_MIN_BYTES = 1_000_000
_MAX_VALUE_BYTES = 1_000_000_000  # bytes of a value, SQLite's own limit
_REFUSED = frozenset((sqlite3.SQLITE_AUTH, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_TOOBIG))


class StrangeDatabase:
    """An open database of whoever made it."""

    def __init__(self, connection: sqlite3.Connection, name: str, size: int) -> None:
        """`size` is how many bytes it takes; its rows take no more."""
        self._connection = connection
        self._name = name
        self._left = max(_MIN_BYTES, _TIMES * size)

    def revision(self) -> str:
        """The revision of its tables, which this version knows; BadDataError for any other."""
        version_table = self._connection.execute(
            "SELECT 1 FROM sqlite_master WHERE name = ?", (VERSION,)
        ).fetchone()
        if version_table is None:
            raise BadDataError(f"{self._name} is a database of another program: name another file with --db.")
        row = next(self.rows(VERSION, ("version_num",)), ("",))
        return known_revision(printable(str(row[0]), 40), self._name)

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        """The rows of a table of ours; BadDataError where it is none that only holds rows, or holds too many."""
        self._check(table)
        query = f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED"  # noqa: S608 - our names
        for row in self._connection.execute(query):
            self._left -= _ROW + sum(len(value) for value in row if isinstance(value, str | bytes))
            if self._left < 0:
                raise _strange(f"{table} holds more than its file")
            yield row

    def _check(self, table: str) -> None:
        entry = self._connection.execute("SELECT type, sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        if entry is None:
            raise _strange(f"{table} is not in it")
        is_plain = entry[0] == "table" and "VIRTUAL" not in str(entry[1]).upper()
        if not is_plain or any(row[-1] for row in self._connection.execute(f"PRAGMA table_xinfo({table})")):
            raise _strange(f"{table} is computed")


@contextmanager
def opened_database(file: Path) -> Iterator[StrangeDatabase]:
    """A database while its rows are read; StudyError for whatever is wrong with it."""
    size = sum(path.stat().st_size for path in (file, file.with_name(f"{file.name}-wal")) if path.exists())
    looks = iter(range(_LOOKS + size // _BYTES_A_LOOK))
    try:
        with closing(open_existing(file, WAITING_SECONDS)) as connection:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(_MAX_VALUE_BYTES, max(_MIN_BYTES, _TIMES * size)))
            connection.execute("PRAGMA query_only=ON")
            connection.execute("PRAGMA trusted_schema=OFF")
            connection.execute("PRAGMA cell_size_check=ON")
            connection.set_authorizer(_authorized)
            connection.set_progress_handler(lambda: next(looks, None) is None, _STEPS)
            yield StrangeDatabase(connection, str(file), size)
    except SQLITE_ERRORS as error:
        if getattr(error, "sqlite_errorcode", None) in _REFUSED:
            raise _strange("something in it would run") from error
        raise database_error(str(file), error) from error


def _authorized(action: int, one: str | None, _two: str | None, _where: str | None, by: str | None) -> int:
    """Rows of tables may be read; nothing on behalf of a view or a trigger, and no function."""
    asks_for_columns = action == sqlite3.SQLITE_PRAGMA and one == "table_xinfo"
    is_read = action in _ALLOWED and by is None
    return sqlite3.SQLITE_OK if is_read or asks_for_columns else sqlite3.SQLITE_DENY


def _strange(what: str) -> BadDataError:
    return BadDataError(f"it is not a database made by studykit: {what}.")
