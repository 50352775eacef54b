"""Answers to rewrites from the text files of `tests/data/rewrites`."""

from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parent.parent / "data" / "rewrites"


@dataclass(frozen=True, slots=True)
class AnswerCase:
    """One case: its exercise, the rest of its heading, its answer."""

    exercise: str
    words: str
    answer: str


def cases(name: str) -> list[AnswerCase]:
    """The cases of a file, in order; a heading is `= EXERCISE: words`, with the answer below it."""
    _, *blocks = ("\n" + (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")).split("\n= ")
    found = []
    for block in blocks:
        heading, _, answer = block.partition("\n")
        exercise, _, words = heading.partition(": ")
        found.append(AnswerCase(exercise, words, answer.rstrip() + "\n"))
    return found
