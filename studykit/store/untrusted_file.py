"""Open SQLite files and zip archives from unknown sources, without running anything in them and within limits.

An SQLite file's triggers, views and computed columns could run forever, and its pages could refer to each other in
a circle.
"""

import os
import sqlite3
import stat
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from studykit.errors import StudyError
from studykit.ordinary_file import open_ordinary
from studykit.store.readonly import WAITING_SECONDS, open_existing

_ALLOWED = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_TRANSACTION))
_STEPS_PER_CHECK = 100_000  # of SQLite's virtual machine
PACKED_BY = frozenset((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
"""Allowed compression methods. With the others a small chunk may unpack to gigabytes before a limit is checked."""
# NotImplementedError: a compression method that zipfile lacks. RuntimeError: the archive has a password.
_BROKEN = (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, UnicodeDecodeError, zlib.error)


@contextmanager
def open_untrusted(
    file: Path, *, longest_value: int, looks: int, functions: Collection[str] = ()
) -> Iterator[sqlite3.Connection]:
    """Open a connection that may only select from tables and call these SQL functions.

    SQLite raises an error for anything else. `longest_value` is in bytes. `looks` limits the work, in units of
    `_STEPS_PER_CHECK`.
    """

    def authorize(action: int, first: str | None, second: str | None, _where: str | None, by: str | None) -> int:
        """Allow reading, and deny everything that a view or a trigger asks for."""
        asks_for_columns = action == sqlite3.SQLITE_PRAGMA and first == "table_xinfo"
        calls = action == sqlite3.SQLITE_FUNCTION and second in functions
        is_read = by is None and (action in _ALLOWED or asks_for_columns or calls)
        return sqlite3.SQLITE_OK if is_read else sqlite3.SQLITE_DENY

    remaining = iter(range(looks))
    with closing(open_existing(file, WAITING_SECONDS)) as connection:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest_value)
        for pragma in ("query_only=ON", "trusted_schema=OFF", "cell_size_check=ON"):
            connection.execute(f"PRAGMA {pragma}")
        connection.set_authorizer(authorize)
        connection.set_progress_handler(lambda: next(remaining, None) is None, _STEPS_PER_CHECK)
        yield connection


def holds_only_rows(connection: sqlite3.Connection, table: str) -> bool:
    """Return whether a table is ordinary, neither virtual nor with computed columns."""
    entry = connection.execute("SELECT type, sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    # The type of a virtual table is `table` as well; only its text says CREATE VIRTUAL TABLE.
    if entry is None or entry[0] != "table" or not str(entry[1]).upper().startswith("CREATE TABLE"):
        return False
    quoted = table.replace('"', '""')
    return not any(column[-1] for column in connection.execute(f'PRAGMA table_xinfo("{quoted}")'))


def is_file(info: zipfile.ZipInfo) -> bool:
    """Return whether a member is a file, rather than a folder or a link. Its name may be empty."""
    mode = info.external_attr >> 16
    return not info.filename.endswith("/") and (stat.S_IFMT(mode) == 0 or stat.S_ISREG(mode))


@contextmanager
def opened_archive(path: Path, broken: StudyError) -> Iterator[zipfile.ZipFile]:
    """Open an archive for reading. Raise `broken` if it is damaged, or StudyError if it cannot be read."""
    try:
        file = os.fdopen(open_ordinary(path, os.O_RDONLY, follow=True), "rb")
        with file, zipfile.ZipFile(file) as archive:
            yield archive
    except OSError as error:
        raise StudyError(f"{path} cannot be read ({error.strerror or error}). Name another file.") from error
    except Exception as error:
        # ZstdError is compared by name, because its module exists only in some versions of Python.
        if isinstance(error, _BROKEN) or type(error).__name__ == "ZstdError":
            raise broken from None
        raise
