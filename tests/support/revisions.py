"""The program as it was at an earlier revision of the database."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from studykit import paths
from studykit.store import sql


@contextmanager
def only_revisions(last: str, folder: Path) -> Iterator[None]:
    """Databases made in here are of revision `last`."""
    there = folder / f"migrations-{last}"
    shutil.copytree(paths.migrations(), there, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (there / "versions").iterdir():
        if path.name[:4] > last:
            path.unlink()
    with pytest.MonkeyPatch.context() as then:
        then.setattr(paths, "migrations", lambda: there)
        then.setattr(sql, "REVISION", last)
        yield
