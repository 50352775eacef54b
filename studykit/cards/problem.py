"""What is wrong with an author's text, and where: every complaint about a deck has this form."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from studykit.errors import BadDataError


class Severity(StrEnum):
    """Whether a deck must be changed or might be better."""

    ERROR = "error"
    WARNING = "warning"
    STYLE = "style"  # nothing is wrong, but decks that ship do not do it


@dataclass(frozen=True, slots=True)
class Problem:
    """One complaint: `message` says what was found and what to do."""

    path: str
    line: int  # from 1
    message: str
    severity: Severity = Severity.ERROR
    lost: bool = False  # it cost a note, which is not asked until somebody mends it

    def __str__(self) -> str:
        warning = "warning: " if self.severity is Severity.WARNING else ""
        return f"{self.path}:{self.line}: {warning}{self.message}"


def refuse(problems: Iterable[Problem]) -> None:
    """Raise one error that tells every mistake among the problems, a line each, where there is any."""
    mistakes = (problem for problem in problems if problem.severity is Severity.ERROR)
    messages = [str(problem) for problem in sorted(mistakes, key=lambda problem: (problem.path, problem.line))]
    if messages:
        raise BadDataError("\n".join(messages))
