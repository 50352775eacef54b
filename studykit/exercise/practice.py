"""A set practised to its end, from its plan to what was missed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from studykit.errors import BadDataError
from studykit.exercise import catalog
from studykit.exercise.run import Run
from studykit.exercise.services import Services
from studykit.exercise.tries import log_lost
from studykit.exercise.turn import Asking, Done, Draw, Turn
from studykit.review.keymap import keymap
from studykit.review.question import Policy, Question
from studykit.scheduling import outcomes
from studykit.scheduling.event_kinds import EventKind

if TYPE_CHECKING:
    from studykit.exercise.entry import Exercise
    from studykit.exercise.kind import ExerciseKind, SetRequest
    from studykit.store.store import Store

_MAX_EARLIER = 200  # answers of earlier runs that a run is compared with


E = TypeVar("E", bound="Exercise")


class RetryInterrupt(KeyboardInterrupt):
    """Ctrl-C while what was missed is asked again: the set itself is done."""


def practise(
    services: Services,
    turns: Callable[[Asking], Sequence[Turn]],
    why: str,
    *families: str,
    progress: Callable[[], str] = str,
) -> int:
    """Ask a set to its end, say how it went, then retry misses as often as wanted. Return an exit code.

    The report compares with earlier answers to exercises whose ids begin with one of `families`, and ends with the
    `progress` of the set.
    """
    log_lost(services)
    keys = keymap(keys=services.settings("keys"))
    policy = Policy(goes_on=not services.settings("review").get("confirm_right"))
    run, is_retry = None, False
    try:
        with Asking(services) as asking:
            while True:
                before = right_at_once_before(services.store, *families)
                with services.open_ui() as ui:
                    asking.ui = ui
                    run = run or Run(asking, keys, list(turns(asking)), policy, why)
                    run.through()
                match services.end_run(replace(run.report(before), progress=progress())):
                    case "u":
                        run.undo()
                    case "m":
                        run, is_retry = Run(asking, keys, run.missed, policy, why), True
                    case _:
                        return 0
    except KeyboardInterrupt:
        if is_retry:
            raise RetryInterrupt from None
        raise


def begun_first(services: Services, every: Iterable[E], plan: Sequence[E]) -> Sequence[E]:
    """Return the plan with those exercises in front at which a line was begun and not ended, as by a kill."""
    drafts = services.open_drafts()
    starts = "{} ", "{}.", "editor {}"  # at the exercise, at its step, in the editor
    begun = [one for one in every if any(drafts.newest(start.format(one.id)) for start in starts)]
    return [*begun, *(one for one in plan if one not in begun)][: len(plan)] if begun else plan


def practise_plan(
    services: Services,
    kind: "ExerciseKind[Any]",
    request: "SetRequest",
    seed: int,
    kind_of: "Callable[[Exercise], ExerciseKind[Any]]",
) -> int:
    """Practise the exercises that the kind of a set names for a seed, and return the exit code."""
    exercises = kind.plan(services, request, seed)
    if request.seed is None and not request.pinned and request.name in catalog.sets():
        exercises = begun_first(services, request.exercises(request.name), exercises)

    def turn(exercise: "Exercise", drawn: Draw, heading: str) -> Turn:
        own = kind_of(exercise)  # timing bets may have counted ones among them

        def pose(asking: Asking, _done: Sequence[Done]) -> Question:
            if own.pose is None:
                raise BadDataError(f"{exercise.id} cannot be practised.")
            return own.pose(asking, exercise, asking.begun(exercise.id, drawn))

        fresh = replace(drawn, seed=drawn.seed + 1, is_exact=False)
        follow = partial(kind.follow_up, services, exercise.id) if kind.follow_up and own is kind else None
        again = partial(turn, exercise, fresh, heading)
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
    families = {f"{one.id.partition('.')[0]}." for one in exercises}
    return practise(services, lambda _asking: turns, f"{name}, seed {seed}", *families)


def right_at_once_before(store: "Store", *families: str, kind: EventKind = EventKind.PRACTICE) -> float | None:
    """Return the share of recent answers that were right at once, or None before the first.

    Those of exercises whose names begin with one of the families, such as `rewrite.`; of all without one.
    """
    answers = [
        event
        for event in store.log.graded(kind, _MAX_EARLIER)
        if not families or (event.showing and event.showing.template.startswith(families))
    ]
    right = sum(
        outcomes.right_at_once(event.showing.verdict if event.showing else "", event.grade) for event in answers
    )
    return right / len(answers) if answers else None
