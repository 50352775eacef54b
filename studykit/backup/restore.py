"""Restore a backup: replace the log, and put every other file back if its place is free.

A backup is unpacked and verified in a temporary folder first, and an untrusted one leaves nothing behind.
"""

import contextlib
import filecmp
import os
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from studykit.backup.archive import DATABASE, SETTINGS, BackupSource, Manifest, unpack
from studykit.backup.backup_folder import UNFINISHED
from studykit.backup.creation import put
from studykit.backup.own_files import OwnFiles, endings, is_kept, is_of_decks, is_picture
from studykit.backup.snapshot import migrate_copy
from studykit.errors import BadDataError, StudyError
from studykit.ordinary_file import entries_below, explaining, fresh_file, leads_out, make_folder, open_ordinary
from studykit.store.recovery import copy_with_log
from studykit.store.sqlite import copy_over

_SQLITE = b"SQLite format 3\0"
_TRUST = "trusted.json"  # in the settings' folder: which folders of exercises run without a sandbox
_DRAFT_NAME = ".studykit-restored.part"  # always the same, so that the next restore removes what a killed one left
_PACKAGE = "__init__.py"  # makes a folder a package, which Python may import instead of another of its name
_INSTRUCTIONS = frozenset(("agents", "claude", "copilot-instructions", "gemini", "qwen"))
"""Names of files whose text programs follow as instructions."""
_HIDDEN = frozenset({"library"}) if sys.platform == "darwin" else frozenset()  # besides names with a dot


@dataclass(frozen=True, slots=True)
class UnpackedBackup:
    """Hold a verified backup in a temporary folder. Its database is of this version, and its log replays."""

    folder: Path
    manifest: Manifest
    database: Path
    events: int


def unpack_backup(backup: Path, work: Path) -> UnpackedBackup:
    """Unpack and verify a backup or a bare database file, or raise BadDataError."""
    database = work / DATABASE
    if _is_database(backup):
        with explaining(f"{backup} cannot be read (", "). Name another file.", StudyError):
            copy_with_log(backup, database)
        manifest = Manifest(made="", reason="", machine="", events=-1)
    else:
        manifest = unpack(backup, work)
        if not database.is_file():
            raise BadDataError(f"{backup} holds no log. Name another file.")
    try:
        events = migrate_copy(database)
    except StudyError as error:
        kind = BadDataError if isinstance(error, BadDataError) else StudyError
        reason = error.message.replace(str(database), DATABASE)
        if error.command:  # which is for the learner's own database, not for this copy
            reason = f"{reason.partition('. ')[0]}. Name another file."
        raise kind(f"{backup} cannot be brought back: {reason}") from error
    if manifest.events not in {-1, events}:
        raise BadDataError(
            f"{backup} holds {events:,} events instead of {manifest.events:,}, so it is damaged. "
            "Use another backup."
        )
    return UnpackedBackup(work, manifest, database, events)


def event_ids(backup: Path, folder: Path) -> set[bytes]:
    """Return the ids of a backup's events, unpacked and checked inside `folder`."""
    with (
        tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=folder) as work,
        closing(sqlite3.connect(unpack_backup(backup, Path(work)).database)) as connection,
    ):
        return {row[0] for row in connection.execute("SELECT id FROM event")}


def install(database: Path, target: Path, now: datetime, *, sound: bool) -> Path | None:
    """Replace a database that other programs may be using, and return the new path of the old one, if any.

    A sound one is overwritten inside a transaction. A damaged one is moved aside, so that nothing of it is lost.
    """
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if sound and target.exists():
        copy_over(database, target, shown=target)
        return None
    aside = _move_aside(target, now)
    put(database, target)
    return aside


def put_back(backup: UnpackedBackup, own: OwnFiles, settings: Path | None, beside: Path) -> list[str]:
    """Restore every file of a backup except the log, and return the paths of the new files.

    Files whose place is taken or not allowed go to `beside`. `settings` holds the allowed settings of the backup.
    The complete ones are put `beside` if they differ.
    """
    restored: list[str] = []
    places = [(origin, _place(origin, own)) for origin in backup.manifest.origins]
    # Looked up before anything is restored, because that makes folders.
    new = {origin.number for origin, place in places if _is_new(origin, place, own)}
    for origin, place in places:
        root = backup.folder / origin.kind / str(origin.number)
        for file in (Path(entry.path) for entry in entries_below(root, lambda _: True, quiet=True)):
            steps = file.relative_to(root)
            if file.is_file() and file.suffix.lower() in endings(origin.kind):
                target, fallback = place / steps, beside / origin.kind / str(origin.number) / steps
                is_open = _is_wanted(origin, steps, is_new=origin.number in new) and _may_restore(
                    origin, steps, target, own
                )
                is_open = is_open and not leads_out(place, str(steps))
                _put_back(file, target, fallback, restored, is_open=is_open)
    if (backup.folder / SETTINGS).is_file():
        if settings is not None and not os.path.lexists(own.settings):
            _put_back(settings, own.settings, beside / SETTINGS, restored)
        # Skipped only if the present settings are the same.
        _put_back(backup.folder / SETTINGS, own.settings, beside / SETTINGS, restored, is_open=False)
    return restored


