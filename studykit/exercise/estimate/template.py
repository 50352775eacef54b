"""Define templates, made of data and small formulas, and draw variants of them from seeds."""

import math
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from studykit.errors import NotFoundError, StudyError, UsageError
from studykit.exercise.estimate.hardware import BYTES_PER_ELEMENT, Device
from studykit.exercise.estimate.shape import Shape
from studykit.exercise.estimate.values import Choices, Value, Values, choices_of, draw_values, fill_in, plain
from studykit.exercise.verdict import Incorrect, Verdict
from studykit.quantity import formatting
from studykit.quantity.units import TargetUnit, target_unit

if TYPE_CHECKING:
    from studykit.picture import Bars

NAPKIN = "napkin-math"  # the set of all templates
SLIP_BAND = math.log(1.02)  # how near an answer must be to a slip for the slip to be named
MAX_DRAWS = 2000  # draws before a template is found to have no fair variant
MAX_PINNED_DRAWS = 200  # draws before pins get a variant that is possible, but not fair or sensible
SAME = 1e-9  # relative difference under which two values are the same
MIN_SHORT_COUNT = 10**6  # from here on a count is shown with a letter: 1.3B

Formula = Callable[[Values], float]


@dataclass(frozen=True, slots=True)
class SlipRule:
    """Hold a known mistake: its formula, the question during a retry, and the message once the question is closed.

    The formula gives None where the slip means nothing. An `approximate` slip may come near the right answer, and
    is then accepted as right. Any other slip that comes so near makes the draw unfair.
    """

    id: str
    formula: Callable[[Values], float | None]
    question: str
    message: str
    approximate: bool = False
    called: str = ""  # what was done, for a list of slips: "forgot the backward pass"

    @property
    def name(self) -> str:
        """Return the mistake in words."""
        return self.called or self.id.replace("_", " ")

    def at(self, values: Values, value: float) -> "VariantSlip":
        """Return the slip for one variant, with its value and filled-in texts."""
        texts = fill_in(self.question, values), fill_in(self.message, values)
        return VariantSlip(self.id, float(value), *texts, self.approximate)


@dataclass(frozen=True, slots=True)
class Between:
    """Hold an intermediate value that distinguishes tied slips, with its name, formula and unit."""

    name: str
    formula: Formula
    unit: str
    shows: tuple[str, ...] = ()  # the slips that are made before it, and so show in it


@dataclass(frozen=True, slots=True)
class Check:
    """Hold a condition on the parameters, and a sentence for when it fails."""

    holds: Callable[[Values], bool]
    why: str  # filled in from the values: "{Na:si} parameters cannot be active out of {Nt:si}"


@dataclass(frozen=True, slots=True)
class Roof:
    """Hold a point under a roofline: the kernel's intensity on a device in a dtype."""

    device: Device
    intensity: float  # FLOP per byte
    dtype: str = "bf16"
    reached: float = 0.0  # FLOP/s that were measured; 0: none were, and the point lies on the roof


@dataclass(frozen=True, slots=True)
class Parts:
    """Hold the parts of a count, for a picture: sizes in SI base units by name."""

    title: str
    sizes: Mapping[str, float]
    unit: str = "GB"
    is_whole: bool = True  # the sizes add up; else they stand side by side

    def bars(self) -> "Bars":
        """Return the sizes as bars, each with its share of the total if they add up."""
        from studykit.picture import Bars, SizeBar

        dimension, total = target_unit(self.unit).dimension, sum(self.sizes.values())
        title = f"{self.title}: {formatting.amount(total, dimension)}" if self.is_whole else self.title
        words = {name: formatting.amount(size, dimension) for name, size in self.sizes.items() if size}
        if self.is_whole:
            words = {name: f"{text}, {self.sizes[name] / total:.0%}" for name, text in words.items()}
        return Bars(title, [SizeBar(name, self.sizes[name], text) for name, text in words.items()])


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """Hold what templates and scenarios share: the parameters to draw, and the conditions on them."""

    id: str
    objective: str
    grid: Mapping[str, Choices]  # names with a leading underscore are drawn, not shown
    given: Mapping[str, Callable[[Values], Value]] = field(default_factory=dict)
    version: int = 1
    units: Mapping[str, str] = field(default_factory=dict)
    """Of parameters that have one: `{"days": "day", "g": "GB/s", "mfu": "%"}`. These may be fractions."""
    renamed: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    """Old letter to new letter, by the version that renamed it: `{2: {"h": "d", "a": "h"}}`."""
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """Hold the question of a template or a step. Texts are Markdown with fields such as `{N:si}` or `{hw}`."""

    prompt: str
    answer: Formula  # in SI base units
    unit: str  # of a bare number
    tolerance: float | Formula  # relative; 0 is exact
    slips: tuple[SlipRule, ...]
    hints: tuple[str, str, str]
    solution: tuple[str, ...]
    between: Between | None = None
    roof: Callable[[Values], Roof] | None = None
    builds_on: tuple[str, ...] = ()  # earlier answers of a scenario that this step may be judged on


