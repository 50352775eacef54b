"""The machine that figures are of, in a few lines."""

import os
import platform
import sqlite3
import statistics
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

PAGE = 4096
_COMMITS = 20  # before a log is written over


def machine_lines(anki: str | None) -> list[str]:
    """Date, processor, versions, and what runs beside."""
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        if line.startswith("model name")
    ]
    model, load = (models or ["?"])[0], " ".join(f"{each:.2f}" for each in os.getloadavg())
    sqlite = sqlite3.sqlite_version
    return [
        f"- {datetime.now(UTC):%Y-%m-%d %H:%M} UTC; {len(os.sched_getaffinity(0))} cores of {model}",
        f"- Python {platform.python_version()}, SQLite {sqlite}, Anki's library {anki_version(anki)}",
        f"- load (1, 5 and 15 minutes) at the start {load}",
    ]


def anki_version(interpreter: str | None) -> str:
    """The version of Anki's library, or that there is none."""
    if interpreter is None or not Path(interpreter).exists():
        return "not installed"
    code = "from importlib.metadata import version; print(version('anki'))"
    result = subprocess.run([interpreter, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    return result.stdout.strip() or "not installed"


def fsync_ms(folder: Path, pages: int, times: int = 200) -> list[float]:
    """Milliseconds of writing so many pages over others and forcing them to the disk, as SQLite's log does."""
    file = folder / "fsync.tmp"
    spent = []
    handle = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    try:
        os.write(handle, b"x" * PAGE * pages * _COMMITS)
        os.fsync(handle)
        for number in range(times):
            start = time.perf_counter()
            for page in range(pages):
                os.pwrite(handle, b"y" * PAGE, (number % _COMMITS * pages + page) * PAGE)
            os.fdatasync(handle)
            spent.append((time.perf_counter() - start) * 1000)
    finally:
        os.close(handle)
        file.unlink()
    return spent


def median_of(values: list[float]) -> float:
    """The median."""
    return statistics.median(values)
