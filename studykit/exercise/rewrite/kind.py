"""Rewrites as a kind of exercise: asked as a card or one after another, or in a file that is watched."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from studykit.errors import NotFoundError
from studykit.exercise import catalog
from studykit.exercise.catalog import REWRITES, rewrite_named
from studykit.exercise.entry import Exercise, PageCard
from studykit.exercise.kind import ExerciseKind, Pinned, SetRequest, read_on_page
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.services import Services

if TYPE_CHECKING:  # a quiz and a page ask this kind and grade nothing
    from studykit.exercise.turn import Asking, Draw
    from studykit.review.question import Question

SET = "einops"


def page(task: Rewrite, pinned: Pinned) -> PageCard:
    """Render question and solution to read."""
    card = read_on_page(task, pinned)
    return PageCard(card.prompt, f"```python\n{card.solution}\n```", card.command)


def watch_set(services: Services, name: str, seed: int | None) -> int:
    """Watch the file that is named like the first rewrite of a set."""
    from studykit.exercise.rewrite.watched_file import watch

    task = chosen(name, services.seed() if seed is None else seed)[0]
    return watch(services, task, Path(task.id.removeprefix(REWRITES) + ".py"))


def plan(_services: Services, request: SetRequest, seed: int) -> Sequence[Exercise]:
    """Return the rewrite that is named, else as many of a set or family as are asked for."""
    tasks = [task for task in chosen(request.name, seed) if request.only is None or task.id in request.only]
    return tasks[: request.number] if _names_several(request.name) else tasks[:1]


def pose(asking: "Asking", task: Rewrite, drawn: "Draw") -> "Question":
    """Return a rewrite as a question. Its worker imports torch while the learner reads."""
    from studykit.exercise.rewrite.question import question_of
    from studykit.graders.host.place import place_for

    services = asking.services
    place = asking.once(
        "place", lambda: place_for(services.open_worker, None, services.typed_permission(), asking.ui)
    )
    seed = drawn.showing.seed if drawn.showing is not None else drawn.seed
    return question_of(place, task, seed, services.store)


def chosen(name: str, seed: int) -> Sequence[Rewrite]:
    """Yield the exercises in the order in which they are asked: the named one, then others of all families."""
    every, families = _every(), _families()
    if name in families:
        every = [task for task in every if task.family == name]
    order = Random(seed).sample(every, len(every))
    if _names_several(name):
        return order
    try:
        first = rewrite_named(name)
    except NotFoundError as error:
        raise NotFoundError(f"{error.message} The families are {', '.join(families)}.") from None
    return [first, *(task for task in order if task.id != first.id)]


def _every() -> list[Rewrite]:
    return [exercise for exercise in catalog.of_set(SET) if isinstance(exercise, Rewrite)]


def _families() -> list[str]:
    return sorted({task.family for task in _every()})


def _names_several(name: str) -> bool:
    """Return whether a name is that of all rewrites or of a family."""
    return name in {"", SET, REWRITES.removesuffix("."), *_families()}


REWRITE: ExerciseKind[Rewrite] = ExerciseKind(
    pose=pose,
    plan=plan,
    watch=watch_set,
    plural="einops rewrites",
    answered_by="study grade {id} FILE",
    page=page,
)
