"""Write feedback on a verdict: little while a retry is open, everything once the question is closed."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from studykit.exercise import catalog
from studykit.exercise.estimate.hardware import Device
from studykit.exercise.estimate.scenario import Scenario
from studykit.exercise.estimate.template import Estimate, NumericJudgment, Variant, VariantSlip, distance
from studykit.exercise.verdict import Close, Correct, Incorrect, Malformed, Verdict
from studykit.quantity import formatting
from studykit.quantity.units import DIMENSION_NAMES, FLOP, NUMBER
from studykit.text import sentence

MAX_EXACT_GAP = 1e-9  # relative difference that is called exact
MAX_ROUNDING_GAP = 0.0005  # relative difference that is not worth a word: the rounding of four digits
GENERIC_SLIPS: Mapping[str, Mapping[str, str]] = json.loads(
    Path(__file__).with_name("generic_slips.json").read_text("utf-8")
)
"""What the ratio of an answer to the right one suggests, by id: the question while a retry is open, the message
after it, and the name in a list of slips."""

COUNTED = {"param": "parameters", "token": "tokens", "gpu": "GPUs", "bit": "bits", "step": "steps"}
"""What is counted, by the unit of a plain number."""

MAX_TIED_GAP = 0.06  # in natural log between the values of tied slips: the bands of two, and of rounding


def direction(value: float, answer: float) -> str:
    """Return in which direction an answer is wrong, such as "too low, by 10x or more". A retry reveals no more."""
    if distance(value, answer) == math.inf:
        return "zero is not it" if value == 0 else "too high"
    side = "too high" if value > answer else "too low"
    decades = math.floor(distance(value, answer) / math.log(10) + 1e-9)
    return side if decades == 0 else f"{side}, by 10x or more"


def while_open(variant: Variant, verdict: Verdict, value: float | None, slips: tuple[VariantSlip, ...]) -> str:
    """Return the feedback while a retry is open: the direction and the slips' questions, or what to correct.

    It never has a factor, a formula or the answer.
    """
    match verdict:
        case Malformed(why):
            return why
        case Incorrect(factor=None, why=why) if why:
            return sentence(why)
        case Close():
            return "Nearly: check your rounding."
        case Correct():
            return ""
    lines = [direction(value, variant.answer) + "."] if value is not None else []
    lines.extend(_under_heading(slips, [slip.question for slip in slips]))
    return "\n".join(lines)


def _under_heading(slips: Sequence[VariantSlip], texts: Iterable[str]) -> list[str]:
    """Return each text once, with a heading above several that says whether one or all of the slips apply."""
    lines = list(dict.fromkeys(texts))
    choice = {2: "Either of these would explain it:"}.get(len(lines), "One of these explains it:")
    heading = choice if tied(slips) else "Together these would explain it:"
    return [heading, *lines] if len(lines) > 1 else lines


def tied(slips: Sequence[VariantSlip]) -> bool:
    """Return whether several slips give nearly the same value, so that any one of them may have been made."""
    return len(slips) > 1 and all(distance(slip.value, slips[0].value) <= MAX_TIED_GAP for slip in slips)


def blamed(slips: Sequence[VariantSlip]) -> tuple[str, ...]:
    """Return the ids of the slips to count for an answer. Tied ones are left out, as only one of them was made."""
    return tuple(
        slip.id
        for slip in slips
        if all(other is slip or distance(other.value, slip.value) > MAX_TIED_GAP for other in slips)
    )


def without_retry(variant: Variant, judgment: NumericJudgment) -> str:
    """Return the feedback of a question with a single try: the right answer, how far off it was, and the slips."""
    sentences = [judgment.mismatch, f"The answer is {full_answer(variant)}.", off_by(variant, judgment.compared)]
    return "\n".join([" ".join(filter(None, sentences)), *slip_lines(judgment.slips), *caveats(variant)])


def full_answer(variant: Variant) -> str:
    """Return the right answer, and FLOPs also as a power of ten."""
    answer = right_answer(variant)
    is_flop = variant.template.target.dimension == FLOP and not variant.formula
    in_base = f"{formatting.scientific(variant.answer)} FLOP"
    return f"{in_base} ({answer})" if is_flop and answer != in_base else answer


def off_by(variant: Variant, value: float | None) -> str:
    """Return a sentence on how far a value is from the answer, or "" if it rounds to it or cannot be compared."""
    answer = variant.answer
    gap = math.inf if value is None else distance(value, answer)
    # 74.51 for 74.5123 is not "exact", and no word of it helps
    if value is None or gap == math.inf or 0 < gap <= min(MAX_ROUNDING_GAP, variant.tolerance / 2):
        return ""
    if gap <= MAX_EXACT_GAP:
        return "Yours is exact."
    percent, factor = formatting.digits(100 * abs(value / answer - 1), 2), formatting.digits(math.exp(gap), 2)
    off = f"{percent} %" if gap < math.log(1.2) else f"{factor}x"
    return f"Yours is {off} too {'high' if value > answer else 'low'}."


def slip_lines(slips: tuple[VariantSlip, ...]) -> list[str]:
    """Return the slips' messages, each once, with a heading above several."""
    return _under_heading(slips, [slip.message for slip in slips])


