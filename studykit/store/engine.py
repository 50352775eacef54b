"""A database by SQLAlchemy Core: PostgreSQL, and SQLite while it is made or migrated."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import sqlalchemy
from sqlalchemy import URL, Engine, TextClause, create_engine, event, exc, make_url, text

from studykit.errors import MissingError, StudyError, UsageError
from studykit.store import sql
from studykit.store.database import Result, Row, Values, database_error
from studykit.store.readonly import SQLITE_ERRORS, WAITING_SECONDS
from studykit.store.sqlite import prepare
from studykit.text import hide_passwords

_IN_CHUNKS = {"yield_per": 2000}
_HARMLESS = frozenset({"host", "port", "user", "dbname", "sslmode", "connect_timeout"})
_NO_OPTIONS: Mapping[str, int] = {}
_RESTART_SECONDS = 5.0
_RESTART_PAUSE_SECONDS = 0.2


class EngineConnection:
    """SQLAlchemy's connection, which is `core`, with the methods of `sqlite3`'s."""

    def __init__(self, core: sqlalchemy.Connection) -> None:
        self.core = core

    def execute(self, query: str, values: Values | None = None, /) -> Any:  # noqa: ANN401 - SQLAlchemy's result
        """Run a text with these parameters; one with many rows sends some at a time.

        A connection that was lost since the last transaction is made anew: nothing of this one is lost with it.
        """
        options = _IN_CHUNKS if query in sql.LONG else _NO_OPTIONS
        first = not self.core.in_transaction()
        try:
            return self.core.execute(_clause(query), values, execution_options=options)
        except exc.DBAPIError as error:
            if not (first and error.connection_invalidated):
                raise
        self.reconnect()
        return self.core.execute(_clause(query), values, execution_options=options)

    def executemany(self, query: str, rows: Iterable[Any], /) -> object:
        """Run a text once for each of these rows of parameters."""
        if "?" in query:
            return self.core.exec_driver_sql(query.replace("?", "%s"), list(rows))
        return self.core.execute(_clause(query), list(rows))

    def run(self, statement: str) -> Any:  # noqa: ANN401 - SQLAlchemy's result
        """What a statement gives whose names were quoted; no parameter is looked for in it."""
        return self.core.exec_driver_sql(statement)

    def reconnect(self) -> None:
        """Connect again in place of a connection that was lost; a server that restarts is waited for."""
        end = time.monotonic() + _RESTART_SECONDS
        while True:
            self.core.rollback()
            try:
                self.core.execute(_clause(sql.ALIVE))
            except exc.DBAPIError:
                if time.monotonic() > end:
                    raise
                time.sleep(_RESTART_PAUSE_SECONDS)
            else:
                self.core.rollback()
                return


class EngineDatabase:
    """A database with one connection."""

    is_file = False  # so it gets no index of its cards' text here

    def __init__(self, url: URL, name: str) -> None:
        self.name = name  # as messages call it
        with _errors_of(name):
            self._core = _connect(url)
        self._connection = EngineConnection(self._core)

    @property
    def has_roles(self) -> bool:
        """Whether this is a server's: it knows who is connected."""
        return self._core.dialect.name == "postgresql"

    @contextmanager
    def reading(self) -> Iterator[EngineConnection]:
        """A transaction that sees one state of the database and waits for no writer."""
        with _errors_of(self.name):
            if self._core.in_transaction():
                yield self._connection
                return
            try:
                yield self._connection  # whose first text begins it
            finally:
                self._core.rollback()

    def first(self, query: str, values: Values = _NO_OPTIONS, /) -> Row | None:
        """The first row that a text gives in a reading transaction of its own, or in the one that is open."""
        with self.reading() as connection:
            row: Row | None = connection.execute(query, values).fetchone()
        return row

    def rows(self, query: str, values: Values = _NO_OPTIONS, /) -> list[Row]:
        """All rows that a text gives in a reading transaction of its own, or in the one that is open."""
        with self.reading() as connection:
            return list(connection.execute(query, values))

    @contextmanager
    def streaming(self) -> Iterator[EngineConnection]:
        """A reading transaction on a connection of its own: it lasts while its caller may write."""
        with _errors_of(self.name), self._core.engine.connect() as core:
            yield EngineConnection(core)

    @contextmanager
    def writing(self, lock: str, /) -> Iterator[EngineConnection]:
        """Open a transaction, only one at a time for each `lock`; commit it at the end, or roll it back."""
        with _errors_of(self.name), self._written(lock) as connection:
            yield connection

    def write(self, lock: str, work: Callable[[EngineConnection], Result], /) -> Result:
        """What `work` gives in a writing transaction; done once more where the connection was lost meanwhile.

        The lock is held by the transaction that was lost as long as the server works on it, so what the second
        one sees is decided.
        """
        with _errors_of(self.name):
            try:
                with self._written(lock) as connection:
                    return work(connection)
            except exc.DBAPIError as error:
                if not error.connection_invalidated:
                    raise
            self._connection.reconnect()
            with self._written(lock) as connection:
                return work(connection)

    @contextmanager
    def _written(self, lock: str) -> Iterator[EngineConnection]:
        self._core.execution_options(writes=True)
        try:
            if self.has_roles:
                patience = f"{round(WAITING_SECONDS * 1000)}"
                self._connection.execute(sql.ADVISORY_LOCK, {"lock": lock, "patience": patience})
            else:
                self._core.begin()
            yield self._connection
            self._core.commit()
        finally:
            self._core.rollback()
            self._core.execution_options(writes=False)

    def checkpoint(self) -> None:
        """Nothing: PostgreSQL sees to its log itself."""

    def problems(self) -> tuple[str, ...]:
        """Nothing: PostgreSQL sees to itself, and a file is read by `sqlite`."""
        return ()

    def close(self) -> None:
        """Let the connection go."""
        self._core.close()
        self._core.engine.dispose()


