"""Cases of rewrites from the files of `tests/data/rewrites`: answers as text, tables as JSON."""

import json
from pathlib import Path
from typing import Any, NamedTuple

_FOLDER = Path(__file__).parent.parent / "data" / "rewrites"


class AnswerCase(NamedTuple):
    """One case: its exercise, the rest of its heading, its answer."""

    exercise: str
    words: str
    answer: str


def cases(name: str) -> list[AnswerCase]:
    """The cases of a text file, in order; a heading is `= EXERCISE: words`, with the answer below it."""
    _, *blocks = ("\n" + (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")).split("\n= ")
    result = []
    for block in blocks:
        heading, _, answer = block.partition("\n")
        exercise, _, words = heading.partition(": ")
        result.append(AnswerCase(exercise, words, answer.rstrip() + "\n"))
    return result


def rows(name: str) -> list[Any]:
    """The rows of a JSON file as parameters of a test, each named by its exercise and its number."""
    import pytest

    table = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return [pytest.param(row, id=f"{row['exercise']} {number}") for number, row in enumerate(table, 1)]
