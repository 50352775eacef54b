"""What a store needs of a connection, the ways to run a statement on one, and its failures as sentences.

SQLAlchemy is imported only by `studykit.store.engine`: its import takes longer than a first question may.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, cast

from studykit.errors import BadDataError, BusyError, StudyError

if TYPE_CHECKING:
    from sqlalchemy import Connection, TextClause

    Handle = Connection | sqlite3.Connection
else:
    Handle = object

Values = Mapping[str, object]

_IN_CHUNKS = {"yield_per": 2000}


class Link(Protocol):
    """A database held for the life of a store; every use of it is one transaction."""

    @property
    def named(self) -> str:
        """The database as messages call it."""

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""

    def reading(self, *, apart: bool = False) -> AbstractContextManager[Handle]:
        """A transaction that sees one state of the database and waits for no writer.

        `apart` is for one that lasts while its caller may write.
        """

    def writing(self, lock: str) -> AbstractContextManager[Handle]:
        """A transaction that nobody else of the same `lock` can be in; committed at the end, or undone whole."""

    def close(self) -> None:
        """Let the database go."""


def run(connection: Handle, query: str, values: Values | Sequence[Values] = ()) -> int:
    """Execute one of `sql`'s texts that changes something; how many rows it changed.

    SQLite's own driver reads the same text with the same parameters in a sixth of the time that `text()` takes, so
    it gets the text directly, inside the transaction that SQLAlchemy began on it.
    """
    if (driver := _driver(connection)) is None:
        return _core(connection).execute(_statement(query), values or None).rowcount
    if isinstance(values, Mapping) or not values:
        return int(driver.execute(query, values).rowcount)
    return int(driver.executemany(query, values).rowcount)


def rows(connection: Handle, query: str, **values: object) -> Iterator[tuple[Any, ...]]:
    """The rows of one of `sql`'s texts."""
    if (driver := _driver(connection)) is None:
        return map(tuple, _core(connection).execute(_statement(query), values))
    return iter(driver.execute(query, values))


def streamed(connection: Handle, query: str, **values: object) -> Iterator[tuple[Any, ...]]:
    """The rows of one of `sql`'s texts that may have a million of them, some at a time."""
    if _driver(connection) is not None:
        yield from rows(connection, query, **values)
        return
    result = _core(connection).execute(_statement(query), values, execution_options=_IN_CHUNKS)
    try:
        yield from map(tuple, result)
    finally:
        result.close()


def one(connection: Handle, query: str, **values: object) -> tuple[Any, ...] | None:
    """The first row, if there is one."""
    return next(rows(connection, query, **values), None)


def _driver(connection: Handle) -> sqlite3.Connection | None:
    if isinstance(connection, sqlite3.Connection):
        return connection
    return cast("sqlite3.Connection | None", connection.info.get("sqlite"))


def _core(connection: Handle) -> "Connection":
    return cast("Connection", connection)


@cache
def _statement(query: str) -> "TextClause":
    from sqlalchemy import text

    return text(query)


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
        ("locked", "busy", "lock timeout"),
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