@dataclass(frozen=True, kw_only=True)
class Template(Drawn, Estimate):
    """Hold a question whose numbers are drawn."""

    assumed: Mapping[str, Value] = field(default_factory=dict)
    """What pins mean that leave one of these out, such as `{"dt": "bf16"}`; without pins they are drawn."""
    sensible: Callable[[Values], bool] | None = None  # False for what a seed does not draw, though pins may ask it
    parts: Callable[[Values], Parts] | None = None
    formula: str | Callable[[Values], str] = ""
    """`6*N*D` where the question asks for the formula itself: any equal form is right."""
    unit_fixed: bool = False  # the question is the conversion: other units are asked to be converted
    kind: str = "number"
    set_name: str = NAPKIN
    changed: Callable[[Values, Collection[str]], str] | None = None
    """What such pins mean today, where they meant something else in an earlier version; else empty."""

    @property
    def target(self) -> TargetUnit:
        """Return the unit that answers are read in."""
        return target_unit(self.unit)


@dataclass(frozen=True, slots=True)
class VariantSlip:
    """Hold a slip with its value for one variant."""

    id: str
    value: float
    question: str
    message: str
    approximate: bool = False


@dataclass(frozen=True, slots=True)
class Variant:
    """Hold a concrete question with its answer."""

    template: Template
    seed: int
    values: Values
    pinned: Mapping[str, Value]
    answer: float
    tolerance: float
    slips: tuple[VariantSlip, ...]
    drawn_by: str = ""  # the scenario whose seed it is, with what is pinned, where a step is asked in one

    @property
    def formula(self) -> str:
        """Return the formula that is asked for, or "" if a number is asked for."""
        rule = self.template.formula
        return rule(self.values) if callable(rule) else rule

    @property
    def is_whole(self) -> bool:
        """Return whether the answer is a count, so that only the right whole number is accepted."""
        return self.template.unit in {"gpu", "count"} and self.answer % 1 == 0

    @property
    def prompt(self) -> str:
        """Return the question, with its numbers filled in."""
        return fill_in(self.template.prompt, self.values)

    @property
    def hints(self) -> tuple[str, ...]:
        """Return the hints, from vague to concrete."""
        return tuple(fill_in(hint, self.values) for hint in self.template.hints)

    @property
    def solution(self) -> tuple[str, ...]:
        """Return the worked steps with these numbers."""
        return tuple(fill_in(step, self.values) for step in self.template.solution)

    @property
    def between(self) -> "Variant":
        """Return the intermediate value of a template that has one as a separate question."""
        step = cast("Between", self.template.between)
        question = replace(
            self.template, answer=step.formula, unit=step.unit, slips=(), prompt=step.name, given={}, formula=""
        )
        return pose(question, dict(self.values.known), self.seed, self.pinned)

    @property
    def parameters(self) -> dict[str, int | float | str]:
        """Return the drawn numbers and names, which identify the variant."""
        return {name: plain(self.values.known[name]) for name in self.template.grid if not name.startswith("_")}

    @property
    def letters(self) -> dict[str, float]:
        """Return the values of a formula's letters in SI base units, including the device's figures."""
        values, letters = self.values.known, dict[str, float]()
        for name in (*self.template.grid, *self.template.builds_on):
            value, unit = values.get(name), self.template.units.get(name, "%")
            if isinstance(value, Device):
                peak = values.get("peak", dict(value.peaks).get("bf16"))
                figures = {"peak": peak, "bw": value.bandwidth, "mem": value.capacity}
                letters |= {each: figure for each, figure in figures.items() if isinstance(figure, float)}
            elif isinstance(value, int | float) and not name.startswith("_"):
                # A share stays a fraction.
                letters[name] = value * (1.0 if unit == "%" else target_unit(unit).factor)
            elif isinstance(value, str) and value in BYTES_PER_ELEMENT:
                letters[name] = BYTES_PER_ELEMENT[value]
            elif isinstance(value, Shape):
                letters |= value.letters
        return letters


