"""One connection to the database: its transactions, its statements, and its failures as sentences."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from sqlalchemy import Connection, CursorResult, TextClause, exc, text

from studykit.errors import BadDataError, BusyError, StudyError

Values = Mapping[str, object]

_IN_CHUNKS = {"yield_per": 2000}


@cache
def _statement(query: str) -> TextClause:
    return text(query)


def run(connection: Connection, query: str, values: Values | Sequence[Values] = ()) -> int:
    """Execute one of `sql`'s texts that changes something; how many rows it changed.

    SQLite's own driver reads the same text with the same parameters in a sixth of the time that `text()` takes, so
    it gets the text directly, inside the transaction that SQLAlchemy began on it.
    """
    if (driver := connection.info.get("sqlite")) is None:
        return connection.execute(_statement(query), values or None).rowcount
    if isinstance(values, Mapping) or not values:
        return int(driver.execute(query, values).rowcount)
    return int(driver.executemany(query, values).rowcount)


def rows(connection: Connection, query: str, **values: object) -> Iterator[Sequence[Any]]:
    """The rows of one of `sql`'s texts."""
    if (driver := connection.info.get("sqlite")) is None:
        return map(tuple, connection.execute(_statement(query), values))
    return iter(driver.execute(query, values))


def streamed(connection: Connection, query: str, **values: object) -> Iterator[Sequence[Any]]:
    """The rows of one of `sql`'s texts that may have a million of them, some at a time."""
    if "sqlite" in connection.info:
        yield from rows(connection, query, **values)
        return
    result: CursorResult[Any] = connection.execute(_statement(query), values, execution_options=_IN_CHUNKS)
    try:
        yield from map(tuple, result)
    finally:
        result.close()


def one(connection: Connection, query: str, **values: object) -> Sequence[Any] | None:
    """The first row, if there is one."""
    return next(rows(connection, query, **values), None)


class Link:
    """A connection held for the life of a store; every use of it is one transaction."""

    def __init__(self, connection: Connection, named: str) -> None:
        self._connection = connection
        self._named = named  # what messages call the database

    @property
    def named(self) -> str:
        """The database as messages call it."""
        return self._named

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        return self._connection.dialect.name

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the database and waits for no writer."""
        with told(self._named):
            try:
                yield self._connection
            finally:
                self._connection.rollback()

    @contextmanager
    def writing(self, lock: str) -> Iterator[Connection]:
        """A transaction that nobody else of the same `lock` can be in; committed at the end, or undone whole."""
        with told(self._named):
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
def told(named: str) -> Iterator[None]:
    """Turn what a database says into one sentence with something to do."""
    try:
        yield
    except exc.DBAPIError as error:
        raise explained(named, error.orig or error) from error
    except sqlite3.Error as error:
        raise explained(named, error) from error


def explained(named: str, error: BaseException) -> StudyError:
    """The error for a learner; `named` is the database."""
    said = " ".join(str(error).split())
    lower = said.lower()
    for words, kind, sentence in _SENTENCES:
        if any(word in lower for word in words):
            return kind(sentence.format(named=named))
    return StudyError(f"The database {named} answered: {said}. Run `study doctor`.")


_SENTENCES: tuple[tuple[tuple[str, ...], type[StudyError], str], ...] = (
    (
        ("locked", "busy"),
        BusyError,
        "The database {named} is locked by another program; nothing was changed. Close it and try again.",
    ),
    (
        ("readonly", "read-only"),
        StudyError,
        "The database {named} cannot be written: allow writing to it and its folder, or name another with --db.",
    ),
    (
        ("unable to open",),
        StudyError,
        "The database {named} cannot be opened: check that its folder is yours, or name another with --db.",
    ),
    (
        ("not a database", "file is encrypted"),
        BadDataError,
        "{named} is not a database: move it away or name another file with --db.",
    ),
    (
        ("malformed", "corrupt"),
        BadDataError,
        "The database {named} is damaged: put back a copy, or recover what is left with `sqlite3 FILE .recover`.",
    ),
    (
        ("is full", "no space", "i/o error"),
        StudyError,
        "The disk refused to write {named}: make room and answer again; everything before this is saved.",
    ),
    (
        ("append-only",),
        StudyError,
        "The log in {named} is append-only, and something tried to change it; nothing was changed.",
    ),
    (
        (
            "connection failed",
            "connection refused",
            "could not connect",
            "connection to server",
            "closed the conn",
        ),
        StudyError,
        "The database {named} cannot be reached: check the address and that the server runs.",
    ),
)
