"""Define the form of every problem in an author's text: what is wrong, and where."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from studykit.errors import BadDataError


class Severity(StrEnum):
    """Say whether a deck must be changed or could be better."""

    ERROR = "error"
    WARNING = "warning"
    STYLE = "style"  # allowed, but not in shipped decks


@dataclass(frozen=True, slots=True)
class Problem:
    """Hold one problem. `message` says what is wrong and what to do."""

    path: str
    line: int  # from 1
    message: str
    severity: Severity = Severity.ERROR
    lost: bool = False  # because of it a note is skipped until it is corrected

    def __str__(self) -> str:
        warning = "warning: " if self.severity is Severity.WARNING else ""
        return f"{self.path}:{self.line}: {warning}{self.message}"


def refuse(problems: Iterable[Problem]) -> None:
    """Raise BadDataError with every mistake among the problems, a line each, if there are any."""
    mistakes = (problem for problem in problems if problem.severity is Severity.ERROR)
    messages = [str(problem) for problem in sorted(mistakes, key=lambda problem: (problem.path, problem.line))]
    if messages:
        raise BadDataError("\n".join(messages))
