"""Draw the roofline of a device as text lines, or describe it for those who listen to it."""

import math
from collections.abc import Sequence

from studykit.picture import RooflinePoint
from studykit.quantity.formatting import digits
from studykit.terminal.pictures.log_plot import Axes, Canvas, with_unit

NARROWEST = 40  # columns; a narrower terminal gets only the sentence
LABELED = 60  # columns; below it the labels stand under the plot
ROWS = 14


def attainable(peak_flops_per_s: float, bytes_per_s: float, intensity: float) -> float:
    """Return the attainable FLOP/s at an intensity."""
    return min(peak_flops_per_s, bytes_per_s * intensity)


def roofline(
    peak_flops_per_s: float,
    bytes_per_s: float,
    points: Sequence[RooflinePoint] = (),
    *,
    width: int = 78,
    ascii: bool = False,
) -> list[str]:
    """Draw the picture in at most `width` columns, or nothing below `NARROWEST`."""
    if width < NARROWEST:
        return []
    axes = _axes(peak_flops_per_s, bytes_per_s, points, min(width, 88), ascii=ascii)
    canvas = Canvas(axes)
    ridge = peak_flops_per_s / bytes_per_s
    canvas.vertical(ridge, axes.y[0], peak_flops_per_s)
    canvas.curve(lambda x: attainable(peak_flops_per_s, bytes_per_s, x), *axes.x)
    labeled = width >= LABELED
    if labeled:
        _label_roof(canvas, peak_flops_per_s, bytes_per_s)
    for point in points:
        roof = attainable(peak_flops_per_s, bytes_per_s, point.intensity)
        canvas.mark(point.intensity, roof, "○")
        canvas.mark(point.intensity, point.flops_per_s, "●")
        if labeled:
            canvas.text(point.intensity, point.flops_per_s, _label(point, roof), shift=2)
    legend = [] if labeled else _legend(peak_flops_per_s, bytes_per_s, points, ascii=ascii)
    foot = " " * axes.gutter + "intensity, FLOP per byte (log)".center(axes.inner).rstrip()
    return [" " * axes.gutter + "FLOP/s (log)", *canvas.lines(), foot, *legend]


def description(peak_flops_per_s: float, bytes_per_s: float, points: Sequence[RooflinePoint] = ()) -> str:
    """Describe the picture in sentences with its numbers."""
    ridge = peak_flops_per_s / bytes_per_s
    peak, bandwidth = with_unit(peak_flops_per_s, "FLOP/s"), with_unit(bytes_per_s, "B/s")
    sentences = [f"Roofline: peak {peak}, bandwidth {bandwidth}, ridge at {digits(ridge, 3)} FLOP per byte."]
    for point in points:
        roof = attainable(peak_flops_per_s, bytes_per_s, point.intensity)
        bound = "memory-bound" if point.intensity < ridge else "compute-bound"
        speed = with_unit(point.flops_per_s, "FLOP/s")
        speed_text = f", reached {speed}, {point.flops_per_s / roof:.0%} of the roof" * (point.flops_per_s != roof)
        sentences.append(
            f"{point.label or 'point'}: intensity {digits(point.intensity, 3)}, {bound}, "
            f"roof {with_unit(roof, 'FLOP/s')}{speed_text}."
        )
    return " ".join(sentences)


def _axes(peak: float, bandwidth: float, points: Sequence[RooflinePoint], width: int, *, ascii: bool) -> Axes:
    ridge = peak / bandwidth
    lowest = min([0.1, ridge / 10, *(point.intensity for point in points)])
    highest = max([1e4, ridge * 10, *(point.intensity for point in points)])
    x = _decade_below(lowest), 10.0 ** math.ceil(math.log10(highest) - 1e-9)
    slowest = min([bandwidth * x[0], *(point.flops_per_s for point in points)])
    fastest = max([peak, *(point.flops_per_s for point in points)])
    return Axes(x, (_decade_below(slowest), fastest * 3), width, ROWS, ascii)


def _decade_below(value: float) -> float:
    return 10.0 ** math.floor(math.log10(value) + 1e-9)


def _label_roof(canvas: Canvas, peak: float, bandwidth: float) -> None:
    ridge = peak / bandwidth
    right = canvas.axes.x[1]
    words = with_unit(peak, "FLOP/s")
    canvas.text(right, peak, words, shift=-len(words), lower=-1)
    low = canvas.axes.x[0] * 10
    canvas.text(low, bandwidth * low, with_unit(bandwidth, "B/s"), shift=3)
    canvas.text(ridge, canvas.axes.y[0], f"ridge {digits(ridge, 3)}", shift=2, lower=-1)


def _label(point: RooflinePoint, roof: float) -> str:
    share_text = f" = {point.flops_per_s / roof:.0%} of roof" * (point.flops_per_s != roof)
    return f"{point.label} {with_unit(point.flops_per_s, 'FLOP/s')}{share_text}".strip()


def _legend(peak: float, bandwidth: float, points: Sequence[RooflinePoint], *, ascii: bool) -> list[str]:
    dot = "@" if ascii else "●"
    ridge = f"roof {with_unit(peak, 'FLOP/s')}, {with_unit(bandwidth, 'B/s')}, ridge {digits(peak / bandwidth, 3)}"
    return [ridge, *(f"{dot} {_label(point, attainable(peak, bandwidth, point.intensity))}" for point in points)]
