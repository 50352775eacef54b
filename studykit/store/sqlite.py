"""Create and open SQLite files of this version with `sqlite3`.

Not with SQLAlchemy, whose import takes longer than a learner should wait. Only a migration needs it.
"""

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path

from studykit.store import sql
from studykit.store.database import Row, Values, database_error
from studykit.store.readonly import SQLITE_ERRORS, WAITING_SECONDS, connect, open_existing
from studykit.text import printable

_MAX_WAL_TRIES = 200
_WAL_PAUSE_SECONDS = 0.05
# A checkpoint costs two syncs, but a short write-ahead log is overwritten, which is quicker than letting it grow.
_COMMITS_PER_CHECKPOINT = 20
_MAX_LOG_PAGES = 1000  # then a commit makes a checkpoint by itself, if `checkpoint` was not called
_MAX_NAME_CHARACTERS = 40  # of a foreign trigger or view
_CODE = "SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')"
"""Code inside the file: triggers that guard the log or keep the search index, and what others put there."""
_NO_VALUES: Values = {}
_PRAGMAS = (
    "synchronous=FULL",
    "foreign_keys=ON",
    "recursive_triggers=ON",
    "cache_size=-16000",
    f"wal_autocheckpoint={_MAX_LOG_PAGES}",
)


class SqliteDatabase:
    """Hold two connections to a file: one that only reads and, from the first write on, one that writes."""

    def __init__(self, file: Path, reader: sqlite3.Connection) -> None:
        self.file = file
        self._reader = reader
        self._reading = reader  # the connection of the transaction that reads now
        self._readers = 0
        self._writer: sqlite3.Connection | None = None
        self._commits = 0  # since the last checkpoint

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """Open a reading transaction, which sees one state of the database and waits for no writer."""
        return self._transaction(self._free())

    def first(self, query: str, values: Values = _NO_VALUES, /) -> Row | None:
        """Return the first row of a query, in the open transaction or in SQLite's implicit one."""
        with sqlite_errors(self.file):
            row: Row | None = (self._reading if self._readers else self._free()).execute(query, values).fetchone()
            return row

    def rows(self, query: str, values: Values = _NO_VALUES, /) -> list[Row]:
        """Return all rows of a query, in the open transaction or in a new one."""
        with self.reading() as connection:
            return list(connection.execute(query, values))

    def streaming(self) -> AbstractContextManager[sqlite3.Connection]:
        """Open a reading transaction during which the caller may also write."""
        return self._transaction(self._reader)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open a writing transaction, one at a time. Commit it at the end, or roll it back on an error."""
        with sqlite_errors(self.file):
            if self._writer is None:
                self._writer = writer(self.file)
            connection = self._writer
            # IMMEDIATE takes the write lock now. Upgrading later fails if another process wrote after our first
            # read.
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
                self._commits += 1
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def checkpoint(self) -> None:
        """Copy the write-ahead log into the file after enough commits. A lasting error shows at the next commit.

        It does not wait for other processes: pages that they still read stay in the log until the next time.
        """
        if self._writer is None or self._commits < _COMMITS_PER_CHECKPOINT:
            return
        self._commits = 0
        with suppress(*SQLITE_ERRORS):
            self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def problems(self) -> tuple[str, ...]:
        """List what SQLite finds wrong with the file, and code in it that is not studykit's."""
        with self.reading() as connection:
            sentences = [row[0] for row in connection.execute(sql.QUICK_CHECK)]
            code = {(kind, name): statement for kind, name, statement in connection.execute(_CODE)}
        return (*(sentence for sentence in sentences if sentence != "ok"), *_foreign_code(code))

    def close(self) -> None:
        """Close both connections."""
        if self._writer is not None:
            self._writer.close()
        self._reader.close()

    @contextmanager
    def _transaction(self, connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
        """Open a reading transaction on a connection, or use the one that is open."""
        with sqlite_errors(self.file):
            if not self._readers:
                self._reading = connection
                connection.execute("BEGIN")
            self._readers += 1
            try:
                yield self._reading
            finally:
                self._readers -= 1
                if not self._readers and self._reading.in_transaction:
                    self._reading.execute("ROLLBACK")

    def _free(self) -> sqlite3.Connection:
        """Return the connection to read with, preferring the writer's outside its transactions."""
        # The writer has the pages that it wrote in its cache. The reader must read them again after every commit.
        return self._reader if self._writer is None or self._writer.in_transaction else self._writer


class LearnerRows:
    """Query the rows of one learner."""

    def __init__(self, database: SqliteDatabase, learner: str) -> None:
        self._database = database
        self._learner = learner

    def _first(self, query: str, /, **values: object) -> Row | None:
        """Return the first row of a query about this learner."""
        return self._database.first(query, {"learner": self._learner, **values})

    def _rows(self, query: str, /, **values: object) -> list[Row]:
        """Return all rows of a query about this learner."""
        return self._database.rows(query, {"learner": self._learner, **values})

    def _settings(self, prefix: str) -> dict[str, str]:
        """Return the learner's settings whose names have a prefix, by the rest of the name."""
        rows = self._rows(sql.SETTINGS_STARTING, **sql.starting(prefix))
        return {row[0].removeprefix(prefix): row[1] for row in rows}


def _foreign_code(code: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """Yield a description of each foreign trigger or view, and of each missing guard of the log."""
    statements = statements_of(Path(sql.SCHEMA))
    own = {("trigger", text.split()[2]): _plain(text) for text in statements if text.startswith("CREATE TRIGGER")}
    for place, statement in code.items():
        if own.get(place) != _plain(statement):
            name = printable(place[1], _MAX_NAME_CHARACTERS)
            yield f"the {place[0]} {name!r} is not studykit's and may change what is saved"
    for place in own.keys() - code.keys():
        if place[1].startswith("event_refuses"):
            yield f"the trigger {place[1]!r}, which protects the log, is missing"


def _plain(statement: str) -> str:
    return " ".join(statement.strip().rstrip(";").split())


@contextmanager
def sqlite_errors(shown: Path) -> Iterator[None]:
    """Convert an error of SQLite to a StudyError that names the file `shown`."""
    try:
        yield
    except SQLITE_ERRORS as error:
        raise database_error(str(shown), error) from error


def writer(file: Path) -> sqlite3.Connection:
    """Return a connection for writing to an existing file. Its commits are durable."""
    connection = open_existing(file, WAITING_SECONDS)
    try:
        _write_ahead(connection)
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()
    except SQLITE_ERRORS:
        connection.close()
        raise
    return connection


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to WAL mode, retrying because SQLite's busy timeout does not apply here."""
    for _ in range(_MAX_WAL_TRIES):
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            time.sleep(_WAL_PAUSE_SECONDS)
        else:
            return
    raise sqlite3.OperationalError("database is locked")


def copy_over(source: Path, target: Path, shown: Path) -> None:
    """Copy a database over another, in one transaction. It is then on disk. Errors name the file `shown`."""
    with (
        sqlite_errors(shown),
        closing(sqlite3.connect(source, timeout=WAITING_SECONDS)) as old,
        closing(sqlite3.connect(target, timeout=WAITING_SECONDS)) as new,
    ):
        new.execute("PRAGMA synchronous=FULL")
        old.backup(new)


def as_one_file(file: Path, shown: Path) -> None:
    """Merge a database's side files into it. Errors name the file `shown`."""
    with sqlite_errors(shown), closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")


def open_sqlite(file: Path) -> SqliteDatabase | None:
    """Open a file of this version, or return None if it is missing, older, newer, damaged or not ours."""
    reader = connect(file)
    return None if reader is None else SqliteDatabase(file, reader)


def create_private(file: Path) -> None:
    """Create an empty file, private to this user, and its folder. An existing file is unchanged."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not file.exists():
        os.close(os.open(file, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600))


def make_tables(file: Path) -> None:
    """Create the tables in an empty file, unless another process has done so."""
    with (
        sqlite_errors(file),
        closing(SqliteDatabase(file, open_existing(file, WAITING_SECONDS))) as database,
        database.writing() as connection,
    ):
        if connection.execute("SELECT count(*) = 0 FROM sqlite_master").fetchone()[0]:
            for statement in statements_of(Path(sql.SCHEMA)):
                connection.execute(statement)


def statements_of(file: Path) -> list[str]:
    """Split a file of SQL into statements, at blank lines because a trigger contains `;`."""
    return file.read_text("utf-8").split(";\n\n")
