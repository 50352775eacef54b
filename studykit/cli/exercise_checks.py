"""The part of `study check` that tries authored exercises: each template proves itself over 100 seeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from studykit.cards.problem import Problem, Severity
from studykit.cli.authors import folders, trusted
from studykit.cli.context import Context
from studykit.errors import StudyError
from studykit.exercise import catalog, trust
from studykit.exercise.registry import kind_of
from studykit.ordinary_file import entries_below


@dataclass(frozen=True, slots=True)
class TrialRun:
    """How many exercises were tried, and what is wrong with them."""

    exercises: int = 0
    problems: tuple[Problem, ...] = ()

    def __add__(self, other: "TrialRun") -> "TrialRun":
        return TrialRun(self.exercises + other.exercises, self.problems + other.problems)


def only_exercises(path: Path) -> bool:
    """Whether a path is a Python file, or a folder with Python files and no deck."""
    if path.is_dir():
        return any(path.glob("*.py")) and not any(
            entry.name.endswith(".md") for entry in entries_below(path, lambda _: True, quiet=True)
        )
    return path.suffix == ".py" and path.exists()


def try_exercises(context: Context, paths: Sequence[Path]) -> TrialRun:
    """The exercises of these files and folders; without paths those of the configuration."""
    found = TrialRun()
    for path in paths or folders(context):
        if path.is_dir() or not paths:
            found += in_folder(context, path, beside_decks=bool(paths) and not only_exercises(path))
        elif only_exercises(path):
            found += in_folder(context, path.parent, only=path.name)
    return found


def in_folder(context: Context, folder: Path, *, only: str = "", beside_decks: bool = False) -> TrialRun:
    """The exercises of one folder, or of one file in it; a folder that is not trusted is not run."""
    try:
        found = trust.files(folder)
    except StudyError as error:
        return TrialRun(problems=() if beside_decks else (Problem(str(folder), 1, str(error)),))
    if not found and beside_decks:
        return TrialRun()
    if not trusted(context).holds(folder, found):
        return TrialRun(problems=(_distrusted(folder, beside_decks=beside_decks),))
    tried = TrialRun()
    for name, content in trust.modules(found).items():
        if only in ("", name):
            tried += _in_file(folder, name, content)
    return tried


def _distrusted(folder: Path, *, beside_decks: bool) -> Problem:
    trusting = f"study exercise trust {folder}"
    if beside_decks:
        told = f"its Python files were not tried; if they are exercises, read them, then: {trusting}"
        return Problem(str(folder), 1, told, Severity.WARNING)
    return Problem(str(folder), 1, f"not trusted as it is; read it, then: {trusting}")


def _in_file(folder: Path, name: str, content: bytes) -> TrialRun:
    try:
        (module,) = trust.load(folder, {name: content})
        return TrialRun(len(trust.exercises(module)), tuple(_in_module(module)))
    except StudyError as error:
        path, line, message = _placed(str(error), str(folder / name))
        return TrialRun(problems=(Problem(path, line, message),))


def _in_module(module: ModuleType) -> list[Problem]:
    path = str(module.__file__)
    shipped = {exercise.id for exercise in catalog.shipped()}
    wrong: list[Problem] = []
    exercises = trust.exercises(module)
    if not exercises:
        return [Problem(path, 1, "offers nothing; list its templates in EXERCISES = (...,)")]
    for exercise in exercises:
        line = trust.line_of(module, exercise.id)
        if exercise.id in shipped:
            wrong.append(Problem(path, line, f"{exercise.id} is the name of an exercise that ships; take another"))
        wrong += [Problem(path, line, fault) for fault in kind_of(exercise).faults(exercise)]
    return wrong


def _placed(told: str, path: str) -> tuple[str, int, str]:
    line, _, message = told.removeprefix(f"{path}:").partition(":")
    return path, int(line) if line.isdigit() else 1, message.strip() or told
