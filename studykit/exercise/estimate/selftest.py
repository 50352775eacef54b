"""What a template must hold true of itself: tried over many seeds, told in words."""

from collections.abc import Iterable, Iterator

from studykit.errors import StudyError
from studykit.exercise.estimate.template import SLIP_BAND, Judge, Template, Variant, distance, draw, fair
from studykit.exercise.verdict import Correct, Malformed
from studykit.quantity import formatting
from studykit.quantity.units import BYTE, BYTE_PER_S, FLOP, FLOP_PER_S, SECOND

ROUNDING = 0.01
"""Four digits, as answers are shown, are right within this."""

NONSENSE = ("soon", "9**9**9", "1,5")

OTHER_UNITS = {
    FLOP: (("PFLOP", 1e15), ("zettaflops", 1e21)),
    BYTE: (("GiB", 2.0**30), ("kB", 1e3), ("bits", 0.125)),
    BYTE_PER_S: (("GB/s", 1e9),),
    SECOND: (("h", 3600.0), ("weeks", 604800.0)),
    FLOP_PER_S: (("TFLOP/s", 1e12),),
}
BASE = {FLOP: "FLOP", BYTE: "bytes", BYTE_PER_S: "B/s", SECOND: "s", FLOP_PER_S: "FLOP/s"}


def problems(template: Template, judge: Judge, seeds: Iterable[int] = range(100)) -> list[str]:
    """Everything that a template gets wrong, each thing told once; empty for a good one."""
    wrong: dict[str, None] = dict.fromkeys(_in_texts(template))
    for seed in seeds:
        try:
            variant = draw(template, seed)
            wrong.update(dict.fromkeys(_in_variant(variant, judge)))
        except StudyError as error:
            wrong[str(error)] = None
            break  # no fair variant for one seed is none for all
        except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
            wrong[f"a formula or a text fails with seed {seed}: {type(error).__name__}: {error}"] = None
    return list(wrong)


def typed(value: float, variant: Variant) -> str:
    """A value as a learner could type it, with its unit."""
    wanted = variant.template.wanted
    if variant.template.unit_fixed:
        return f"{value / wanted.factor!r} {variant.template.unit}"
    return f"{value!r} {BASE.get(wanted.dimension, '')}".strip()


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
    for slip in variant.slips if not variant.template.formula else ():
        yield from _in_slip(variant, slip.id, slip.value, judge)


def _in_answers(variant: Variant, judge: Judge) -> Iterator[str]:
    answers = [variant.template.formula or typed(variant.answer, variant)]
    if not (variant.template.unit_fixed or variant.template.formula):
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
