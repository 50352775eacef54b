"""Measure every budget, print a table with verdicts, and write it into RESULTS.md if the machine was idle.

    python -m tests.benchmarks             ten minutes on two quiet cores
    python -m tests.benchmarks --only start review

It builds a wheel and runs from a clean environment. Anki's library is measured as well where STUDYKIT_ANKI_PYTHON
names an interpreter that has it, or where `tests/anki/install` was run.
"""

import argparse
import compileall
import json
import os
import platform
import shutil
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from budgets import AREAS, BUDGETS, HEAD, Row, table
from checkout import build, copy_checkout, environment

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "RESULTS.md"
LIMIT_S = 1800
OWN_ANKI = HERE.parent / "anki" / ".venv" / "bin" / "python"


def main() -> None:
    """Measure the chosen areas, print the table, and write it if all areas were measured on an idle machine."""
    options = arguments()
    options.folder.mkdir(parents=True, exist_ok=True)
    anki = os.environ.get("STUDYKIT_ANKI_PYTHON") or (str(OWN_ANKI) if OWN_ANKI.exists() else "")
    environ = {**os.environ, "STUDYKIT_ANKI_PYTHON": anki}
    lines = machine_lines(anki)
    python, place = sys.executable, "the running environment, as it is"
    if not options.editable:
        python, place = clean_python(options.folder), "a wheel in a clean environment"
    began = time.monotonic()
    rows: list[Row] = []
    for area in (area for area in AREAS if area in options.only):
        rows += measured(python, area, options, environ)
        tell(f"{area}: {time.monotonic() - began:.0f} s")
    lines.append(f"- load at the end {load()}; {(time.monotonic() - began) / 60:.0f} minutes")
    lines.append(f"- measured on {place}")
    is_busy = os.getloadavg()[0] > len(os.sched_getaffinity(0)) + 1  # one for what is measured
    if is_busy:
        lines.append("- the machine was busy, so times by the clock are too long; measure again when it is idle")
    text = "\n".join(report(lines, rows)) + "\n"
    sys.stdout.write(text)
    if {*options.only} == {*AREAS} and not is_busy:
        RESULTS.write_text(text, encoding="utf-8")


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=AREAS, default=AREAS)
    parser.add_argument("--runs", type=int, default=15, help="whole processes of each kind")
    parser.add_argument("--editable", action="store_true", help="build no wheel")
    parser.add_argument("--folder", type=Path, default=Path("/tmp/studykit-bench"), help="where samples are kept")
    return parser.parse_args()


def clean_python(folder: Path) -> str:
    """Install this checkout as a wheel in a new environment, and return its interpreter.

    An editable install would slow every start.
    """
    source, place = folder / "source", folder / "clean"
    for old in (source, place, *folder.glob("studykit*.whl")):
        shutil.rmtree(old) if old.is_dir() else old.unlink(missing_ok=True)
    build("build_wheel", folder, copy_checkout(source))
    python = environment(place)
    site = next(place.glob("lib/python*/site-packages"))
    with zipfile.ZipFile(next(folder.glob("studykit*.whl"))) as archive:
        archive.extractall(site)
    compileall.compile_dir(site, quiet=2)
    shutil.rmtree(source)
    return str(python)


def measured(python: str, area: str, options: argparse.Namespace, environ: dict[str, str]) -> list[Row]:
    """Measure an area in a new process and return its rows. If that fails, each row says why."""
    words = [python, str(HERE / "areas.py"), area, "--folder", str(options.folder), "--runs", str(options.runs)]
    values, problem = {}, ""
    try:
        result = subprocess.run(words, env=environ, capture_output=True, text=True, check=True, timeout=LIMIT_S)
        values = json.loads(result.stdout)
    except subprocess.TimeoutExpired:
        problem = f"took more than {LIMIT_S} s"
    except subprocess.CalledProcessError as error:
        problem = (error.stderr.strip().splitlines() or [f"exit status {error.returncode}"])[-1]
    return [Row(each, *values.get(each.what, (None, problem))) for each in BUDGETS if each.area == area]


def machine_lines(anki: str) -> list[str]:
    """Return lines with the date, processor, versions and load."""
    info = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    model = next((line.partition(":")[2].strip() for line in info if line.startswith("model name")), "?")
    return [
        f"- {datetime.now(UTC):%Y-%m-%d %H:%M} UTC; {len(os.sched_getaffinity(0))} cores of {model}",
        f"- Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, Anki's library {version(anki)}",
        f"- load (1, 5 and 15 minutes) at the start {load()}",
    ]


def load() -> str:
    """Return the machine's load averages as text."""
    return " ".join(f"{each:.2f}" for each in os.getloadavg())


def version(anki: str) -> str:
    """Return the version of Anki's library, or say that it is not installed."""
    if not anki or not Path(anki).exists():
        return "not installed"
    code = "from importlib.metadata import version; print(version('anki'))"
    result = subprocess.run([anki, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    return result.stdout.strip() or "not installed"


def report(lines: Sequence[str], rows: Sequence[Row]) -> list[str]:
    """Return the lines of RESULTS.md: the machine, the counts of verdicts, and the table."""
    counts = Counter(row.verdict for row in rows)
    verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ("met", "missed", "not measured"))
    head = [
        "# Budgets, measured",
        "",
        "Made by `python -m tests.benchmarks`; a ratio is the part of a budget.",
        "",
    ]
    return [*head, *lines, f"- {verdicts}", "", *table(HEAD, [row.cells() for row in rows])]


def tell(sentence: str) -> None:
    """Print a sentence of progress on standard error."""
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
