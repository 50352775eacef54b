"""Load cases of rewrites from `tests/data/rewrites`: answers as text, tables as JSON."""

import json
from dataclasses import dataclass
from typing import Any

from data_files import DATA, blocks


@dataclass(frozen=True, slots=True)
class AnswerCase:
    """Hold one case: its exercise, the rest of its heading, and its answer."""

    exercise: str
    words: str
    answer: str


def cases(name: str) -> list[AnswerCase]:
    """Return the cases of `tests/data/rewrites/NAME.txt` in order. A heading is `= EXERCISE: words`."""
    pairs = ((heading.partition(": "), answer) for heading, answer in blocks(f"rewrites/{name}"))
    return [AnswerCase(exercise, words, answer) for (exercise, _, words), answer in pairs]


def rows(name: str) -> list[Any]:
    """Return the rows of a JSON file as parameters of a test, each named by its exercise and its number."""
    import pytest

    table = json.loads((DATA / "rewrites" / f"{name}.json").read_text(encoding="utf-8"))
    return [pytest.param(row, id=f"{row['exercise']} {number}") for number, row in enumerate(table, 1)]