@dataclass(frozen=True, slots=True)
class Role:
    """Who somebody is on a server: the role that they logged in as is the learner.

    Row-level security confines every role but the owner of the tables; the staff of a class may read all rows.
    """

    name: str
    confined: bool  # it sees only rows of its own name
    staff: bool  # it may read other rows, too

    def learner(self, wanted: str | None) -> str:
        """Return whose log to open; UsageError if this role may not read it."""
        if wanted not in {None, self.name} and not self.staff:
            raise UsageError(
                f"on this server you are {self.name}, not {wanted}: leave --learner out; only staff read others."
            )
        return wanted or self.name


def role_of(database: EngineDatabase) -> Role:
    """The role of a connection to a PostgreSQL server with our tables."""
    name, confined, staff = database.first(sql.ROLE) or ("", True, False)
    return Role(str(name), bool(confined), bool(staff))


@cache
def _clause(query: str) -> TextClause:
    """A text as SQLAlchemy keeps it, with the words that only `sqlite3` needs taken out."""
    return text(query.replace(sql.ANY_INDEX, sql.LEARNER_FIRST))


@contextmanager
def _errors_of(name: str) -> Iterator[None]:
    try:
        yield
    except exc.DBAPIError as error:
        raise database_error(name, error.orig or error) from error
    except SQLITE_ERRORS as error:
        raise database_error(name, error) from error


def sqlite_url(file: Path) -> URL:
    """The URL of a file, whose path may hold any characters."""
    return URL.create("sqlite", database=str(file))


def database_url(address: str) -> URL:
    """The URL that a learner wrote; UsageError for one that names no SQLite or PostgreSQL database."""
    try:
        url = make_url(address)
    except (exc.ArgumentError, ValueError):  # a port that is not a number is the latter
        message = f"{hide_passwords(address)!r} is not a database URL: give a path, or such as postgresql+psycopg://host/name."
        raise UsageError(message) from None
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in {"sqlite", "postgresql"}:
        raise UsageError(f"studykit keeps its log in SQLite or PostgreSQL, not in {url.get_backend_name()}.")
    return url


def shown_url(url: URL) -> str:
    """The URL as messages call it: without its password and whatever else it asks for, which may hold one."""
    harmless = {name: value for name, value in url.query.items() if name in _HARMLESS}
    return hide_passwords(url.set(query=harmless).render_as_string(hide_password=True))


def _connect(url: URL) -> sqlalchemy.Connection:
    try:
        engine = _sqlite(url) if url.get_backend_name() == "sqlite" else _postgresql(url)
    except ModuleNotFoundError as error:
        message = f"PostgreSQL needs the package {error.name}: pip install 'studykit-srs[postgres]'."
        raise MissingError(message) from error
    try:
        return engine.connect()
    except AssertionError as error:  # SQLAlchemy cannot read the version that the server names
        raise StudyError(f"{shown_url(url)} is not a PostgreSQL server: it names no version.") from error


def _postgresql(url: URL) -> Engine:
    """Nothing is kept in a session, no setting and no prepared text: a pooler may lend another one each time."""
    arguments: dict[str, int | None] = {"prepare_threshold": None}
    if "connect_timeout" not in url.query:
        arguments["connect_timeout"] = max(1, round(WAITING_SECONDS))
    engine = create_engine(url, connect_args=arguments)
    event.listen(engine, "begin", _isolate)
    return engine


def _isolate(connection: sqlalchemy.Connection) -> None:
    """Let a reader see one state throughout; a writer has to see what was written while it waited for its lock."""
    from psycopg import IsolationLevel

    driver = cast("Any", connection.connection.driver_connection)
    level = None if connection.get_execution_options().get("writes") else IsolationLevel.REPEATABLE_READ
    if driver.isolation_level != level and not driver.closed:
        driver.isolation_level = level


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": WAITING_SECONDS, "check_same_thread": False})
    event.listen(engine, "connect", lambda connection, _record: prepare(connection))
    event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: sqlalchemy.Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
