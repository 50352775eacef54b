"""Bringing a database to the newest revision, whole or not at all."""

from pathlib import Path

from sqlalchemy import URL, inspect

from studykit import paths
from studykit.errors import BadDataError, StudyError
from studykit.store import sql
from studykit.store.caches import rebuild_all
from studykit.store.database import known_revision
from studykit.store.engine import EngineConnection, EngineDatabase, role_of, sqlite_url
from studykit.store.sqlite import copy_over, create_private

_LOCK = "studykit migration"
_TALLIED_BY_HOUR = "0007"
"""The last revision that caches more of the log than the one before."""


def open_migrated(url: URL, name: str, file: Path | None) -> EngineDatabase:
    """A database at the newest revision; an older or empty one is migrated, any other refused."""
    database = EngineDatabase(url, name)
    try:
        _migrate(database, file)
    except BaseException:
        database.close()
        raise
    return database


def make_earlier(file: Path, revision: str) -> None:
    """Make the tables of an earlier revision in an empty file."""
    database = EngineDatabase(sqlite_url(file), str(file))
    try:
        with database.writing(_LOCK) as connection:
            _upgrade(connection, revision)
    finally:
        database.close()


def _migrate(database: EngineDatabase, file: Path | None) -> None:
    with database.reading() as connection:
        revision = _revision(connection, database.name)
    if revision == sql.REVISION:
        return
    if revision is not None and database.has_roles and role_of(database).confined:
        raise StudyError(
            f"{database.name} was made by an earlier studykit: "
            "ask its owner to upgrade it with `study class create`."
        )
    if file is not None and revision is not None:
        keep_copy(file, sql.REVISION)
    with database.writing(_LOCK) as connection:
        revision = _revision(connection, database.name)
        if revision != sql.REVISION:  # another process may have been first
            _upgrade(connection)
            if revision is not None and revision < _TALLIED_BY_HOUR <= sql.REVISION:
                rebuild_all(connection)


def keep_copy(file: Path, revision: str) -> Path:
    """Copy the database as it is before the migration to a file next to it."""
    copy = file.with_name(f"{file.name}.before-{revision}")
    create_private(copy)
    copy_over(file, copy, shown=file)
    return copy


def _revision(connection: EngineConnection, name: str) -> str | None:
    tables = set(inspect(connection.core).get_table_names())
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise BadDataError(f"{name} is a database of another program: name another file with --db.")
    row = connection.execute(sql.VERSION).fetchone()
    return known_revision(row[0] if row else "", name)


def _upgrade(connection: EngineConnection, revision: str = "head") -> None:
    # imported here: 300 ms that only a migration pays
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(paths.migrations()).replace("%", "%%"))
    config.attributes["connection"] = connection.core
    command.upgrade(config, revision)