def caveats(variant: Variant) -> list[str]:
    """Return a caveat for each device with less certain figures."""
    devices = dict.fromkeys(value for value in variant.values.known.values() if isinstance(value, Device))
    return [f"({each.name}: figures from {each.source}.)" for each in devices if each.confidence != "A"]


def right_answer(variant: Variant) -> str:
    """Format the right answer, a formula or an amount in the question's unit, so that typing it back is right."""
    is_exact = variant.tolerance == 0
    return variant.formula or formatting.show_amount(variant.answer, variant.template.target, exact=is_exact)


def tolerance(variant: Variant, *, rough: bool = False) -> str:
    """Return which answers are accepted, in words."""
    relative = variant.tolerance
    if variant.formula:
        return "accepted in any equal form" + ", in SI units" * (variant.template.target.factor != 1)
    if relative == 0 or (variant.is_whole and not rough):
        return "accepted only if exact"
    return "accepted within a factor of 1.5" if rough else f"accepted within {formatting.digits(100 * relative)} %"


def asked_for(variant: Variant) -> str:
    """Return the kind of amount that a question asks for, in words."""
    target = variant.template.target
    if variant.formula:
        return f"a formula in {', '.join(variant.letters)}"
    if target.dimension == NUMBER and target.unit in COUNTED:
        return f"a number of {COUNTED[target.unit]}"
    return DIMENSION_NAMES.get(target.dimension, target.unit)


def unit_label(variant: Variant) -> str:
    """Return the label of the answer's line: the unit of bare numbers, or "formula" or "number"."""
    target = variant.template.target
    if variant.formula:
        return "formula"
    if target.unit == "per second":
        return "tokens/s"  # every rate that is asked for is one of tokens
    return target.unit or ("number" if target.dimension == NUMBER else DIMENSION_NAMES[target.dimension])


def slip_names(ids: Iterable[str]) -> dict[str, str]:
    """Map each slip to words such as "forgot the backward pass", or to its id if no exercise knows it."""
    if not (names := {slip: slip.replace("_", " ") for slip in ids}):
        return names
    exercises = catalog.every()
    steps = [step for story in exercises if isinstance(story, Scenario) for step in story.steps]
    estimates = [each for each in (*exercises, *steps) if isinstance(each, Estimate)]
    known_names = {rule.id: rule.name for estimate in estimates for rule in estimate.slips}
    known_names |= {id_: row["name"] for id_, row in GENERIC_SLIPS.items()}
    return {slip: known_names.get(slip, name) for slip, name in names.items()}
