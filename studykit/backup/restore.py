"""Bringing a backup back: the log takes the place of the present one, every other file only an empty place.

Everything is unpacked and proved in a folder of its own first; what cannot be trusted leaves nothing behind.
"""

import contextlib
import filecmp
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from studykit.backup.archive import DATABASE, LOG, SETTINGS, BackupSource, Manifest, unpack
from studykit.backup.backup_folder import UNFINISHED
from studykit.backup.creation import put
from studykit.backup.own_files import OwnFiles, endings, is_kept, is_of_decks, is_picture
from studykit.backup.snapshot import copy_bare, database_of_lines, migrated
from studykit.errors import BadDataError, StudyError
from studykit.ordinary_file import entries_below, explaining, fresh_file, leads_out, make_folder, open_ordinary
from studykit.store.sqlite import copy_over

Value = TypeVar("Value")

_SQLITE = b"SQLite format 3\0"
_TRUST = "trusted.json"  # in the settings' folder: which folders of exercises run without a sandbox
_DRAFT_NAME = ".studykit-restored.part"  # one name: what a killed restore left is taken away
_PACKAGE = "__init__.py"  # makes a folder a package, which may be taken for another of its name
_INSTRUCTIONS = frozenset(("agents", "claude", "copilot-instructions", "gemini", "qwen"))
"""Names that programs obey."""
_HIDDEN = frozenset({"library"}) if sys.platform == "darwin" else frozenset()  # as a name with a dot is


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
            f"{backup} holds {events:,} events of {manifest.events:,}, so it is damaged. Use another backup."
        )
    return UnpackedBackup(work, manifest, database, events)


def event_ids(backup: Path, folder: Path) -> set[bytes]:
    """Return the ids of a backup's events, unpacked and checked inside `folder`."""
    with (
        tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=folder) as work,
        closing(sqlite3.connect(unpacked(backup, Path(work)).database)) as connection,
    ):
        return {row[0] for row in connection.execute("SELECT id FROM event")}


def install(database: Path, target: Path, now: datetime, *, sound: bool) -> Path | None:
    """Replace a database that other programs may be using, and return where the old one lies since.

    One that is sound is changed inside a transaction. One that is not is moved aside, and nothing of it is lost.
    """
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if sound and target.exists():
        copy_over(database, target, shown=target)
        return None
    aside = _move_aside(target, now)
    put(database, target)
    return aside


def put_back(backup: UnpackedBackup, own: OwnFiles, settings: Path | None, beside: Path) -> list[str]:
    """Restore every file of a backup but the log, if its place is empty and open, the others into `beside`.

    `settings` is what may come back of the backup's settings; where that is less, all of them lie beside as well.
    """
    restored: list[str] = []
    places = [_place(origin, own) for origin in backup.manifest.origins]
    new = [_is_new(origin, place, own) for origin, place in zip(backup.manifest.origins, places, strict=True)]
    for origin, place, is_new in zip(backup.manifest.origins, places, new, strict=True):
        root = backup.folder / origin.kind / str(origin.number)
        for file in (Path(entry.path) for entry in entries_below(root, lambda _: True, quiet=True)):
            steps = file.relative_to(root)
            if file.is_file() and file.suffix.lower() in endings(origin.kind):
                target, other = place / steps, beside / origin.kind / str(origin.number) / steps
                is_open = _is_wanted(origin, steps, is_new=is_new) and _is_open(origin, steps, target, own)
                is_open = is_open and not leads_out(place, str(steps))
                _put_back(file, target, other, restored, is_open=is_open)
    if backup.manifest.part(SETTINGS) is not None:
        if settings is not None and not os.path.lexists(own.settings):
            _put_back(settings, own.settings, beside / SETTINGS, restored)
        _put_back(backup.folder / SETTINGS, own.settings, beside / SETTINGS, restored, is_open=False)
    return restored


def _place(origin: BackupSource, own: OwnFiles) -> Path:
    """Return the folder that a part stood in, seen from this home."""
    if origin.kind == "copies":
        return own.copies
    place = Path(origin.place)
    if origin.place.startswith("~/"):
        place = own.home / place.relative_to("~")
    return place if origin.folder else place.parent


