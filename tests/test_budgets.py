"""Test the table of `python -m tests.benchmarks`: what counts as met, and that a run prints it."""

import os
import re
import subprocess
import sys

import pytest
from rooms import ROOT

BENCHMARKS = ROOT / "tests" / "benchmarks"


@pytest.fixture(autouse=True)
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)


def test_verdict_says_whether_the_limit_holds() -> None:
    from budgets import Budget, Row

    most, least = Budget("a", "x", 2, "ms"), Budget("b", "y", 1000, "a minute", least=True)
    rows = [
        Row(most, 1.5),
        Row(most, 2.5),
        Row(least, 900),
        Row(least, 1100),
        Row(most, None, "Anki's library is not installed"),
    ]

    assert [row.verdict for row in rows] == ["met", "missed", "missed", "met", "not measured"]
    assert rows[1].cells() == ("x", "≤ 2 ms", "2.5 ms", "1.25", "missed", "")
    assert rows[4].cells()[2:] == ("-", "-", "not measured", "Anki's library is not installed")
    assert rows[3].ratio == pytest.approx(1.1)


def test_areas_and_budgets_name_each_other() -> None:
    import areas
    import budgets

    source = (BENCHMARKS / "areas.py").read_text("utf-8")

    assert set(budgets.AREAS) == set(areas.AREAS)
    assert len({each.what for each in budgets.BUDGETS}) == len(budgets.BUDGETS)
    assert all(each.what in source for each in budgets.BUDGETS if each.area in {"start", "review", "replay"})


def test_columns_of_a_table_stand_below_each_other() -> None:
    from budgets import table

    assert table(("what", "ms"), [("a long name", "1"), ("b", "1,000")]) == [
        "| what        | ms    |",
        "|-------------|-------|",
        "| a long name | 1     |",
        "| b           | 1,000 |",
    ]


def test_one_area_is_measured() -> None:
    command = [sys.executable, "-m", "tests.benchmarks", "--only", "answers", "--runs", "1", "--editable"]
    environment = {**os.environ, "STUDYKIT_ANKI_PYTHON": ""}

    result = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=100
    )

    assert "- measured on the running environment, as it is" in result.stdout
    row = next(line for line in result.stdout.splitlines() if line.startswith("| read an answer"))
    assert re.search(r"\| ≤ 40 us +\| [\d.,]+ us ", row)
