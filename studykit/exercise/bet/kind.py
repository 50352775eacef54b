"""Define timing bets as a kind of exercise. On a page the time of a recorded bet is asked as a number."""

import random
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from studykit.exercise.bet import bench
from studykit.exercise.bet.bounds import bounds
from studykit.exercise.bet.describe import derivation
from studykit.exercise.bet.recorded import CARDS, Recording, Row, recording
from studykit.exercise.bet.score import GOOD, binding_words
from studykit.exercise.bet.snippet import CLASS, BetExercise, BetVariant, Sizes
from studykit.exercise.entry import Exercise, PageCard
from studykit.exercise.estimate.hardware import DTYPE_NAMES, device
from studykit.exercise.estimate.selection import interleaved
from studykit.exercise.estimate.template import Roof, Template, Variant
from studykit.exercise.estimate.template import pose as pose_template
from studykit.exercise.estimate.values import Value
from studykit.exercise.kind import ExerciseKind, Pinned, SetRequest, read_on_page
from studykit.quantity.formatting import amount
from studykit.quantity.units import BYTE, FLOP
from studykit.scheduling.outcomes import NOT_SCORED

if TYPE_CHECKING:  # a page asks this kind and measures nothing
    from studykit.exercise.services import Services
    from studykit.exercise.turn import Asking, Draw, Turn
    from studykit.review.question import Asked, Question

SET, FIRST = "timing", "bet.matmul"
_PAGE_SEEDS = 60  # by which sizes are drawn for a page
_MS = 1e-3
_COUNTED_EVERY = 3  # bets, unless a device is chosen


def plan(services: "Services", request: SetRequest, seed: int) -> Sequence[Exercise]:
    """Return the named bet, or the requested number of bets. A learner's first is the lecture's matmul.

    With neither a GPU nor a chosen device, every third is a counted bet.
    """
    if request.name not in {"", SET, "bet"}:
        return [bench.bet_named(request.name)]
    device = bench.chosen(services)
    all_bets = [bet for bet in request.exercises(SET) if isinstance(bet, BetExercise)]
    if device in CARDS:
        bets = [bet for bet in all_bets if bet.id in recording(device).rows]
    else:
        bets = [bet for bet in all_bets if CLASS["cpu" if device == "cpu" else "cuda"] in bet.sizes]
    exercises: list[Exercise] = [*random.Random(f"timing:{seed}").sample(bets, min(request.number, len(bets)))]
    lecture_bet = [bet for bet in bets if bet.id == FIRST and request.seed is None]
    if lecture_bet and not services.store.log.showings(FIRST, last=1):
        exercises = [*lecture_bet, *(exercise for exercise in exercises if exercise.id != FIRST)][: request.number]
    is_unchosen = services.settings("bet").get("device", bench.AUTO) == bench.AUTO
    if device in CARDS and is_unchosen and not request.pinned:
        places = range(_COUNTED_EVERY - 1, len(exercises), _COUNTED_EVERY)
        counted_bets = interleaved(request.exercises("counted"), len(places), f"counted:{seed}")
        for place, counted_bet in zip(places, counted_bets, strict=False):
            exercises[place] = counted_bet
    return exercises


def pose(asking: "Asking", exercise: BetExercise, draw: "Draw") -> "Question":
    """Return a bet as a question, with pinned sizes."""
    device, pins = bench.chosen(asking.services), exercise.pins(draw.pinned)
    if device in CARDS and not recording(device).rows_of(exercise, pins):
        device = "cpu"  # a card of a deck may pin a size that only this machine can measure
    return _pose_on(asking, exercise, draw, device)


def follow_up(_services: "Services", name: str, state: "Asked") -> "Turn | None":
    """Return a turn that asks a recorded bet on the same snippet if this machine could not measure it, or None."""
    from studykit.exercise.turn import Draw, Turn

    exercise, device = bench.bet_named(name), CARDS[0]
    if state.verdict != NOT_SCORED or not state.promises or exercise.id not in recording(device).rows:
        return None
    draw = Draw(state.question.seed or 0, is_exact=True)
    return Turn(
        name,
        f"recorded on an {recording(device).card}",
        lambda asking, _done: _pose_on(asking, exercise, draw, device),
        reason=f"bet on the same snippet on a recorded {recording(device).card}",
        family=name,
    )


def _pose_on(asking: "Asking", exercise: BetExercise, draw: "Draw", device: str) -> "Question":
    from studykit.exercise.bet.question import question_of

    services, pins = asking.services, exercise.pins(draw.pinned)
    opener = partial(bench.open_bench, services, device, services.typed_permission(), asking.ui)
    place = asking.once(f"bets on {device}", opener)
    return question_of(asking, place, place.draw(exercise, draw.seed, pins), draw.card)


def page(exercise: BetExercise, pinned: Pinned) -> PageCard:
    """Return a page's recorded bet to answer, or the snippet and lesson to read."""
    if recorded := _page_variants(exercise, exercise.pins(pinned)):
        return PageCard(variants=recorded)
    card = read_on_page(exercise, pinned)
    question = "How long does this take, and what binds it?"
    return PageCard(f"{question}\n\n{card.prompt}", card.solution, card.command)


def _page_variants(exercise: BetExercise, pinned: Sizes) -> tuple[Variant, ...]:
    """Return a bet's variants at recorded sizes, or none if no recorded time is exact."""
    place = recording(CARDS[0])
    if not any(row.is_exact for row in place.rows_of(exercise, pinned)):
        return ()
    bets: dict[str, BetVariant] = {}
    for seed in range(_PAGE_SEEDS):
        bet = place.draw(exercise, seed, pinned)
        bets.setdefault(str(bet.snippet.sizes), bet)
    rows = [place.row_of(bet) for bet in bets.values()]
    template = Template(
        id=exercise.id,
        version=exercise.version,
        objective=exercise.objective,
        grid={},
        prompt=f"{place.origin} How long did one call of `run` take?\n\n{{code}}",
        answer=lambda v: v.seconds,
        unit="ms" if any(row.measured.median >= _MS for row in rows) else "us",
        tolerance=GOOD - 1,
        slips=(),
        hints=("How many FLOPs is it, and how many bytes are read and written?", "{work}", "{bound}"),
        solution=("{bound}", "measured: {answer:time}; {binds} binds it", "{lesson}"),
        roof=(lambda v: v.roof) if all(row.count.flops for row in rows) else None,
    )
    return tuple(
        pose_template(template, _values_of(place, bet, row), bet.seed, dict(pinned))
        for bet, row in zip(bets.values(), rows, strict=True)
    )


def _values_of(place: Recording, bet: BetVariant, row: Row) -> dict[str, Value]:
    count, seconds = row.count, row.measured.median
    return {
        "code": bet.markdown,
        "seconds": seconds,
        "work": f"{amount(count.flops, FLOP)}, and {amount(count.bytes_moved, BYTE)} that move.",
        "bound": f"at best {derivation(count, place.ceilings)}",
        "binds": binding_words(bounds(count, place.ceilings)),
        "lesson": bet.lesson,
        "roof": Roof(device(place.card), count.intensity, DTYPE_NAMES[count.dtype], count.flops / seconds),
    }


def _refuse_pins(exercise: BetExercise, pinned: Pinned) -> None:
    device = next(name for name, of_class in CLASS.items() if of_class in exercise.sizes)
    exercise.draw(0, device, exercise.pins(pinned))


BET = ExerciseKind(
    pose=pose,
    plan=plan,
    follow_up=follow_up,
    answered_by="study time {id} --bet TIME",
    page=page,
    refuse_pins=_refuse_pins,
)
