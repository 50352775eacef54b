"""Opening the database, whatever state it is in."""

import sqlite3
import time
from collections.abc import Callable
from datetime import datetime, tzinfo
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, make_url
from sqlalchemy.pool import ConnectionPoolEntry

from studykit.errors import BadDataError, MissingError, StudyError, UsageError
from studykit.store.link import Link, told
from studykit.store.migrate import bring_up
from studykit.store.store import Store

WAITING_SECONDS = 10.0
_WAL_TRIES = 200
_WAL_PAUSE_SECONDS = 0.05


def open_store(
    url_or_path: str | Path,
    *,
    learner: str = "me",
    clock: Callable[[], datetime],
    zone_name: str,
    zone: tzinfo,
    origin: str | None = None,
) -> Store:
    """The store in this file or at this URL, made or migrated if need be.

    `clock` gives aware moments; `origin` names this installation and is otherwise drawn once and kept.
    """
    url = database_url(url_or_path)
    file = _file(url)
    named = str(file) if file else url.render_as_string(hide_password=True)
    if file is not None:
        _make_folder(file)
    with told(named):
        link = Link(_connect(url), named)
    try:
        bring_up(link, file)
        return Store(link, learner=learner, clock=clock, zone_name=zone_name, zone=zone, origin=origin)
    except BaseException:
        link.close()
        raise


def database_url(url_or_path: str | Path) -> URL:
    """The URL of a path, which may hold any characters, or the URL itself."""
    text = str(url_or_path)
    if "://" not in text:
        return URL.create("sqlite", database=str(Path(text).expanduser()))
    try:
        url = make_url(text)
    except exc.ArgumentError:
        raise UsageError(
            f"{text!r} is no database URL: give a path, or such as postgresql+psycopg://host/name."
        ) from None
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in {"sqlite", "postgresql"}:
        raise UsageError(f"studykit keeps its log in SQLite or PostgreSQL, not in {url.get_backend_name()}.")
    return url


def _file(url: URL) -> Path | None:
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return None
    return Path(url.database)


def _make_folder(file: Path) -> None:
    try:
        if file.is_dir():
            raise UsageError(f"{file} is a folder: name a file in it with --db.")
        file.parent.mkdir(parents=True, exist_ok=True)
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


def _connect(url: URL) -> Connection:
    try:
        engine = _sqlite(url) if url.get_backend_name() == "sqlite" else create_engine(url)
    except ModuleNotFoundError as error:
        message = f"PostgreSQL needs the package {error.name}: pip install 'studykit-srs[postgres]'."
        raise MissingError(message) from error
    return engine.connect()


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": WAITING_SECONDS, "check_same_thread": False})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: sqlite3.Connection, record: ConnectionPoolEntry) -> None:
    record.info["sqlite"] = connection
    connection.isolation_level = None  # our own BEGIN, not the driver's
    _write_ahead(connection)
    for pragma in ("synchronous=FULL", "foreign_keys=ON", "recursive_triggers=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to WAL; SQLite does not wait for a lock here, so this does."""
    for _ in range(_WAL_TRIES):
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            time.sleep(_WAL_PAUSE_SECONDS)
        else:
            return
    raise sqlite3.OperationalError("database is locked")


def _begin(connection: Connection) -> None:
    connection.info["sqlite"].execute(connection.info.get("begin", "BEGIN"))
