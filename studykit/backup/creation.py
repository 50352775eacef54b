"""Make a backup: a verified copy of the log and all of a learner's own files, in one file.

The file gets its final name only when it is complete.
"""

import contextlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from studykit.backup.archive import DATABASE, Manifest, write_archive
from studykit.backup.backup_folder import UNFINISHED, BackupFolder
from studykit.backup.own_files import OwnFiles, packing
from studykit.backup.snapshot import copy_database
from studykit.errors import StudyError
from studykit.ordinary_file import explaining, make_folder, sync_folder
from studykit.text import printable

_STALE_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class NewBackup:
    """Describe a new backup."""

    path: Path
    events: int
    size: int  # bytes
    left_out: tuple[str, ...]


def make_backup(database: Path, own: OwnFiles, backups: BackupFolder, *, now: datetime, reason: str) -> NewBackup:
    """Make a backup in the folder, or raise StudyError. The `reason` is a word for the list of backups."""
    folder = backups.folder
    with explaining(f"No backup could be made in {folder} (", "). Make room or allow writing there.", StudyError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        sweep(folder)
        # In the same folder, so that the finished file only has to be renamed.
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=folder) as work:
            log, archive = Path(work, DATABASE), Path(work, "backup.zip")
            events = copy_database(database, log)
            packing_list = packing(own)
            manifest = Manifest(
                made=now.isoformat(timespec="seconds"),
                reason=reason,
                machine=backups.machine,
                events=events,
                home=printable(str(own.home)),
                origins=tuple(packing_list.origins),
            )
            left_out = write_archive(archive, [(DATABASE, log), *packing_list.files], manifest)
            target = put(archive, backups.new_name(now))
            return NewBackup(target, events, target.stat().st_size, (*left_out, *packing_list.left_out))


def put(file: Path, target: Path) -> Path:
    """Move a finished file to its name, readable only by its owner, and sync it to disk."""
    with contextlib.suppress(OSError):  # the file system of a USB stick has no permissions
        file.chmod(0o600)
    with file.open("rb") as stream:
        os.fsync(stream.fileno())
    file.replace(target)
    sync_folder(target.parent)
    return target


def copy_to(backup: Path, folder: Path) -> Path:
    """Copy the backup into a folder that may be on another disk."""
    with explaining(
        f"The backup could not be copied to {folder} (", "). Make room or allow writing there.", StudyError
    ):
        make_folder(folder, parents=False)
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=folder) as work:
            copy = Path(work) / backup.name
            shutil.copyfile(backup, copy)
            return put(copy, folder / backup.name)


def sweep(folder: Path) -> None:
    """Remove temporary folders of killed processes that are a day older than the folder's last change."""
    for path in folder.glob(f"{UNFINISHED}*"):
        with contextlib.suppress(OSError):
            if abs(path.lstat().st_mtime - folder.stat().st_mtime) > _STALE_SECONDS:
                shutil.rmtree(path, ignore_errors=True)
