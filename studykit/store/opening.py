"""Open the database file, creating or migrating it if needed."""

from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime, tzinfo
from pathlib import Path

from studykit.errors import BadDataError, StudyError, UsageError
from studykit.ordinary_file import explaining
from studykit.scheduling.fsrs import named
from studykit.store import sql
from studykit.store.address import LEARNER, Address
from studykit.store.event_log import EventLog
from studykit.store.readonly import SQLITE_ERRORS, VIEWS, WAITING_SECONDS, open_existing
from studykit.store.sqlite import SqliteDatabase, create_private, make_tables, open_sqlite
from studykit.store.store import Store


def open_store(
    address: Address | str | Path,
    *,
    learner: str | None = None,
    clock: Callable[[], datetime],
    zone_name: str,
    zone: tzinfo,
    origin: str | None = None,
    scheduler: str | None = None,
) -> Store:
    """Open the store at this address, creating or migrating it if needed.

    `clock` returns aware datetimes. `origin` names this installation, by default a random name made at the first
    use. `scheduler` is the name of an `Fsrs` or "" for SM-2, by default the scheduler used last.
    """
    database = _open_file((address if isinstance(address, Address) else Address(str(address))).file)
    learner = learner or LEARNER
    try:
        row = database.first(sql.SETTING, {"learner": learner, "name": sql.SCHEDULER})
        made_by = str(row[0]) if row else ""
        fsrs = named(made_by if scheduler is None else scheduler)
        log = EventLog(database, learner, clock=clock, zone_name=zone_name, zone=zone, origin=origin, fsrs=fsrs)
        return Store(database, learner, log, fsrs, rescheduled=scheduler not in {None, made_by})
    except BaseException:
        database.close()
        raise


def _open_file(file: Path) -> SqliteDatabase:
    _check_file(file)
    database = open_sqlite(file)
    if database is None and not file.stat().st_size:
        make_tables(file)
        database = open_sqlite(file)
    if database is None:
        _check_tables(file)
        from studykit.store.migrate import migrate

        migrate(file)
        database = open_sqlite(file)
    if database is None:
        raise BadDataError(f"{file} cannot be read. Restore a copy", "study backup restore")
    return database


def _check_tables(file: Path) -> None:
    """Raise BadDataError if a view has the name of one of our tables. Other faults are reported later."""
    with suppress(*SQLITE_ERRORS), closing(open_existing(file, WAITING_SECONDS)) as connection:
        if view := connection.execute(VIEWS).fetchone():
            raise BadDataError(
                f"{file} was changed by another program: its {view[0]} is a view, not a table. Restore a copy",
                "study backup restore",
            )


def _check_file(file: Path) -> None:
    """Create the file and its folder, private to this user, or raise an error if it cannot be a database."""
    with explaining(f"{file} cannot be opened (", "). Name another file with --db.", StudyError):
        if file.is_dir():
            raise UsageError(f"{file} is a folder. Name a file in it with --db.")
        if file.exists() and not file.is_file():
            raise UsageError(f"{file} is not an ordinary file. Name another file with --db.")
        create_private(file)
        with file.open("rb") as opened:
            start = opened.read(16)
    if start and not start.startswith(b"SQLite format 3"):
        raise BadDataError(f"{file} is not a database. Move it away, or name another file with --db.")
