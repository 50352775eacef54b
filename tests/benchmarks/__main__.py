"""Every budget once, in one table with its verdict; written into RESULTS.md beside this file.

    python -m tests.benchmarks             a quarter of an hour on two quiet cores
    python -m tests.benchmarks --only start review
    python -m tests.benchmarks --json      the rows as JSON instead of the table
    python -m tests.benchmarks --long      also a million cards and ten million events, for the growth

It builds a wheel and runs from a clean environment. Anki's library is measured beside where STUDYKIT_ANKI_PYTHON
names an interpreter that has it, or `tests/anki/install` has put it.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from budget_row import HEAD, BudgetRow, number, table
from clean_environment import clean_python
from machine import machine_lines

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "RESULTS.md"
AREAS = ("start", "review", "bulk", "replay", "daily", "export", "answers", "grade")
GROWTH = "growth"
LONGEST_S = 1800
OWN_ANKI = HERE.parent / "anki" / ".venv" / "bin" / "python"


def main() -> None:
    """Measure, print, write."""
    options = arguments()
    options.folder.mkdir(parents=True, exist_ok=True)
    anki = os.environ.get("STUDYKIT_ANKI_PYTHON") or (str(OWN_ANKI) if OWN_ANKI.exists() else "")
    lines = machine_lines(anki or None)
    environment = {**os.environ, "STUDYKIT_ANKI_PYTHON": anki}
    python = sys.executable if options.editable else clean_python(options.folder)
    on = "the running environment, as it is" if options.editable else "a wheel in a clean environment"
    began = time.monotonic()
    rows: dict[str, list[BudgetRow]] = {}
    for area in AREAS:
        if area in options.only:
            rows[area] = budgets(python, area, options, environment)
            tell(f"{area}: {time.monotonic() - began:.0f} s")
    growth = grown(python, options, environment) if GROWTH in options.only else None
    load = " ".join(f"{each:.2f}" for each in os.getloadavg())
    lines[-1] += f", at the end {load}; {(time.monotonic() - began) / 60:.0f} minutes"
    lines.append(f"- measured on {on}")
    if options.json:
        document = {area: [row.document() for row in each] for area, each in rows.items()}
        sys.stdout.write(json.dumps({"machine": lines, "budgets": document, GROWTH: growth}, indent=1) + "\n")
        return
    text = "\n".join(report(lines, rows, growth)) + "\n"
    sys.stdout.write(text)
    if {*options.only} == {*AREAS, GROWTH}:
        RESULTS.write_text(text, encoding="utf-8")


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=[*AREAS, GROWTH], default=[*AREAS, GROWTH])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--runs", type=int, default=15, help="whole processes of each kind")
    parser.add_argument("--editable", action="store_true", help="build no wheel")
    parser.add_argument("--folder", type=Path, default=Path("/tmp/studykit-bench"), help="where samples are kept")
    return parser.parse_args()


def budgets(python: str, area: str, options: argparse.Namespace, environment: dict[str, str]) -> list[BudgetRow]:
    """The rows of an area, by a process of its own; one row that says so where it failed."""
    words = [python, str(HERE / "areas.py"), area, "--folder", str(options.folder), "--runs", str(options.runs)]
    text, problem = output(words, environment)
    if problem:
        return [BudgetRow(f"everything of {area}", 1, None, "", problem)]
    return [BudgetRow.of(row) for row in json.loads(text)]


def grown(python: str, options: argparse.Namespace, environment: dict[str, str]) -> dict[str, object]:
    """The table of growth, by a process of its own."""
    words = [
        python,
        str(HERE / "growth.py"),
        "--folder",
        str(options.folder),
        *(["--long"] if options.long else []),
    ]
    text, problem = output(words, environment)
    return {"problem": problem} if problem else dict(json.loads(text))


def output(words: Sequence[str], environment: dict[str, str]) -> tuple[str, str]:
    """What a process wrote, and its last line of complaint where it failed."""
    try:
        result = subprocess.run(
            words,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_S,
        )
    except subprocess.TimeoutExpired:
        return "", f"took more than {LONGEST_S} s"
    if result.returncode:
        return "", (result.stderr.strip().splitlines() or ["failed without a word"])[-1]
    return result.stdout, ""


def report(lines: Sequence[str], rows: dict[str, list[BudgetRow]], growth: dict[str, object] | None) -> list[str]:
    """Both tables as Markdown."""
    every = [row for each in rows.values() for row in each]
    counts = Counter(row.verdict for row in every)
    verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ("met", "floor", "missed", "not measured"))
    lines_out = [
        "# Budgets, measured",
        "",
        "Made by `python -m tests.benchmarks`; a ratio is the part of a budget. A verdict of `floor` is a budget",
        "that is missed, and that the named floor, measured with it, misses by itself.",
        "",
    ]
    lines_out += [*lines, f"- {verdicts}", ""]
    lines_out += table(HEAD, [row.cells() for row in every]) if every else []
    return [*lines_out, *(growth_lines(growth) if growth else [])]


def growth_lines(growth: dict[str, object]) -> list[str]:
    """The table of growth, its slopes below."""
    if "problem" in growth:
        return ["", f"Growth was not measured: {growth['problem']}"]
    sizes, rows, slopes = growth["sizes"], growth["rows"], growth["slopes"]
    assert isinstance(sizes, list)
    assert isinstance(rows, list)
    assert isinstance(slopes, dict)
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [
        [f"{cards:,}", f"{events:,}", *(number(row[name]) if name in row else "-" for name in names)]
        for (cards, events), row in zip(sizes, rows, strict=True)
    ]
    cells.append(["slope", "", *(f"{slopes[name]:.2f}" if name in slopes else "-" for name in names)])
    anki = growth["anki"]
    beside = (
        f"Anki's log takes {anki:.0f} bytes a review." if isinstance(anki, float) else "Anki is not installed."
    )
    explanation = (
        "A slope of 0 is flat, of 1 as the log grows; an eighth of the cards that have a history is due that day."
    )
    return ["", "## Growth", "", f"{explanation} {beside}", "", *table(["cards", "events", *names], cells)]


def tell(sentence: str) -> None:
    """A line for who waits."""
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
