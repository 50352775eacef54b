"""An SQLite file of whoever made it: it is only read, nothing in it runs, and no reading goes on without end.

Its triggers, views and computed columns may never end, and its pages may claim to contain each other.
"""

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from studykit.store.readonly import WAITING_SECONDS, open_existing

_ALLOWED = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_TRANSACTION))
_STEPS = 100_000  # of SQLite's machine between two looks


@contextmanager
def open_untrusted(
    file: Path, *, longest_value: int, looks: int, functions: Collection[str] = ()
) -> Iterator[sqlite3.Connection]:
    """Open a connection that may only select from tables, by these functions. SQLite's own errors otherwise.

    `longest_value` is in bytes; `looks` is how many times a hundred thousand steps may be taken.
    """

    def authorize(action: int, one: str | None, two: str | None, _where: str | None, by: str | None) -> int:
        """Deny everything on behalf of a view or a trigger."""
        asks_for_columns = action == sqlite3.SQLITE_PRAGMA and one == "table_xinfo"
        calls = action == sqlite3.SQLITE_FUNCTION and two in functions
        is_read = by is None and (action in _ALLOWED or asks_for_columns or calls)
        return sqlite3.SQLITE_OK if is_read else sqlite3.SQLITE_DENY

    left = iter(range(looks))
    with closing(open_existing(file, WAITING_SECONDS)) as connection:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest_value)
        for pragma in ("query_only=ON", "trusted_schema=OFF", "cell_size_check=ON"):
            connection.execute(f"PRAGMA {pragma}")
        connection.set_authorizer(authorize)
        connection.set_progress_handler(lambda: next(left, None) is None, _STEPS)
        yield connection


def holds_only_rows(connection: sqlite3.Connection, table: str) -> bool:
    """Return whether a table is an ordinary one without computed columns, however its text says so."""
    entry = connection.execute("SELECT type, sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    if (
        entry is None or entry[0] != "table" or not str(entry[1]).upper().startswith("CREATE TABLE")
    ):  # VIRTUAL, say
        return False
    quoted = table.replace('"', '""')
    return not any(column[-1] for column in connection.execute(f'PRAGMA table_xinfo("{quoted}")'))
