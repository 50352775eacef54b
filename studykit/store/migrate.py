"""Migrate a file to the newest revision, in one transaction."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

from sqlalchemy import Connection, NullPool, create_engine, event, exc

from studykit import paths
from studykit.errors import BadDataError
from studykit.store import sql
from studykit.store.caches import rebuild_all
from studykit.store.database import database_error, known_revision
from studykit.store.readonly import WAITING_SECONDS, open_existing
from studykit.store.sqlite import copy_over, create_private, sqlite_errors, writer

_LAST_CACHE_REVISION = "0007"
"""The last revision that added something to the caches, so that a file from before needs them rebuilt."""
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"


def migrate(file: Path, *, keeps_copy: bool = True) -> None:
    """Migrate an older file (after a copy if `keeps_copy`) or an empty one, or raise BadDataError."""
    with _errors(file), closing(open_existing(file, WAITING_SECONDS)) as reader:
        revision = _revision(reader, file)
    if revision == sql.REVISION:
        return
    if revision is not None and keeps_copy:
        keep_copy(file, sql.REVISION)
    with _changing(file) as (core, connection):
        revision = _revision(connection, file)
        if revision != sql.REVISION:  # unless another process was first
            _upgrade(core)
            if revision is not None and revision < _LAST_CACHE_REVISION <= sql.REVISION:
                rebuild_all(connection)


def make_earlier(file: Path, revision: str) -> None:
    """Create the tables of an earlier revision in an empty file."""
    with _changing(file) as (core, _):
        _upgrade(core, revision)


def keep_copy(file: Path, revision: str) -> Path:
    """Copy the database before a migration to a file next to it, and return its path."""
    copy = file.with_name(f"{file.name}.before-{revision}")
    create_private(copy)
    copy_over(file, copy, shown=file)
    return copy


@contextmanager
def _changing(file: Path) -> Iterator[tuple[Connection, sqlite3.Connection]]:
    """Open a writing transaction, and yield its connections of SQLAlchemy and of `sqlite3`."""
    engine = create_engine("sqlite://", creator=lambda: writer(file), poolclass=NullPool)
    # Neither SQLAlchemy nor the driver sends BEGIN here: take the write lock before the first read.
    event.listen(engine, "begin", lambda core: core.exec_driver_sql("BEGIN IMMEDIATE"))
    with _errors(file), engine.begin() as core:
        yield core, cast("sqlite3.Connection", core.connection.driver_connection)


@contextmanager
def _errors(file: Path) -> Iterator[None]:
    try:
        with sqlite_errors(file):
            yield
    except exc.DBAPIError as error:
        raise database_error(str(file), error.orig or error) from error


def _revision(connection: sqlite3.Connection, file: Path) -> str | None:
    tables = {row[0] for row in connection.execute(_TABLES)}
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise BadDataError(f"{file} is a database of another program. Name another file with --db.")
    row = connection.execute(sql.VERSION).fetchone()
    return known_revision(row[0] if row else "", str(file))


def _upgrade(core: Connection, revision: str = "head") -> None:
    # Importing alembic takes 300 ms, which only a migration should cost.
    from alembic import command
    from alembic.config import Config

    config = Config()
    # ConfigParser would interpolate a `%` in the path.
    config.set_main_option("script_location", str(paths.migrations()).replace("%", "%%"))
    config.attributes["connection"] = core
    command.upgrade(config, revision)
