"""The log as one file: a copy of an SQLite database while others use it, or the events of a server as lines.

Either is proved before anybody relies on it: it opens, SQLite finds nothing wrong, and the log replays.
"""

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from studykit.errors import BadDataError, StudyError
from studykit.store.caches import replay_all
from studykit.store.database import database_error
from studykit.store.event_lines import NotUnderstoodError, document_of, event_document, event_from, line_of
from studykit.store.new_file import make_tables
from studykit.store.opening import open_store
from studykit.store.sqlite import open_sqlite
from studykit.store.store import Store
from studykit.text import printable

LEARNER = "me"  # whose a file is
_WAITING_SECONDS = 10.0
_BATCH = 5_000  # events
_COMPUTED = """
SELECT name FROM sqlite_master WHERE type = 'view' OR type = 'table' AND sql LIKE 'CREATE TABLE%'
AND EXISTS (SELECT 1 FROM pragma_table_xinfo(sqlite_master.name) AS x WHERE x.hidden <> 0)
"""


def copy_database(file: Path, copy: Path) -> int:
    """A copy of a database of this version, as one file, and how many events it holds."""
    try:
        with (
            closing(sqlite3.connect(file, timeout=_WAITING_SECONDS)) as old,
            closing(sqlite3.connect(copy)) as new,
        ):
            new.execute("PRAGMA synchronous=OFF")
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")  # nothing of it stands beside it
    except sqlite3.Error as error:
        raise database_error(str(file), error) from error
    return prove(copy)


def prove(file: Path) -> int:
    """How many events a copy holds; StudyError where it would not bring them back."""
    database = open_sqlite(file)
    if database is None:
        raise BadDataError(f"{file} is no database of this version.")
    with closing(database):
        if told := database.problems():
            raise BadDataError(f"{file} is damaged: {told[0]}. Look with: study doctor")
        with database.reading() as connection:
            replay_all(connection, LEARNER, None)
            row = connection.execute("SELECT count(*) FROM event").fetchone()
    return int(row[0]) if row else 0


def write_lines(store: Store, file: Path) -> int:
    """The log of a server's learner, an event a line, and how many there are."""
    count = 0
    with file.open("wb") as lines:
        for event in store.log.events():
            lines.write(line_of(event_document(event)))
            count += 1
    return count


def database_of_lines(lines: Path, file: Path) -> None:
    """A new database with the events of a file of lines."""
    with at_rest(file) as store, lines.open("rb") as opened:
        batch = []
        for number, line in enumerate(opened, 1):
            try:
                batch.append(event_from(document_of(line.removesuffix(b"\n")) or {}))
            except NotUnderstoodError:
                raise BadDataError(f"line {number} of its log is damaged.") from None
            if len(batch) >= _BATCH:
                store.log.merge(batch)
                batch = []
        store.log.merge(batch)


def migrated(file: Path) -> int:
    """Bring a copy of an older version up to this one, in tables of our own; how many events it holds."""
    _refuse_computed(file)
    at_rest(file).close()
    fresh = file.with_name(f"{file.name}.fresh")
    fresh.touch(mode=0o600)
    make_tables(fresh)
    try:
        with closing(sqlite3.connect(fresh)) as connection:
            _take_rows(connection, file)
            connection.execute("PRAGMA journal_mode=DELETE")  # nothing of it stands beside it
    except sqlite3.Error as error:
        raise database_error(str(file), error) from error
    for old in file.parent.glob(f"{file.name}-*"):
        old.unlink()
    fresh.replace(file)
    return prove(file)


def _refuse_computed(file: Path) -> None:
    """Refuse a database with views or columns that are computed: they may have rows and bytes without end."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            found = connection.execute(_COMPUTED).fetchone()
    except sqlite3.Error as error:
        raise database_error(str(file), error) from error
    if found:
        raise BadDataError(f"it is no database that studykit made: {printable(found[0], 40)} is computed.")


def _take_rows(connection: sqlite3.Connection, file: Path) -> None:
    """The rows of a file's tables, and nothing else of it: a stranger's trigger or constraint may lose answers."""
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    connection.executescript("PRAGMA synchronous=OFF; PRAGMA trusted_schema=OFF")
    connection.execute("ATTACH ? AS kept", (str(file),))
    for table in tables:
        columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA main.table_info({table})"))
        if table != "alembic_version":
            moving = f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM kept.{table}"  # noqa: S608 - our names
            connection.execute(moving)
    connection.commit()
    connection.execute("DETACH kept")


def at_rest(file: Path) -> Store:
    """The store of a copy, to be read or filled, not to be answered in."""
    clock = lambda: datetime(2000, 1, 1, tzinfo=UTC)  # noqa: E731 - nothing is recorded here
    return open_store(file, clock=clock, zone_name="UTC", zone=UTC, learner=LEARNER)


def copy_bare(file: Path, copy: Path) -> None:
    """A database file with what stands beside it in its log of writes, as somebody kept it."""
    try:
        shutil.copyfile(file, copy)
        beside = file.with_name(f"{file.name}-wal")
        if beside.is_file():
            shutil.copyfile(beside, copy.with_name(f"{copy.name}-wal"))
    except OSError as error:
        raise StudyError(f"{file} cannot be read ({error.strerror}). Name another file.") from error
