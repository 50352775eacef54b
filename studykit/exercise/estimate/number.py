"""Judge numeric answers in log space, and find the slips that explain a wrong one."""

import math
import re
from collections.abc import Iterator
from contextlib import suppress

from studykit.exercise.estimate.feedback import GENERIC_SLIPS, asked_for
from studykit.exercise.estimate.interval import split_interval
from studykit.exercise.estimate.template import SAME, SLIP_BAND, NumericJudgment, Variant, VariantSlip, distance
from studykit.exercise.verdict import Close, Correct, Incorrect, Malformed, Verdict
from studykit.quantity import formatting, units
from studykit.quantity.expression import WHICH_B, DoubtError
from studykit.quantity.reading import BadAnswerError, Reading, read
from studykit.quantity.spelling import plain

_Verdicts = tuple[type[Verdict], ...]
_ANY: _Verdicts = (Correct, Incorrect, Malformed)
_RATE = re.compile(r"[\d.,]+(?:e\+?\d+)? ?[A-Za-z]{2,} ?/ ?s")  # in which the s is no letter
_SHARED_OUT = re.compile(
    r"(?i)\b(?:gpu|device|chip|card)s?[ -]?(?:h|d|m|s|week|year)\w*.*[/\u00f7] ?[\d(]"
)  # 512 GPU-days / 8
_LETTER_BEHIND = re.compile(r"[\d.,]+(?:e\d+)? ?[bBdhkmsGMT]")  # which may be a unit

DEVICE_TIME = "GPU-hour"  # the unit of the time of all devices together
MAX_ROUGH_FACTOR = 1.5  # rough mode passes within this factor: the shape of things, with pencil rounding
MIN_SHARE, MAX_PERCENT = 0.01, 100.0  # between which a bare 43 may stand for 0.43
MAX_PLAUSIBLE_GAP = 3.0  # in natural log, within which a number in base units is asked for its unit: twentyfold
OTHER_TIMES = {units.DAY: units.HOUR, units.HOUR: units.DAY}  # where this is asked, what a bare number may be in
MIN_ROUNDED_TOLERANCE = (
    0.01  # from here on a slip may be rounded to two digits; its name comes before generic ones
)
BINARY_BAND = 0.005  # GiB for GB shows in an answer of three digits
EXACT_BAND = 1e-9  # where an exact answer is asked, only the rounding of floats is passed over
MAX_TWOS = 4  # beyond 16 a power of two is chance
PARTS = (3.0, 2.0 / 3.0, 3.0 / 4.0)  # what a missing part leaves of an answer, or upside down makes of it
CLOSE_BAND = math.log(1.01)  # how near a ratio must be to a number that many questions have
MIN_ROUNDED_COUNT = 25  # from here on a slip of whole things is the same one up or down: steps may be rounded
MAX_TIED = 2  # more guesses than these are none

MAX_BARE_COUNT = 1e4  # a bare count below it is asked for its letter, if the answer is far larger:
MIN_MISSING_FACTOR = 1e5  # so many times
PREFIX_STEPS = (1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9, 1e12, 1e-12)

_NUMBER = (
    r"(?<![A-Za-z0-9_.])((?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?(?:e-?[0-9]+)?)"
    r"([KMBT](?![A-Za-z0-9]))?(\s?%)?"
)
TWO_UNITS = "that has a unit and its conversion too; leave one of them out"
_FACTOR = (
    r"(?:86,?400|3,?600|1,?440|24|60|1000|1e(?:3|6|9|12)|10(?:\^|\*\*)(?:3|6|9|12)|1,?048,?576|1073741824|"
    r"1024(?:(?:\^|\*\*)[234])?|2(?:\^|\*\*)[1-4]0)"
)
_CONVERSION = rf"[*/] ?(?:{_FACTOR}|\({_FACTOR}(?: ?\* ?{_FACTOR})+\))(?![\d.e^*])"
_OTHER_MEANINGS = (
    (
        r"(?<![\d.,])([\d.]+) ?(?:[*xX] ?10[e+]?|\^)(-?[1-9]\d?)(?![\d.])",
        r"\1e\2",
        "is that a power of ten? write 10^{1}",
    ),
    (
        r"(?<![\d.,])([1-9]\d{0,2})\.(\d{3})(?![\d.])",
        r"\1\2",
        "is that a decimal point? write thousands without it: {}{}",
    ),
    (r"(?<![\d.,])(\d{1,3}),(\d{3})(?![\d,])", r"\1.\2", "is that comma a decimal point? write {}.{}"),
    (r"\^(-?1/\d)", r"^(\1)", "is all of that the power? write ^({})"),
    (r"^([\d.,]+) ?[Bb]$", r"\1e9 bytes", WHICH_B),
    (_CONVERSION, "", TWO_UNITS),
    (r"((?:[Bb]its?|[kKMGT]b)\b.*)/ ?8(?![\d.e^*])", r"\1", TWO_UNITS),
)
"""Patterns such as 1.46x1025, 640.000 MB or 2065 h / 24, what they may mean, and the question."""
_OF_PEAK = re.compile(r"\bMFU\b[^.]*\?|fraction of the peak")

