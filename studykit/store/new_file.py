"""The tables of a new SQLite file, made at once as all migrations together leave them.

Alembic and SQLAlchemy take a quarter of a second to import, too long for the first start.
"""

from contextlib import closing
from pathlib import Path

from studykit.store import sql
from studykit.store.database import database_error
from studykit.store.readonly import SQLITE_ERRORS, WAITING_SECONDS, open_existing
from studykit.store.sqlite import SqliteDatabase

SCHEMA = Path(sql.SCHEMA)
IS_EMPTY = "SELECT count(*) = 0 FROM sqlite_master"


def make_tables(file: Path) -> None:
    """Make the tables in an empty file; one in which another process was first stays as it is."""
    try:
        reader = open_existing(file, WAITING_SECONDS)
    except SQLITE_ERRORS as error:
        raise database_error(str(file), error) from error
    with closing(SqliteDatabase(file, reader)) as database, database.writing("") as connection:
        if connection.execute(IS_EMPTY).fetchone()[0]:
            for statement in SCHEMA.read_text("utf-8").split(";\n\n"):  # a trigger has a semicolon inside
                connection.execute(statement)
