"""What the store asks of a database: transactions, connections that execute texts, and failures as sentences.

No driver is named here: `sqlite` and `engine` hold one each, and only their callers choose.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any, Protocol, TypeVar

from studykit.errors import BadDataError, BusyError, StudyError
from studykit.store import sql
from studykit.text import hide_passwords

Row = Sequence[Any]
Values = Mapping[str, Any]
Result = TypeVar("Result")
Advance = Callable[[int], object] | None
"""A callback that takes the number of further parts done, or None."""
_PROGRESS_ROWS = 1000


class QueryResult(Protocol):
    """The rows that a text gave, or how many it changed."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""

    def __iter__(self) -> Iterator[Row]:
        """The rows that are left."""

    def fetchone(self) -> Row | None:
        """The next row, if there is one."""

    def close(self) -> None:
        """Let the rows go that were not fetched."""


class Connection(Protocol):
    """A connection inside a transaction, as `sqlite3` has it; `execute` takes one of `sql`'s texts."""

    def execute(self, query: str, values: Values = ..., /) -> QueryResult:
        """Run a text with these parameters."""

    def executemany(self, query: str, rows: Iterable[Values | Row], /) -> object:
        """Run a text once for each of these rows of parameters, by name or by place."""


class Database(Protocol):
    """A database held for the life of a store; every use of it is one transaction."""

    @property
    def name(self) -> str:
        """The database as messages call it."""

    @property
    def has_roles(self) -> bool:
        """Whether it knows who is connected, and keeps learners apart by that."""

    @property
    def is_file(self) -> bool:
        """Whether it is an SQLite file, where an index of its cards' text is possible."""

    def reading(self) -> AbstractContextManager[Connection]:
        """A transaction that sees one state of the database and waits for no writer."""

    def first(self, query: str, values: Values = ..., /) -> Row | None:
        """The first row that a text gives in a reading transaction of its own, or in the one that is open."""

    def streaming(self) -> AbstractContextManager[Connection]:
        """A reading transaction that lasts while its caller may write."""

    def writing(self, lock: str, /) -> AbstractContextManager[Connection]:
        """Open a transaction, only one at a time for each `lock`; commit it at the end, or roll it back."""

    def write(self, lock: str, work: Callable[[Connection], Result], /) -> Result:
        """What `work` gives in a writing transaction; done once more where the connection was lost meanwhile.

        The transaction that was lost may have been committed all the same: `work` has to find that out.
        """

    def checkpoint(self) -> None:
        """Do now, while the learner is not waiting, what would make a later commit slow."""

    def problems(self) -> tuple[str, ...]:
        """What the database finds wrong with itself."""

    def close(self) -> None:
        """Let the database go."""


def counted_rows(rows: Iterable[Row], advance: Advance) -> Iterable[Row]:
    """Return the rows; `advance` counts every thousand of them."""
    left = iter(rows)
    while batch := list(islice(left, _PROGRESS_ROWS)):
        yield from batch
        if advance is not None:
            advance(len(batch))


def known_revision(value: object, name: str) -> str:
    """A revision that this version can read or migrate; BadDataError for any other."""
    revision = str(value)
    is_ours = len(revision) == len(sql.REVISION) and revision.isdecimal() and revision.isascii()
    if not (is_ours and revision.strip("0")):
        raise BadDataError(f"{name} has no revision that a studykit wrote: put back a copy, or name another file.")
    if revision > sql.REVISION:
        message = f"{name} was written by a newer studykit (revision {revision}): upgrade studykit to use it."
        raise BadDataError(message)
    return revision


def database_error(name: str, error: BaseException) -> StudyError:
    """The error for a learner; `name` is the database."""
    message = hide_passwords(" ".join(str(error).split()))
    lower = message.lower()
    for words, kind, sentence in _SENTENCES:
        if any(word in lower for word in words):
            return kind(sentence.format(name=name))
    return StudyError(f"The database {name} answered: {message}. Run `study doctor`.")


_SENTENCES: tuple[tuple[tuple[str, ...], type[StudyError], str], ...] = (
    (
        ("starting up", "shutting down", "in recovery mode"),
        BusyError,
        "The server of {name} is starting or stopping: try again in a moment; every answer it took is saved.",
    ),
    (
        (
            "terminating",
            "closed the conn",
            "connection is closed",
            "connection is lost",
            "connection was lost",
            "consuming input failed",
            "reset by peer",
            "broken pipe",
        ),
        StudyError,
        "The connection to {name} ended and did not come back: every answer it took is saved; try again later.",
    ),
    (
        ("locked", "busy", "lock timeout"),
        BusyError,
        "The database {name} is locked by another program; nothing was changed. Close it and try again.",
    ),
    (
        ("password authentication failed", "no pg_hba.conf entry", "no password supplied", "fatal: role"),
        StudyError,
        "The server of {name} does not let you in: check the name and the password in --db or STUDYKIT_DB.",
    ),
    (
        ('fatal: database "',),
        StudyError,
        "The server of {name} has no such database: create it, or check the name in --db or STUDYKIT_DB.",
    ),
    (
        ("permission denied", "must be owner"),
        StudyError,
        "The server of {name} does not allow you this: ask its owner to grant it, or name another with --db.",
    ),
    (
        ("row-level security",),
        StudyError,
        "The server of {name} lets a role write rows of its own name only; nothing was changed.",
    ),
    (
        ("unique constraint failed: event.id",),
        StudyError,
        "An event of these belongs to another learner of {name}: keep each learner's log in a file of its own.",
    ),
    (
        ("too many clients", "too many connections", "connection slots"),
        BusyError,
        "The server of {name} has no connection free; try again in a moment.",
    ),
    (
        ("readonly", "read-only"),
        StudyError,
        "The database {name} cannot be written: allow writing to it and its folder, or name another with --db.",
    ),
    (
        ("unable to open",),
        StudyError,
        "The database {name} cannot be opened: check that its folder is yours, or name another with --db.",
    ),
    (
        ("not a database", "file is encrypted"),
        BadDataError,
        "{name} is not a database: name another file with --db, or see with `study doctor --fix` what it held.",
    ),
    (
        ("malformed", "corrupt", "decode"),
        BadDataError,
        "The database {name} is damaged: put back a copy, or recover what is left with `study doctor --fix`.",
    ),
    (
        ("no such table", "no such column", "does not exist", "no such index"),
        BadDataError,
        "The database {name} lacks a part: put back a copy, or recover what is left with `study doctor --fix`.",
    ),
    (
        ("is full", "no space", "i/o error", "could not extend", "could not write"),
        StudyError,
        "The disk refused to write {name}: make room and answer again; everything before this is saved.",
    ),
    (
        ("append-only",),
        StudyError,
        "The log in {name} is append-only, and something tried to change it; nothing was changed.",
    ),
    (
        ("connection failed", "connection refused", "could not connect", "connection to server", "resolve host"),
        StudyError,
        "The database {name} cannot be reached: check the address and that the server runs.",
    ),
)
