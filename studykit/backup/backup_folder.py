"""The folder in which backups lie, and their names: database, machine and moment.

Looked at after each session, so nothing slow is imported here.
"""

import os
import re
from datetime import UTC, datetime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from studykit.backup.retention import Copy

ENDING = ".zip"
UNFINISHED = ".unfinished-"
_STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"(?P<kind>.+)-(?P<stamp>\d{8}T\d{6}Z)(?:-(?P<number>\d{1,6}))?\.zip")
_STRANGE = re.compile(r"[^A-Za-z0-9_]+")


class BackupFolder:
    """The backups of one database of one machine in a folder; others in it are left alone."""

    def __init__(self, folder: "Path", database: str, machine: str) -> None:
        """`database` and `machine` are names that the backups carry."""
        self.folder = folder
        self._kind = f"{_plain(database)}-{_plain(machine)}"

    def newest(self, now: datetime) -> "tuple[str, datetime] | None":
        """Name and moment of the newest backup; one from the future is not asked."""
        made = [(moment, name) for name, moment in self._moments() if moment.replace(microsecond=0) <= now]
        return max(made)[::-1] if made else None

    def copies(self) -> "list[Copy]":
        """The backups, newest first."""
        from studykit.backup.retention import Copy

        found = [Copy(name, made, (self.folder / name).stat().st_size) for name, made in self._moments()]
        return sorted(found, key=lambda copy: (copy.made, copy.name), reverse=True)

    def new_name(self, now: datetime) -> "Path":
        """A name that is not taken."""
        stem = f"{self._kind}-{now.astimezone(UTC).strftime(_STAMP)}"
        number, path = 1, self.folder / f"{stem}{ENDING}"
        while path.exists():
            number += 1
            path = self.folder / f"{stem}-{number}{ENDING}"
        return path

    def prune(self, now: datetime) -> "list[Copy]":
        """Remove the backups that need not stay, and tell which they were."""
        from studykit.backup.retention import superfluous

        return [copy for copy in superfluous(self.copies(), now) if self._removed(copy.name)]

    def _removed(self, name: str) -> bool:
        """Whether a backup is gone; somebody else's stays where nobody takes away another's."""
        try:
            (self.folder / name).unlink(missing_ok=True)
        except PermissionError:
            return False
        return True

    def _moments(self) -> list[tuple[str, datetime]]:
        try:
            names = _files(self.folder)
        except OSError:
            return []
        return [(name, made) for name in names if (made := self._made(name)) is not None]

    def _made(self, name: str) -> datetime | None:
        match = _NAME.fullmatch(name)
        if match is None or match["kind"] != self._kind:
            return None
        return _moment(match)


def newest_in(folder: "Path") -> "Path | None":
    """The newest backup of any database and machine in a folder."""
    found = [
        (moment, name)
        for name in _files(folder)
        if (match := _NAME.fullmatch(name)) and (moment := _moment(match)) is not None
    ]
    return folder / max(found)[1] if found else None


def _files(folder: "Path") -> list[str]:
    """The names of files: a pipe, a folder or a link that leads nowhere is no backup, whoever has put it there."""
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries if entry.is_file()]


def _moment(name: re.Match[str]) -> datetime | None:
    """The moment in a name; later ones of the same second count on in microseconds."""
    try:
        made = datetime.strptime(name["stamp"], _STAMP).replace(tzinfo=UTC)
        return made.replace(microsecond=int(name["number"] or 0))
    except ValueError:
        return None


def _plain(name: str) -> str:
    return _STRANGE.sub("_", name).strip("_")[:40] or "study"
