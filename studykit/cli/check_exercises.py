"""The part of `study check` that tries authored exercises: each template proves itself over 100 seeds."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from studykit import catalog, trust
from studykit.cli.authors import folders, trusted
from studykit.cli.world import World
from studykit.errors import StudyError
from studykit.exercise import Template
from studykit.problem import Problem
from studykit.proof import problems as unproved
from studykit.scenario import Scenario


def holds_exercises(path: Path) -> bool:
    """Whether a path is a Python file, or a folder with Python files and no deck."""
    if path.is_dir():
        return any(path.glob("*.py")) and not any(path.rglob("*.md"))
    return path.suffix == ".py"


def problems(world: World, paths: Sequence[Path]) -> list[Problem]:
    """What is wrong with the exercises in these paths; without paths in the folders of the configuration."""
    if not paths:
        return [problem for folder in folders(world) for problem in in_folder(world, folder)]
    named = {path if path.is_dir() else path.parent: path for path in paths if holds_exercises(path)}
    found = [problem for folder in named for problem in in_folder(world, folder)]
    only = {str(path) for path in named.values() if path.is_file()}
    return [problem for problem in found if not only or problem.path in only]


def in_folder(world: World, folder: Path) -> list[Problem]:
    """What is wrong with the exercises of one folder; one that is not trusted is not run."""
    try:
        found = trust.files(folder)
    except StudyError as error:
        return [Problem(str(folder), 1, str(error))]
    if not trusted(world).holds(folder, found):
        return [Problem(str(folder), 1, f"not trusted as it is; read it, then: study exercise trust {folder}")]
    wrong: list[Problem] = []
    for name, content in found.items():
        try:
            (module,) = trust.load(folder, {name: content})
        except StudyError as error:
            path, line, message = _placed(str(error), str(folder / name))
            wrong.append(Problem(path, line, message))
        else:
            wrong += _in_module(module)
    return wrong


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
        judge = catalog.grader("number").judge
        templates = exercise.templates() if isinstance(exercise, Scenario) else (exercise,)
        for template in templates:
            if isinstance(template, Template):
                wrong += [Problem(path, line, f"{template.id}: {told}") for told in unproved(template, judge)]
    return wrong


def _placed(told: str, path: str) -> tuple[str, int, str]:
    line, _, message = told.removeprefix(f"{path}:").partition(":")
    return path, int(line) if line.isdigit() else 1, message.strip() or told
