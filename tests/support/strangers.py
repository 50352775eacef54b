"""What others lay into a folder that they may write to as well."""

import os
from pathlib import Path

import pytest


def strangers_link(link: Path, target: Path, patch: pytest.MonkeyPatch) -> None:
    """A link that somebody else owns: root gives it away, anybody else is taken for another."""
    link.symlink_to(target)
    if os.getuid() == 0:
        os.lchown(link, 65534, 65534)
    else:
        patch.setattr(os, "geteuid", lambda: os.getuid() + 1)


def lay(what: str, place: Path, target: Path) -> None:
    """Put a thing into the place of a file; `target` is what links lead to."""
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
            raise ValueError(what)
