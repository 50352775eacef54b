"""Timing bets as a kind of exercise."""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from studykit.exercise.bet.measuring import bet_named, draw_bet
from studykit.exercise.bet.snippet import CLASS, BetExercise, pinned_sizes
from studykit.exercise.entry import Exercise, PageCard
from studykit.exercise.kind import ExerciseKind, Pinned, SetRequest, read_on_page

if TYPE_CHECKING:  # a page asks this kind and measures nothing
    from studykit.exercise.turn import Asking, Draw
    from studykit.review.question import Question

SET = "timing"


def plan(request: SetRequest, seed: int) -> Sequence[Exercise]:
    """Return the bet that is named, else as many as are asked for that this machine can run."""
    if request.name not in {"", SET, "bet"}:
        return [bet_named(request.name)]
    from studykit.sandbox.gpu import has_cuda

    size_class = "gpu" if has_cuda() else "cpu"
    able = [one for one in request.exercises(SET) if isinstance(one, BetExercise) and size_class in one.sizes]
    return random.Random(f"timing:{seed}").sample(able, min(request.number, len(able)))


def pose(asking: "Asking", exercise: BetExercise, drawn: "Draw") -> "Question":
    """Return a bet as a question, with the sizes that are pinned."""
    from studykit.exercise.bet.question import question_of
    from studykit.graders.host.device_worker import device_worker

    services = asking.services
    worker = asking.once(
        "device", lambda: device_worker(services.open_worker, "auto", services.typed_permission(), asking.ui)
    )
    variant = draw_bet(exercise, worker.device, drawn.seed, pinned_sizes([*drawn.pinned.items()]))
    return question_of(asking, worker, variant, drawn.card)


def page(exercise: BetExercise, pinned: Pinned) -> PageCard:
    """Snippet and lesson to read."""
    card = read_on_page(exercise, pinned)
    question = "How long does this take, and what binds it?"
    return PageCard(f"{question}\n\n{card.prompt}", card.solution, card.command)


def _refuse_pins(exercise: BetExercise, pinned: Pinned) -> None:
    device = next(name for name, of_class in CLASS.items() if of_class in exercise.sizes)
    exercise.draw(0, device, pinned_sizes([*pinned.items()]))


BET = ExerciseKind(
    pose=pose,
    plan=plan,
    answered_by="study time {id} --bet TIME",
    page=page,
    refuse_pins=_refuse_pins,
)
