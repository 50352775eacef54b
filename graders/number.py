"""Judges numeric answers: in log space, with the slips that explain a wrong one."""

import math
from dataclasses import replace

from studykit.exercise.numeric.feedback import GENERIC_SLIPS
from studykit.exercise.numeric.template import SAME, SLIP_BAND, NumericJudgment, Variant, VariantSlip, distance
from studykit.exercise.verdict import Close, Correct, Incorrect, Malformed, Slip
from studykit.quantity.reading import BadAnswerError, Reading, read
from studykit.quantity.units import BYTE, NUMBER, SECOND, Dimension, named

ROUGH = 1.5
"""Rough mode passes within this factor: the shape of things, with pencil rounding."""

PERCENT_ANSWERS = (0.05, 1.0)
PERCENT_WRITTEN = (5.0, 100.0)
"""A bare 43 may stand for 0.43 only where both are in these ranges."""

MOST_TWOS = 4
"""Beyond 16 a power of two is chance."""


def judge(variant: Variant, text: str, *, rough: bool = False) -> NumericJudgment:
    """The verdict on an answer as it was typed."""
    wanted = variant.template.wanted
    try:
        reading = read(text, wanted)
    except BadAnswerError as refused:
        return NumericJudgment(Malformed(str(refused)))
    if reading.dimension != wanted.dimension:
        return _other_dimension(variant, reading)
    value, note = _meant(variant, reading, rough=rough)
    notes = (*reading.notes, note) if note else reading.notes
    if (why := _dodged(variant, reading, text)) is not None:
        return NumericJudgment(Malformed(why))
    factor = None if variant.answer == 0 else value / variant.answer
    right = NumericJudgment(Correct(), replace(reading, value=value), wanted, factor, notes=notes)
    return _compared(variant, reading, value, right, rough=rough)


def _compared(
    variant: Variant, reading: Reading, value: float, right: NumericJudgment, *, rough: bool
) -> NumericJudgment:
    """The judgment on a value: `right` where it is, else the same with another verdict."""
    slips = _explaining(variant, value)
    if not slips and _right(variant, value, rough=rough):
        return right
    if not slips and distance(value, variant.answer) <= math.log1p(2 * variant.tolerance):
        return replace(right, verdict=Close(value / variant.answer))
    named_slips = slips or _generic(variant, value, reading)
    told = tuple(Slip(slip.id, slip.message) for slip in named_slips)
    return replace(right, verdict=Incorrect(right.factor, told), slips=named_slips)


def _other_dimension(variant: Variant, reading: Reading) -> NumericJudgment:
    wanted = variant.template.wanted
    why = f"that is {named(reading.dimension)}, but the question asks for {named(wanted.dimension)}"
    if reading.expression:
        return NumericJudgment(Malformed(f"{why}; write units on every part, or on none"))
    return NumericJudgment(Incorrect(None, (), why), reading, wanted, notes=reading.notes)


def _meant(variant: Variant, reading: Reading, *, rough: bool) -> tuple[float, str]:
    """The value that a bare number stands for: in the prompt's unit, else in base units, else percent."""
    candidates = [reading.value, *reading.others]
    wanted = variant.template.wanted
    for place, value in enumerate(candidates):
        if _right(variant, value, rough=rough) or _explaining(variant, value):
            base = "a fraction" if wanted.unit == "%" else named(wanted.dimension)
            return value, f"read as {base}, not {wanted.unit}" if place else ""
    if _percent(variant, reading) and _right(variant, reading.value / 100, rough=rough):
        return reading.value / 100, "read as percent; a share is written 0.43 or 43 %"
    nearest = min(candidates, key=lambda value: distance(value, variant.answer))
    return nearest, ""


def _percent(variant: Variant, reading: Reading) -> bool:
    low, high = PERCENT_ANSWERS
    least, most = PERCENT_WRITTEN
    bare = not reading.unit_given and not reading.expression
    is_share = variant.template.unit == "number"
    return bare and is_share and low <= variant.answer <= high and least <= reading.value <= most


def _dodged(variant: Variant, reading: Reading, text: str) -> str | None:
    """Why an answer in another unit is refused, where converting is the question."""
    if variant.template.unit_fixed and reading.unit_given and variant.template.unit not in text:
        return f"the question is the conversion: give it in {variant.template.unit}"
    return None


def _right(variant: Variant, value: float, *, rough: bool) -> bool:
    tolerance = variant.tolerance
    band = math.log(ROUGH) if rough and tolerance else math.log1p(tolerance)
    return distance(value, variant.answer) <= max(band, SAME)


def _explaining(variant: Variant, value: float) -> tuple[VariantSlip, ...]:
    """The slips within 2 % of a value, or all that tie with the nearest of them."""
    tolerance = variant.tolerance
    band = max(SAME, min(math.log1p(tolerance), SLIP_BAND))
    if _right(variant, value, rough=False):
        return ()
    near = [slip for slip in variant.slips if distance(slip.value, value) <= band]
    if not near:
        return ()
    best = min(distance(slip.value, value) for slip in near)
    return tuple(slip for slip in near if distance(slip.value, value) <= best + SLIP_BAND)


def _generic(variant: Variant, value: float, reading: Reading) -> tuple[VariantSlip, ...]:
    """What the ratio alone suggests, where no slip of the template explains the answer."""
    if value <= 0 or variant.answer <= 0 or variant.tolerance == 0:
        return ()
    name = _from_ratio(value / variant.answer, reading.dimension)
    if not name:
        return ()
    question, message = GENERIC_SLIPS[name]
    return (VariantSlip(name, value, question, message),)


def _from_ratio(ratio: float, dimension: Dimension) -> str:
    """The generic slip that multiplies an answer so; empty where none does."""
    size, tens, twos = abs(math.log(ratio)), round(math.log10(ratio)), round(math.log2(ratio))
    few_twos = 1 <= abs(twos) <= MOST_TWOS and dimension != NUMBER
    kibis = [abs(size - power * math.log(1.024)) for power in (1, 2, 3, 4)]
    explained = {
        "bits_for_bytes": dimension == BYTE and abs(size - math.log(8)) <= SLIP_BAND,
        "gib_for_gb": dimension == BYTE and min(kibis) <= SAME * 1e3,
        "seconds_per_day": dimension == SECOND and abs(size - math.log(86400)) <= SLIP_BAND,
        "seconds_per_hour": dimension == SECOND and abs(size - math.log(3600)) <= SLIP_BAND,
        "si_slip" if tens % 3 == 0 else "exponent": tens != 0
        and abs(math.log(ratio) - tens * math.log(10)) <= SLIP_BAND,
        "power_of_two": few_twos and abs(math.log2(ratio) - twos) <= SLIP_BAND,
    }
    return next((name for name, holds in explained.items() if holds), "")