MIN_LARGE, MAX_SMALL = 2.9, 0.9  # numbers between say little: 1 changes nothing, and 2 is in too many formulas


def judge(variant: Variant, text: str, *, rough: bool = False) -> NumericJudgment:
    """Judge an answer as an amount, or as a formula if it is not an amount or only the formula is right.

    The interval after a bet's answer is not judged.
    """
    try:
        text, _ = split_interval(text, variant)
    except BadAnswerError as error:
        return NumericJudgment(Malformed(str(error)))

    def judge_value(value: float) -> NumericJudgment:
        reading = Reading(value, variant.template.target.dimension, unit_given=True, expression=True)
        return _judgment_of(variant, reading, rough=rough)

    as_amount, verdicts = _as_amount(variant, text, rough=rough)
    if isinstance(as_amount.verdict, Correct):
        return as_amount
    from studykit.exercise.estimate import formula_answer

    as_formula = formula_answer.judge(variant, text, judge_value)
    if as_formula is None or not isinstance(as_formula.verdict, verdicts):
        return as_amount
    # 0.1 s is not a formula 0.1*s that happens to be right at these numbers
    is_local = set(as_formula.notes) - {formula_answer.LEFT_TO_RIGHT}
    return as_amount if verdicts == (Correct,) and is_local else as_formula


def _as_amount(variant: Variant, text: str, *, rough: bool) -> tuple[NumericJudgment, _Verdicts]:
    """Judge a text as an amount, and return which verdicts on it as a formula would take precedence."""
    target = variant.template.target
    if variant.formula:
        return NumericJudgment(Malformed(f"give {asked_for(variant)}")), _ANY
    try:
        reading = read(text, target)
    except BadAnswerError as error:
        is_amount = isinstance(error, DoubtError) or _LETTER_BEHIND.fullmatch(text.strip())
        return NumericJudgment(Malformed(str(error))), (Correct,) if is_amount else _ANY
    if reading.device_time and _SHARED_OUT.search(text):
        reading = reading._replace(device_time=False)
    if reading.dimension != target.dimension or (reading.device_time and target.unit != DEVICE_TIME):
        return _other_dimension(variant, reading), (Correct,) if _RATE.fullmatch(text) else (Correct, Incorrect)
    judgment = _judge_amount(variant, text, reading, rough=rough)
    return judgment, (Correct, Incorrect) if reading.has_comment else (Correct,)


def _judge_amount(variant: Variant, text: str, reading: Reading, *, rough: bool) -> NumericJudgment:
    unit = variant.template.unit
    if variant.template.unit_fixed and reading.unit_given and unit[:2].lower() not in text.lower():
        return NumericJudgment(Malformed(f"the question is the conversion: give it in {unit}"))
    value, note = _meant_value(variant, reading, rough=rough)
    if why := _without_unit(variant, reading) or _doubt_question(variant, reading, value, text, rough=rough):
        return NumericJudgment(Malformed(why))
    notes = (*reading.notes, note) if note else reading.notes
    return _judgment_of(variant, reading._replace(value=value, notes=notes), rough=rough)


def _judgment_of(variant: Variant, reading: Reading, *, rough: bool) -> NumericJudgment:
    """Judge the intended value as correct, close or wrong."""
    value, answer = reading.value, variant.answer
    factor = value / answer if answer else None
    slips = () if _accepts(variant, value) else _bits_slip(variant, reading) or _slips_near(variant, value)
    if not slips and _accepts(variant, value, rough=rough):
        return _judged(variant, Correct(), reading, factor)
    if not slips and not variant.is_whole and distance(value, answer) <= math.log1p(2 * variant.tolerance):
        notes = tuple(filter(None, (*reading.notes, _binary_message(variant, value).rstrip("."))))
        return _judged(variant, Close(value / answer), reading._replace(notes=notes), factor)
    slips = slips or _generic_slips(variant, reading)
    return _judged(variant, Incorrect(factor), reading, factor, slips)


