"""Who may read a learner's log: only its owner may read a new file and a folder that is made for it."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def create_private(file: Path) -> None:
    """Make an empty file that is not there yet; SQLite would let everybody read it."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not file.exists():
        os.close(os.open(file, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600))


def open_to_others(file: Path) -> Iterator[str]:
    """How to close what others may read: commands for a database, and for its folder where that is ours.

    SQLite gives the files next to a database the modes of the database.
    """
    if _is_loose(file):
        yield f"chmod 600 {file}"
    if file.parent.name == "studykit" and _is_loose(file.parent):
        yield f"chmod 700 {file.parent}"


def _is_loose(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & _OTHERS)
    except OSError:
        return False
