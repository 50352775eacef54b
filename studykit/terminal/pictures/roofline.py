"""Draw the roofline of a device with braille dots or in ASCII, or describe it for those who listen to it."""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from studykit.picture import Roofline
from studykit.quantity.formatting import digits, prefixed
from studykit.terminal.pictures.log_axis import NARROWEST

_WIDEST = 88  # columns
_ROWS = 14
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # [row][column] of one braille cell
_BRAILLE = 0x2800


@dataclass(frozen=True, slots=True)
class _Grid:
    """Map points of a log-log plot to dots, several of which make a character."""

    x: tuple[float, float]
    y: tuple[float, float]
    columns: int  # of characters
    dots_across: int
    dots_down: int

    def dot(self, x: float, y: float) -> tuple[int, int]:
        """Return column and row of a point's dot."""
        across = round(_share(x, *self.x) * (self.columns * self.dots_across - 1))
        return across, round((1 - _share(y, *self.y)) * (_ROWS * self.dots_down - 1))

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Return column and row of a point's character."""
        across, down = self.dot(x, y)
        return across // self.dots_across, down // self.dots_down


def lines(picture: Roofline, *, width: int, ascii: bool) -> list[str]:
    """Draw the picture in at most `width` columns, or nothing below `NARROWEST`."""
    if width < NARROWEST:
        return []
    x, y = _ranges(picture)
    gutter = max(len(si(tick)) for tick in _decades(*y)) + 1
    grid = _Grid(x, y, min(width, _WIDEST) - gutter - 1, *((1, 1) if ascii else (2, 4)))
    signs = _curves(picture, grid)
    roof_sign, point_sign = ("o", "@") if ascii else ("○", "●")
    signs[grid.cell(picture.intensity, picture.roof(picture.intensity))] = roof_sign
    signs[grid.cell(picture.intensity, picture.flops_per_s)] = point_sign
    upright, crossing, across, corner, tick = "|+-++" if ascii else "│┤─└┬"
    heights = {grid.cell(x[0], value)[1]: si(value) for value in _decades(*y)}
    places = {grid.cell(value, y[0])[0]: si(value) for value in _decades(*x)}
    rows = [" " * gutter + "FLOP/s (log)"]
    for row in range(_ROWS):
        edge = crossing if row in heights else upright
        text = "".join(signs.get((column, row), " ") for column in range(grid.columns))
        rows.append(f"{heights.get(row, ''):>{gutter - 1}} {edge}{text}".rstrip())
    base = "".join(tick if column in places else across for column in range(grid.columns))
    rows += [" " * gutter + corner + base, _numbers(places, gutter + 1, gutter + 1 + grid.columns)]
    peak, bandwidth = with_unit(picture.peak_flops_per_s, "FLOP/s"), with_unit(picture.bytes_per_s, "B/s")
    reached = picture.flops_per_s / picture.roof(picture.intensity)
    share = f" = {reached:.0%} of roof" if reached != 1 else ""
    return [
        *rows,
        " " * gutter + "intensity, FLOP per byte (log)".center(grid.columns).rstrip(),
        f"roof {peak}, {bandwidth}, ridge {digits(picture.ridge, 3)}",
        f"{point_sign} {picture.label} {with_unit(picture.flops_per_s, 'FLOP/s')}{share}",
    ]


def _ranges(picture: Roofline) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the intensities and the speeds that the plot spans."""
    low = _decade_below(min(0.1, picture.ridge / 10, picture.intensity))
    high = 10.0 ** math.ceil(math.log10(max(1e4, picture.ridge * 10, picture.intensity)) - 1e-9)
    slowest = min(picture.bytes_per_s * low, picture.flops_per_s)
    return (low, high), (_decade_below(slowest), 3 * max(picture.peak_flops_per_s, picture.flops_per_s))


def _decades(low: float, high: float) -> list[float]:
    """Return the powers of ten from low to high, both ends included."""
    # log10 of a power of ten may be off by a rounding error.
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return [10.0**exponent for exponent in range(first, last + 1)]


def _decade_below(value: float) -> float:
    return 10.0 ** math.floor(math.log10(value) + 1e-9)


def _share(value: float, low: float, high: float) -> float:
    position = (math.log10(value) - math.log10(low)) / (math.log10(high) - math.log10(low))
    return min(1.0, max(0.0, position))


def _curves(picture: Roofline, grid: _Grid) -> dict[tuple[int, int], str]:
    """Draw the roof, and a dashed line below its ridge, as a sign for each cell."""
    low, high = map(math.log10, grid.x)
    last_column = grid.columns * grid.dots_across - 1
    intensities = [10 ** (low + column / last_column * (high - low)) for column in range(last_column + 1)]
    dots = [grid.dot(intensity, picture.roof(intensity)) for intensity in intensities]
    ridge, top = grid.dot(picture.ridge, picture.peak_flops_per_s)
    dots += [(ridge, row) for row in range(top, _ROWS * grid.dots_down) if row // 2 % 2 == 0]
    if grid.dots_down == 1:
        return dict.fromkeys(dots, "*")
    bits: defaultdict[tuple[int, int], int] = defaultdict(int)
    for column, row in dots:
        bits[column // grid.dots_across, row // grid.dots_down] |= _DOTS[row % 4][column % 2]
    return {cell: chr(_BRAILLE + mask) for cell, mask in bits.items()}


def _numbers(places: Mapping[int, str], margin: int, columns: int) -> str:
    """Write numbers below their places. One that would touch the one before is left out."""
    row = ""
    for place, number in sorted(places.items()):
        start = min(margin + place - len(number) // 2, columns - len(number))
        if start > len(row) or not row:
            row = row.ljust(start) + number
    return row


def sentence(picture: Roofline) -> str:
    """Describe the picture in sentences with its numbers."""
    peak, bandwidth = with_unit(picture.peak_flops_per_s, "FLOP/s"), with_unit(picture.bytes_per_s, "B/s")
    roof = picture.roof(picture.intensity)
    bound = "memory-bound" if picture.intensity < picture.ridge else "compute-bound"
    speed = f", reached {with_unit(picture.flops_per_s, 'FLOP/s')}, {picture.flops_per_s / roof:.0%} of the roof"
    return (
        f"Roofline: peak {peak}, bandwidth {bandwidth}, ridge at {digits(picture.ridge, 3)} FLOP per byte. "
        f"{picture.label}: intensity {digits(picture.intensity, 3)}, {bound}, "
        f"roof {with_unit(roof, 'FLOP/s')}{speed * (picture.flops_per_s != roof)}."
    )


def si(value: float) -> str:
    """Format a number to three digits with its SI prefix: 201e12 is `201T`."""
    return "".join(prefixed(value, 3))


def with_unit(value: float, unit: str) -> str:
    """Format a number to three digits with prefix and unit: 201e12 FLOP/s is `201 TFLOP/s`."""
    number, prefix = prefixed(value, 3)
    return f"{number} {prefix}{unit}"