def _judged(
    variant: Variant,
    verdict: Verdict,
    reading: Reading,
    factor: float | None = None,
    slips: tuple[VariantSlip, ...] = (),
) -> NumericJudgment:
    amount = formatting.read_as(reading, variant.template.target)
    return NumericJudgment(verdict, reading.value, amount, factor, slips, reading.notes)


def _other_dimension(variant: Variant, reading: Reading) -> NumericJudgment:
    target = variant.template.target
    if reading.dimension == target.dimension:
        why = f"that is the time of all devices together, but the question asks for {target.unit}s on the clock"
        return _judged(variant, Incorrect(why=why), reading)
    why = f"that is {units.dimension_name(reading.dimension)}, but the question asks for {asked_for(variant)}"
    if reading.billions and reading.dimension[1] != target.dimension[1]:
        why += "; a B in it was read as a billion, so write bytes where bytes are meant"
    elif reading.expression:
        why += "; write units on every part, or on none"
    elif reading.dimension in units.DIMENSION_NAMES:
        return _judged(variant, Incorrect(why=why), reading)
    return NumericJudgment(Malformed(why))


def _meant_value(variant: Variant, reading: Reading, *, rough: bool) -> tuple[float, str]:
    """Return the value that an answer probably means, as 43 may mean 0.43, and a note on that, or ""."""
    candidates = {reading.value: "", **dict.fromkeys(reading.others, "read as a fraction, not %")}
    is_number = variant.template.unit == "number" and not reading.unit_given
    if is_number and MIN_SHARE <= variant.answer <= 1 <= reading.value <= MAX_PERCENT:
        candidates[reading.value / 100] = "read as percent; a share is written 0.43 or 43 %"
    for value, note in candidates.items():
        if _accepts(variant, value, rough=rough) or _slips_near(variant, value):
            return value, note
    # A bare 5 after `%>` is 5 %, not a share of 500 %.
    likely = (value for value in candidates if value <= 1 or value == reading.value)
    return min(likely, key=lambda value: distance(value, variant.answer)), ""


def _doubt_question(variant: Variant, reading: Reading, value: float, text: str, *, rough: bool) -> str:
    """Return a question about an ambiguous text, or "" if its meaning does not change the verdict."""
    if reading.ends and not all(_accepts(variant, end, rough=rough) for end in reading.ends):
        low, high = reading.ends
        is_wide = variant.is_whole or distance(low, high) > 2 * math.log1p(variant.tolerance)
        if is_wide or _accepts(variant, value, rough=rough):
            return "that range is wider than what is accepted; give one number"
    if _accepts(variant, value, rough=rough):
        return ""
    is_explained = bool(_slips_near(variant, value))
    wants_bytes = variant.template.target.dimension[1] and not reading.unit_given
    if reading.billions and not is_explained and (reading.in_bytes or wants_bytes):
        return WHICH_B
    for question, other_value in _other_meanings(variant, plain(text)):
        is_right = _accepts(variant, other_value, rough=rough)
        is_likely = not is_explained and (is_right or _slips_near(variant, other_value))
        if is_likely or (is_right and question == TWO_UNITS):
            return question
    return ""


def _other_meanings(variant: Variant, text: str) -> Iterator[tuple[str, float]]:
    """Yield other meanings of a text, each as the question that asks for it and its value."""
    target = variant.template.target
    for pattern, instead, question in _OTHER_MEANINGS:
        match = re.search(pattern, text)
        if match is None:
            continue
        with suppress(BadAnswerError):
            other = read(re.sub(pattern, instead, text), target)
            if other.dimension == target.dimension and (other.unit_given or question != TWO_UNITS):
                yield question.format(*match.groups()), other.value
                yield question.format(*match.groups()), other.value / target.factor


def _without_unit(variant: Variant, reading: Reading) -> str | None:
    """Return a request for a unit if a bare number probably lacks its prefix or is in base units, or None."""
    target = variant.template.target
    value, answer = reading.value, variant.answer
    if reading.unit_given or value == 0 or _slips_near(variant, value):
        return None
    is_short = value < MAX_BARE_COUNT and answer > MIN_MISSING_FACTOR * value
    if is_short and target.unit in {"param", "token", "FLOP/s"}:
        shown_amount = formatting.show_amount(value, target)
        return f"that is {shown_amount}; add a prefix, or B or T for billions or trillions"
    max_gap = min(MAX_PLAUSIBLE_GAP, distance(value, answer))
    has_own_unit = target.factor != 1 and target.dimension != units.NUMBER
    if has_own_unit and distance(value / target.factor, answer) <= max_gap:
        read_as = formatting.amount(value, target.dimension)
        return f"the unit here is {target.unit}, which makes this {read_as}; add a unit"
    return None