@dataclass(frozen=True, slots=True)
class NumericJudgment:
    """Hold the judgment of an answer: its verdict, how it was read, and what explains a wrong one."""

    verdict: Verdict
    value: float | None = None  # that was meant, in SI base units; None where nothing was read
    amount: str = ""  # as it was read
    factor: float | None = None  # the answer over the right value; None where they cannot be compared
    slips: tuple[VariantSlip, ...] = ()
    notes: tuple[str, ...] = ()  # what the learner should know of the reading
    formula: str = ""  # as it was read, where one was typed
    posed: Variant | None = None  # the question on the learner's own numbers, where it was judged on those

    @property
    def read_as(self) -> str:
        """Return how the answer was read, or "" if nothing was read."""
        return " = ".join(filter(None, (self.formula, self.amount)))

    @property
    def mismatch(self) -> str:
        """Return a sentence on why the answer cannot be compared, such as a time instead of bytes, or ""."""
        why = self.verdict.why if isinstance(self.verdict, Incorrect) and self.verdict.factor is None else ""
        return why and f"{why[:1].upper()}{why[1:]}."

    @property
    def compared(self) -> float | None:
        """Return the value that was read, or None if it cannot be compared."""
        return None if self.mismatch else self.value


Judge = Callable[[Variant, str], NumericJudgment]


def draw(template: Template, seed: int, pinned: Mapping[str, Value] | None = None) -> Variant:
    """Draw the variant of a seed, always the same one. Pinned parameters are kept.

    If pins leave only unfair draws, the slips too near the answer are left out. Raise UsageError, with the reason,
    if no draw is possible.
    """
    pinned = {**template.assumed, **pinned} if pinned else {}
    (variant,) = draw_together(template, (template,), seed, pinned)
    if _is_good(variant):
        return variant
    return replace(variant, slips=tuple(slip for slip in variant.slips if not _is_near(slip, variant)))


def draw_together(
    drawn: Drawn, templates: Sequence[Template], seed: int, pinned: Mapping[str, Value]
) -> list[Variant]:
    """Draw parameters from a seed that are fair for all templates, or if pins leave only unfair ones, any."""
    # With the version in the seed, a changed template draws new numbers.
    generator = random.Random(f"{drawn.id}:{drawn.version}:{seed}")
    unfair: list[Variant] = []
    reasons: list[str] = []
    for attempt in range(MAX_DRAWS if len(pinned) < len(drawn.grid) else 1):
        if pinned and unfair and attempt >= MAX_PINNED_DRAWS:
            break
        try:
            known = draw_values(drawn.grid, generator.random, pinned)
            variants = [pose(template, dict(known), seed, pinned) for template in templates]
        except (ArithmeticError, LookupError, ValueError, StudyError) as error:  # the next draw may have none
            if not pinned:
                raise
            is_reason = isinstance(error, StudyError)
            reasons.append(str(error).rstrip(".") if is_reason else _explain_failure(drawn, pinned))
            continue
        if why := next(filter(None, map(impossible, variants)), ""):
            reasons.append(why)
        elif all(map(_is_good, variants)):
            return variants
        else:
            unfair = variants
    if unfair and pinned:
        return unfair
    if unfair:
        near = ", ".join(slip.id for variant in unfair for slip in variant.slips if _is_near(slip, variant))
        reasons.append(f"these slips are too near the answer: {near}" if near else "none is sensible")
    pins = ", ".join(f"{name}={_short_text(value)}" for name, value in pinned.items())
    raise UsageError(f"{drawn.id} has no variant with {pins or 'its own parameters'}: {reasons[0]}.")


