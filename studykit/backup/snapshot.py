"""Copy a database to one file while other programs use it, and verify the copy.

A verified copy opens, SQLite finds no problem in it, and its log replays.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from studykit.backup.strange_database import VERSION, StrangeDatabase, opened_database
from studykit.errors import BadDataError
from studykit.store import sql
from studykit.store.address import LEARNER
from studykit.store.caches import rebuild_all, replay_all
from studykit.store.sqlite import SqliteDatabase, as_one_file, copy_over, make_tables, open_sqlite

_CACHES = frozenset(("memory", "mark", "tally"))  # of the log
_SETTINGS = (sql.SCHEDULER, "told ", "open ")
"""Prefixes of the settings that are restored. Sync state is not, so that the new database reads each place anew.
Neither is the origin, because two databases must not write under one name."""


def copy_database(file: Path, copy: Path) -> int:
    """Copy a database into one file, check the copy, and return how many events it holds.

    Raise StudyError if the events cannot be restored from the copy.
    """
    copy_over(file, copy, shown=file)
    as_one_file(copy, shown=file)
    with _sound(copy, file) as database, database.reading() as connection:
        replay_all(connection, LEARNER, None)
        return _count(connection)


@contextmanager
def _sound(copy: Path, shown: Path) -> Iterator[SqliteDatabase]:
    """Open a copy in which SQLite finds nothing wrong, or raise BadDataError that names the file `shown`."""
    database = open_sqlite(copy)
    if database is None:
        raise BadDataError(f"{shown} is not a database of this version. Name another file.")
    with closing(database):
        if problems := database.problems():
            raise BadDataError(f"{shown} is damaged: {problems[0]}. Check it with", "study doctor")
        yield database


def _count(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM event").fetchone()[0])


def migrate_copy(file: Path) -> int:
    """Migrate a copy to this version, in new tables, and return how many events it holds.

    Only the rows are copied, because untrusted triggers would run in a migration, and constraints could lose
    answers later. Caches of the log are rebuilt.
    """
    fresh = file.with_name(f"{file.name}.fresh")
    fresh.touch(mode=0o600)  # before SQLite creates it, so that only its owner can read it
    with opened_database(file) as old:
        revision = old.revision()
        if revision == sql.REVISION:
            make_tables(fresh)
        else:
            from studykit.store.migrate import make_earlier  # half a second that only a migration pays

            make_earlier(fresh, revision)
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
                name = columns.index("name")
                rows = (row for row in rows if str(row[name]).startswith(_SETTINGS))
            connection.executemany(moving, rows)
        connection.commit()
