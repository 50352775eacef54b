"""Place files that another user may have put into a shared folder."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def foreign_link(link: Path, target: Path, patch: pytest.MonkeyPatch) -> None:
    """Make a link that another user owns. Without root, pretend to be another user."""
    link.symlink_to(target)
    if os.getuid() == 0:
        os.lchown(link, 65534, 65534)
    else:
        patch.setattr(os, "geteuid", lambda: os.getuid() + 1)


@contextmanager
def nested_folders(place: Path, depth: int) -> Iterator[None]:
    """Nest folders called `a` deeper than Python's stack, until the block ends."""
    descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    for _ in range(depth):
        os.mkdir("a", dir_fd=descriptor)
        inner = os.open("a", os.O_RDONLY | os.O_DIRECTORY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(descriptor)
    try:
        yield
    finally:
        subprocess.run(["/bin/rm", "-rf", str(place / "a")], check=True)  # shutil has a stack too


def lay(what: str, place: Path, target: Path) -> None:
    """Create the link, pipe or folder that `what` names at `place`. Links lead to `target`."""
    match what:
        case "link":
            place.symlink_to(target)
        case "hard link":
            place.hardlink_to(target)
        case "dangling link":
            place.symlink_to(target.with_name("nowhere"))
        case "pipe":
            os.mkfifo(place)
        case "folder":
            place.mkdir()
        case _:
            raise ValueError(f"{what!r} is not a kind of file here.")
