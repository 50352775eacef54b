"""Check whether a database's place is safe: a local disk, outside synchronized folders.

In WAL mode, processes share memory through a file next to the database, which network drives do not support. A
synchronizer copies the database and its write-ahead log separately, and may restore a pair that does not match.
"""

import json
import os
import re

with open(os.path.join(os.path.dirname(__file__), "unsafe_places.json"), "rb") as _opened:
    _PLACES: dict[str, dict[str, str]] = json.load(_opened)
NETWORKS = _PLACES["networks"]
"""Network file systems, by their type in the table of mounts."""
_MARKS, _NAMES = _PLACES["marks"], _PLACES["names"]
"""Files with which a synchronizer marks its folder, and names that such folders have."""
_OF_SEVERAL = re.compile(r"(Dropbox) \(.*\)|(OneDrive) - .*")
_ESCAPED = re.compile(r"\\(\d{3})")


def unsafe_place(file: str, mounts: str) -> str | None:
    """Return why a file's place is unsafe, such as `on NFS` or `in a folder of Dropbox`, or None.

    `file` must be a path without links. `mounts` is the text of `/proc/self/mountinfo`.
    """
    if network := NETWORKS.get(_file_system(file, mounts)):
        return f"on {network}"
    folder = file
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        if service := _synchronizer(folder):
            return f"in a folder of {service}"
    return None


def place_of(file: "str | os.PathLike[str]") -> str | None:
    """Return why the place of a file on this machine is unsafe, or None."""
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as table:
            mounts = table.read()
    except OSError:
        mounts = ""
    return unsafe_place(os.path.realpath(file), mounts)


def _synchronizer(folder: str) -> str | None:
    """Return the program that synchronizes a folder, by the folder's name or a file in it, or None."""
    name = os.path.basename(folder)
    several = _OF_SEVERAL.fullmatch(name)
    by_name = several[1] or several[2] if several else _NAMES.get(name)
    marks = (service for mark, service in _MARKS.items() if os.path.lexists(os.path.join(folder, mark)))
    return by_name or next(marks, None)


def _file_system(file: str, mounts: str) -> str:
    """Return the type of a path's file system: that of the longest mount point above it."""
    # Of two mounts at the same point the later one hides the earlier.
    longest, kind = "", ""
    for line in mounts.splitlines():
        fields, _, types = line.partition(" - ")
        point = _ESCAPED.sub(lambda code: chr(int(code[1], 8)), "".join(fields.split()[4:5]))
        is_above = bool(point) and f"{file}/".startswith(f"{point.rstrip('/')}/")
        if is_above and len(point) >= len(longest):
            longest, kind = point, "".join(types.split()[:1])
    return kind
