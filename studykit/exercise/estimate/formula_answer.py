"""Judge formulas by their values at a question's numbers and at a dozen other draws of it."""

import ast
import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import islice, permutations

from studykit.errors import StudyError
from studykit.exercise.estimate.feedback import GENERIC_SLIPS
from studykit.exercise.estimate.hardware import Device
from studykit.exercise.estimate.template import NumericJudgment, Variant, VariantSlip, distance, impossible, pose
from studykit.exercise.estimate.values import Value, draw_values
from studykit.exercise.verdict import Correct, Incorrect, Malformed
from studykit.quantity import letter_formula
from studykit.quantity.letter_formula import MIN_LARGE, MIN_PLACES, SAME, BadFormulaError, LetterFormula, equal

MAX_DRAWS = 60
MAX_PLACES = 12
MAX_DENOMINATOR = 100_000

LEFT_TO_RIGHT = "read from left to right; put parentheses around what you divide by"
IN_PERCENT = "read in percent"


def judge(variant: Variant, text: str, judge_value: Callable[[float], NumericJudgment]) -> NumericJudgment | None:
    """Judge a formula, or return None for a text that is not one.

    If the question asks for a number, a formula that is right only for these numbers is accepted, with a note.
    """
    try:
        formula = letter_formula.read(text, variant.letters)
        return _judge_formula(variant, formula, judge_value) if formula.used else None
    except BadFormulaError as error:
        is_formula = error.is_formula or variant.formula
        return NumericJudgment(Malformed(str(error))) if is_formula else None
    except (ArithmeticError, ValueError):
        return NumericJudgment(Malformed("that formula has no value at these numbers"))


def _judge_formula(
    variant: Variant, formula: LetterFormula, judge_value: Callable[[float], NumericJudgment]
) -> NumericJudgment:
    places = [variant, *islice(_other_places(variant), MAX_PLACES)]
    own_values, left_to_right, *other_sides = (
        letter_formula.values(tree, [place.letters for place in places])
        for tree in (formula.tree, formula.left_to_right, *formula.other_sides)
    )
    if not all(equal(own_values, other) for other in other_sides):
        raise BadFormulaError("the two sides are not equal; give only one formula")
    answers = [place.answer for place in places]
    is_right = _is_right(variant, own_values, answers)
    reads_left = not is_right and equal(left_to_right, answers)
    tree = formula.left_to_right if reads_left else formula.tree
    is_asked = variant.formula != ""
    value = letter_formula.value(tree, variant.letters)
    is_percentage = is_right and variant.template.unit == "%" and not equal(own_values, answers)
    judgment = NumericJudgment(Correct()) if is_asked else judge_value(value / 100 if is_percentage else value)
    notes = (LEFT_TO_RIGHT,) * reads_left + (IN_PERCENT,) * is_percentage
    judgment = replace(judgment, formula=letter_formula.write(tree), notes=notes)
    if reads_left or is_right:
        return replace(judgment, verdict=Correct(), slips=())
    # A device's memory has no parameter of its own; its number in the formula stands for it.
    numbers = {node.value for node in ast.walk(formula.tree) if isinstance(node, ast.Constant)}
    unused = {name: value for name, value in variant.letters.items() if name not in formula.used}
    in_numbers = [name for name, value in unused.items() if value >= MIN_LARGE and value in numbers]
    missing = [name for name in unused if name in in_numbers or _depends_on(variant, name)]
    if isinstance(judgment.verdict, Correct) and not is_asked:
        return replace(judgment, notes=_local_note(own_values, places, missing))
    slips_made = _slips_made(places, (own_values, left_to_right), SAME)
    if not slips_made and not is_asked:  # a count has small parts that are left out
        slips_made = _slips_made(places, (own_values, left_to_right), variant.tolerance)
    generic = GENERIC_SLIPS.keys() - {"not_rounded"}
    here = [slip for slip in judgment.slips if slip.id not in generic]  # such as 16*N + 8.9e9
    if not (slips_made or here) and formula.large and missing:
        raise BadFormulaError(
            f"{formula.large} is a number; write the letters of the question: {', '.join(missing)}"
        )
    slips = slips_made or _off_by_slips(own_values, places, missing, judgment.value or 0.0) or here
    return replace(judgment, verdict=Incorrect(judgment.factor), slips=tuple(slips))


def _is_right(variant: Variant, own_values: Sequence[float | None], answers: Sequence[float]) -> bool:
    """Return whether a formula gives the answers, a count's answers rounded down, or a share's in percent."""
    whole = [math.floor(answer) for answer in answers] if variant.tolerance == 0 else answers
    percentages = [100 * answer for answer in answers] if variant.template.unit == "%" else answers
    return any(equal(own_values, accepted) for accepted in (answers, whole, percentages))


