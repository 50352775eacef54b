"""Several times on one log axis: where a bet, a measurement and its bounds lie to each other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from studykit.terminal.canvas import decades

NARROWEST = 40  # columns; below it only the sentence is left
_MARGIN = 4
_PLAIN = {"●": "@", "▲": "^", "◆": "#", "○": "o"}


@dataclass(frozen=True, slots=True)
class Mark:
    """A value with its sign and what it is; with ends, a stretch of the axis as well."""

    sign: str  # one of ● ▲ ◆ ○
    value: float
    label: str  # with its value and unit, for the legend
    low: float | None = None
    high: float | None = None


def scale(marks: Sequence[Mark], tick: str = "s", *, width: int = 78, ascii: bool = False) -> list[str]:  # noqa: A002
    """The axis with its marks and a legend; nothing where there is no room for it."""
    ends = [end for mark in marks for end in (mark.value, mark.low, mark.high) if end is not None]
    if width < NARROWEST or not ends or not all(0 < end < math.inf for end in ends):
        return []
    low, high = math.floor(math.log10(min(ends)) - 0.05), math.ceil(math.log10(max(ends)) + 0.05)
    inner = min(width, 78) - 2 * _MARGIN

    def column(value: float) -> int:
        return _MARGIN + round((math.log10(value) - low) / (high - low) * (inner - 1))

    dash, cross, band = ("-", "+", "=") if ascii else ("─", "┼", "━")
    axis = [" "] * _MARGIN + [dash] * inner
    for mark in marks:
        if mark.low is not None and mark.high is not None:
            start, end = column(mark.low), column(mark.high)
            axis[start : end + 1] = band * (end + 1 - start)
    ticks = decades(10.0**low, 10.0**high)
    ticks = ticks[:: max(1, -(-len(ticks) * 9 // inner))]
    for value in ticks:
        axis[column(value)] = cross
    rows = _stacked([(column(mark.value), _PLAIN[mark.sign] if ascii else mark.sign) for mark in marks])
    numbers = ""
    for value in ticks:
        numbers = numbers.ljust(column(value)) + _power(value, tick)
    legend = "   ".join(f"{_PLAIN[mark.sign] if ascii else mark.sign} {mark.label}" for mark in marks)
    return [*rows, "".join(axis), numbers, *_folded(legend, width)]


def _stacked(marks: Sequence[tuple[int, str]]) -> list[str]:
    """Rows of signs; a sign that would cover another goes to a row of its own above."""
    rows: list[dict[int, str]] = []
    for place, sign in marks:
        row = next((row for row in rows if place not in row), None)
        if row is None:
            rows.append(row := {})
        row[place] = sign
    return ["".join(row.get(place, " ") for place in range(max(row) + 1)) for row in reversed(rows)]


def _power(value: float, unit: str) -> str:
    exponent = round(math.log10(value))
    for power, prefix in ((0, ""), (-3, "m"), (-6, "u"), (-9, "n")):
        if exponent >= power:
            return f"{10 ** (exponent - power)} {prefix}{unit}"
    return f"1e{exponent} {unit}"


def _folded(legend: str, width: int) -> list[str]:
    """The legend on as few lines as the width allows."""
    lines = [""]
    for part in legend.split("   "):
        if lines[-1] and len(lines[-1]) + 3 + len(part) > width:
            lines.append("")
        lines[-1] += ("   " if lines[-1] else "") + part
    return lines