def _place(origin: BackupSource, own: OwnFiles) -> Path:
    """Return the folder on this machine where the files of an origin belong."""
    if origin.kind == "copies":
        return own.copies
    place = Path(origin.place)
    if origin.place.startswith("~/"):
        place = own.home / place.relative_to("~")
    return place if origin.folder else place.parent


def _is_new(origin: BackupSource, place: Path, own: OwnFiles) -> bool:
    """Return whether neither a folder nor its first folder below the home exists.

    Programs read files of an existing project, so an untrusted backup must not add to one. A folder of exercises
    that the learner has trusted may be anywhere.
    """
    if not origin.folder or place == own.home or not place.is_relative_to(own.home) or os.path.lexists(place):
        return False
    first = own.home / place.relative_to(own.home).parts[0]
    return not os.path.lexists(first) or (origin.kind == "exercises" and place.resolve() in own.trusted)


def _is_wanted(origin: BackupSource, steps: Path, *, is_new: bool) -> bool:
    """Return whether a file of an origin may be restored by its name. An untrusted archive may hold programs.

    An existing folder gets only deck files, and none named in capitals, because programs follow such files.
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


def _may_restore(origin: BackupSource, steps: Path, target: Path, own: OwnFiles) -> bool:
    """Return whether a file may be restored there: below the home, not hidden, and not in a program's folder."""
    if origin.kind == "copies":
        return _is_visible(steps)
    real, home = _real_path(target), _real_path(own.home)
    is_of_program = any(real.is_relative_to(_real_path(folder)) for folder in own.programs)
    if is_of_program or real == _real_path(own.settings) or not origin.place.startswith("~/"):
        return False
    is_visible_by_link = not real.is_relative_to(home) or _is_visible(real.relative_to(home))
    return is_visible_by_link and _is_visible(target.relative_to(own.home))


def _is_visible(steps: Path) -> bool:
    """Return whether no part of a path below the home is hidden or a folder such as `node_modules`."""
    first = steps.parts[0].lower() if steps.parts else ""
    return first not in _HIDDEN and all(is_kept(step.lower()) for step in steps.parts)


def _real_path(path: Path) -> Path:
    """Return the path without links, in small letters, because many file systems ignore case."""
    return Path(os.path.realpath(path).lower())


def _put_back(file: Path, place: Path, fallback: Path, restored: list[str], *, is_open: bool = True) -> None:
    """Copy a file to its place if that is free and allowed, else to `fallback`. Skip it if it is there already."""
    with contextlib.suppress(OSError):  # a file that cannot be read counts as another file
        if place.is_file() and filecmp.cmp(place, file, shallow=False):
            return
    if is_open and not os.path.lexists(place):
        with contextlib.suppress(OSError):
            _copy_new(file, place)
            restored.append(str(place))
            return
    with explaining(
        f"The log is restored, but {fallback} cannot be written (",
        "). Make room or allow writing there, and try again.",
        StudyError,
    ):
        _copy_new(file, fallback)
    restored.append(str(fallback))


def _copy_new(file: Path, place: Path) -> None:
    """Copy to a new file, completely or not at all. Only its owner may read it."""
    # A backup does not record permissions, so the strictest are chosen.
    make_folder(place.parent)
    draft = place.with_name(_DRAFT_NAME)
    try:
        with fresh_file(draft, mode=0o600, synced=True) as target, file.open("rb") as source:
            shutil.copyfileobj(source, target)
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)


def _is_database(file: Path) -> bool:
    with (
        explaining(f"{file} cannot be read (", "). Name another file.", StudyError),
        os.fdopen(open_ordinary(file, os.O_RDONLY, follow=True), "rb") as stream,
    ):
        return stream.read(len(_SQLITE)) == _SQLITE


def _move_aside(target: Path, now: datetime) -> Path | None:
    """Rename a database and its journals, which SQLite would apply to the new one. Return the new path, if any."""
    stamp = now.strftime("%Y%m%dT%H%M%S")
    new_path = None
    for ending in ("", "-wal", "-shm", "-journal"):
        old = target.with_name(target.name + ending)
        if old.exists():
            new = target.with_name(f"{target.name}.replaced-{stamp}{ending}")
            old.replace(new)
            new_path = new_path or new
    return new_path
