"""Read, grade and report the answer to a rewrite in a file, once or at each save until Ctrl-C."""

import re
import time
from collections.abc import Callable
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
    from studykit.exercise.services import Services
    from studykit.graders.host.grade import Graded
    from studykit.graders.host.place import Place
    from studykit.scheduling.events import Showing
    from studykit.store.store import Store

_MAX_ANSWER_BYTES = 1 << 20
_LOOK_S = 0.3
_HOW = "Save the file to grade it again; Ctrl-C ends."
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


def start_file(task: Rewrite, file: Path, write: Callable[[str], None]) -> None:
    """Write a file with the question in it, if it does not exist."""
    with suppress(FileExistsError), file.open("x", encoding="utf-8") as draft:  # "x" follows no dangling link
        draft.write(starting_text(task))
        write(f"Wrote {file}, with the question in it.")


def watch_file(
    services: "Services", task: Rewrite, file: Path, device: str | None = None, *, unconfined: bool = False
) -> int:
    """Grade the file at each save. Return 0 after a pass, or the last grade's exit code.

    An `unconfined` file may run outside the sandbox if it cannot run inside.
    """
    from studykit.graders.host.place import place_for

    with place_for(services.open_worker, device, services.file_permission(unconfined)) as place:
        if place.notice:
            services.tell(place.notice)
        return grade_saves(services, place, task, file)


def grade_saves(services: "Services", place: "Place", task: Rewrite, file: Path) -> int:
    """Grade the file now and at each save, in a place.

    A save is graded once the file is unchanged between two looks, since editors save in steps.
    """
    start_file(task, file, services.write)
    code: int = StudyError.exit_code
    is_repeat, graded_at, last_seen = False, 0, _modified_ns(file)
    try:
        while True:
            modified = _modified_ns(file)
            if modified not in {graded_at, 0} and modified == last_seen:
                graded_at = modified
                latest_code = _grade_save(services, place, task, file, again=is_repeat)
                is_repeat = is_repeat or latest_code is not None
                if code and latest_code is not None:
                    code = latest_code
                services.write(_HOW)
            last_seen = modified
            time.sleep(_LOOK_S)
    except KeyboardInterrupt:
        services.write("")
    return code


def _modified_ns(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:  # between the two halves of an editor's save
        return 0


def _grade_save(services: "Services", place: "Place", task: Rewrite, file: Path, *, again: bool) -> int | None:
    """Report on the file and log its answer. Return the exit code, or None without an answer to grade."""
    try:
        if read_answer(file) == starting_text(task):
            services.write("Nothing is filled in yet.")
            return None
        services.tell("grading ...")  # the first time a worker starts, which takes seconds
        answer = grade_file(place, task, file, services.seed(), again=again)
    except (UsageError, BadDataError) as error:
        services.write(str(error))
        return None
    services.write(report(answer.graded, file, ascii_only=services.ascii_only()))
    answer.log(services.store)
    return exit_code(answer.graded)
