"""What a template must hold true of itself: tried over many seeds, told in words."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from studykit.errors import StudyError
from studykit.exercise.estimate.template import SLIP_BAND, Judge, Template, Variant, distance, draw, fair, pose
from studykit.exercise.verdict import Correct, Malformed
from studykit.quantity import formatting
from studykit.quantity.units import BYTE, BYTE_PER_S, FLOP, FLOP_PER_S, SECOND, want

ROUNDING = 0.01  # four digits, as answers are shown, are right within this
NONSENSE = ("soon", "9**9**9", "1,5")

OTHER_UNITS = {
    FLOP: (("PFLOP", 1e15), ("zettaflops", 1e21)),
    BYTE: (("GiB", 2.0**30), ("kB", 1e3), ("bits", 0.125)),
    BYTE_PER_S: (("GB/s", 1e9),),
    SECOND: (("h", 3600.0), ("weeks", 604800.0)),
    FLOP_PER_S: (("TFLOP/s", 1e12),),
}


def problems(template: Template, judge: Judge, seeds: Iterable[int] = range(100)) -> list[str]:
    """List everything that a template gets wrong, each once."""
    wrong: dict[str, None] = dict.fromkeys(_in_texts(template))
    variants: list[Variant] = []
    for seed in seeds:
        try:
            variant = draw(template, seed)
            variants.append(variant)
            wrong.update(dict.fromkeys(_in_variant(variant, judge)))
        except StudyError as error:
            wrong[str(error)] = None
            break  # no fair variant for one seed is none for all
        except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
            wrong[f"a formula or a text fails with seed {seed}: {type(error).__name__}: {error}"] = None
    wrong.update(dict.fromkeys(_idle_steps(template, variants)))
    return list(wrong)


def typed(value: float, variant: Variant) -> str:
    """Return a value as a learner could type it, with its unit."""
    wanted = variant.template.wanted
    if variant.template.unit_fixed:
        return f"{value / wanted.factor!r} {variant.template.unit}"
    if variant.template.unit == "%":  # a bare number may be a share as well
        return f"{100 * value!r} %"
    return f"{value!r} {formatting.BASE_UNITS.get(wanted.dimension, '')}".strip()


def _in_texts(template: Template) -> Iterator[str]:
    if not template.id.partition(".")[2]:
        yield "the id must be family.name"
    if len({hint.strip() for hint in template.hints} - {""}) != len(template.hints):
        yield "a hint is empty or stands twice"
    if not template.solution:
        yield "there is no worked solution"
    if not template.slips:
        yield "there is no slip; name at least the most likely one"
    for rule in template.slips:
        if not rule.question or not rule.message:
            yield f"slip {rule.id} has no question or no message"


def _in_variant(variant: Variant, judge: Judge) -> Iterator[str]:
    again = draw(variant.template, variant.seed)
    if (again.prompt, again.answer) != (variant.prompt, variant.answer):
        yield f"seed {variant.seed} gives two different variants"
    if not (variant.prompt and all(variant.hints) and all(variant.solution)):
        yield "a text comes out empty"
    if not fair(variant):
        yield f"seed {variant.seed} draws an unfair variant"
    yield from _in_answers(variant, judge)
    for nonsense in NONSENSE:
        if not isinstance(judge(variant, nonsense).verdict, Malformed):
            yield f"{nonsense!r} is not called malformed"
    for slip in variant.slips if not variant.formula else ():
        yield from _in_slip(variant, slip.id, slip.value, judge)


def _in_answers(variant: Variant, judge: Judge) -> Iterator[str]:
    answers = [variant.formula or typed(variant.answer, variant)]
    if not (variant.template.unit_fixed or variant.formula):
        others = OTHER_UNITS.get(variant.template.wanted.dimension, ())
        answers += [f"{variant.answer / size!r} {unit}" for unit, size in others]
        answers += (
            [formatting.show_amount(variant.answer, variant.template.wanted)]
            if variant.tolerance >= ROUNDING
            else []
        )
    for answer in answers:
        if not isinstance(verdict := judge(variant, answer).verdict, Correct):
            yield f"its own answer {answer!r} is {verdict.name} with {variant.parameters}"


def _idle_steps(template: Template, variants: list[Variant]) -> Iterator[str]:
    """Yield the steps of the solution that most draws come out right without.

    `sqrt(2 * seconds * hours)` is the right number of minutes: leaving out the 3600 would never be noticed.
    """
    plain, shown = replace(template, slips=()), " ".join(template.solution)
    for name in (name for name in template.grid if re.search(rf"{{{name}[:}}]", shown)):
        for step in ("leaving out", "inverting", "not converting"):
            found = [_right_without(plain, each, name, step) for each in variants]
            right, tried = found.count(True), len(found) - found.count(None)
            if 3 * right > 2 * tried:
                yield f"{step} {name} gives the right answer in {right} of {tried} draws"


def _right_without(template: Template, variant: Variant, name: str, step: str) -> bool | None:
    """Return whether an answer without this step on a parameter is right, or None if that means nothing."""
    known = {key: variant.values.known[key] for key in (*template.grid, *template.builds_on)}
    value, unit = known[name], template.units.get(name, "")
    own, asked = want(unit).factor if unit else 1.0, template.wanted.factor
    if isinstance(value, bool | str) or not isinstance(value, int | float) or value in {0, 1}:
        return None
    if step == "not converting" and (own in {1, asked} or asked == 1):  # in one unit throughout all is well
        return None
    known[name] = {"leaving out": 1, "inverting": 1 / value, "not converting": value / own}[step]
    try:
        answer = pose(template, known, variant.seed, {}).answer
    except (ArithmeticError, LookupError, TypeError, ValueError, StudyError):
        return None
    return distance(answer * (asked if step == "not converting" else 1), variant.answer) <= variant.tolerance


def _in_slip(variant: Variant, slip_id: str, value: float, judge: Judge) -> Iterator[str]:
    judged = judge(variant, typed(value, variant))
    named = [slip.id for slip in judged.slips]
    if slip_id not in named:
        diagnosis = ", ".join(named) or judged.verdict.name
        yield f"slip {slip_id} is diagnosed as {diagnosis} with {variant.parameters}"
    values = {slip.id: slip.value for slip in variant.slips}
    for other in named:
        if distance(values[other], value) > 2 * SLIP_BAND:
            yield f"slip {slip_id} is confused with {other}"
