"""Name backups by database, machine and moment, and choose which ones to keep.

All backups of the last two days are kept, then one a day, a week and a month for a year, and always at least five.
"""

import contextlib
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ENDING = ".zip"
UNFINISHED = ".unfinished-"
_STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"(?P<kind>.+)-(?P<stamp>\d{8}T\d{6}Z)(?:-(?P<number>\d{1,6}))?\.zip")
_UNSAFE_CHARACTERS = re.compile(r"[^A-Za-z0-9_]+")


MAX_TOTAL_BYTES = 500_000_000
MIN_COPIES = 5  # copies, whatever they weigh and however old they are
_KEEP_ALL_FOR = timedelta(days=2)
_TOO_OLD = -1, None
_PERIODS: tuple[tuple[timedelta, Callable[[datetime], object]], ...] = (
    (timedelta(days=14), lambda moment: moment.date()),
    (timedelta(days=60), lambda moment: moment.isocalendar()[:2]),
    (timedelta(days=366), lambda moment: (moment.year, moment.month)),
)


@dataclass(frozen=True, slots=True)
class Copy:
    """Describe the file of a backup."""

    name: str
    made: datetime
    size: int  # bytes
    owner: int = -1  # of the file


class BackupFolder:
    """List, name and prune the backups of one database of one machine. Other files are not touched."""

    def __init__(self, folder: "Path", database: str, machine: str) -> None:
        """Set the folder, and the names of the database and the machine, which are part of each file name."""
        self.folder = folder
        self.machine = machine
        self._kind = f"{_plain(database)}-{_plain(machine)}"

    def newest(self, now: datetime) -> "tuple[str, datetime] | None":
        """Return name and moment of the newest backup, or None. A backup from the future does not count."""
        # The microseconds of a moment are the number in its name.
        moments = [(moment, name) for name, moment in self._moments() if moment.replace(microsecond=0) <= now]
        return max(moments)[::-1] if moments else None

    def new_name(self, now: datetime) -> "Path":
        """Return a path in the folder for a new backup, with an unused name."""
        stem = f"{self._kind}-{now.astimezone(UTC).strftime(_STAMP)}"
        number, path = 1, self.folder / f"{stem}{ENDING}"
        while os.path.lexists(path):  # a link that leads nowhere takes a name as well
            number += 1
            path = self.folder / f"{stem}-{number}{ENDING}"
        return path

    def prune(self, now: datetime, new_name: str = "") -> list[Copy]:
        """Remove and return the superfluous backups, except the one called `new_name`.

        Files of another owner are neither removed nor counted, whatever their names are.
        """
        removed_copies = []
        for copy in superfluous([copy for copy in self.copies() if copy.owner == os.geteuid()], now):
            if copy.name == new_name:
                continue
            with contextlib.suppress(OSError):
                (self.folder / copy.name).unlink(missing_ok=True)
                removed_copies.append(copy)
        return removed_copies

    def copies(self) -> list[Copy]:
        """List the backups, newest first. One that another process removes meanwhile is skipped."""
        copies = []
        for name, moment in self._moments():
            with contextlib.suppress(OSError):
                status = (self.folder / name).lstat()
                copies.append(Copy(name, moment, status.st_size, status.st_uid))
        return sorted(copies, key=lambda copy: (copy.made, copy.name), reverse=True)

    def _moments(self) -> list[tuple[str, datetime]]:
        return [(name, moment) for kind, moment, name in _backups(self.folder) if kind == self._kind]


def superfluous(copies: Sequence[Copy], now: datetime, most_bytes: int = MAX_TOTAL_BYTES) -> list[Copy]:
    """Return the backups to remove: all but the newest of each period, and the oldest beyond `most_bytes`.

    At least `MIN_COPIES` are kept. A backup from the future counts as new.
    """
    newest_first = sorted(copies, key=lambda copy: (copy.made, copy.name), reverse=True)
    keepers: list[Copy] = []
    others: list[Copy] = []
    periods: set[tuple[int, object] | None] = {_TOO_OLD}
    for copy in newest_first:
        period = _period(copy.made, now)
        (others if period in periods else keepers).append(copy)
        if period is not None:
            periods.add(period)
    keepers += others[: max(0, MIN_COPIES - len(keepers))]
    while len(keepers) > MIN_COPIES and sum(copy.size for copy in keepers) > most_bytes:
        keepers.pop()
    names = {copy.name for copy in keepers}
    return [copy for copy in newest_first if copy.name not in names]


def _period(moment: datetime, now: datetime) -> tuple[int, object] | None:
    """Return the period of a backup, or None if it is new enough to be kept in any case."""
    age = now - moment
    if age <= _KEEP_ALL_FOR:
        return None
    for number, (until, period) in enumerate(_PERIODS):
        if age <= until:
            return number, period(moment)
    return _TOO_OLD


def newest_in(folder: "Path") -> "Path | None":
    """Return the newest backup of any database and machine in a folder, or None."""
    backups = [(moment, name) for _, moment, name in _backups(folder)]
    return folder / max(backups)[1] if backups else None


def _backups(folder: "Path") -> "Iterator[tuple[str, datetime, str]]":
    """Yield kind, moment and name of every backup. Links, pipes and folders are skipped."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            match = _NAME.fullmatch(entry.name)
            if match and entry.is_file(follow_symlinks=False) and (moment := _moment(match)) is not None:
                yield match["kind"], moment, entry.name


def _moment(name: re.Match[str]) -> datetime | None:
    """Parse the moment in a name, or return None if it is invalid.

    The number after it counts as microseconds, to order the backups of one second.
    """
    try:
        moment = datetime.strptime(name["stamp"], _STAMP).replace(tzinfo=UTC)
        return moment.replace(microsecond=int(name["number"] or 0))
    except ValueError:
        return None


def _plain(name: str) -> str:
    return _UNSAFE_CHARACTERS.sub("_", name).strip("_")[:40] or "study"
