"""Opening the database, whatever state it is in."""

from collections.abc import Callable
from datetime import datetime, tzinfo
from pathlib import Path

from studykit import paths
from studykit.errors import BadDataError, StudyError, UsageError
from studykit.store.database import LEARNER, Database
from studykit.store.privacy import create_private
from studykit.store.sqlite import open_sqlite
from studykit.store.store import Store


def open_store(
    url_or_path: str | Path,
    *,
    learner: str | None = None,
    clock: Callable[[], datetime],
    zone_name: str,
    zone: tzinfo,
    origin: str | None = None,
    scheduler: str | None = None,
) -> Store:
    """The store in this file or at this URL, made or migrated if need be.

    `clock` gives aware moments; `origin` names this installation and is otherwise drawn once and kept. `learner`
    is otherwise `me` in a file, and on a server the role; UsageError for a name that the server would refuse.
    `scheduler` is the name of an `Fsrs`, or empty for SM-2, and otherwise the one that was used last.
    """
    text = str(url_or_path)
    database = _open_url(text) if "://" in text else _open_file(_expanded(text))
    try:
        whose, read_only = _whose(database, learner)
        return Store(
            database,
            learner=whose,
            read_only=read_only,
            clock=clock,
            zone_name=zone_name,
            zone=zone,
            origin=origin,
            scheduler=scheduler,
        )
    except BaseException:
        database.close()
        raise


def _whose(database: Database, named: str | None) -> tuple[str, bool]:
    """The learner, and whether the server only lets their log be read."""
    if not database.has_roles:
        return named or LEARNER, False
    from studykit.store.role import role_of

    role = role_of(database)
    learner = role.learner(named)
    return learner, role.reads_only(learner)


def database_file(url_or_path: str) -> Path | None:
    """The file that is meant; None where it is a server's database."""
    if "://" not in url_or_path:
        return _expanded(url_or_path)
    from studykit.store.engine import database_url

    url = database_url(url_or_path)
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def _expanded(text: str) -> Path:
    file = paths.expanded(text)
    if str(file).startswith("~"):
        raise UsageError(f"{text} names no user of this machine: give another path with --db.")
    return file


def _open_file(file: Path) -> Database:
    _check_file(file)
    if (database := open_sqlite(file)) is not None:
        return database
    if not file.stat().st_size:
        from studykit.store.new_file import make_tables

        make_tables(file)
        if (database := open_sqlite(file)) is not None:
            return database
    from studykit.store.engine import sqlite_url
    from studykit.store.migrate import open_migrated

    open_migrated(sqlite_url(file), str(file), file).close()
    return open_sqlite(file) or open_migrated(sqlite_url(file), str(file), file)


def _open_url(text: str) -> Database:
    from studykit.store.engine import database_url, shown_url
    from studykit.store.migrate import open_migrated

    url = database_url(text)
    if url.get_backend_name() == "sqlite" and url.database and url.database != ":memory:":
        return _open_file(Path(url.database))
    return open_migrated(url, shown_url(url), None)


def _check_file(file: Path) -> None:
    """Make a new file and its folder, for this user alone; refuse what cannot be a database."""
    try:
        if file.is_dir():
            raise UsageError(f"{file} is a folder: name a file in it with --db.")
        if file.exists() and not file.is_file():
            raise UsageError(f"{file} is no ordinary file: name another file with --db.")
        create_private(file)
        start = _first_bytes(file)
    except OSError as error:
        message = f"{file} cannot be opened ({error.strerror}): name another file with --db."
        raise StudyError(message) from error
    if start and not start.startswith(b"SQLite format 3"):
        raise BadDataError(f"{file} is not a database: move it away or name another file with --db.")


def _first_bytes(file: Path) -> bytes:
    if not file.exists():
        return b""
    with file.open("rb") as opened:
        return opened.read(16)