def _accepts(variant: Variant, value: float, *, rough: bool = False) -> bool:
    tolerance = variant.tolerance
    band = math.log(MAX_ROUGH_FACTOR) if rough and tolerance else 0 if variant.is_whole else math.log1p(tolerance)
    return distance(value, variant.answer) <= max(band, EXACT_BAND)


def _slips_near(variant: Variant, value: float) -> tuple[VariantSlip, ...]:
    """Return the slip nearest to a wrong value, and those that the tolerance cannot distinguish from it.

    Return () for a right value, or if no slip is near: within at most 2 % or, for some counts, within one.
    """
    tolerance = variant.tolerance
    band = SLIP_BAND if tolerance >= MIN_ROUNDED_TOLERANCE else max(SAME, math.log1p(tolerance))
    if _accepts(variant, value):
        return ()
    near = [slip for slip in variant.slips if distance(slip.value, value) <= max(band, _whole_step(variant, slip))]
    if not near:
        return ()
    best = min(distance(slip.value, value) for slip in near)
    apart = min(SLIP_BAND, max(SAME, math.log1p(tolerance)))
    return tuple(slip for slip in near if distance(slip.value, value) <= best + apart)


def _whole_step(variant: Variant, slip: VariantSlip) -> float:
    """Return the log distance from a slip to the next smaller whole number if it is an inexact count, else 0."""
    is_counted = (
        variant.tolerance > 0 and variant.template.unit in {"gpu", "count"} and slip.value > MIN_ROUNDED_COUNT
    )
    return math.log(slip.value / (slip.value - 1)) + EXACT_BAND if is_counted else 0.0


def _generic_slips(variant: Variant, reading: Reading) -> tuple[VariantSlip, ...]:
    """Return the slips that the ratio to the answer suggests, for when no slip of the template fits, or ()."""
    value = reading.value
    is_choice = variant.tolerance == 0 and _is_in_prompt(variant, variant.answer)
    if value <= 0 or variant.answer <= 0 or is_choice:
        return ()
    ratio = value / variant.answer
    is_near = abs(value - variant.answer) <= 1 or distance(value, variant.answer) <= math.log1p(variant.tolerance)
    if variant.tolerance == 0 or (variant.is_whole and is_near):
        is_rounded = value % 1 != 0 and variant.answer in {math.floor(value), math.ceil(value)}
        own_slip = next((slip for slip in variant.slips if slip.id == "not_rounded"), None)
        if is_rounded and own_slip:  # 3.3 is not rounded where the exact value is 4.3
            return (own_slip,) if distance(own_slip.value, value) <= SLIP_BAND else ()
        names = ["not_rounded"] if is_rounded else ["question_number"] * _by_a_number(variant, ratio, EXACT_BAND)
        if variant.tolerance and not names:
            names = ["rounded_early"]
    elif variant.answer <= 1 < value and _OF_PEAK.search(variant.prompt):
        names = ["over_peak"]
    elif in_other_time := _other_time_slips(variant, reading):
        return in_other_time
    else:
        names = _ratio_slips(variant, ratio, reading.dimension)
    if not names:
        is_copied = _is_in_prompt(variant, value)
        copied = (_generic_slip("copied_number", value),) if is_copied else ()
        return (_prefix_slips(variant, value) if variant.tolerance else ()) or copied
    message = _binary_message(variant, value)
    return tuple(_generic_slip(name, value, message if name == "gib_for_gb" else "") for name in names)


def _binary_message(variant: Variant, value: float) -> str:
    """Return a message if an amount in KB would be right in KiB, or the reverse, or ""."""
    low, high = sorted((value, variant.answer))
    power = _kibis(low, high) if variant.template.target.dimension == units.BYTE else 0
    if not power:
        return ""
    parts = formatting.amount(low, units.BYTE), formatting.digits(low / 1000**power), "KMGT"[power - 1]
    message = GENERIC_SLIPS["gib_for_gb"]["message"]  # whose signs are filled in
    return message.replace("%", "{}").format(*parts, formatting.amount(high, units.BYTE))


def _kibis(low: float, high: float) -> int:
    """Return the exponent of 1.024 in the ratio of two amounts, from 1 for KiB to 4 for TiB, or 0."""
    size = math.log(high / low)
    powers = (power for power in (1, 2, 3, 4) if low >= 0.1 * 1000**power)
    return next((power for power in powers if abs(size - power * math.log(1.024)) <= BINARY_BAND), 0)


