"""Practise a set from its plan to the retry of missed questions."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from studykit.exercise import catalog
from studykit.exercise.run import Run
from studykit.exercise.services import Services
from studykit.exercise.tries import log_lost
from studykit.exercise.turn import Asking, Done, Draw, Turn
from studykit.review.keymap import keymap
from studykit.review.question import Policy, Question

if TYPE_CHECKING:
    from studykit.exercise.entry import Exercise
    from studykit.exercise.kind import ExerciseKind, SetRequest

E = TypeVar("E", bound="Exercise")


def practise(
    services: Services, turns: Callable[[Asking], Sequence[Turn]], why: str, progress: Callable[[], str] = str
) -> int:
    """Ask a set, report on it, and retry misses as often as the learner wants. Return an exit code.

    The report ends with the `progress` of the set.
    """
    log_lost(services)
    keys = keymap(keys=services.settings("keys"))
    policy = Policy(goes_on=not services.settings("review").get("confirm_right"))
    run = None
    with Asking(services) as asking:
        while True:
            with services.open_ui() as ui:
                asking.ui = ui
                run = run or Run(asking, keys, list(turns(asking)), policy, why)
                try:
                    run.through()
                except KeyboardInterrupt as stop:  # the caller reports it once the terminal is given back
                    stop.args = (run.remaining,)
                    raise
            match services.end_run(replace(run.report(), progress=progress(), remaining=run.remaining)):
                case "u":
                    run.undo()
                case "m":
                    run = Run(asking, keys, run.missed, policy, why)
                case _:
                    return 0


def put_drafted_first(services: Services, exercises: Iterable[E], plan: Sequence[E]) -> Sequence[E]:
    """Put exercises with an unfinished draft, such as after a kill, first in the plan, which keeps its length."""
    newest = services.open_drafts().newest
    drafted = [
        exercise
        for exercise in exercises
        if newest(f"{exercise.id} ") or newest(f"{exercise.id}.") or newest(f"editor {exercise.id}")
    ]  # at the exercise, at a step of it, in the editor
    rest = list(plan)  # which repeats an exercise of a small set
    for exercise in drafted:
        if exercise in rest:
            rest.remove(exercise)
    return [*drafted, *rest][: len(plan)]


def practise_plan(
    services: Services,
    kind: "ExerciseKind[Any]",
    request: "SetRequest",
    seed: int,
    kind_of: "Callable[[Exercise], ExerciseKind[Any]]",
) -> int:
    """Practise the exercises that a kind plans for a seed, and return the exit code."""
    exercises = kind.plan(services, request, seed)
    if request.seed is None and not request.pinned and request.name in catalog.sets():
        exercises = put_drafted_first(services, request.exercises(request.name), exercises)

    def turn(exercise: "Exercise", draw: Draw, heading: str) -> Turn:
        own = kind_of(exercise)  # timing bets may have counted ones among them

        def pose(asking: Asking, _done: Sequence[Done]) -> Question:
            return own.pose(asking, exercise, asking.begun(exercise.id, draw))

        next_draw = replace(draw, seed=draw.seed + 1, is_exact=False)
        follow = partial(kind.follow_up, services, exercise.id) if kind.follow_up and own is kind else None
        again = partial(turn, exercise, next_draw, heading)
        return Turn(exercise.id, heading, pose, again, follow, family=exercise.id)

    name, is_exact = request.name, request.seed is not None
    turns = [
        turn(
            one,
            Draw(seed + place, request.pinned, is_exact, rough=request.rough),
            f"{name} {place + 1}/{len(exercises)}",
        )
        for place, one in enumerate(exercises)
    ]
    return practise(services, lambda _asking: turns, f"{name}, seed {seed}")
