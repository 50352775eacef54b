"""Copy a database to one file while other programs use it, and verify the copy.

A verified copy opens, SQLite finds no problem in it, and its log replays.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.backup.strange_database import VERSION, StrangeDatabase, opened_database
from studykit.errors import BadDataError, StudyError
from studykit.ordinary_file import explaining
from studykit.scheduling import fsrs
from studykit.store import event_lines, sql
from studykit.store.address import LEARNER
from studykit.store.caches import rebuild_all, replay_all
from studykit.store.opening import open_store
from studykit.store.recovery import copy_with_log
from studykit.store.sqlite import SqliteDatabase, as_one_file, copy_over, make_tables, open_sqlite
from studykit.store.store import Store

if TYPE_CHECKING:
    from studykit.scheduling.events import Event

_BATCH = 5_000  # events
_MAX_LEARNERS = 1_000  # of a file, because a class uses a server
_CACHES = frozenset(("memory", "mark", "tally"))  # of the log
_SETTINGS = ("told ", "open ", sql.FORMER_ORIGIN)  # prefixes of the settings that are restored


def copy_database(file: Path, copy: Path) -> int:
    """Copy a database into one file, and return how many events it holds.

    StudyError if they cannot be restored from the copy.
    """
    copy_over(file, copy, shown=file, synced=False)
    as_one_file(copy, shown=file)
    with _sound(copy, file) as database, database.reading() as connection:
        replay_all(connection, LEARNER, None)
        return _count(connection)


@contextmanager
def _sound(copy: Path, shown: Path) -> Iterator[SqliteDatabase]:
    """Open a copy in which SQLite finds nothing wrong, or raise BadDataError that names the file `shown`."""
    database = open_sqlite(copy)
    if database is None:
        raise BadDataError(f"{shown} is not a database of this version.")
    with closing(database):
        if problems := database.problems():
            raise BadDataError(f"{shown} is damaged: {problems[0]}. Look with", "study doctor")
        yield database


def _count(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT count(*) FROM event").fetchone()
    return int(row[0]) if row else 0


def database_of_lines(lines: Path, file: Path) -> None:
    """Make a database from a file with an event a line. Earlier versions backed up a server's log like this."""
    with at_rest(file) as store, lines.open("rb") as stream:
        batch: list[Event] = []
        size = 0
        for number, line in enumerate(iter(lambda: stream.readline(event_lines.MAX_LINE_BYTES + 1), b""), 1):
            try:
                batch.append(event_lines.event_from(event_lines.document_of(line.removesuffix(b"\n")) or {}))
            except event_lines.NotUnderstoodError:
                raise BadDataError(f"Line {number} of its log is damaged.") from None
            size += len(line)
            if len(batch) >= _BATCH or size > event_lines.MAX_LINE_BYTES:
                store.log.merge(batch)
                batch, size = [], 0
        store.log.merge(batch)


def migrate_copy(file: Path) -> int:
    """Migrate a copy to this version, in new tables, and return how many events it holds.

    Only the rows are copied, because untrusted triggers would run in a migration, and constraints could lose
    answers later. Caches of the log are rebuilt.
    """
    fresh = file.with_name(f"{file.name}.fresh")
    fresh.touch(mode=0o600)  # before SQLite creates it, so that only its owner can read it
    with opened_database(file) as old:
        revision = old.revision()
        _make_tables(fresh, revision)
        _take_rows(fresh, old)
    for leftover in (file, *file.parent.glob(f"{file.name}-*")):
        leftover.unlink()
    if revision != sql.REVISION:
        from studykit.store.migrate import migrate

        migrate(fresh, keeps_copy=False)
    with _sound(fresh, file) as database, database.writing() as writing:
        rebuild_all(writing)
        events = _count(writing)
    as_one_file(fresh, shown=file)
    fresh.replace(file)
    return events


def _make_tables(file: Path, revision: str) -> None:
    if revision == sql.REVISION:
        make_tables(file)
        return
    from studykit.store.migrate import make_earlier  # half a second that only a migration pays

    make_earlier(file, revision)


def _take_rows(fresh: Path, old: StrangeDatabase) -> None:
    """Copy the rows of all tables of a new database except its caches of the log."""
    with closing(sqlite3.connect(fresh)) as connection:
        connection.executescript("PRAGMA synchronous=OFF; PRAGMA cache_size=-16000")
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            if table == VERSION or table in _CACHES:
                continue
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            names, marks = ", ".join(columns), ", ".join("?" * len(columns))
            moving = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - our names
            rows = old.rows(table, columns)
            if table == "setting":
                rows = (row for row in rows if _is_setting(dict(zip(columns, row, strict=True))))
            connection.executemany(moving, rows)
        for statement in sql.RETIRE_ORIGINS:
            connection.execute(statement)
        connection.commit()
        if len(connection.execute(f"{sql.LEARNERS} LIMIT {_MAX_LEARNERS + 1}").fetchall()) > _MAX_LEARNERS:
            raise BadDataError(f"It holds the logs of more than {_MAX_LEARNERS:,} learners.")


def _is_setting(row: Mapping[str, object]) -> bool:
    """Return whether a setting is restored. Sync state is not, so that the new database reads each place anew."""
    name, value = row["name"], row["value"]
    if not isinstance(name, str) or not isinstance(value, str):
        return False
    if name == sql.SCHEDULER:
        return _is_scheduler(value)
    return name == "origin" or name.startswith(_SETTINGS)


def _is_scheduler(name: str) -> bool:
    try:
        fsrs.named(name)
    except StudyError:
        return False
    return True


def at_rest(file: Path) -> Store:
    """Return the store of a copy, to read it or to add old events."""
    clock = lambda: datetime(2000, 1, 1, tzinfo=UTC)  # noqa: E731 - nothing is recorded here
    return open_store(file, clock=clock, zone_name="UTC", zone=UTC, learner=LEARNER)


def copy_bare(file: Path, copy: Path) -> None:
    """Copy a learner's own copy of a database file, with its write-ahead log."""
    with explaining(f"{file} cannot be read (", "). Name another file.", StudyError):
        copy_with_log(file, copy)
