"""Migrate a file of an earlier revision, in one transaction.

No revision has changed the log, which stays where it is. The rows of the other tables move into new ones, with the
columns that both have, and the caches are replayed.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from studykit.errors import BadDataError
from studykit.store import sql
from studykit.store.caches import rebuild_all
from studykit.store.database import known_revision
from studykit.store.readonly import WAITING_SECONDS, open_existing
from studykit.store.sqlite import (
    SqliteDatabase,
    copy_over,
    create_private,
    make_tables,
    sqlite_errors,
    statements_of,
)

_KEPT = ("setting", "ceiling", "card", "deckfile")
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
_INDEXES_AND_TRIGGERS = f"""
SELECT type, name FROM sqlite_master
WHERE type IN ('index', 'trigger') AND sql IS NOT NULL AND tbl_name COLLATE NOCASE IN {sql.TABLES}
"""  # noqa: S608 - our names
_COMMON_COLUMNS = "SELECT name FROM pragma_table_info(?) WHERE name IN (SELECT name FROM pragma_table_info(?))"


def migrate(file: Path) -> None:
    """Migrate an older file, after a copy next to it. Raise BadDataError for one that is not studykit's."""
    with sqlite_errors(file), closing(open_existing(file, WAITING_SECONDS)) as reader:
        revision = _revision(reader, file)
    if revision is None:
        make_tables(file)
    if revision in {None, sql.REVISION}:
        return
    copy = file.with_name(f"{file.name}.before-{sql.REVISION}")
    create_private(copy)
    copy_over(file, copy, shown=file)
    database = SqliteDatabase(file, open_existing(file, WAITING_SECONDS))
    with closing(database), database.writing() as connection:
        if _revision(connection, file) != sql.REVISION:  # unless another process was first
            _renew_tables(connection)
            rebuild_all(connection)


def _revision(connection: sqlite3.Connection, file: Path) -> str | None:
    tables = {row[0] for row in connection.execute(_TABLES)}
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise BadDataError(f"{file} is a database of another program. Name another file with --db.")
    row = connection.execute(sql.VERSION).fetchone()
    return known_revision(row[0] if row else "", str(file))


def _renew_tables(connection: sqlite3.Connection) -> None:
    for kind, name in connection.execute(_INDEXES_AND_TRIGGERS).fetchall():
        connection.execute(f'DROP {kind} "{name}"')
    for table in _KEPT:
        connection.execute(f"CREATE TEMPORARY TABLE old_{table} AS SELECT * FROM main.{table}")  # noqa: S608
    # Until revision 0009 a large collection had an index of the trigrams of its texts.
    for table in {"card_trigram", *sql.TABLES} - {"event"}:
        connection.execute(f"DROP TABLE IF EXISTS main.{table}")
    for statement in statements_of(Path(sql.SCHEMA)):
        if not statement.startswith("CREATE TABLE event "):
            connection.execute(statement)
    for table in _KEPT:
        columns = ", ".join(row[0] for row in connection.execute(_COMMON_COLUMNS, (f"old_{table}", table)))
        connection.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM old_{table}")  # noqa: S608
        connection.execute(f"DROP TABLE old_{table}")
