"""How much an answer reckons with tensors: no more than the exercise's solutions do.

Whoever may add, multiply and divide tensors at will can make a number of them that is 0, or 1, for the numbers and
sizes of all trials and for no others. Most solutions have no such sign at all; what is left then, einops' own
functions of tensors, is right for all numbers when it is right for some that are drawn. So an answer may have as
many sums of tensors, lists of them, roots and functions as one of the solutions. Of products and means, which sum
nothing that was apart, it may have two more where a solution has any: a mean is a sum too that is divided. But
where a solution divides by a tensor, a norm, it may have no more products of two tensors and no more means: a norm
takes away again what multiplies all numbers alike, such as the sum of all squared, which is 0 for some, or what is
added to all, such as their mean many times, beside which float32 keeps none of their places. Two calls of `reduce`
by sum or mean may stand beside an einsum, which sums as well.

What multiplies a tensor is a length, or the root of one, as often as a solution has means or such lengths: written
numbers do that only where a solution has some, and 1 and -1 where one sums tensors. Nor may an answer call a
function, or take a part of a tensor, where no solution does; to copy and to take apart may stand for what signs
and parts do in a solution. Copies may be as many as there are numbers in a solution's tensors.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice

from studykit.exercise.rewrite.plain_calls import HELPERS, plain_tree
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.rewrite import flow, shapes, sizes
from studykit.graders.rewrite.flow import Flow, FlowStep
from studykit.graders.rewrite.products import Size
from studykit.graders.rewrite.shapes import Shape
from studykit.graders.rewrite.sizes import SizeReader, SomeParts, SomeTensor, SomeText, Value
from studykit.graders.rewrite.whitelist import Offence

_SUM, _SHIFT, _PRODUCT = "sum or difference of tensors", "number added to a tensor", "product with a tensor"
_ROOT, _QUOTIENT, _LIST = "root of a tensor", "quotient by a tensor", "further tensor in a list"
_BOTH, _OVER = (
    "product of tensors",
    "sum over an axis",
)  # of norms alone: what cancels out there may be 0, or large
_TIMES = "product of tensors without einsum"
_ALONE = "sum of one tensor inside an `einsum` of several"  # a factor that no other step shows
_LENGTH, _FACTOR = "length as a factor", "factor that is no length"
_BEFORE = "minus before a tensor or factor of 1"
_MEAN = "`reduce` by sum or mean"
_PART, _INPUT = "part of a tensor", "part of an input"
_NO_COPY = "`repeat` that copies nothing"
_LINEAR = {_PRODUCT, _MEAN}  # an einsum is products that are summed, a mean a sum that is divided
_ROOTS = {"sqrt", "rsqrt"}
_COMPUTES_NOTHING = {"repeat", "pack", "unpack", "parse_shape"}  # nor does rearrange, which all may call
_INSTEAD = {
    "`repeat`": {_SUM, _TIMES},
    "`einsum`": {_BOTH},
    "`pack`": {_LIST},
    "`unpack`": {_PART},
    _PART: {"`unpack`"},
    _BEFORE: {_SUM},
    _MEAN: {"`einsum`"},  # of one tensor, which sums as well
}
"""What a solution may have in the place of a kind."""
_AS_OFTEN = {"`einsum`", _TIMES, _PART, *(f"`{name}`" for name in _COMPUTES_NOTHING)}
"""Kinds of which one is as good as many."""
_ADVICE = {
    _SUM: "Leave it out: no tensors are added or subtracted here.",
    _TIMES: "Let einsum multiply them: it takes all tensors, and sums the names that its right side leaves out.",
    _LENGTH: "Leave it out: no length multiplies or divides here.",
    _FACTOR: "A mean divides by its length; no written number multiplies or divides here.",
    _ALONE: "Leave that tensor out, or sum it by `reduce` first.",
    _PART: "Let the pattern take the axis apart; a 1 in it reads an axis of length 1.",
    _INPUT: "Let the pattern take the axis apart; a 1 in it reads an axis of length 1.",
    _NO_COPY: "Let rearrange move the axes, and repeat make copies alone.",
    "`repeat`": "Leave it out: rearrange adds an axis of length 1, and signs make that as long as the other's.",
}
"""What to do where none is needed; of all others that."""
_COPIES = "Leave the copies out: signs and einsum pass over an axis that one of the tensors lacks."
_PAIRS = "einsum goes from the left: begin with the tensors that sum most, or give it two at a time."
_ALIKE = "Give the axis one name in all inputs: einsum then goes through it once."
_MORE = 2  # products and calls than in a solution that has some
_SIGNS = 8  # of minus before tensors, each of which is one more in memory
_EACH = 2  # axes that a mean goes over, each of which a sum is divided by
_POWERS = {Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2)}  # of an axis that is a factor
_ENDLESS = 1000  # more than any exercise needs

Lines = Mapping[str, Sequence[int]]
"""Where something of each kind stands, as often as it counts."""


def offences(known: SizeReader) -> list[Offence]:
    """What an answer has more of than the solution that is nearest to it; each kind once."""
    mine, exercise = arithmetic(known), known.exercise
    if not mine:
        return []
    others = _known_ways(exercise)
    each = [arithmetic(way) for way in others]
    found = min((list(_beyond(mine, theirs, _idling(mine, theirs, exercise))) for theirs in each), key=len)
    return found or [*islice(_larger(known, others), 1)]


def _larger(known: SizeReader, others: Sequence[SizeReader]) -> Iterator[Offence]:
    """Tensors that would fill all memory where axes are long.

    What a tensor holds is a product of axes, or a sum of such. Copies are for what a solution's tensors hold as
    well; what a product of tensors makes may have other axes beside each other, each once, and so may what an
    einsum of several makes of the first of them.
    """
    held = {part for way in others for _, total, _ in _totals(way) for part in total.terms.items()}
    most = max((factor for _, factor in held), default=Fraction(1))
    read = known.read
    for place, total, advice in _totals(known):
        for powers, factor in total.terms.items():
            if any(_is_within(dict(powers), dict(theirs)) and factor <= times for theirs, times in held):
                continue
            copies = factor > most or read.steps[place].detail == "repeat"
            if copies or any(power > 1 for _, power in powers):
                what = f"a tensor of {_shown(powers, factor)} numbers"
                yield Offence(read.at.get(place, 0), what, _COPIES if copies else advice)


def _is_within(powers: Mapping[str, Fraction], most: Mapping[str, Fraction]) -> bool:
    return all(power <= most.get(name, 0) for name, power in powers.items())


def _shown(powers: Iterable[tuple[str, Fraction]], factor: Fraction) -> str:
    names = [name for name, power in powers for _ in range(max(1, int(power)))]
    return " times ".join([str(factor)] * (factor != 1 or not names) + names)


def _totals(known: SizeReader) -> Iterator[tuple[int, Size, str]]:
    """How many numbers are in each tensor and in those that an einsum makes on its way, and how to have fewer."""
    for place, value in enumerate(known.values):
        if isinstance(value, SomeTensor) and value.shape:
            between = _between(known.read.steps[place], known.values)
            made = [(value, _ALIKE), *((SomeTensor(shape), _PAIRS) for shape in between)]
            yield from ((place, total, advice) for one, advice in made if (total := sizes.count_of(one)))


def _between(step: FlowStep, values: Sequence[Value]) -> list[Shape]:
    """What an einsum makes of the first of its tensors, where it has more than two."""
    given = [values[one] for one in step.inputs]
    texts = [one.text for one in given if isinstance(one, SomeText) and one.text]
    tensors = [one.shape for one in given if isinstance(one, SomeTensor) and one.shape is not None]
    if step.detail != "einsum" or not texts or texts[0].count(",") + 1 != len(tensors):
        return []
    return [*shapes.between(texts[0], tensors)]


def _idling(mine: Lines, theirs: Lines, exercise: Rewrite) -> set[str]:
    """A pack beside an unpack, where these take an input apart and join it: nothing is left for a rearrange."""
    if "rearrange" not in exercise.must or "`unpack`" not in mine or not _is_in_equal_parts(exercise):
        return set()
    return ({"`pack`"} & mine.keys()) - theirs.keys()


def _is_in_equal_parts(exercise: Rewrite) -> bool:
    """Whether an input has an axis of two or more parts one behind the other, which unpack takes apart."""
    groups = [group for one in exercise.arguments for group in one.groups or ()]
    return any(len(group) > 1 and group[0] in exercise.fixed for group in groups)


def _beyond(mine: Lines, theirs: Lines, none: Collection[str]) -> Iterator[Offence]:
    """What one has more of than the other, and than a step of its own for each axis takes; of some kinds none."""
    passed_over = set() if _QUOTIENT in theirs else {_BOTH, _OVER}
    if _LINEAR.isdisjoint(theirs):  # then the product itself is told
        passed_over |= {_TIMES, "`einsum`"}
    most_of = {kind: 0 if kind in none else _most(kind, theirs) for kind in mine}
    if len(mine.get(_MEAN, ())) > most_of.get(_MEAN, 0):
        passed_over |= {_OVER}  # the same, told once
    for kind, lines in mine.items():
        most = most_of[kind]
        if kind not in passed_over and len(lines) > most:
            yield Offence(lines[most], f"one {kind} too many" if most else f"a {kind}", _enough(kind, most))


def _most(kind: str, theirs: Lines) -> int:
    """How many of a kind an answer may have beside a solution."""
    most = len(theirs.get(kind, ()))
    is_norm = _QUOTIENT in theirs
    if kind in _AS_OFTEN:
        return _ENDLESS if most or _instead(kind, theirs) else 0
    if kind == _BEFORE:
        return _SIGNS if most or _instead(kind, theirs) else 0
    if kind == _MEAN and not most:
        return _MORE if _instead(kind, theirs) else 0
    if kind == _LENGTH:
        means = len(theirs.get(_MEAN, ()))
        return max(most, _EACH * means) if is_norm else most + (_MORE if most or means else 0)
    if kind == _PRODUCT:
        return most + (_MORE if any(one in theirs for one in _LINEAR) else 0)
    return most + (_MORE if most and kind.startswith("`reduce`") and not is_norm else 0)


def _instead(kind: str, theirs: Lines) -> bool:
    """Whether a solution has what a kind may stand for."""
    return not _INSTEAD.get(kind, set()).isdisjoint(theirs)


def _enough(kind: str, most: int) -> str:
    if not most:
        return _ADVICE.get(kind, "Leave it out: none is needed here.")
    return f"Leave it out: {'one is' if most == 1 else f'{most} are'} enough here."


def computes_more(exercise: Rewrite) -> bool:
    """Whether a solution does more than to move, multiply and sum numbers."""
    kinds = {kind for way in _known_ways(exercise) for kind in arithmetic(way)}
    return not kinds.isdisjoint({_SUM, _SHIFT, _ROOT, _QUOTIENT, *(f"`{name}`" for name in HELPERS)})


def ways(exercise: Rewrite) -> list[Flow]:
    """The flows of the solutions."""
    return [flow.read(plain_tree(one, exercise.helpers)) for one in (exercise.solution, *exercise.alternatives)]


def summed_axes(exercise: Rewrite) -> frozenset[str]:
    """The axes that a solution sums over and then has no more."""
    found: set[str] = set()
    for way in _known_ways(exercise):
        for place, step in enumerate(way.read.steps):
            if step.kind == "call" and step.detail in {"reduce", "einsum"}:
                taken = {name for one in step.inputs for name in _axes(way.values[one])}
                found |= taken - _axes(way.values[place])
    return frozenset(found)


def _axes(value: Value) -> set[str]:
    """The axes that are read in the shape of a tensor."""
    shape = (value.shape if isinstance(value, SomeTensor) else None) or ()
    return {name for one in shape for powers in one.length.terms for name, _ in powers}


def _known_ways(exercise: Rewrite) -> list[SizeReader]:
    return [sizes.read_sizes(way, exercise) for way in ways(exercise)]


def arithmetic(known: SizeReader) -> Lines:
    """What the result of a flow takes, by kind."""
    reader = ArithmeticReader(known.read, known)
    for place in range(len(known.read.steps)):
        reader.add(place)
    return reader.found


@dataclass(slots=True)
class ArithmeticReader:
    """Reads one step after another."""

    read: Flow
    sizes: SizeReader
    found: dict[str, list[int]] = field(default_factory=dict)

    def add(self, place: int) -> None:
        """The next step."""
        step = self.read.steps[place]
        match step.kind:
            case "sign":
                self._sign(place, step)
            case "minus" | "plus" if self._is_tensor(step.takes[0]):
                self._count(place, _BEFORE)
            case "call":
                self._call(place, step)
            case "item" | "part":
                self._part(place, step.takes[0])

    def _part(self, place: int, whole: int) -> None:
        value = self.sizes.values[whole]
        if isinstance(value, SomeTensor) and not (value.shape and not value.shape[0].parts):
            self._count(place, _INPUT if self.read.steps[whole].kind == "argument" else _PART)

    def _count(self, place: int, kind: str, times: int = 1) -> None:
        if times > 0:
            self.found.setdefault(kind, []).extend([self.read.at.get(place, 0)] * times)

    def _is_tensor(self, place: int) -> bool:
        return isinstance(self.sizes.values[place], SomeTensor)

    def _sign(self, place: int, step: FlowStep) -> None:
        """A sign between a tensor and a tensor or a number; a sum of lists counts where a call takes it."""
        one, other = (self.sizes.values[each] for each in step.takes)
        if not isinstance(one, SomeTensor) and not isinstance(other, SomeTensor):
            return
        numbers = [each for each in (one, other) if isinstance(each, Size)]
        if step.detail in {"+", "-"}:
            self._count(place, _SHIFT if numbers else _SUM)
        elif step.detail == "**":
            self._power(place, numbers[0].constant if isinstance(other, Size) else None)
        else:
            self._count(place, _PRODUCT, not numbers)
            self._count(place, _BOTH, not numbers)
            self._count(place, _TIMES, not numbers)
            self._count(place, _QUOTIENT, step.detail != "*" and isinstance(other, SomeTensor))
            for factor in numbers:
                inverts = step.detail != "*" and factor is one and factor.constant == 1
                self._count(place, _factor(factor), 0 if inverts else _times(factor))

    def _power(self, place: int, power: Fraction | None) -> None:
        if power is None or power.denominator != 1 or not power:
            self._count(place, _ROOT, 1 if power is not None and 2 % power.denominator == 0 else _ENDLESS)
        else:
            for kind in (_PRODUCT, _BOTH, _TIMES):
                self._count(place, kind, min(abs(int(power)) - (power != 1), _ENDLESS))
        self._count(place, _QUOTIENT, power is not None and power < 0)

    def _call(self, place: int, step: FlowStep) -> None:
        name = str(step.detail).removeprefix("torch.")
        given = [self.sizes.values[one] for one in step.inputs]
        for value in given:
            self._list(place, value)
        if name in _ROOTS:
            self._count(place, _ROOT)
            self._count(place, _QUOTIENT, name == "rsqrt")
        elif name == "reduce":
            kind = self._reduction(step)
            self._count(place, kind)
            self._count(place, _OVER, kind == _MEAN)
        elif name == "einsum":
            tensors = [one for one in given if isinstance(one, SomeTensor)]
            self._count(place, _PRODUCT, max(1, len(tensors) - 1))
            self._count(place, _BOTH, len(tensors) - 1)
            self._count(place, "`einsum`")
            summed = shapes.summed(text := self._text(step, -1), [one.shape or () for one in tensors])
            self._count(place, _OVER, bool(summed))
            self._count(place, _ALONE, "," in text and 1 in summed.values())
        elif name != "rearrange":
            self._count(place, f"`{name}`")
            self._count(place, _NO_COPY, name == "repeat" and self._makes_as_many(place, step))

    def _list(self, place: int, value: Value) -> None:
        """A list of tensors counts for each beside the first; one that stands there again is a copy."""
        if isinstance(value, SomeParts):
            tensors = [one for one in value.values if isinstance(one, SomeTensor)]
            apart = len({id(one) for one in tensors})
            self._count(place, _LIST, apart - 1)
            self._count(place, "`repeat`", len(tensors) - apart)
            for one in value.values:
                self._list(place, one)

    def _makes_as_many(self, place: int, step: FlowStep) -> bool:
        """Whether a call gives as many numbers as it takes, whatever the sizes are."""
        given = dict(step.named).get("tensor", step.takes[0] if step.takes else place)
        made, taken = (sizes.count_of(self.sizes.values[one]) for one in (place, given))
        return made is not None and taken is not None and made.terms == taken.terms

    def _text(self, step: FlowStep, place: int) -> str:
        """The pattern of a call, which stands at this place if it is given without its name."""
        pattern = dict(step.named).get("pattern")
        if pattern is None and -len(step.takes) <= place < len(step.takes):
            pattern = step.takes[place]
        value = None if pattern is None else self.sizes.values[pattern]
        return value.text or "" if isinstance(value, SomeText) else ""

    def _reduction(self, step: FlowStep) -> str:
        """What a `reduce` is called by its operation."""
        named = dict(step.named)
        written = self.read.steps[named["reduction"] if "reduction" in named else step.takes[-1]]
        return _MEAN if written.detail in {"sum", "mean"} else f"`reduce` by {written.detail!r}"


def _factor(factor: Size) -> str:
    """What a number is that multiplies or divides a tensor."""
    if factor.constant in {1, -1}:
        return _BEFORE
    return _LENGTH if _is_length(factor) else _FACTOR


def _times(factor: Size) -> int:
    """How many factors a length is that is multiplied with itself."""
    powers = factor.product[0] if factor.product else ()
    return max((max(1, int(abs(power))) for _, power in powers), default=1)


def _is_length(factor: Size) -> bool:
    """Whether a factor is a product of axes, of their squares and roots, or what divides by such."""
    return factor.product is not None and (
        factor.product[1] == 1 and all(abs(power) in _POWERS for _, power in factor.product[0])
    )
