"""Read an SQLite file from an unknown source without running anything in it, and within limits.

Its triggers, views and computed columns could run forever, and its pages could refer to each other in a circle.
"""

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from studykit.store.readonly import WAITING_SECONDS, open_existing

_ALLOWED = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_TRANSACTION))
_STEPS_PER_CHECK = 100_000  # of SQLite's virtual machine


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
