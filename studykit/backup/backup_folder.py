"""The folder in which backups lie, and their names: database, machine and moment.

Looked at after each session, so nothing slow is imported here.
"""

import contextlib
import os
import re
from datetime import UTC, datetime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
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
        return [copy for copy, _ in self._owned_copies()]

    def new_name(self, now: datetime) -> "Path":
        """A name that is not taken."""
        stem = f"{self._kind}-{now.astimezone(UTC).strftime(_STAMP)}"
        number, path = 1, self.folder / f"{stem}{ENDING}"
        while os.path.lexists(path):
            number += 1
            path = self.folder / f"{stem}-{number}{ENDING}"
        return path

    def prune(self, now: datetime, made: str = "") -> "list[Copy]":
        """Remove the backups that need not stay, and tell which they were; the one that was just `made` stays.

        Somebody else's files do not go and do not count: whatever their names say, they push no other out.
        """
        from studykit.backup.retention import superfluous

        gone = []
        for copy in superfluous([copy for copy, owner in self._owned_copies() if owner == os.geteuid()], now):
            if copy.name == made:
                continue
            with contextlib.suppress(OSError):
                (self.folder / copy.name).unlink(missing_ok=True)
                gone.append(copy)
        return gone

    def _owned_copies(self) -> "list[tuple[Copy, int]]":
        """The backups and whose they are, newest first; one that another process removes meanwhile is none."""
        from studykit.backup.retention import Copy

        found = []
        for name, made in self._moments():
            with contextlib.suppress(OSError):
                status = (self.folder / name).lstat()
                found.append((Copy(name, made, status.st_size), status.st_uid))
        return sorted(found, key=lambda one: (one[0].made, one[0].name), reverse=True)

    def _moments(self) -> list[tuple[str, datetime]]:
        return [(name, made) for kind, made, name in _backups(self.folder) if kind == self._kind]


def newest_in(folder: "Path") -> "Path | None":
    """The newest backup of any database and machine in a folder."""
    found = [(moment, name) for _, moment, name in _backups(folder)]
    return folder / max(found)[1] if found else None


def _backups(folder: "Path") -> "Iterator[tuple[str, datetime, str]]":
    """Kind, moment and name of every backup; a link, a pipe or a folder of such a name is none."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            match = _NAME.fullmatch(entry.name)
            if match and entry.is_file(follow_symlinks=False) and (moment := _moment(match)) is not None:
                yield match["kind"], moment, entry.name


def _moment(name: re.Match[str]) -> datetime | None:
    """The moment in a name; later ones of the same second count on in microseconds."""
    try:
        made = datetime.strptime(name["stamp"], _STAMP).replace(tzinfo=UTC)
        return made.replace(microsecond=int(name["number"] or 0))
    except ValueError:
        return None


def _plain(name: str) -> str:
    return _STRANGE.sub("_", name).strip("_")[:40] or "study"
