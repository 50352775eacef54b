"""Opening the database, whatever state it is in."""

from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime, tzinfo
from pathlib import Path

from studykit.errors import BadDataError, StudyError, UsageError
from studykit.store.address import LEARNER, Address
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
    """Open the store at this address, made or migrated if need be.

    `clock` gives aware moments; `origin` names this installation and is otherwise drawn once and kept. `scheduler`
    is the name of an `Fsrs`, or empty for SM-2, and otherwise the one that was used last.
    """
    database = _open_file((address if isinstance(address, Address) else Address(str(address))).file)
    try:
        return Store(
            database,
            learner=learner or LEARNER,
            clock=clock,
            zone_name=zone_name,
            zone=zone,
            origin=origin,
            scheduler=scheduler,
        )
    except BaseException:
        database.close()
        raise


def _open_file(file: Path) -> SqliteDatabase:
    _check_file(file)
    if (database := open_sqlite(file)) is not None:
        return database
    if not file.stat().st_size:
        make_tables(file)
        if (database := open_sqlite(file)) is not None:
            return database
    _check_tables(file)
    from studykit.store.migrate import migrate

    migrate(file)
    if (database := open_sqlite(file)) is None:
        raise BadDataError(f"{file} cannot be read: put back a copy with `study backup restore`.")
    return database


def _check_tables(file: Path) -> None:
    """Refuse a file with a view in place of one of our tables. Other faults are reported later."""
    with suppress(*SQLITE_ERRORS), closing(open_existing(file, WAITING_SECONDS)) as connection:
        if view := connection.execute(VIEWS).fetchone():
            raise BadDataError(
                f"{file} was changed by another program: {view[0]} is a view there, not a table. Bring a backup "
                "back: study backup restore"
            )


def _check_file(file: Path) -> None:
    """Create a new file and its folder, only for this user, or refuse what cannot be a database."""
    try:
        if file.is_dir():
            raise UsageError(f"{file} is a folder: name a file in it with --db.")
        if file.exists() and not file.is_file():
            raise UsageError(f"{file} is not an ordinary file: name another file with --db.")
        create_private(file)
        with file.open("rb") as opened:
            start = opened.read(16)
    except OSError as error:
        message = f"{file} cannot be opened ({error.strerror}): name another file with --db."
        raise StudyError(message) from error
    if start and not start.startswith(b"SQLite format 3"):
        raise BadDataError(f"{file} is not a database: move it away or name another file with --db.")
