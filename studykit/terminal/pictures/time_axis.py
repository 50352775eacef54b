"""Several times on one log axis: where a bet, a measurement and its bounds lie to each other."""

import math
from collections.abc import Sequence

from studykit.picture import TimeMark
from studykit.terminal.pictures.log_plot import PLAIN_MARKS, LogScale

NARROWEST = 40  # columns; below it only the sentence is left


def scale(marks: Sequence[TimeMark], unit: str = "s", *, width: int = 78, ascii: bool = False) -> list[str]:
    """Return the axis with its marks and a legend; nothing if it does not fit."""
    ends = [end for mark in marks for end in (mark.seconds, mark.low, mark.high) if end is not None]
    if width < NARROWEST or not ends or not all(0 < end < math.inf for end in ends):
        return []
    low, high = math.floor(math.log10(min(ends)) - 0.05), math.ceil(math.log10(max(ends)) + 0.05)
    log_scale = LogScale(low, high, min(width, 78) - 8)
    signs = {mark.sign: PLAIN_MARKS[mark.sign] if ascii else mark.sign for mark in marks}
    rows = _stacked([(log_scale.column(mark.seconds), signs[mark.sign]) for mark in marks])
    numbers = ""
    for value in log_scale.ticks(11):
        word = _power(value, unit)
        numbers = numbers.ljust(min(log_scale.column(value), min(width, 78) - len(word))) + word
    legend = _folded([f"{signs[mark.sign]} {mark.label}" for mark in marks], width)
    return [*rows, _axis(marks, log_scale, ("-", "+", "=") if ascii else ("─", "┼", "━")), numbers, *legend]


def _axis(marks: Sequence[TimeMark], log_scale: LogScale, pens: tuple[str, str, str]) -> str:
    dash, cross, band = pens
    axis = log_scale.line(log_scale.ticks(11), dash, cross)
    for mark in marks:
        if mark.low is None or mark.high is None:
            continue
        start, end = log_scale.column(mark.low), log_scale.column(mark.high)
        if mark.solid:
            axis[start : end + 1] = band * (end + 1 - start)
        else:
            axis[start], axis[end] = "[", "]"
    return "".join(axis)


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


def _folded(parts: Sequence[str], width: int) -> list[str]:
    """The legend on as few lines as the width allows."""
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1]) + 3 + len(part) > width:
            lines.append("")
        lines[-1] += ("   " if lines[-1] else "") + part
    return lines
