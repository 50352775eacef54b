"""Define rewrites as a kind of exercise, asked as cards or in sets."""

from collections.abc import Sequence
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
    """Return a rewrite's question and solution, to read on a page."""
    card = read_on_page(task, pinned)
    return PageCard(card.prompt, f"```python\n{card.solution}\n```", card.command)


def plan(_services: Services, request: SetRequest, seed: int) -> Sequence[Exercise]:
    """Return the named rewrite, or the requested number of a set or family."""
    name, rewrites = request.name, [task for task in catalog.of_set(SET) if isinstance(task, Rewrite)]
    families = sorted({task.family for task in rewrites})
    if name in {"", SET, REWRITES.removesuffix("."), *families}:
        tasks = [task for task in rewrites if name not in families or task.family == name]
        order = Random(seed).sample(tasks, len(tasks))
        return [task for task in order if request.only is None or task.id in request.only][: request.number]
    try:
        return [rewrite_named(name)]
    except NotFoundError as error:
        if not error.message.endswith((".", "?")):  # which goes on with a command
            raise
        raise NotFoundError(f"{error.message} The families are {', '.join(families)}.") from None


def pose(asking: "Asking", task: Rewrite, draw: "Draw") -> "Question":
    """Return a rewrite as a question. Its worker imports torch while the learner reads."""
    from studykit.exercise.rewrite.question import question_of
    from studykit.graders.host.place import place_for

    services = asking.services
    place = asking.once(
        "place", lambda: place_for(services.open_worker, None, services.typed_permission(), asking.ui)
    )
    seed = draw.showing.seed if draw.showing is not None else draw.seed
    return question_of(place, task, seed)


REWRITE: ExerciseKind[Rewrite] = ExerciseKind(
    pose=pose,
    plan=plan,
    answered_by="study grade {id} FILE",
    page=page,
)
