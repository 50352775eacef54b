"""A database by SQLAlchemy Core: PostgreSQL, and SQLite while it is made or migrated."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from studykit.errors import MissingError, UsageError
from studykit.store.connection import explained, one
from studykit.store.readonly import WAITING_SECONDS
from studykit.store.sqlite import prepare


class EngineLink:
    """A link of one connection."""

    def __init__(self, url: URL, named: str) -> None:
        self._named = named
        with _told(named):
            self._connection = _connect(url)

    @property
    def named(self) -> str:
        """The database as messages call it."""
        return self._named

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return self._connection.dialect.name

    @contextmanager
    def reading(self, *, apart: bool = False) -> Iterator[Connection]:  # noqa: ARG002 - there is one connection
        """A transaction that sees one state of the database and waits for no writer."""
        with _told(self._named):
            if self._connection.in_transaction():
                yield self._connection
                return
            with self._connection.begin():
                yield self._connection

    @contextmanager
    def writing(self, lock: str) -> Iterator[Connection]:
        """A transaction that nobody else of the same `lock` can be in; committed at the end, or undone whole."""
        with _told(self._named):
            self._connection.info["begin"] = "BEGIN IMMEDIATE"
            try:
                with self._connection.begin():
                    if self.dialect == "postgresql":
                        one(self._connection, "SELECT pg_advisory_xact_lock(hashtext(:lock))", lock=lock)
                    yield self._connection
            finally:
                self._connection.info["begin"] = "BEGIN"

    def close(self) -> None:
        """Let the connection go."""
        self._connection.close()
        self._connection.engine.dispose()


@contextmanager
def _told(named: str) -> Iterator[None]:
    try:
        yield
    except exc.DBAPIError as error:
        raise explained(named, error.orig or error) from error
    except sqlite3.Error as error:
        raise explained(named, error) from error


def sqlite_url(file: Path) -> URL:
    """The URL of a file, whose path may hold any characters."""
    return URL.create("sqlite", database=str(file))


def database_url(text: str) -> URL:
    """The URL that a learner wrote; UsageError for one that names no SQLite or PostgreSQL database."""
    try:
        url = make_url(text)
    except exc.ArgumentError:
        message = f"{text!r} is no database URL: give a path, or such as postgresql+psycopg://host/name."
        raise UsageError(message) from None
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in {"sqlite", "postgresql"}:
        raise UsageError(f"studykit keeps its log in SQLite or PostgreSQL, not in {url.get_backend_name()}.")
    return url


def _connect(url: URL) -> Connection:
    try:
        engine = _sqlite(url) if url.get_backend_name() == "sqlite" else _postgresql(url)
    except ModuleNotFoundError as error:
        message = f"PostgreSQL needs the package {error.name}: pip install 'studykit-srs[postgres]'."
        raise MissingError(message) from error
    return engine.connect()


def _postgresql(url: URL) -> Engine:
    seconds = max(1, round(WAITING_SECONDS))
    engine = create_engine(
        url, connect_args={} if "connect_timeout" in url.query else {"connect_timeout": seconds}
    )
    event.listen(engine, "connect", _wait_no_longer)
    return engine


def _wait_no_longer(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute(f"SET lock_timeout = {round(WAITING_SECONDS * 1000)}")
    cursor.close()
    connection.commit()


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": WAITING_SECONDS, "check_same_thread": False})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: sqlite3.Connection, record: ConnectionPoolEntry) -> None:
    record.info["sqlite"] = connection
    prepare(connection)


def _begin(connection: Connection) -> None:
    connection.info["sqlite"].execute(connection.info.get("begin", "BEGIN"))