def _other_time_slips(variant: Variant, reading: Reading) -> tuple[VariantSlip, ...]:
    """Return the slip of typing hours instead of days or the reverse, and those that explain the rest, or ()."""
    size = variant.template.target.factor
    if reading.unit_given or size not in OTHER_TIMES:
        return ()
    in_other_unit = reading.value * OTHER_TIMES[size] / size
    explained = _slips_near(variant, in_other_unit)
    is_other = explained or _accepts(variant, in_other_unit)
    return (_generic_slip("hours_per_day", reading.value), *explained) if is_other else ()


def _is_in_prompt(variant: Variant, value: float) -> bool:
    """Return whether this number stands in the question."""
    typed_number = value / variant.template.target.factor
    return any(distance(number, typed_number) <= EXACT_BAND for number in prompt_numbers(variant.prompt))


def _prefix_slips(variant: Variant, value: float) -> tuple[VariantSlip, ...]:
    """Return the slip that explains a value apart from its prefix, and the slip of a wrong prefix, or ()."""
    for step in PREFIX_STEPS:
        near = tuple(slip for slip in variant.slips if distance(slip.value, value * step) <= CLOSE_BAND)
        if near:
            # Where several tie, any of them may have been made.
            return (near[0], _generic_slip("prefix_too", value)) if len(near) == 1 else ()
    return ()


def _bits_slip(variant: Variant, reading: Reading) -> tuple[VariantSlip, ...]:
    """Return the slip of answering in bits if the same number of bytes is right, or ()."""
    in_bits = units.BITS in reading.notes and reading.dimension == units.BYTE
    is_bits = in_bits and _accepts(variant, reading.value * 8)
    return (_generic_slip("bits_for_bytes", reading.value),) if is_bits else ()


def _generic_slip(name: str, value: float, message: str = "") -> VariantSlip:
    return VariantSlip(name, value, GENERIC_SLIPS[name]["question"], message or GENERIC_SLIPS[name]["message"])


def _ratio_slips(variant: Variant, ratio: float, dimension: units.Dimension) -> list[str]:
    """Return the names of the generic slips that this ratio suggests, at most two."""
    size, tens, twos = abs(math.log(ratio)), round(math.log10(ratio)), round(math.log2(ratio))
    has_right_digits = tens != 0 and abs(math.log(ratio) - tens * math.log(10)) <= SLIP_BAND
    is_time = dimension == units.DOLLAR or (
        dimension == units.SECOND and variant.template.target.factor >= units.MINUTE
    )
    in_bits = dimension == units.BYTE and abs(size - math.log(8)) <= SLIP_BAND
    causes = {
        "bits_for_bytes": in_bits,
        "gib_for_gb": dimension == units.BYTE and _kibis(*sorted((variant.answer, ratio * variant.answer))) > 0,
        "seconds_per_day": is_time and abs(size - math.log(86400)) <= SLIP_BAND,
        "seconds_per_hour": is_time and abs(size - math.log(3600)) <= SLIP_BAND,
        "hours_per_day": is_time and abs(size - math.log(24)) <= CLOSE_BAND,
        "seconds_per_minute": is_time and abs(size - math.log(60)) <= CLOSE_BAND,
        "si_slip" if tens % 3 == 0 else "exponent": has_right_digits,
        "question_number": not has_right_digits and _by_a_number(variant, ratio, CLOSE_BAND),
        "power_of_two": not in_bits and 1 <= abs(twos) <= MAX_TWOS and abs(math.log2(ratio) - twos) <= SLIP_BAND,
        "part": any(abs(size - abs(math.log(part))) <= CLOSE_BAND for part in PARTS),
    }
    return [name for name, holds in causes.items() if holds][:MAX_TIED]


def _by_a_number(variant: Variant, ratio: float, band: float) -> bool:
    """Return whether the ratio is a number of the question, or its square or inverse."""
    size = abs(math.log(ratio))
    numbers = [abs(math.log(number)) for number in prompt_numbers(variant.prompt)]
    return any(abs(size - power * number) <= band for number in numbers for power in (1, 2))


def prompt_numbers(prompt: str) -> tuple[float, ...]:
    """Return the question's distinct numbers, such as 16 GPUs, 70B or 40 %, without those between 0.9 and 2.9.

    Those explain too little: 1 changes nothing, and 2 is in too many formulas.
    """
    numbers = (
        float(digits.replace(",", "")) * units.SCALES.get(scale, 1.0) / (100.0 if share else 1.0)
        for digits, scale, share in re.findall(_NUMBER, prompt)
    )
    return tuple(dict.fromkeys(value for value in numbers if value >= MIN_LARGE or 0 < value <= MAX_SMALL))
