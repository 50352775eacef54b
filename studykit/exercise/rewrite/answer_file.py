"""Read, grade and report the answer to a rewrite in a file."""

import re
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from studykit.cards.card import NO_CARD
from studykit.errors import BadDataError, NotFoundError, StudyError, UsageError
from studykit.exercise.catalog import REWRITES, rewrite_named
from studykit.exercise.rewrite.pasted import NOTEBOOK, python_of
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.verdict import Correct, Malformed
from studykit.scheduling.event_kinds import EventKind

if TYPE_CHECKING:
    from studykit.graders.host.grade import Graded
    from studykit.graders.host.place import Place
    from studykit.scheduling.events import Showing
    from studykit.store.store import Store

_MAX_ANSWER_BYTES = 1 << 20
_NAMED = re.compile(r"\brewrite\.\w+")


def starting_text(task: Rewrite) -> str:
    """Return the text of a file to start from, with the question as comments and an empty `f`."""
    question = "\n".join(f"# {line}".rstrip() for line in (task.id, "", *task.prompt.splitlines()))
    names = ", ".join(sorted(task.must))
    return f"{question}\n\nfrom einops import {names}\n\n\ndef {task.signature}:\n    return\n"


def named_in(exercise: str | None, file: Path | None) -> tuple[Rewrite, Path | None]:
    """Return the rewrite and the file of a command line, in either order.

    A file alone names its rewrite in its text or file name. A rewrite alone comes with None.
    """
    if exercise is None:
        raise UsageError("Name a rewrite and a file", "study grade rewrite.split_heads mine.py")
    if file is not None:
        is_swapped = exercise.endswith(".py") and file.suffix != ".py"
        return (rewrite_named(str(file)), Path(exercise)) if is_swapped else (rewrite_named(exercise), file)
    if not exercise.endswith(".py") and "/" not in exercise:
        return rewrite_named(exercise), None
    return _answered_in(Path(exercise)), Path(exercise)


def _answered_in(file: Path) -> Rewrite:
    """Find the rewrite that a file answers, by an id in its text or by its file name."""
    names = _NAMED.findall(read_answer(file)) if file.exists() else []
    for name in dict.fromkeys([*names, REWRITES + file.stem.removeprefix(REWRITES)]):
        with suppress(NotFoundError):
            return rewrite_named(name)
    if not file.exists():
        read_answer(file)
    raise UsageError(f"Which rewrite does {file} answer? Name it", f"study grade rewrite.NAME {file}")


def read_answer(path: Path) -> str:
    """Read the text of an answer file, or refuse it."""
    from studykit.ordinary_file import read_text

    if path.is_dir():
        raise UsageError(f"{path} is a folder. Name a Python file, or grade the folder with --batch.")
    if not path.exists():
        raise UsageError(f"{path} does not exist. Write your answer there, or name another file.")
    text = read_text(path, _MAX_ANSWER_BYTES, "Name a Python file.", BadDataError)
    if path.suffix == ".ipynb" and python_of(text)[1] != NOTEBOOK:
        raise BadDataError(f"{path} is not a notebook that can be read. Save it again, or name a Python file.")
    return text


@dataclass(frozen=True, slots=True)
class GradedFile:
    """Hold a graded answer from a file, not yet in the log."""

    graded: "Graded"
    seed: int
    answer: str
    began: float  # on the monotonic clock

    def log(self, store: "Store") -> None:
        """Log the answer as practice."""
        verdict = self.graded.judgment.verdict.name
        showing = showing_of(self.graded.exercise, self.seed, self.answer, verdict)
        took_ms = int((time.monotonic() - self.began) * 1000)
        store.log.record(EventKind.PRACTICE, NO_CARD, took_ms=took_ms, showing=showing)


def showing_of(task: Rewrite, seed: int, answer: str, verdict: str) -> "Showing":
    """Return what the log records of an answer."""
    from studykit.scheduling.events import Showing

    return Showing(task.id, task.version, seed, "{}", answer, verdict)


def grade_file(place: "Place", task: Rewrite, file: Path, seed: int, *, again: bool) -> GradedFile:
    """Grade a file on the shapes of a seed, or refuse an unreadable one.

    The right axes are shown only `again`, after an earlier attempt.
    """
    from studykit.graders.host.grade import grade

    began, answer = time.monotonic(), read_answer(file)
    graded = grade(place, task, answer, Random(seed), again=again)
    return GradedFile(graded, seed, answer, began)


def advice(graded: "Graded", hint: int = 0, *, show_solution: bool = False) -> list[str]:
    """Return the requested hints and solutions, and how to get more."""
    task, passed = graded.exercise, isinstance(graded.judgment.verdict, Correct)
    lines = [f"Hint: {text}" for text in task.hints[:hint]]
    if show_solution:
        every = "\n\n".join((task.solution.strip(), *(other.strip() for other in task.alternatives)))
        lines.append(f"\n{every}" if passed else "The solution is shown after a pass.")
    elif passed:
        lines.append("Solutions to compare with: add --show-solution.")
    if not passed and hint < len(task.hints):
        lines.append(f"{'Another' if hint else 'A'} hint: add --hint{' --hint' * hint}.")
    return lines


def report(graded: "Graded", file: Path, *, ascii_only: bool) -> str:
    """Format the checks, the diagnosis and the verdict of a graded file."""
    from studykit.graders.host import grade

    return "\n".join([f"{graded.exercise.id}  {file}", "", *grade.lines(graded, ascii_only=ascii_only)])


def exit_code(graded: "Graded") -> int:
    """Return 0 for a right answer, 5 for an unreadable one, 1 for a wrong one."""
    if isinstance(graded.judgment.verdict, Correct):
        return 0
    return (BadDataError if isinstance(graded.judgment.verdict, Malformed) else StudyError).exit_code
