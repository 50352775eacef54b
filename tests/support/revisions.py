"""Make databases of earlier revisions of the schema."""

import sqlite3
from contextlib import closing
from pathlib import Path

from studykit.store.migrate import make_earlier

_TABLES = "SELECT name FROM {}.sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"


def change(path: Path, *statements: str) -> None:
    """Execute SQL statements on a database and commit them."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def of_revision(revision: str, new: Path, path: Path) -> Path:
    """Make a database of an earlier revision, and copy the rows of a new one into the columns that both have."""
    path.touch()
    make_earlier(path, revision)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ATTACH ? AS new", (str(new),))
        tables = [{name for (name,) in connection.execute(_TABLES.format(each))} for each in ("main", "new")]
        for table in set.intersection(*tables) - {"alembic_version"}:
            old, current = (
                [row[1] for row in connection.execute(f"PRAGMA {each}.table_info({table})")]
                for each in ("main", "new")
            )
            columns = ", ".join(name for name in old if name in current)
            whole_days = " WHERE hour = -1" if table == "tally" and "hour" not in old else ""
            connection.execute(
                f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM new.{table}{whole_days}"
            )
        connection.commit()
    return path
