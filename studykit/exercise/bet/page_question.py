"""Ask the time of a recorded bet on a page as a number, with a roofline after the answer."""

from studykit.exercise.bet.bounds import bounds
from studykit.exercise.bet.describe import derivation
from studykit.exercise.bet.recorded import CARDS, Recording, Row, recording
from studykit.exercise.bet.score import GOOD, binding_words
from studykit.exercise.bet.snippet import BetExercise, BetVariant, Sizes
from studykit.exercise.estimate.hardware import DTYPE_NAMES, device
from studykit.exercise.estimate.template import Roof, Template, Variant, pose
from studykit.exercise.estimate.values import Value
from studykit.quantity.formatting import amount
from studykit.quantity.units import BYTE, FLOP

_SEEDS = 60  # by which sizes are drawn
_MS = 1e-3


def variants(exercise: BetExercise, pinned: Sizes) -> tuple[Variant, ...]:
    """Return a bet's variants at recorded sizes, or none if no recorded time is exact."""
    place = recording(CARDS[0])
    if not any(row.is_exact for row in place.rows_of(exercise, pinned)):
        return ()
    bets: dict[str, BetVariant] = {}
    for seed in range(_SEEDS):
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
        pose(template, _values_of(place, bet, row), bet.seed, dict(pinned))
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
