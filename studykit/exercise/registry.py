"""Register the kinds of exercises, and find the exercises of tags and decks.

A kind is a module with an `ExerciseKind`, and a line in `KINDS`.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from studykit.cards.card import Task
from studykit.errors import BadDataError, MissingError, StudyError
from studykit.exercise import catalog
from studykit.exercise.entry import Exercise, PageCard
from studykit.exercise.kind import ExerciseKind, SetRequest

if TYPE_CHECKING:
    from studykit.exercise.services import Services
    from studykit.scheduling.events import Showing
    from studykit.store.card_table import CardTask

KINDS = {
    "number": "studykit.exercise.estimate.kind:ESTIMATE",
    "scenario": "studykit.exercise.estimate.kind:SCENARIO",
    "rewrite": "studykit.exercise.rewrite.kind:REWRITE",
    "bet": "studykit.exercise.bet.kind:BET",
}
"""Where the entry of each kind stands, by the `kind` of its exercises; it is loaded when it is first used."""


def load(name: str) -> ExerciseKind[Any]:
    """Import and return the kind of exercise with this name."""
    module, _, entry = KINDS[name].partition(":")
    kind: ExerciseKind[Any] = getattr(import_module(module), entry)
    return kind


def kind_of(exercise: Exercise) -> ExerciseKind[Any]:
    """Return an exercise's kind. Raise BadDataError for an unknown kind, MissingError for a missing library."""
    if exercise.kind not in KINDS:
        raise BadDataError(f"{exercise.id} has the unknown kind {exercise.kind!r}. Use one of {', '.join(KINDS)}.")
    try:
        return load(exercise.kind)
    except ModuleNotFoundError as error:
        what = error.name or exercise.kind
        raise MissingError(
            f"Exercise {exercise.id} needs {what}, which is not installed. Install it to practise this exercise."
        ) from None


def set_kind(name: str) -> ExerciseKind[Any]:
    """Return the kind that all exercises of a set have, or else the kind for mixed sets."""
    names = {exercise.kind for exercise in catalog.of_set(name)}
    if len(names) == 1:
        return load(names.pop())
    return next(kind for kind in map(load, KINDS) if kind.mixed_sets)


def practise(services: "Services", set_name: str, request: SetRequest) -> int:
    """Practise a set, or one exercise of it, and return the exit code."""
    kind = set_kind(set_name)
    if kind.practise is not None:
        return kind.practise(services, request)
    from studykit.exercise.run import practise_plan

    seed = services.seed() if request.seed is None else request.seed
    return practise_plan(services, kind, request, seed, kind_of)


def page(task: Task) -> PageCard:
    """Return a page's view of a card's exercise, or refuse an unknown exercise or parameter."""
    exercise = catalog.find(task.name)
    return kind_of(exercise).page(exercise, dict(task.pinned))


def refuse_task(task: Task) -> str | None:
    """Check that a card's exercise can be asked, or raise the reason why it cannot.

    Return what its pins mean today if a later version changed their meaning, else None or "".
    """
    exercise = catalog.find(task.name)
    return kind_of(exercise).refuse_pins(exercise, dict(task.pinned))


def asked_again(showing: "Showing") -> str | None:
    """Return the question of a log entry, or None if its exercise has changed or cannot show it again."""
    try:
        exercise = catalog.known(showing.template)
        kind = None if exercise is None else kind_of(exercise)
        if exercise is None or kind is None or kind.asked_again is None or exercise.version != showing.version:
            return None
        return kind.asked_again(exercise, showing)
    except (StudyError, ValueError, TypeError, RecursionError):
        return None


def of_tag(tag: str, tasks: Iterable["CardTask"], tagged: Collection[str]) -> frozenset[str]:
    """Return the ids of the exercises whose objective is the tag, and of those that tagged cards ask."""
    of_objective = {exercise.id for exercise in catalog.every() if exercise.objective == tag}
    return frozenset(of_objective | {task.exercise for task in tasks if task.card in tagged})


def of_decks(exercises: Iterable[Exercise], tasks: Sequence["CardTask"], met: Collection[str]) -> frozenset[str]:
    """Return the ids of the exercises that belong to studied decks.

    An exercise belongs to the decks whose cards ask it. One that no card asks belongs to the last deck whose
    exercises are mostly of its objective, since it may need all that the decks teach of that objective.
    """
    card_exercises, counts = {task.exercise for task in tasks}, dict[str, Counter[str]]()
    for task in tasks:
        counts.setdefault(task.deck, Counter())[task.objective] += 1
    last = {count.most_common(1)[0][0]: deck for deck, count in counts.items()}
    unasked = {one.id for one in exercises if last.get(one.objective) in met and one.id not in card_exercises}
    return frozenset(unasked | {task.exercise for task in tasks if task.deck in met})
