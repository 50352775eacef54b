"""The table of `python -m tests.benchmarks`: what counts as met, and that a run prints it."""

import json
import math
import os
import subprocess
import sys

import pytest
from rooms import ROOT

BENCHMARKS = ROOT / "tests" / "benchmarks"


@pytest.fixture(autouse=True)
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)


def test_a_verdict_says_whether_a_most_or_a_least_is_met() -> None:
    from budget_row import BudgetRow

    rows = [
        BudgetRow("a", 2, 1.5, "ms"),
        BudgetRow("b", 2, 2.5, "ms"),
        BudgetRow("c", 1000, 900, "a minute", least=True),
        BudgetRow("d", 1000, 1100, "a minute", least=True),
        BudgetRow("e", 0.33, None, "x Anki", "Anki's library is not installed"),
    ]

    assert [row.verdict for row in rows] == ["met", "missed", "missed", "met", "not measured"]
    assert rows[1].cells() == ("b", "≤ 2 ms", "2.5 ms", "1.25", "missed", "")
    assert rows[4].cells()[2:] == ("-", "-", "not measured", "Anki's library is not installed")
    assert rows[3].document()["ratio"] == pytest.approx(1.1)


def test_a_missed_budget_is_a_floor_only_where_the_floor_alone_misses_it() -> None:
    from budget_row import BudgetRow, Floor

    above, below = Floor("import typer alone", 70), Floor("import typer alone", 50)
    rows = [
        BudgetRow("a", 60, 80, "ms", "bare Python 12 ms", floor=above),
        BudgetRow("b", 60, 80, "ms", floor=below),
        BudgetRow("c", 60, 55, "ms", floor=above),
        BudgetRow("d", 60, None, "ms", floor=above),
        BudgetRow("e", 1000, 700, "a minute", least=True, floor=Floor("the disk", 900)),
        BudgetRow("f", 1000, 700, "a minute", least=True, floor=Floor("the disk", 1100)),
    ]

    assert [row.verdict for row in rows] == ["floor", "missed", "met", "not measured", "floor", "missed"]
    assert rows[0].cells()[-1] == "bare Python 12 ms; floor 70 ms: import typer alone"
    assert rows[1].cells()[-1] == "floor 50 ms: import typer alone"
    assert [BudgetRow.of(row.document()) for row in rows] == rows


def test_columns_of_a_table_stand_below_each_other() -> None:
    from budget_row import table

    assert table(("what", "ms"), [("a long name", "1"), ("b", "1,000")]) == [
        "| what        | ms    |",
        "|-------------|-------|",
        "| a long name | 1     |",
        "| b           | 1,000 |",
    ]


def test_slopes_are_exponents() -> None:
    from growth import slopes

    rows = [{"due ms": 1.0, "export s": 0.1}, {"due ms": 1.0, "export s": 10.0}]

    assert slopes([(10, 1_000), (1_000, 100_000)], rows) == pytest.approx({"due ms": 0.0, "export s": 1.0})


def test_one_area_is_measured_and_told_as_json() -> None:
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks",
        "--only",
        "answers",
        "--runs",
        "1",
        "--editable",
        "--json",
    ]
    environment = {**os.environ, "STUDYKIT_ANKI_PYTHON": ""}

    said = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=100
    )

    document = json.loads(said.stdout)
    assert document["machine"][-1] == "- measured on the running environment, as it is"
    assert [row["unit"] for row in document["budgets"]["answers"]] == ["us", "ms"]
    reading, loading = document["budgets"]["answers"]
    assert reading["measured"] > 0
    assert math.isfinite(loading["measured"])  # a difference of two starts: a busy machine makes it anything
