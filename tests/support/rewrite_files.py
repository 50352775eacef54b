"""Answers to rewrites from the text files of `tests/data/rewrites`."""

from dataclasses import dataclass

from data_files import blocks


@dataclass(frozen=True, slots=True)
class AnswerCase:
    """One case: its exercise, the rest of its heading, its answer."""

    exercise: str
    words: str
    answer: str


def cases(name: str) -> list[AnswerCase]:
    """The cases of `tests/data/rewrites/NAME.txt`, in order; a heading is `= EXERCISE: words`."""
    pairs = ((heading.partition(": "), answer) for heading, answer in blocks(f"rewrites/{name}"))
    return [AnswerCase(exercise, words, answer) for (exercise, _, words), answer in pairs]
