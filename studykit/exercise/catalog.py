"""Find exercises by name, loading only the modules of the name's family."""

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, cast

from studykit.cards.card import OBJECTIVES
from studykit.errors import NotFoundError
from studykit.exercise.entry import Exercise

CONTENT = "studykit.exercises"

if TYPE_CHECKING:
    from studykit.exercise.estimate.scenario import Scenario
    from studykit.exercise.rewrite.rewrite import Rewrite

REWRITES = "rewrite."
"""What the ids of rewrites begin with."""

_SETS_APART = {"rewrites": "einops", "bets": "timing", "count": "counted", "scenario": ""}
"""The set of a module's exercises by what its name begins with; those of all other modules are the mixed set."""
MIXED = "napkin-math"

_AUTHORED: list[Callable[[], Iterable[Exercise]]] = []


def set_author_source(exercises: Callable[[], Iterable[Exercise]]) -> None:
    """Register the source of other authors' exercises, in place of an earlier one."""
    _AUTHORED[:] = [exercises]


def find(name: str) -> Exercise:
    """Return the exercise or scenario step with this id, or raise NotFoundError with what to try instead."""
    if (exercise := known(name)) is not None:
        return exercise
    if name in sets():
        raise NotFoundError(f"{name} is a set of exercises. Name one of them", f"study exercise list {name}")
    raise NotFoundError(f"No exercise is named {name!r}.{_nearest(name)}", "study exercise list")


def rewrite_named(name: str) -> "Rewrite":
    """Return the rewrite with this name, with or without its prefix, or raise NotFoundError."""
    exercise = find(name if "." in name else REWRITES + name)
    if exercise.kind != "rewrite":
        raise NotFoundError(
            f"{name} is an exercise of kind {exercise.kind}, not a rewrite. Practise it with",
            f"study exercise {name}",
        )
    return cast("Rewrite", exercise)


def known(name: str) -> Exercise | None:
    """Return the exercise or scenario step with this id, or None."""
    for exercise in chain(shipped(name.partition(".")[0]), _authored()):
        if exercise.id == name:
            return exercise
        if name in getattr(exercise, "step_ids", ()):
            return cast("Scenario", exercise).template(name.rpartition(".")[2])
    return None


@cache
def objective_of(name: str) -> str | None:
    """Return the objective of the exercise with this id, or None if there is no such exercise."""
    exercise = known(name)
    return None if exercise is None else exercise.objective


def every() -> tuple[Exercise, ...]:
    """Return all exercises: those of other authors, then the shipped ones by module."""
    return _named_once(shipped())


def _named_once(exercises: Iterable[Exercise]) -> tuple[Exercise, ...]:
    """Merge other authors' exercises with these shipped ones. Of two with the same id, the shipped one stays."""
    return tuple({exercise.id: exercise for exercise in (*_authored(), *exercises)}.values())


def shipped(family: str = "") -> Iterator[Exercise]:
    """Yield the shipped exercises of one family, or all if `family` is empty."""
    return _of_modules(lambda stem: not family or stem in {family, family + "s"})


def first_questions() -> Mapping[str, Mapping[str, str]]:
    """Return the pins with which exercises are first asked, by id: the numbers of lecture 2."""
    pins: Mapping[str, Mapping[str, str]] = importlib.import_module(CONTENT).FIRST_QUESTIONS
    return pins


def courses() -> Mapping[str, Sequence[str]]:
    """Return the questions of each course, one row for each deliverable, by the name of the course's set."""
    rows: Mapping[str, Sequence[str]] = importlib.import_module(f"{CONTENT}._courses").COURSES
    return rows


def _authored() -> Iterator[Exercise]:
    return chain.from_iterable(exercises() for exercises in _AUTHORED)


def of_set(name: str) -> tuple[Exercise, ...]:
    """Return the exercises of the set, course, family or objective with this name, or the one with this id.

    An objective selects from the mixed set only. A name that is both a family and an objective selects both.
    Raise NotFoundError if nothing has the name.
    """
    if "." in name:
        return (find(name),)
    if name in courses():
        ids = dict.fromkeys(question.split()[0] for row in courses()[name] for question in row.split("; "))
        return tuple(map(find, ids))
    is_shipped = name == MIXED or name in filter(None, _SETS_APART.values())
    # Of a shipped set only the modules that hold it are loaded.
    exercises = _named_once(_of_modules(lambda stem: not is_shipped or _SETS_APART.get(stem, MIXED) == name))
    chosen = tuple(one for one in exercises if name and one.set_name == name) or tuple(
        one for one in exercises if _family(one) == name or (one.set_name == MIXED and one.objective == name)
    )
    if not chosen:
        raise NotFoundError(f"No set of exercises is named {name!r}.{_nearest(name)}", "study exercise list")
    return chosen


def set_names() -> frozenset[str]:
    """Return the names that exercises give as their set, such as einops."""
    return frozenset(exercise.set_name for exercise in every() if exercise.set_name)


def sets() -> tuple[str, ...]:
    """Return all names that select exercises, sorted: sets, families, objectives and courses."""
    families = {_family(exercise) for exercise in every()}
    return tuple(sorted({*set_names(), *families, *OBJECTIVES, *courses()}))


def _family(exercise: Exercise) -> str:
    return exercise.id.partition(".")[0]


def _of_modules(wanted: Callable[[str], bool]) -> Iterator[Exercise]:
    """Yield the exercises of shipped modules whose first word is wanted: `rewrites` in `rewrites_repeat.py`."""
    package = importlib.import_module(CONTENT)
    for name in sorted(file.stem for folder in package.__path__ for file in Path(folder).glob("*.py")):
        if not name.startswith("_") and wanted(name.partition("_")[0]):
            module = importlib.import_module(f"{CONTENT}.{name}")
            offered: tuple[Exercise, ...] = getattr(module, "EXERCISES", ())
            yield from offered


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    ids = [exercise.id for exercise in every()]
    ends = [exercise.rpartition(".")[2] for exercise in ids]  # split_heads is a bet's and a rewrite's
    near = get_close_matches(name, [*ids, *sets(), *ends], n=1, cutoff=0.65)
    if not near:
        return ""
    alike = (
        near if near[0] in sets() else [one for one, end in zip(ids, ends, strict=True) if end == near[0]] or near
    )
    return f" Did you mean {' or '.join(alike)}?"
