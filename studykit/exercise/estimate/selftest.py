"""Check a template over many seeds, and describe its problems."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from studykit.errors import StudyError
from studykit.exercise.estimate.template import SLIP_BAND, Judge, Template, Variant, distance, draw, fair, pose
from studykit.exercise.verdict import Correct, Malformed
from studykit.quantity import formatting
from studykit.quantity.units import BYTE, BYTE_PER_S, FLOP, FLOP_PER_S, SECOND, target_unit

MIN_ROUNDED_TOLERANCE = 0.01  # four digits, as answers are shown, are right within this
NONSENSE = ("soon", "9**9**9", "1,5")

OTHER_UNITS = {
    FLOP: (("PFLOP", 1e15), ("zettaflops", 1e21)),
    BYTE: (("GiB", 2.0**30), ("kB", 1e3), ("bits", 0.125)),
    BYTE_PER_S: (("GB/s", 1e9),),
    SECOND: (("h", 3600.0), ("weeks", 604800.0)),
    FLOP_PER_S: (("TFLOP/s", 1e12),),
}


def problems(template: Template, judge: Judge, seeds: Iterable[int] = range(100)) -> list[str]:
    """Return a template's problems, each once."""
    faults: dict[str, None] = dict.fromkeys(_text_faults(template))
    variants: list[Variant] = []
    for seed in seeds:
        try:
            variant = draw(template, seed)
            variants.append(variant)
            faults.update(dict.fromkeys(_variant_faults(variant, judge)))
        except StudyError as error:
            faults[str(error)] = None
            break  # no fair variant for one seed is none for all
        except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
            faults[f"a formula or a text fails with seed {seed}: {type(error).__name__}: {error}"] = None
    faults.update(dict.fromkeys(_idle_steps(template, variants)))
    return list(faults)


def typed(value: float, variant: Variant) -> str:
    """Format a value with its unit, as a learner could type it."""
    target = variant.template.target
    if variant.template.unit_fixed:
        return f"{value / target.factor!r} {variant.template.unit}"
    if variant.template.unit == "%":  # a bare number may be a share as well
        return f"{100 * value!r} %"
    return f"{value!r} {formatting.BASE_UNITS.get(target.dimension, '')}".strip()


def _text_faults(template: Template) -> Iterator[str]:
    if not template.id.partition(".")[2]:
        yield "the id must be family.name"
    if len({hint.strip() for hint in template.hints} - {""}) != len(template.hints):
        yield "a hint is empty or stands twice"
    if not template.solution:
        yield "the worked solution is missing"
    if not template.slips:
        yield "no slip is named; add at least the most likely one"
    for rule in template.slips:
        if not rule.question or not rule.message:
            yield f"slip {rule.id} has no question or no message"


def _variant_faults(variant: Variant, judge: Judge) -> Iterator[str]:
    second_draw = draw(variant.template, variant.seed)
    if (second_draw.prompt, second_draw.answer) != (variant.prompt, variant.answer):
        yield f"seed {variant.seed} gives two different variants"
    if not (variant.prompt and all(variant.hints) and all(variant.solution)):
        yield "a text comes out empty"
    if not fair(variant):
        yield f"seed {variant.seed} draws an unfair variant"
    yield from _answer_faults(variant, judge)
    for nonsense in NONSENSE:
        if not isinstance(judge(variant, nonsense).verdict, Malformed):
            yield f"{nonsense!r} is not called malformed"
    for slip in variant.slips if not variant.formula else ():
        yield from _slip_faults(variant, slip.id, slip.value, judge)


def _answer_faults(variant: Variant, judge: Judge) -> Iterator[str]:
    answers = [variant.formula or typed(variant.answer, variant)]
    if not (variant.template.unit_fixed or variant.formula):
        other_units = OTHER_UNITS.get(variant.template.target.dimension, ())
        answers += [f"{variant.answer / size!r} {unit}" for unit, size in other_units]
        if variant.tolerance >= MIN_ROUNDED_TOLERANCE:
            answers.append(formatting.show_amount(variant.answer, variant.template.target))
    for answer in answers:
        if not isinstance(verdict := judge(variant, answer).verdict, Correct):
            yield f"its own answer {answer!r} is {verdict.name} with {variant.parameters}"


def _idle_steps(template: Template, variants: list[Variant]) -> Iterator[str]:
    """Yield a sentence on each step of the solution without which most draws still give the right answer.

    `sqrt(2 * seconds * hours)` is the right number of minutes: leaving out the 3600 would never be noticed.
    """
    plain, solution_text = replace(template, slips=()), " ".join(template.solution)
    for name in (name for name in template.grid if re.search(rf"{{{name}[:}}]", solution_text)):
        for step in ("leaving out", "inverting", "not converting"):
            results = [_is_right_without(plain, each, name, step) for each in variants]
            right_count, count = results.count(True), len(results) - results.count(None)
            if 3 * right_count > 2 * count:
                yield f"{step} {name} gives the right answer in {right_count} of {count} draws"


def _is_right_without(template: Template, variant: Variant, name: str, step: str) -> bool | None:
    """Return whether the answer stays right without a step on a parameter, or None if there is no such step."""
    values = {key: variant.values.known[key] for key in (*template.grid, *template.builds_on)}
    value, unit = values[name], template.units.get(name, "")
    own_factor, asked_factor = target_unit(unit).factor if unit else 1.0, template.target.factor
    if isinstance(value, bool | str) or not isinstance(value, int | float) or value in {0, 1}:
        return None
    is_converting = step == "not converting"
    if is_converting and (own_factor in {1, asked_factor} or asked_factor == 1):
        return None  # in one unit throughout all is well
    values[name] = {"leaving out": 1, "inverting": 1 / value, "not converting": value / own_factor}[step]
    with suppress(ArithmeticError, LookupError, TypeError, ValueError, StudyError):
        answer = pose(template, values, variant.seed, {}).answer * (asked_factor if is_converting else 1)
        return distance(answer, variant.answer) <= variant.tolerance
    return None


def _slip_faults(variant: Variant, slip_id: str, value: float, judge: Judge) -> Iterator[str]:
    judgment = judge(variant, typed(value, variant))
    slip_ids = [slip.id for slip in judgment.slips]
    if slip_id not in slip_ids:
        diagnosis = ", ".join(slip_ids) or judgment.verdict.name
        yield f"slip {slip_id} is diagnosed as {diagnosis} with {variant.parameters}"
    values = {slip.id: slip.value for slip in variant.slips}
    for other_id in slip_ids:
        if distance(values[other_id], value) > 2 * SLIP_BAND:
            yield f"slip {slip_id} is confused with {other_id}"
