"""Check published answers of papers, courses and blogs, each with its own numbers."""

import shlex
from pathlib import Path

import pytest
from shell import Shell

TABLE = Path(__file__).parents[1] / "data" / "estimates" / "published.txt"
ROWS = [line for line in TABLE.read_text("utf-8").splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("row", ROWS)
def test_a_published_answer_gets_its_verdict(study: Shell, row: str) -> None:
    exercise, pins, answer, verdict, _source = row.split(" | ")

    result = study("exercise", "check", exercise, *shlex.split(pins), "--answer", answer, "--json")

    assert result.json["verdict"] == verdict, result.out
