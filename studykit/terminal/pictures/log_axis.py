"""Draw numbers on an axis of powers of ten: estimates and their answer, or a bet, a measurement and its bounds."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import wrap

from studykit.picture import TimeMark
from studykit.quantity.formatting import digits

NARROWEST = 40  # columns; a narrower terminal gets only the sentence
_WIDEST = 78  # columns
_MARGIN = 4  # columns left of the axis, and right of it, for the numbers below its ends
_EQUAL_FACTOR = 1.0005  # a factor that three digits cannot show
_PERCENT_FACTOR = 1.2  # a factor below it is shown in percent, as in the sentence above the ruler
_PLAIN_MARKS = {"●": "@", "○": "o", "▲": "^", "◆": "#"}


@dataclass(frozen=True, slots=True)
class _Scale:
    """Map values to columns between two powers of ten, after a margin."""

    low: int  # exponents at both ends
    high: int
    columns: int

    def column(self, value: float) -> int:
        """Return the column of a value."""
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return _MARGIN + round(share * (self.columns - 1))

    def ticks(self, room: int) -> list[float]:
        """Return powers of ten that are at least `room` columns apart."""
        powers = [10.0**exponent for exponent in range(self.low, self.high + 1)]
        return powers[:: max(1, -(-len(powers) * room // self.columns))]


def ruler(answer: float, tries: Sequence[float], *, width: int = _WIDEST, ascii: bool = False) -> list[str]:
    """Draw answer and positive tries over four decades or more, or return [] if they cannot be drawn."""
    labels = _tries(answer, tries)
    marks = [TimeMark("●", value, label) for value, label in zip(tries, labels, strict=True) if value > 0]
    marks.append(TimeMark("▲", answer, f"answer {digits(answer)}"))
    return _axis(marks, 4, lambda value: f"1e{round(math.log10(value))}", 7, width, ascii=ascii)


def description(answer: float, tries: Sequence[float]) -> str:
    """Describe the ruler in words."""
    return "; ".join([*_tries(answer, tries), f"answer {digits(answer)}"]) + "."


def time_axis(marks: Sequence[TimeMark], *, width: int = _WIDEST, ascii: bool = False) -> list[str]:
    """Draw times with their intervals on an axis, or return [] if they cannot be drawn."""
    return _axis(marks, 1, _power, 11, width, ascii=ascii)


def _axis(
    marks: Sequence[TimeMark],
    least_decades: int,
    name: Callable[[float], str],
    room: int,
    width: int,
    *,
    ascii: bool,
) -> list[str]:
    """Draw marks over an axis, the names of its powers of ten at least `room` columns apart, and a legend."""
    ends = [end for mark in marks for end in (mark.seconds, mark.low, mark.high) if end is not None]
    if width < NARROWEST or not ends or not all(0 < end < math.inf for end in ends):
        return []
    width = min(width, _WIDEST)
    # The margin keeps marks away from the ends of the axis.
    low, high = math.floor(math.log10(min(ends)) - 0.05), math.ceil(math.log10(max(ends)) + 0.05)
    extra_decades = max(0, least_decades - (high - low))  # few decades would make a factor of two look large
    scale = _Scale(low - extra_decades // 2, high + extra_decades - extra_decades // 2, width - 2 * _MARGIN)
    signs = {mark.sign: _PLAIN_MARKS[mark.sign] if ascii else mark.sign for mark in marks}
    rows = _stack_signs([(scale.column(mark.seconds), signs[mark.sign]) for mark in marks])
    numbers = ""
    for value in scale.ticks(room):
        word = name(value)
        numbers = numbers.ljust(min(scale.column(value), width - len(word))) + word
    parts = [f"{signs[mark.sign]} {mark.label}".replace(" ", "\u00a0") for mark in marks]  # not broken
    legend = [row.replace("\u00a0", " ") for row in wrap("   ".join(parts), width, break_on_hyphens=False)]
    return [*rows, _line(marks, scale, room, ("-", "+", "=") if ascii else ("─", "┼", "━")), numbers, *legend]


def _line(marks: Sequence[TimeMark], scale: _Scale, room: int, pens: tuple[str, str, str]) -> str:
    """Draw the axis with its ticks and the intervals of the marks."""
    dash, cross, band = pens
    signs = [" "] * _MARGIN + [dash] * scale.columns
    for tick in scale.ticks(room):
        signs[scale.column(tick)] = cross
    for mark in marks:
        if mark.low is None or mark.high is None:
            continue
        start, end = scale.column(mark.low), scale.column(mark.high)
        if mark.solid:
            signs[start : end + 1] = band * (end + 1 - start)
        else:
            signs[start], signs[end] = "[", "]"
    return "".join(signs)


def _stack_signs(marks: Sequence[tuple[int, str]]) -> list[str]:
    """Return rows of signs. A sign that would cover another is put one row up."""
    rows: list[dict[int, str]] = []
    for place, sign in marks:
        row = next((row for row in rows if place not in row), None)
        if row is None:
            rows.append(row := {})
        row[place] = sign
    return ["".join(row.get(place, " ") for place in range(max(row) + 1)) for row in reversed(rows)]


def _power(seconds: float) -> str:
    exponent = round(math.log10(seconds))
    for power, unit in ((0, "s"), (-3, "ms"), (-6, "us"), (-9, "ns")):
        if exponent >= power:
            return f"{10 ** (exponent - power)} {unit}"
    return f"1e{exponent} s"


def _tries(answer: float, tries: Sequence[float]) -> list[str]:
    names = ["you"] if len(tries) == 1 else [f"try {number}" for number in range(1, len(tries) + 1)]
    return [
        f"{name} {digits(value)}, {_distance_text(value, answer)}"
        for name, value in zip(names, tries, strict=True)
    ]


def _distance_text(value: float, answer: float) -> str:
    """Return how far a value is from the answer: `3x too low`, or `0.16 % too low` for a small difference."""
    if value <= 0 or answer <= 0:
        return "not to be compared by a factor"
    factor = max(value / answer, answer / value)
    if factor < _EQUAL_FACTOR:
        return "exact"
    side = "low" if value < answer else "high"
    if factor < _PERCENT_FACTOR:
        return f"{digits(100 * abs(value / answer - 1), 2)} % too {side}"
    return f"{digits(factor, 2)}x too {side}"