def _slips_made(
    places: Sequence[Variant], readings: Sequence[Sequence[float | None]], gap: float
) -> list[VariantSlip]:
    """Return the slips whose values equal those of one of the readings within a relative gap, at every place.

    The places are draws of the question. The readings are the values there of the formula, read in two ways.
    """
    slips = []
    for rule in places[0].template.slips:
        at_slip = [letter_formula.number_of(rule.formula, place.values) for place in places]
        if any(equal(at_slip, reading, gap=gap) for reading in readings):
            slips.append(rule.at(places[0].values, at_slip[0] or 0.0))
    return slips


def _local_note(
    own_values: Sequence[float | None], places: Sequence[Variant], missing: Sequence[str]
) -> tuple[str, ...]:
    """Return a note on a formula that is right only for these numbers, or () if it is right in general."""
    pairs = [(number or 0, place) for number, place in zip(own_values, places, strict=True)]
    if all(distance(number, place.answer) <= math.log1p(place.tolerance) for number, place in pairs):
        return ()
    depends = f"the answer also depends on {', '.join(missing)}" if missing else "it is another formula"
    return (f"right here; in general {depends}",)


def _other_places(variant: Variant) -> Iterator[Variant]:
    """Yield variants with other numbers and devices, keeping parameters that are words, such as a dtype."""
    # A fixed seed, so that the same formula always gets the same judgment.
    template, generator = replace(variant.template, slips=()), random.Random(0)
    fixed = {
        name: value
        for name, value in _parameters(variant).items()
        if name not in template.grid or not isinstance(value, int | float | Device)
    }
    for _ in range(MAX_DRAWS):
        with suppress(ArithmeticError, LookupError, ValueError, StudyError):
            variant_here = pose(template, draw_values(template.grid, generator.random, fixed), 0, {})
            if not impossible(variant_here):
                yield variant_here


def _parameters(variant: Variant) -> dict[str, Value]:
    computed = {*variant.template.given, "answer"}
    return {name: value for name, value in variant.values.known.items() if name not in computed}


def _depends_on(variant: Variant, name: str) -> bool:
    """Return whether the answer is known to change if the value of a letter doubles."""
    values = {"peak": variant.values.known.get("peak"), **_parameters(variant)}
    value = values.get(name)
    if not isinstance(value, int | float):
        return False
    template = replace(variant.template, slips=())
    doubled = letter_formula.number_of(lambda: pose(template, {**values, name: value * 2}, 0, {}).answer)
    return doubled is not None and doubled != variant.answer


def _off_by_slips(
    own_values: Sequence[float | None], places: Sequence[Variant], missing: Sequence[str], at: float
) -> list[VariantSlip]:
    """Return the slip of a formula that is off by a constant factor, powers of letters, or both, or []."""
    ratios = [
        (number / place.answer, place.letters)
        for number, place in zip(own_values, places, strict=True)
        if number is not None and place.answer and all(place.letters.values())
    ]
    names = ratios[0][1] if ratios else ()
    lone = [((name, power),) for name in names for power in (1, -1, 2, -2)]
    pairs = [((name, 1), (other, -1)) for name, other in permutations(names, 2)]
    for powers in [(), *lone, *pairs]:
        first, *rest = [ratio / math.prod(letters[n] ** p for n, p in powers) for ratio, letters in ratios]
        if len(rest) >= MIN_PLACES and first > 0 and all(math.isclose(first, each, rel_tol=SAME) for each in rest):
            slip = "formula_letter" if powers else "formula_number"
            text = _factor_text(first, powers, missing)
            factor = places[0].template.target.factor
            if not powers and math.isclose(first * factor, 1, rel_tol=SAME):
                text += " Formulas are in SI units, so leave out the conversion."
            return [VariantSlip(slip, at, GENERIC_SLIPS[slip]["question"], text)]
    return []


def _factor_text(ratio: float, powers: Sequence[tuple[str, int]], missing: Sequence[str]) -> str:
    """Write how many times the answer a formula gives, such as 2*G or (1/2)/D, and which letters it lacks."""
    fraction = Fraction(ratio).limit_denominator(MAX_DENOMINATOR)
    number = str(fraction) if math.isclose(fraction, ratio, rel_tol=SAME) else f"{ratio:.4g}"
    number = f"({number})" if "/" in number and powers else number
    over, under = (
        [name + f"^{abs(power)}" * (abs(power) > 1) for name, power in powers if power * sign > 0]
        for sign in (1, -1)
    )
    factor = "/".join(["*".join([number] * (number != "1") + over) or "1", *under])
    lacks = "".join(f"{name} is missing. " for name, _ in powers if name in missing)
    return f"{lacks}Your formula gives {factor} times the answer."
