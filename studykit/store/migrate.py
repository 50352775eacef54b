"""Bringing a database to the newest revision, whole or not at all."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import URL, Connection, inspect

from studykit import paths
from studykit.errors import BadDataError
from studykit.store import sql
from studykit.store.connection import one
from studykit.store.engine import EngineLink

_LOCK = "studykit migration"


def brought_up(url: URL, named: str, file: Path | None) -> EngineLink:
    """A link to a database at the newest revision; an older or empty one is migrated, any other refused."""
    link = EngineLink(url, named)
    try:
        _bring_up(link, file)
    except BaseException:
        link.close()
        raise
    return link


def _bring_up(link: EngineLink, file: Path | None) -> None:
    with link.reading() as connection:
        found = _revision(connection, link.named)
    if found == sql.REVISION:
        return
    if file is not None and found is not None:
        keep_copy(file, sql.REVISION)
    with link.writing(_LOCK) as connection:
        if _revision(connection, link.named) != sql.REVISION:  # another process may have been first
            _upgrade(connection)


def keep_copy(file: Path, revision: str) -> Path:
    """A copy of the database as it was before the migration, beside it."""
    copy = file.with_name(f"{file.name}.before-{revision}")
    with closing(sqlite3.connect(file)) as old, closing(sqlite3.connect(copy)) as new:
        old.backup(new)
    return copy


def _revision(connection: Connection, named: str) -> str | None:
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise BadDataError(f"{named} is a database of another program: name another file with --db.")
    row = one(connection, sql.VERSION)
    found = str(row[0]) if row else ""
    if not (found.isdecimal() and found.isascii() and found.strip("0")):
        raise BadDataError(
            f"{named} has no revision that a studykit wrote: put back a copy, or name another file."
        )
    if found > sql.REVISION:
        message = f"{named} was written by a newer studykit (revision {found}): upgrade studykit to use it."
        raise BadDataError(message)
    return found


def _upgrade(connection: Connection) -> None:
    # imported here: 300 ms that only a migration pays
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(paths.migrations()).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
