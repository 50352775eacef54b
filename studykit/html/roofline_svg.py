"""Draw the roofline of an exercise, and describe it in a sentence for screen readers."""

import math
from html import escape

from studykit.exercise.estimate.template import Roof, Variant
from studykit.quantity.formatting import amount, digits
from studykit.quantity.units import BYTE_PER_S, FLOP_PER_S

_LEFT, _RIGHT, _TOP, _FLOOR = 8, 332, 26, 170
_X_DECADE, _Y_DECADE = 54, 27  # units of the drawing for a factor of ten
_MIN_INTENSITY = 0.1  # FLOP per byte at the left edge


def roofline(variant: Variant) -> str:
    """Draw a variant below its device's roof, or return "" if the exercise has no picture."""
    if variant.template.roof is None:
        return ""
    at = variant.template.roof(variant.values)
    peak, bandwidth = _limits(at)
    ridge = at.device.ridge(at.dtype)
    bend, point = _x(ridge), _x(at.intensity)
    slope = _Y_DECADE / _X_DECADE
    start = round(_TOP + (bend - _LEFT) * slope)
    height = round(_TOP + max(0, bend - point) * slope)
    if at.reached:
        height = min(_FLOOR, round(height + _Y_DECADE * math.log10(_attainable(at) / at.reached)))
    return (
        '<figure class="sk-roof"><svg viewBox="0 0 340 188" role="img" '
        f'aria-label="{escape(description(at))}" fill="none" stroke="currentColor" font-size="11">'
        f'<path d="M{_LEFT} {_TOP - 12}V{_FLOOR}H{_RIGHT}" opacity=".4"/>'
        f'<path d="M{bend} {_TOP}V{_FLOOR}" stroke-dasharray="2 4" opacity=".6"/>'
        f'<path d="M{_LEFT} {start}L{bend} {_TOP}H{_RIGHT}" stroke-width="2"/>'
        f'<path d="M{point} {height}V{_FLOOR}" class="sk-at"/>'
        f'<circle cx="{point}" cy="{height}" r="4.5" class="sk-at"/><g fill="currentColor" stroke="none">'
        f'<text x="{_RIGHT}" y="{_TOP - 9}" text-anchor="end">{escape(peak)}</text>'
        f'<text x="{_LEFT + 6}" y="{start - 36}">{escape(bandwidth)}</text>'
        f'<text x="{bend}" y="{_FLOOR + 14}" text-anchor="middle">ridge {digits(ridge, 3)}</text>'
        "</g></svg></figure>"
    )


def description(at: Roof) -> str:
    """Describe the picture in a sentence."""
    peak, bandwidth = _limits(at)
    ridge = at.device.ridge(at.dtype)
    bound = "memory-bound" if at.intensity < ridge else "compute-bound"
    rate = amount(at.reached or _attainable(at), FLOP_PER_S)
    how = "this reached" if at.reached else "at most"
    return (
        f"Roofline of {at.device.name} in {at.dtype}: bandwidth {bandwidth} up to the ridge at {digits(ridge, 3)} "
        f"FLOP/byte, {peak} above it. At {digits(at.intensity, 3)} FLOP/byte this is {bound}: {how} {rate}."
    )


def _attainable(at: Roof) -> float:
    return min(at.device.peak(at.dtype), at.device.bandwidth * at.intensity)


def _limits(at: Roof) -> tuple[str, str]:
    return amount(at.device.peak(at.dtype), FLOP_PER_S), amount(at.device.bandwidth, BYTE_PER_S)


def _x(intensity: float) -> int:
    """Return the horizontal place of an intensity, limited to the drawing."""
    place = _LEFT + _X_DECADE * math.log10(max(intensity, _MIN_INTENSITY) / _MIN_INTENSITY)
    return round(min(place, _RIGHT - 4))
