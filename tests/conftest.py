"""Which tests can run on this machine, said in the first lines of a run."""

import importlib.util
import shutil
from pathlib import Path

collect_ignore: list[str] = []


def postgresql() -> Path | None:
    """The folder of PostgreSQL's server programs."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "postgres").exists()), None)


_POSTGRESQL = postgresql() if importlib.util.find_spec("psycopg") else None
if _POSTGRESQL is None:
    collect_ignore.append("test_postgresql.py")


def pytest_report_header() -> str:
    """Name what is left out."""
    return f"PostgreSQL: {_POSTGRESQL or 'no server programs or no psycopg here, its tests are left out'}"
