"""Judges formulas: by their values at the numbers of a question and at a dozen other draws of it."""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import islice, permutations

from studykit.errors import StudyError
from studykit.exercise.estimate import grid
from studykit.exercise.estimate.feedback import GENERIC_SLIPS
from studykit.exercise.estimate.hardware import Device
from studykit.exercise.estimate.template import NumericJudgment, Variant, VariantSlip, distance, impossible, pose
from studykit.exercise.estimate.values import Value
from studykit.exercise.verdict import Correct, Incorrect, Malformed
from studykit.quantity import letter_formula
from studykit.quantity.letter_formula import MIN_PLACES, SAME, BadFormulaError, LetterFormula, equal, values

MAX_DRAWS = 60
MAX_PLACES = 12
MAX_DENOMINATOR = 100_000

LEFT_TO_RIGHT = "read from left to right; put parentheses around what you divide by"


def judge(variant: Variant, text: str, judge_value: Callable[[float], NumericJudgment]) -> NumericJudgment | None:
    """Return the judgment on a formula, or None for another text.

    Where a number is asked, a formula that is right only at these numbers is right, with a note.
    """
    try:
        formula = letter_formula.read(text, variant.letters)
        return _judged(variant, formula, judge_value) if formula.used else None
    except BadFormulaError as refused:
        is_formula = refused.is_formula or variant.formula
        return NumericJudgment(Malformed(str(refused))) if is_formula else None
    except (ArithmeticError, ValueError):
        return NumericJudgment(Malformed("that formula has no value at these numbers"))


def _judged(
    variant: Variant, formula: LetterFormula, judge_value: Callable[[float], NumericJudgment]
) -> NumericJudgment:
    places = [variant, *islice(_places(variant), MAX_PLACES)]
    mine, left_to_right, *others = (
        values(tree, [place.letters for place in places])
        for tree in (formula.tree, formula.left_to_right, *formula.other_sides)
    )
    if not all(equal(mine, other) for other in others):
        raise BadFormulaError("two formulas that are not equal; give one, alone on its side")
    answers = [place.answer for place in places]
    reads_left = not equal(mine, answers) and equal(left_to_right, answers)
    tree = formula.left_to_right if reads_left else formula.tree
    is_asked = variant.formula != ""
    judged = NumericJudgment(Correct()) if is_asked else judge_value(letter_formula.value(tree, variant.letters))
    judged = replace(judged, formula=letter_formula.write(tree), notes=(LEFT_TO_RIGHT,) if reads_left else ())
    if reads_left or equal(mine, answers):
        return replace(judged, verdict=Correct(), slips=())
    missing = [name for name in variant.letters if name not in formula.used and _depends(variant, name)]
    if isinstance(judged.verdict, Correct) and not is_asked:
        return replace(judged, notes=_only_here(mine, places, missing))
    named = []
    for rule in variant.template.slips:  # also one that is right at these numbers
        at_slip = [letter_formula.number_of(rule.formula, place.values) for place in places]
        if equal(at_slip, mine) or equal(at_slip, left_to_right):
            named.append(rule.at(variant.values, at_slip[0] or 0.0))
    if not named and formula.large and missing:
        raise BadFormulaError(
            f"{formula.large} is a number; write the letters of the question: {', '.join(missing)}"
        )
    slips = tuple(named or _off_by(mine, places, missing, judged.value or 0.0))
    return replace(judged, verdict=Incorrect(judged.factor), slips=slips)


def _only_here(mine: Sequence[float | None], places: Sequence[Variant], missing: Sequence[str]) -> tuple[str, ...]:
    """Return the note on a formula that is right at these numbers, unless it is near enough at all of them."""
    pairs = [(number or 0, place) for number, place in zip(mine, places, strict=True)]
    if all(distance(number, place.answer) <= math.log1p(place.tolerance) for number, place in pairs):
        return ()
    depends = f"the answer also depends on {', '.join(missing)}" if missing else "it is another formula"
    return (f"right here; in general {depends}",)


def _places(variant: Variant) -> Iterator[Variant]:
    """Draw a question with other numbers and devices. What it names in words stays, such as a dtype."""
    template, generator = replace(variant.template, slips=()), random.Random(0)
    fixed = {
        name: known
        for name, known in _parameters(variant).items()
        if name not in template.grid or not isinstance(known, int | float | Device)
    }
    for _ in range(MAX_DRAWS):
        with suppress(ArithmeticError, LookupError, ValueError, StudyError):
            drawn = pose(template, grid.draw_values(template.grid, generator.random, fixed), 0, {})
            if not impossible(drawn):
                yield drawn


def _parameters(variant: Variant) -> dict[str, Value]:
    given = {*variant.template.given, "answer"}
    return {name: known for name, known in variant.values.known.items() if name not in given}


def _depends(variant: Variant, name: str) -> bool:
    """Return whether the answer changes with a letter."""
    known = {"peak": variant.values.known.get("peak"), **_parameters(variant)}
    drawn = known.get(name)
    if not isinstance(drawn, int | float):
        return False
    template = replace(variant.template, slips=())
    doubled = letter_formula.number_of(lambda: pose(template, {**known, name: drawn * 2}, 0, {}).answer)
    return doubled != variant.answer


def _off_by(
    mine: Sequence[float | None], places: Sequence[Variant], missing: Sequence[str], at: float
) -> list[VariantSlip]:
    """Return the slip of a formula that is off by a number, a power of one letter, or both."""
    ratios = [
        (number / place.answer, place.letters)
        for number, place in zip(mine, places, strict=True)
        if number is not None and place.answer and all(place.letters.values())
    ]
    names = ratios[0][1] if ratios else ()
    lone = [((name, power),) for name in names for power in (1, -1, 2, -2)]
    pairs = [((name, 1), (other, -1)) for name, other in permutations(names, 2)]
    for powers in [(), *lone, *pairs]:
        first, *rest = [ratio / math.prod(letters[n] ** p for n, p in powers) for ratio, letters in ratios]
        if len(rest) >= MIN_PLACES and first > 0 and all(math.isclose(first, each, rel_tol=SAME) for each in rest):
            slip = "formula_letter" if powers else "formula_number"
            return [VariantSlip(slip, at, GENERIC_SLIPS[slip]["question"], _difference(first, powers, missing))]
    return []


def _difference(ratio: float, powers: Sequence[tuple[str, int]], missing: Sequence[str]) -> str:
    """Return which letters a formula lacks, and what it gives: 1/3, 2*G, (1/2)/D times the answer."""
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
