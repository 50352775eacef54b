"""A ruler of orders of magnitude: how far an estimate was from the answer."""

import math
from collections.abc import Sequence

from studykit.quantity import formatting
from studykit.terminal.pictures.log_plot import LogScale

NARROWEST = 40  # columns; below it only the sentence is left
_EQUAL_FACTOR = 1.0005  # a factor that three digits cannot show
_PERCENT_FACTOR = 1.2  # a factor below it is shown in percent, as in the sentence above the ruler


def ruler(
    answer: float,
    tries: Sequence[float],
    *,
    width: int = 78,
    ascii: bool = False,
) -> list[str]:
    """Tries and answer over decades, with a legend; nothing where a number is not positive or the room small."""
    values = [answer, *tries]
    if width < NARROWEST or not all(value > 0 and math.isfinite(value) for value in values):
        return []
    scale = _scale(values, min(width, 88))
    try_sign, answer_sign, cross, dash = "@^+-" if ascii else "●▲┼─"
    signs = {**dict.fromkeys(map(scale.column, tries), try_sign), scale.column(answer): answer_sign}
    marks = "".join(signs.get(column, " ") for column in range(max(signs) + 1))
    ticks = scale.ticks(7)
    numbers = ""
    for tick in ticks:
        numbers = numbers.ljust(scale.column(tick)) + f"1e{round(math.log10(tick))}"
    legend = [f"{try_sign} {text}" for text in _tries(answer, tries)] + [
        f"{answer_sign} answer {formatting.digits(answer)}"
    ]
    return [marks, "".join(scale.line(ticks, dash, cross)), numbers, *(" " * scale.margin + row for row in legend)]


def described(answer: float, tries: Sequence[float]) -> str:
    """The ruler in words."""
    return "; ".join([*_tries(answer, tries), f"answer {formatting.digits(answer)}"]) + "."


def apart(value: float, answer: float) -> str:
    """How far a value is from the answer: `3x too low`, or `0.16 % too low` where a factor would say nothing."""
    if value <= 0 or answer <= 0:
        return "not to be compared by a factor"
    factor = max(value / answer, answer / value)
    if factor < _EQUAL_FACTOR:
        return "exact"
    side = "low" if value < answer else "high"
    if factor < _PERCENT_FACTOR:
        return f"{formatting.digits(100 * abs(value / answer - 1), 2)} % too {side}"
    return f"{formatting.digits(factor, 2)}x too {side}"


def _tries(answer: float, tries: Sequence[float]) -> list[str]:
    names = ["you"] if len(tries) == 1 else [f"try {number}" for number in range(1, len(tries) + 1)]
    return [
        f"{name} {formatting.digits(value)}, {apart(value, answer)}"
        for name, value in zip(names, tries, strict=True)
    ]


def _scale(values: Sequence[float], width: int) -> LogScale:
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    middle = max(0, 4 - (high - low))  # four decades at least, so that a factor of two looks small
    low -= middle // 2
    return LogScale(low, max(high + middle - middle // 2, low + 1), width - 11)
