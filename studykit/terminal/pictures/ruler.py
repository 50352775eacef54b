"""A ruler of orders of magnitude: how far an estimate was from the answer."""

import math
from collections.abc import Callable, Sequence

from studykit.quantity import formatting
from studykit.terminal.pictures.log_plot import decades

NARROWEST = 40  # columns; below it only the sentence is left
_MARGIN = 4
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
    low, high = _span(values)
    inner = min(width, 88) - 2 * _MARGIN - 4
    exponents = math.log10(low), math.log10(high)

    def column(value: float) -> int:
        return _MARGIN + round((math.log10(value) - exponents[0]) / (exponents[1] - exponents[0]) * inner)

    try_sign, answer_sign, cross, dash = "@^+-" if ascii else "●▲┼─"
    marks = [" "] * (_MARGIN + inner + 1)
    for value in tries:
        marks[column(value)] = try_sign
    marks[column(answer)] = answer_sign
    ticks = _thinned(decades(low, high), inner)
    line = [" "] * _MARGIN + [dash] * (inner + 1)
    for tick in ticks:
        line[column(tick)] = cross
    legend = [f"{try_sign} {text}" for text in _tries(answer, tries)] + [
        f"{answer_sign} answer {formatting.digits(answer)}"
    ]
    picture = ["".join(marks).rstrip(), "".join(line), _numbers(ticks, column)]
    return picture + [" " * _MARGIN + words for words in legend]


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


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    middle = max(0, 4 - (high - low))  # four decades at least, so that a factor of two looks small
    low -= middle // 2
    return 10.0**low, 10.0 ** max(high + middle - middle // 2, low + 1)


def _thinned(ticks: list[float], inner: int) -> list[float]:
    step = max(1, -(-len(ticks) * 7 // inner))
    return ticks[::step]


def _numbers(ticks: Sequence[float], column: Callable[[float], int]) -> str:
    row = ""
    for tick in ticks:
        row = row.ljust(column(tick)) + f"1e{round(math.log10(tick))}"
    return row
