"""Bringing a backup back: the log takes the place of the present one, every other file only an empty place.

Everything is unpacked and proved in a folder of its own first; what cannot be trusted leaves nothing behind.
"""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from studykit.backup.archive import DATABASE, LOG, SETTINGS, BackupSource, Manifest, unpack
from studykit.backup.creation import put
from studykit.backup.own_files import OwnFiles, endings
from studykit.backup.snapshot import at_rest, copy_bare, database_of_lines, migrated
from studykit.errors import BadDataError, StudyError
from studykit.ordinary_file import entries_below
from studykit.store.database import database_error
from studykit.store.store import Store

Value = TypeVar("Value")

_SQLITE = b"SQLite format 3\0"
_WAITING_SECONDS = 10.0


@dataclass(slots=True)
class RestoredFiles:
    """The files that came back."""

    written: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class UnpackedBackup:
    """A backup in a folder of its own, proved: its database is of this version and replays."""

    folder: Path
    manifest: Manifest
    database: Path
    events: int


def unpacked(backup: Path, work: Path) -> UnpackedBackup:
    """Unpack and prove a backup, or a bare database file that somebody kept."""
    database = work / DATABASE
    if _is_database(backup):
        copy_bare(backup, database)
        manifest = Manifest(made="", reason="", machine="", events=-1)
    else:
        manifest = unpack(backup, work)
        if manifest.part(LOG) is not None:
            _proved(backup, lambda: database_of_lines(work / LOG, database))
        if not database.is_file():
            raise BadDataError(f"{backup} holds no log. Name another file.")
    events = _proved(backup, lambda: migrated(database))
    if manifest.events not in {-1, events}:
        raise BadDataError(
            f"{backup} holds {events:,} events of {manifest.events:,}: it is damaged. Take another."
        )
    return UnpackedBackup(work, manifest, database, events)


def install(database: Path, target: Path, now: datetime, *, sound: bool) -> Path | None:
    """Let a database take the place of another, which other programs may be using; where that one lies since.

    One that is sound is changed inside a transaction. One that is not is moved aside, and nothing of it is lost.
    """
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if sound and target.exists():
        _copy_over(database, target)
        return None
    aside = _move_aside(target, now)
    put(database, target)
    return aside


def add_to(store: Store, database: Path) -> int:
    """Add the events of a backup that a server does not have; it forgets nothing."""
    with at_rest(database) as kept:
        return store.log.merge(kept.log.events()).added


def put_back(backup: UnpackedBackup, own: OwnFiles, beside: Path) -> RestoredFiles:
    """Every file of a backup but the log, where its place is empty; the others into the folder `beside`."""
    restored = RestoredFiles()
    if backup.manifest.part(SETTINGS) is not None:
        _put_back(backup.folder / SETTINGS, own.settings, beside / SETTINGS, restored)
    for origin in backup.manifest.origins:
        root = backup.folder / origin.kind / str(origin.number)
        place = _place(origin, own)
        open_ = _is_open(origin, place)
        for file in (Path(entry.path) for entry in entries_below(root, lambda _: True, quiet=True)):
            steps = file.relative_to(root)
            if file.is_file() and file.suffix.lower() in endings(origin.kind):
                target, other = place / steps, beside / origin.kind / str(origin.number) / steps
                _put_back(file, target, other, restored, is_open=open_ and not _is_hidden(steps))
    return restored


def _place(origin: BackupSource, own: OwnFiles) -> Path:
    """The folder that a part stood in, seen from this home."""
    if origin.kind == "copies":
        return own.copies
    place = Path(origin.place)
    if origin.place.startswith("~/"):
        place = own.home / place.relative_to("~")
    return place if origin.folder else place.parent


def _is_open(origin: BackupSource, place: Path) -> bool:
    """Whether files may be put there: a stranger may name any folder, and programs where others are run."""
    if origin.kind == "copies":
        return True
    if not origin.place.startswith("~/") or _is_hidden(Path(origin.place).relative_to("~")):
        return False
    return origin.kind == "decks" or not place.exists()


def _is_hidden(steps: Path) -> bool:
    return any(step.startswith(".") for step in steps.parts)


def _put_back(file: Path, place: Path, other: Path, restored: RestoredFiles, *, is_open: bool = True) -> None:
    """To its place if that is empty and open to it, else to the other; nowhere if it is there already."""
    if place.is_file() and place.read_bytes() == file.read_bytes():
        return
    if not is_open or place.exists() or place.is_symlink():
        place = other
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as target, file.open("rb") as source:
            shutil.copyfileobj(source, target)
    except OSError as error:
        raise StudyError(f"{place} cannot be written ({error.strerror}); the log is back. Try again.") from error
    restored.written.append(str(place))


def _proved(backup: Path, prove: Callable[[], Value]) -> Value:
    """What `prove` gives; its errors name the backup and not a copy of it."""
    try:
        return prove()
    except StudyError as error:
        kind = BadDataError if isinstance(error, BadDataError) else StudyError
        raise kind(f"{backup} cannot be brought back: {error}") from error


def _is_database(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise StudyError(f"{file} cannot be read ({error.strerror}). Name another file.") from error


def _copy_over(database: Path, target: Path) -> None:
    try:
        with closing(sqlite3.connect(database)) as new, closing(_waiting(target)) as old:
            new.backup(old)
    except sqlite3.Error as error:
        raise database_error(str(target), error) from error


def _waiting(target: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(target, timeout=_WAITING_SECONDS)
    connection.execute("PRAGMA synchronous=FULL")
    return connection


def _move_aside(target: Path, now: datetime) -> Path | None:
    """Rename what is left of a database, its log of writes above all: it would be worked into the new one."""
    stamp = now.strftime("%Y%m%dT%H%M%S")
    moved = None
    for ending in ("", "-wal", "-shm", "-journal"):
        old = target.with_name(target.name + ending)
        if old.exists():
            new = target.with_name(f"{target.name}.replaced-{stamp}{ending}")
            old.replace(new)
            moved = moved or new
    return moved