def impossible(variant: Variant) -> str:
    """Return why the question is impossible, or ""."""
    failed_check = next((check for check in variant.template.checks if not check.holds(variant.values)), None)
    if failed_check is not None and math.isfinite(variant.answer):
        return fill_in(failed_check.why, variant.values)
    if 0 <= variant.answer < math.inf:
        return ""
    return "the answer would be below zero" if variant.answer < 0 else "there would be no answer"


def _short_text(value: Value) -> str:
    if isinstance(value, Device):
        return value.short_name
    return formatting.count(value) if isinstance(value, int) and value >= MIN_SHORT_COUNT else str(plain(value))


def _explain_failure(drawn: Drawn, pinned: Mapping[str, Value]) -> str:
    """Explain why a formula fails on pinned values: name those that are never drawn, and what is drawn instead."""
    choices = {name: choices_of(drawn.grid, name) for name in pinned if name in drawn.grid}
    unusual_names = [name for name, value in pinned.items() if value not in choices.get(name, ())]
    sentences = (f"{name} is one of {', '.join(map(_short_text, choices[name]))}" for name in unusual_names)
    follow = [name for name, options in drawn.grid.items() if callable(options) and name not in pinned]
    pin_hint = f", or pin {' and '.join(follow)} as well" if unusual_names and follow else ""
    return ("; ".join(sentences) or "the formula has no value there") + pin_hint


def pose(template: Template, known: dict[str, Value], seed: int, pinned: Mapping[str, Value]) -> Variant:
    """Pose the question with these parameters. Values computed from them are added to `known`.

    Values that are already known are not computed again.
    """
    values = Values(known)
    for name, formula in template.given.items():
        if name not in known:  # a step of a scenario has the learner's own earlier answers
            known[name] = formula(values)
    answer = float(template.answer(values))
    known["answer"] = answer
    tolerance = template.tolerance(values) if callable(template.tolerance) else template.tolerance
    slips = (_slip_of(rule, values, answer, tolerance) for rule in template.slips)
    return Variant(template, seed, values, pinned, answer, tolerance, tuple(filter(None, slips)))


def fair(variant: Variant) -> bool:
    """Return whether no slip is too near the answer to be distinguished from it."""
    return not any(_is_near(slip, variant) for slip in variant.slips if not slip.approximate)


def _is_good(variant: Variant) -> bool:
    """Return whether a variant is fair, and sensible where its template says what is."""
    sensible = variant.template.sensible
    return fair(variant) and (sensible is None or sensible(variant.values))


def _is_near(slip: VariantSlip, variant: Variant) -> bool:
    """Return whether the answers that a slip explains overlap with right answers."""
    band = math.log1p(variant.tolerance)
    return distance(slip.value, variant.answer) <= band + min(band, SLIP_BAND)


def distance(value: float, other: float) -> float:
    """Return the distance of two amounts in natural log. Zero is infinitely far from everything but itself."""
    if value == other:
        return 0.0
    if value <= 0 or other <= 0:
        return math.inf
    return abs(math.log(value) - math.log(other))


def _slip_of(rule: SlipRule, values: Values, answer: float, tolerance: float) -> VariantSlip | None:
    try:
        value = rule.formula(values)
    except NotFoundError:  # a slip by a peak that this device lacks
        return None
    if value is None or not math.isfinite(value) or value < 0:
        return None
    band = max(SAME, math.log1p(tolerance) if rule.approximate else 0)
    return rule.at(values, value) if distance(value, answer) > band else None
