"""Draw a log-log plot with braille dots, or in ASCII."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from studykit.quantity.formatting import prefixed

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # [row][column] of one braille cell
_BRAILLE = 0x2800
PLAIN_MARKS = {"●": "@", "○": "o", "▲": "^", "◆": "#"}


def si(value: float) -> str:
    """Format a number to three digits with its SI prefix: 201e12 is `201T`."""
    return "".join(prefixed(value, 3))


def with_unit(value: float, unit: str) -> str:
    """Format a number to three digits with prefix and unit: 201e12 FLOP/s is `201 TFLOP/s`."""
    number, prefix = prefixed(value, 3)
    return f"{number} {prefix}{unit}"


def decades(low: float, high: float) -> list[float]:
    """Return the powers of ten from low to high, both ends included."""
    # log10 of a power of ten may be off by a rounding error.
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return [10.0**exponent for exponent in range(first, last + 1)]


@dataclass(frozen=True, slots=True)
class Axes:
    """Define a plot: two ranges of positive numbers, its size, and the characters it may use."""

    x: tuple[float, float]
    y: tuple[float, float]
    columns: int  # of the whole picture, axis labels included
    rows: int  # of the plot alone
    ascii: bool = False

    @property
    def gutter(self) -> int:
        """Return the columns left of the vertical axis."""
        return max(len(si(tick)) for tick in decades(*self.y)) + 1

    @property
    def inner(self) -> int:
        """Return the columns right of the vertical axis."""
        return self.columns - self.gutter - 1


class Canvas:
    """Draw curves, marks and words on log-log axes. `lines` returns the picture."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        across, down = (1, 1) if axes.ascii else (2, 4)
        self._dots_per_cell = across, down
        self._size = axes.inner * across, axes.rows * down
        self._dots: set[tuple[int, int]] = set()
        self._signs: dict[tuple[int, int], str] = {}

    def curve(self, height: Callable[[float], float], start: float, end: float) -> None:
        """Draw a function of x, joined from column to column."""
        before: int | None = None
        low, high = (math.log10(x) for x in self.axes.x)
        for column in range(self._across(start), self._across(end) + 1):
            x = 10 ** (low + column / (self._size[0] - 1) * (high - low))
            dot = self._down(height(x))
            first, last = (dot, dot) if before is None else _joined(before, dot)
            self._dots.update((column, row) for row in range(first, last + 1))
            before = dot

    def vertical(self, x: float, low: float, high: float) -> None:
        """Draw a dashed vertical line."""
        column = self._across(x)
        for row in range(self._down(high), self._down(low) + 1):
            if row // 2 % 2 == 0:
                self._dots.add((column, row))

    def mark(self, x: float, y: float, sign: str) -> None:
        """Put one sign at a point."""
        column, row = self._cell(x, y)
        self._put(column, row, PLAIN_MARKS.get(sign, sign) if self.axes.ascii else sign)

    def text(self, x: float, y: float, words: str, *, shift: int = 0, lower: int = 0) -> None:
        """Write words `shift` columns right of a point and `lower` rows below it, kept inside the plot."""
        column, row = self._cell(x, y)
        start = max(0, min(column + shift, self.axes.inner - len(words)))
        for offset, sign in enumerate(words):
            self._put(start + offset, row + lower, sign)

    def lines(self) -> list[str]:
        """Return the plot with its axes, no line longer than the requested columns."""
        upright, across, corner, tick = "|-++" if self.axes.ascii else "│─└┬"
        crossing = "+" if self.axes.ascii else "┤"
        ticks = {self._cell(self.axes.x[0], value)[1]: si(value) for value in decades(*self.axes.y)}
        gutter = self.axes.gutter
        plot = []
        for row in range(self.axes.rows):
            signs = "".join(self._sign(column, row) for column in range(self.axes.inner))
            edge = crossing if row in ticks else upright
            plot.append(f"{ticks.get(row, ''):>{gutter - 1}} {edge}{signs}".rstrip())
        places = {self._cell(value, self.axes.y[0])[0]: si(value) for value in decades(*self.axes.x)}
        base = "".join(tick if column in places else across for column in range(self.axes.inner))
        return [*plot, " " * gutter + corner + base, self._numbers(places)]

    def _numbers(self, places: dict[int, str]) -> str:
        row = [" "] * self.axes.columns
        for column, number in places.items():
            start = min(self.axes.gutter + 1 + column - len(number) // 2, self.axes.columns - len(number))
            if row[max(0, start - 1)] == " ":  # two numbers never touch
                row[start : start + len(number)] = number
        return "".join(row).rstrip()

    def _sign(self, column: int, row: int) -> str:
        if (column, row) in self._signs:
            return self._signs[column, row]
        if self.axes.ascii:
            return "*" if (column, row) in self._dots else " "
        bits = sum(
            _DOTS[down][across]
            for down in range(4)
            for across in range(2)
            if (2 * column + across, 4 * row + down) in self._dots
        )
        return chr(_BRAILLE + bits) if bits else " "

    def _put(self, column: int, row: int, sign: str) -> None:
        if 0 <= column < self.axes.inner and 0 <= row < self.axes.rows:
            self._signs[column, row] = sign

    def _cell(self, x: float, y: float) -> tuple[int, int]:
        across, down = self._dots_per_cell
        return self._across(x) // across, self._down(y) // down

    def _across(self, x: float) -> int:
        return round(_share(x, *self.axes.x) * (self._size[0] - 1))

    def _down(self, y: float) -> int:
        return round((1 - _share(y, *self.axes.y)) * (self._size[1] - 1))


def _share(value: float, low: float, high: float) -> float:
    position = (math.log10(value) - math.log10(low)) / (math.log10(high) - math.log10(low))
    return min(1.0, max(0.0, position))


def _joined(before: int, dot: int) -> tuple[int, int]:
    """Return the first and last row to fill so that a steep curve has no holes."""
    if abs(dot - before) <= 1:
        return dot, dot
    return (before + 1, dot) if dot > before else (dot, before - 1)