def _is_new(origin: BackupSource, place: Path, own: OwnFiles) -> bool:
    """Return whether a folder does not exist, nor its parent: programs look into what a project holds.

    One of exercises that the learner has trusted may stand anywhere.
    """
    if not origin.folder or place == own.home or not place.is_relative_to(own.home) or os.path.lexists(place):
        return False
    first = own.home / place.relative_to(own.home).parts[0]
    return not os.path.lexists(first) or (origin.kind == "exercises" and place.resolve() in own.trusted)


def _is_wanted(origin: BackupSource, steps: Path, *, is_new: bool) -> bool:
    """Return whether a part may bring this file: an untrusted archive may name any, even programs.

    Into an existing folder restore only deck files, never files named in capitals: programs obey files with such
    names, whatever those are.
    """
    name, stem = steps.name, steps.name.partition(".")[0]
    if name.lower() == _TRUST or str(steps).lower() == _PACKAGE or stem.lower() in _INSTRUCTIONS:
        return False
    if origin.kind != "copies" and not is_new and stem.isupper() and not is_picture(name):
        return False
    if origin.kind == "copies":
        return is_of_decks(name)
    if origin.folder:
        return is_new or (origin.kind == "decks" and is_of_decks(name))
    its_own = str(steps) in {Path(origin.place).name, "macros.tex"} or is_picture(name)
    return origin.kind == "decks" and is_of_decks(name) and its_own


def _is_open(origin: BackupSource, steps: Path, target: Path, own: OwnFiles) -> bool:
    """Return whether files may be restored there: below the home, not hidden, not a place of this program."""
    if origin.kind == "copies":
        return _is_seen(steps)
    real, home = _real(target), _real(own.home)
    programs = any(real.is_relative_to(_real(folder)) for folder in own.programs)
    if programs or real == _real(own.settings) or not origin.place.startswith("~/"):
        return False
    links_seen = not real.is_relative_to(home) or _is_seen(real.relative_to(home))
    return links_seen and _is_seen(target.relative_to(own.home))


def _is_seen(steps: Path) -> bool:
    """Return whether no step of a path below the home is hidden, or a folder that programs read."""
    first = steps.parts[0].lower() if steps.parts else ""
    return first not in _HIDDEN and all(is_kept(step.lower()) for step in steps.parts)


def _real(path: Path) -> Path:
    """Return where links lead to, in small letters: many systems take either."""
    return Path(os.path.realpath(path).lower())


def _put_back(file: Path, place: Path, other: Path, restored: list[str], *, is_open: bool = True) -> None:
    """Put a file in its place if that is empty and open, else into the other. Skip one that is there already."""
    with contextlib.suppress(OSError):  # what may not be read is a place that is taken
        if place.is_file() and filecmp.cmp(place, file, shallow=False):
            return
    if is_open and not os.path.lexists(place):
        with contextlib.suppress(OSError):
            _copy_new(file, place)
            restored.append(str(place))
            return
    with explaining(f"{other} cannot be written (", "). The log is restored. Try again.", StudyError):
        _copy_new(file, other)
    restored.append(str(other))


def _copy_new(file: Path, place: Path) -> None:
    """Copy to a new file, whole or not at all, that only its owner may read, as the backup's are.

    How open the old one was is not known.
    """
    make_folder(place.parent)
    draft = place.with_name(_DRAFT_NAME)
    try:
        with fresh_file(draft, mode=0o600, synced=True) as target, file.open("rb") as source:
            shutil.copyfileobj(source, target)
        _name_new(draft, place)
    finally:
        draft.unlink(missing_ok=True)


def _name_new(draft: Path, place: Path) -> None:
    """Give a draft an unused name, or raise FileExistsError."""
    try:
        os.link(draft, place)
    except FileExistsError:
        raise
    except OSError:  # a stick's files have one name
        os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        draft.replace(place)


def _proved(backup: Path, prove: Callable[[], Value]) -> Value:
    """Return what `prove` gives. Its errors name the backup and not a copy of it."""
    try:
        return prove()
    except StudyError as error:
        kind = BadDataError if isinstance(error, BadDataError) else StudyError
        raise kind(f"{backup} cannot be brought back: {error}") from error


def _is_database(file: Path) -> bool:
    with (
        explaining(f"{file} cannot be read (", "). Name another file.", StudyError),
        os.fdopen(open_ordinary(file, os.O_RDONLY, follow=True), "rb") as opened,
    ):
        return opened.read(len(_SQLITE)) == _SQLITE


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
