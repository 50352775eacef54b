"""What the store asks of a database: transactions, connections that execute texts, and failures as sentences.

No driver is named here: `sqlite` and `engine` hold one each, and only their callers choose.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, TypeVar

from studykit import errors
from studykit.errors import BadDataError, StudyError
from studykit.store import sql
from studykit.text import hide_passwords

Row = Sequence[Any]
Values = Mapping[str, Any]
Result = TypeVar("Result")
Advance = Callable[[int], object] | None
"""A callback that takes the number of further parts done, or None."""
_PROGRESS_ROWS = 1000
_SENTENCES = Path(__file__).with_name("database_errors.json")


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

    def rows(self, query: str, values: Values = ..., /) -> list[Row]:
        """All rows that a text gives in a reading transaction of its own, or in the one that is open."""

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
    """The error for a learner, by what the driver's message says; `name` is the database."""
    import json

    message = hide_passwords(" ".join(str(error).split()))
    for row in json.loads(_SENTENCES.read_bytes()):
        if any(words in message.lower() for words in row["words"]):
            kind: type[StudyError] = getattr(errors, row["error"])
            return kind(row["says"].format(name=name))
    return StudyError(f"The database {name} answered: {message}. Run `study doctor`.")
