"""An SQLite file of this version: read at once by `sqlite3`, written by SQLAlchemy when it comes to that.

SQLAlchemy takes longer to import than a learner should wait for a first question, and no question needs it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING
from urllib.parse import quote

from studykit.errors import StudyError
from studykit.store import sql
from studykit.store.link import Handle, told

if TYPE_CHECKING:
    from studykit.store.engine import EngineLink

WAITING_SECONDS = 10.0
_FIRST_PAINT_SECONDS = 0.05  # until then the first question has the processor to itself


class LiteLink:
    """A link of two connections: one that only reads, and, from the first write on, SQLAlchemy's.

    Once there is the second one, it reads as well: it knows the pages that it wrote, while the first has to read
    them again after every commit.
    """

    def __init__(self, file: Path, reader: sqlite3.Connection) -> None:
        self._file = file
        self._reader = reader
        self._reading = reader  # the connection of the transaction that reads now
        self._readers = 0
        self._writer: EngineLink | None = None
        self._opening = Lock()
        self._timer: Timer | None = None

    @property
    def named(self) -> str:
        """The database as messages call it."""
        return str(self._file)

    @property
    def dialect(self) -> str:
        """Always `sqlite`."""
        return "sqlite"

    @contextmanager
    def reading(self, *, apart: bool = False) -> Iterator[Handle]:
        """A transaction that sees one state of the database and waits for no writer."""
        with told(self.named):
            if not self._readers:
                self._reading = self._reader if apart else self._free()
                self._reading.execute("BEGIN")
            self._readers += 1
            try:
                yield self._reading
            finally:
                self._readers -= 1
                if not self._readers and self._reading.in_transaction:
                    self._reading.execute("ROLLBACK")

    @contextmanager
    def writing(self, lock: str) -> Iterator[Handle]:
        """A transaction that nobody else can be in; committed at the end, or undone whole."""
        writer = self._opened()
        with writer.writing(lock) as connection:
            yield writer.driver or connection

    def warm(self) -> None:
        """Open the writing connection in a thread, a moment from now."""
        if self._timer is None and self._writer is None:
            self._timer = Timer(_FIRST_PAINT_SECONDS, self._open_quietly)
            self._timer.daemon = True
            self._timer.start()

    def close(self) -> None:
        """Let both connections go."""
        if self._timer is not None:
            self._timer.cancel()
        with self._opening:
            if self._writer is not None:
                self._writer.close()
        self._reader.close()

    def _free(self) -> sqlite3.Connection:
        driver = self._writer.driver if self._writer else None
        return self._reader if driver is None or driver.in_transaction else driver

    def _open_quietly(self) -> None:
        with suppress(StudyError):  # the first write will say it
            self._opened()

    def _opened(self) -> "EngineLink":
        with self._opening:
            if self._writer is None:
                from studykit.store.engine import EngineLink, sqlite_url  # noqa: PLC0415 - see above

                self._writer = EngineLink(sqlite_url(self._file), self.named)
            return self._writer


def open_lite(file: Path) -> LiteLink | None:
    """A link to a file of this version; None where it is missing, older, newer, damaged or not ours."""
    reader = connect(file)
    return None if reader is None else LiteLink(file, reader)


def connect(file: Path, *, waiting_seconds: float = WAITING_SECONDS) -> sqlite3.Connection | None:
    """A connection that only reads, if the file is of this version."""
    if not file.is_file():
        return None
    address = f"file:{quote(str(file.absolute()))}?mode=rw"
    try:
        reader = sqlite3.connect(
            address, uri=True, timeout=waiting_seconds, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error:
        return None
    try:
        reader.execute("PRAGMA query_only=ON")
        row = reader.execute(sql.VERSION).fetchone()
    except sqlite3.Error:
        row = None
    if row is None or row[0] != sql.REVISION:
        reader.close()
        return None
    return reader
