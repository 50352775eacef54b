"""Name wrong answers in a few words, so that a class's mistakes can be counted by cause."""

import math
from collections.abc import Callable

from studykit.exercise import catalog
from studykit.exercise.estimate.log import judged_again
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.scheduling.events import Showing

Diagnose = Callable[[str, str], str]
"""Names what is wrong with the code of an answer, by the exercise's id and the code; "" if it is unknown."""

_FACTORS = (2, 3, 5)
_MAX_FACTOR = 1_000_000


def cluster(showing: Showing, diagnose: Diagnose | None = None) -> str:
    """Name a wrong answer by its slip, by how far off it is, or by `diagnose`, or return "" if nothing fits."""
    if diagnose is not None and isinstance(exercise := catalog.known(showing.template), Rewrite):
        return diagnose(exercise.id, showing.answer) if exercise.version == showing.version else ""
    _, judgment = judged_again(showing) or (None, None)
    if judgment is None:
        return ""
    if judgment.slips:
        return judgment.slips[0].id
    factor = judgment.factor
    if factor is None:
        return "another kind of quantity" if judgment.value is not None else ""
    return off_by(factor)


def off_by(factor: float) -> str:
    """Describe how far off an answer is: less than 2, about 2, 3, 5, 10, ... times too large or small."""
    if factor <= 0 or not math.isfinite(factor):
        return "zero or negative"
    way = "large" if factor > 1 else "small"
    times = max(factor, 1 / factor)
    if times < _FACTORS[0]:
        return f"less than {_FACTORS[0]} times too {way}"
    if times > _MAX_FACTOR:
        return f"more than {_MAX_FACTOR:,} times too {way}"
    power = 10 ** math.floor(math.log10(times))
    near = min((1, *_FACTORS, 10), key=lambda step: abs(math.log(times / (step * power))))
    return f"about {near * power:,} times too {way}"
