"""Find the exercises of other authors, and test those of trusted folders."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from studykit import paths
from studykit.cards.problem import Problem, Severity
from studykit.cli.context import Context
from studykit.cli.devices import attach_devices
from studykit.cli.exit import report_at_exit
from studykit.errors import StudyError
from studykit.exercise import catalog, trust
from studykit.exercise.entry import Exercise
from studykit.ordinary_file import entries_below

_RECORDING = ".json"


def attach_authors(context: Context) -> None:
    """Let the authors' exercises and the learner's devices be found by name. They are read only when needed."""

    @cache
    def exercises() -> Sequence[Exercise]:
        return [*trust.available(folders(context), trusted(context), context.tell, report_at_exit)]

    catalog.set_author_source(exercises)
    attach_devices(context)


def trusted(context: Context) -> trust.Trusted:
    """Return the record of the folders that the learner trusts."""
    return trust.Trusted(context.config_file.parent / "trusted.json")


def folders(context: Context) -> list[Path]:
    """List the folders that the setting `exercises` names."""
    return [paths.of_setting(text, context.config_file) for text in context.config["exercises"]]


@dataclass(frozen=True, slots=True)
class TrialRun:
    """Hold the number of tested exercises and recorded rows, and their problems."""

    exercises: int = 0
    problems: tuple[Problem, ...] = ()

    def __add__(self, other: "TrialRun") -> "TrialRun":
        return TrialRun(self.exercises + other.exercises, self.problems + other.problems)


def only_exercises(path: Path) -> bool:
    """Return whether a path is a Python file, a recording of bets, or a folder of Python files without decks."""
    if path.is_dir():
        return any(path.glob("*.py")) and not any(
            paths.is_deck(entry.name) for entry in entries_below(path, lambda _: True, quiet=True)
        )
    return path.suffix in {".py", _RECORDING} and path.exists()


def try_exercises(context: Context, paths: Sequence[Path]) -> TrialRun:
    """Test the exercises and recordings at these paths, or without paths the exercises of configured folders."""
    trials = TrialRun()
    for path in paths or folders(context):
        if path.is_dir() or not paths:
            trials += try_folder(context, path, beside_decks=bool(paths) and not only_exercises(path))
        elif path.suffix == _RECORDING:
            trials += _try_recording(path)
        elif only_exercises(path):
            trials += try_folder(context, path.parent, only=path.name)
    return trials


def _try_recording(path: Path) -> TrialRun:
    """Check that no time of a recording beats the datasheet of its GPU."""
    from studykit.exercise.bet.recorded import read_recording, too_fast

    recording = read_recording(path)
    return TrialRun(len(recording.rows), tuple(Problem(str(path), 1, fault) for fault in too_fast(recording)))


def try_folder(context: Context, folder: Path, *, only: str = "", beside_decks: bool = False) -> TrialRun:
    """Test the exercises of one folder, or of one file in it. Nothing of an untrusted folder runs.

    In a folder that is `beside_decks`, Python files need not be exercises, so missing trust is only a warning.
    """
    try:
        files = trust.files(folder)
    except StudyError as error:
        return TrialRun(problems=() if beside_decks else (Problem(str(folder), 1, str(error)),))
    if not files and beside_decks:
        return TrialRun()
    if not trusted(context).holds(folder, files):
        return TrialRun(problems=(_trust_problem(folder, beside_decks=beside_decks),))
    trials = TrialRun()
    for name, content in trust.modules(files).items():
        if only in ("", name):
            trials += _try_file(folder, name, content)
    return trials


def _trust_problem(folder: Path, *, beside_decks: bool) -> Problem:
    command = f"study exercise trust {folder}"
    if beside_decks:
        message = f"its Python files were not tried; if they are exercises, read them, then: {command}"
        return Problem(str(folder), 1, message, Severity.WARNING)
    return Problem(str(folder), 1, f"not trusted as it is; read it, then: {command}")


def _try_file(folder: Path, name: str, content: bytes) -> TrialRun:
    path = str(folder / name)
    try:
        (module,) = trust.load(folder, {name: content})
        return TrialRun(len(trust.exercises(module)), tuple(_module_problems(module)))
    except StudyError as error:
        line, _, message = str(error).removeprefix(f"{path}:").partition(":")
        problem = Problem(path, int(line) if line.isdigit() else 1, message.strip() or str(error))
        return TrialRun(problems=(problem,))


def _module_problems(module: ModuleType) -> list[Problem]:
    from studykit.exercise.registry import kind_of

    path = str(module.__file__)
    shipped_ids = {exercise.id for exercise in catalog.shipped()}
    problems: list[Problem] = []
    exercises = trust.exercises(module)
    if not exercises:
        return [Problem(path, 1, "offers nothing; list its templates in EXERCISES = (...,)")]
    for exercise in exercises:
        line = trust.line_of(module, exercise.id)
        if exercise.id in shipped_ids:
            problems.append(
                Problem(path, line, f"{exercise.id} is the name of an exercise that ships; take another")
            )
        problems += [Problem(path, line, fault) for fault in kind_of(exercise).faults(exercise)]
    return problems
