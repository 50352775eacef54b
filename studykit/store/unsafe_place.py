"""Whether an SQLite file is safe where it lies: not on a network, in no synchronizer's folder, closed to others.

Several processes share memory through a file next to it, which no network drive supports; a synchronizer copies
the file and its log of writes separately, and puts an older pair back.
"""

import json
import os
import re
import stat
from collections.abc import Callable, Collection, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

with open(os.path.join(os.path.dirname(__file__), "unsafe_places.json"), "rb") as _opened:
    _PLACES: dict[str, dict[str, str]] = json.load(_opened)
NETWORKS = _PLACES["networks"]
"""File systems by their name in the table of mounts, on which the database may be damaged."""
_MARKS, _NAMES = _PLACES["marks"], _PLACES["names"]
"""Files by which a synchronizer marks a folder as its own, and names that such folders have."""
_OF_SEVERAL = re.compile(r"(Dropbox) \(.*\)|(OneDrive) - .*")
_ESCAPED = re.compile(r"\\(\d{3})")


def unsafe_place(file: str, mounts: str, names_in: Callable[[str], Collection[str]]) -> str | None:
    """Say why a file's place is unsafe, such as `on NFS` or `in a folder of Dropbox`, or return None.

    `mounts` is the text of `/proc/self/mountinfo`, `names_in` the names in a folder; the path has no links.
    """
    if network := NETWORKS.get(_file_system(file, mounts)):
        return f"on {network}"
    folder = file
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        if service := _synchronizer(folder, names_in):
            return f"in a folder of {service}"
    return None


def place_of(file: "str | os.PathLike[str]") -> str | None:
    """Say why the place of a file on this machine is unsafe, or return None."""
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as table:
            mounts = table.read()
    except OSError:
        mounts = ""
    return unsafe_place(os.path.realpath(file), mounts, _names_in)


def _names_in(folder: str) -> Collection[str]:
    return {name for name in _MARKS if os.path.lexists(os.path.join(folder, name))}


def _synchronizer(folder: str, names_in: Callable[[str], Collection[str]]) -> str | None:
    name = os.path.basename(folder)
    several = _OF_SEVERAL.fullmatch(name)
    by_name = several[1] or several[2] if several else _NAMES.get(name)
    return by_name or next((_MARKS[mark] for mark in sorted(_MARKS.keys() & set(names_in(folder)))), None)


def _file_system(file: str, mounts: str) -> str:
    """Return the type of the file system of a path: that of the longest, last mount point above it."""
    longest, kind = "", ""
    for line in mounts.splitlines():
        fields, _, types = line.partition(" - ")
        point = _ESCAPED.sub(lambda code: chr(int(code[1], 8)), "".join(fields.split()[4:5]))
        above = bool(point) and f"{file}/".startswith(f"{point.rstrip('/')}/")
        if above and len(point) >= len(longest):
            longest, kind = point, "".join(types.split()[:1])
    return kind


def open_to_others(file: "Path") -> Iterator[str]:
    """Yield commands that close what others may read: a database, and its folder if it is ours.

    SQLite gives the files next to a database the modes of the database.
    """
    if _is_loose(file):
        yield f"chmod 600 {file}"
    if file.parent.name == "studykit" and _is_loose(file.parent):
        yield f"chmod 700 {file.parent}"


def _is_loose(path: "Path") -> bool:
    try:
        return bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except OSError:
        return False
