"""What an answer may do with sizes: make products of them, so that it cannot tell one length from another.

A size is known here as a product of axes with a factor, `2 * h * d`; so are its quotients and powers. A sum or a
difference that is no such product, such as `h - 4` or `b - 6 * h`, is 0 for some sizes alone, and what divides by
it or copies so many times is wrong for those: no trial need ever meet them. The same holds for an index that a
size makes, for a size with a minus, and for powers that outgrow every number. So each of them is refused, unless a
solution of the exercise does it too. A difference that is a product again is none of them: where `n` is the sum of
`s` and `h * w`, `n - s` is `h * w`. Lists and texts are written, not made by signs: what stands in them is known.

So the shape of every tensor is known from the patterns too, as products of axes. Where it is not, an axis is given
a length that fits for some sizes alone, or two tensors meet that do for some: what is right for the sizes of the
trials need not be for others, so that is refused as well.

The numbers of tensors could be made to tell lengths apart as well, by what is no sum and no product: a quotient or
a root. These too are for exercises whose solutions have them.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from studykit.exercise.rewrite.plain_calls import plain_tree
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.rewrite import flow, products, shapes
from studykit.graders.rewrite.flow import Flow, FlowStep, NoFlowError
from studykit.graders.rewrite.need import Equalities
from studykit.graders.rewrite.products import Size, axis, number
from studykit.graders.rewrite.shapes import Axis, MixedError, PatternError, Shape
from studykit.graders.rewrite.whitelist import Offence

_ROUNDED = 1e-9
_ROOTS = {"sqrt", "rsqrt"}  # who may call them may write them with `**` too, and divide by them
_ADVICE = {
    products.LARGE: "No size is needed more than twice in a product here.",
    products.UNEVEN: "Divide a size by // only where it divides evenly, whatever the sizes are.",
    products.MOVING: "An exponent is a number that stays the same, whatever the sizes are.",
}
_PRODUCTS = "Make a size of others by * and // alone, as in x.shape[2] // h, or let a name in the pattern do it."
_WHOLE = "A length is a whole number: divide by //."
_LEFT = "Whatever is left over may be nothing: write the length."
_PLACE = "Write the number of the axis."
_ARGUMENTS = "Name the axes in the pattern, and take lengths from the arguments: x.shape[0]."
_FITS = "that fits for some sizes alone"
_MIXES = "that mixes up the parts of a merged axis"
_IN_ORDER = "Take an axis apart by what it was merged of, in that order."
_AXES = "Give both the same axes by name, or 1 where one has none."
_NAMED = {
    **dict.fromkeys(("rearrange", "reduce", "repeat"), ("tensor", "pattern")),
    "pack": ("tensors", "pattern"),
    "unpack": ("tensor", "packed_shapes", "pattern"),
    "einsum": (),
}
"""What may be given by name, in order."""
_NESTED = "a list of lists that grows too large"
_MOST_PARTS = 1000  # of a list, those of the lists in it too: an answer has no room to write as many
_TENSORS = "Products, sums and the functions that the exercise names are enough here."


@dataclass(frozen=True, slots=True)
class SomeTensor:
    """A tensor and its shape; None where that fits for some sizes alone, which is refused."""

    shape: Shape | None = None


@dataclass(frozen=True, slots=True)
class SomeParts:
    """A list or a tuple."""

    values: tuple["Value", ...]
    count: int = 0  # of parts, and of theirs

    @classmethod
    def of(cls, values: Iterable["Value"]) -> "SomeParts":
        """A list of these."""
        held = tuple(values)
        return cls(held, len(held) + sum(one.count for one in held if isinstance(one, SomeParts)))


@dataclass(frozen=True, slots=True)
class SomeText:
    """A text; None where it is not known, or is None itself, or a dictionary."""

    text: str | None = None


Value = Size | SomeTensor | SomeParts | SomeText


def offences(known: "SizeReader") -> list[Offence]:
    """The first thing that an answer does with sizes, or with numbers, and no solution does.

    What is not known behind it is nothing that the answer did wrong.
    """
    found, exercise = known.found, known.exercise
    if not found:
        return []
    allowed = {one.what for source in (exercise.solution, *exercise.alternatives) for one in _of(source, exercise)}
    return [one for what, one in found.items() if what not in allowed][:1]


def too_large(source: str, exercise: Rewrite) -> Offence | None:
    """Where an answer makes a number that grows too large, whether or not its result needs it."""
    with suppress(NoFlowError, SyntaxError):
        steps = flow.read(plain_tree(source, exercise.helpers), every=True)
        return read_sizes(steps, exercise).found.get(products.LARGE)
    return None


def tensors(known: "SizeReader") -> frozenset[int]:
    """The steps that make one tensor by a call, a sign or a place in another."""
    made = (n for n, step in enumerate(known.read.steps) if step.kind in {"call", "sign", "minus", "item", "part"})
    return frozenset(n for n in made if isinstance(known.values[n], SomeTensor))


def are_met(values: Sequence[Value], lengths: Mapping[str, int], seen: Equalities) -> bool:
    """Whether a run over axes of these lengths met the sizes, and as many numbers, as are read of the steps."""
    for place, value in enumerate(values):
        met: tuple[float, float | None] | None = None
        match value:
            case Size():
                met = value.value(lengths), seen.numbers.get(place)
            case SomeTensor(tuple(shape)):
                met = math.prod(axis.length.value(lengths) for axis in shape), seen.counts[place]
        if met is not None and met[1] is not None and not math.isclose(met[0], met[1], rel_tol=_ROUNDED):
            return False
    return True


def _of(source: str, exercise: Rewrite) -> Iterable[Offence]:
    return read_sizes(flow.read(plain_tree(source, exercise.helpers)), exercise).found.values()


def read_sizes(read: Flow, exercise: Rewrite) -> "SizeReader":
    """The steps of a flow, each as far as it is known here."""
    reader = SizeReader(exercise, read)
    for place in range(len(read.steps)):
        reader.add(place)
    return reader


@dataclass(slots=True)
class SizeReader:
    """Reads one step after another."""

    exercise: Rewrite
    read: Flow
    values: list[Value] = field(default_factory=list)
    found: dict[str, Offence] = field(default_factory=dict)  # the first of each kind

    def add(self, place: int) -> None:
        """The next step."""
        step = self.read.steps[place]
        readers: dict[str, Callable[[int, FlowStep, Sequence[Value]], Value]] = {
            "argument": lambda _, step, __: self._argument(_whole(step.detail)),
            "constant": lambda _, step, __: _constant(step.detail),
            "list": lambda place, _, taken: self._parts(place, taken),
            "tuple": lambda place, _, taken: self._parts(place, taken),
            "minus": lambda place, _, taken: self._negative(place, taken[0]),
            "plus": lambda _, __, taken: taken[0],
            "copy": lambda _, __, taken: taken[0],
            "shape": lambda place, _, taken: self._shape(place, taken[0]),
            "part": lambda place, step, taken: self._item(place, taken[0], number(_whole(step.detail))),
            "item": lambda place, _, taken: self._item(place, taken[0], taken[1]),
            "slice": self._slice,
            "sign": self._sign,
            "call": self._call,
        }
        self.values.append(readers[step.kind](place, step, [self.values[one] for one in step.takes]))

    def _argument(self, place: int) -> Value:
        argument = self.exercise.arguments[place]
        if argument.groups is None:
            return self._axis(argument.name).length
        return SomeTensor(tuple(self._merged(group) for group in argument.groups))

    def _merged(self, names: Sequence[str]) -> Axis:
        return Axis(tuple(part for name in names for part in self._axis(name).parts))

    def _axis(self, name: str) -> Axis:
        if name in self.exercise.fixed:
            return Axis.of(number(self.exercise.fixed[name]))
        if parts := self.exercise.sums.get(name):
            return shapes.together(self._merged(part.split("*")) for part in parts)
        return Axis.of(axis(name))

    def _parts(self, place: int, taken: Sequence[Value]) -> Value:
        """A list, unless lists that hold each other twice have made it one that nobody could go through."""
        made = SomeParts.of(taken)
        if made.count > _MOST_PARTS:
            self._refuse(place, _NESTED, "Write the list as it is to be.")
            return SomeParts(())
        return made

    def _shape(self, place: int, value: Value) -> Value:
        if isinstance(value, SomeTensor) and value.shape is not None:
            return SomeParts.of(one.length for one in value.shape)
        self._refuse(place, f"a shape {_FITS}", _ARGUMENTS)
        return SomeParts(())

    def _item(self, place: int, whole: Value, index: Value) -> Value:
        """A part of a value: of a tensor a tensor, of a shape a size."""
        at = self._index(place, index)
        match whole:
            case SomeParts(values) if at is not None and -len(values) <= at < len(values):
                return values[at]
            case SomeTensor(shape) if shape:
                return SomeTensor(shape[1:])
        return SomeTensor()

    def _index(self, place: int, given: Value) -> int | None:
        """The place of a part; an offence where it is no written number."""
        if isinstance(given, Size) and (known := given.constant) is not None and known.denominator == 1:
            return int(known)
        self._refuse(place, "an index that a size makes", _PLACE)
        return None

    def _slice(self, place: int, _: FlowStep, taken: Sequence[Value]) -> Value:
        whole, *given = taken
        ends = [None if one == SomeText() else self._index(place, one) for one in given]
        return SomeParts.of(whole.values[slice(*ends)] if isinstance(whole, SomeParts) and ends[-1] != 0 else ())

    def _call(self, place: int, step: FlowStep, taken: Sequence[Value]) -> Value:
        named = {name: self.values[one] for name, one in step.named}
        for value in (*taken, *named.values()):
            self._lengths(place, value)
        if step.detail == "parse_shape":
            return SomeText()
        return self._fitting(place, lambda: _made(str(step.detail), taken, named), _ARGUMENTS)

    def _fitting(self, place: int, make: Callable[[], Value], advice: str) -> Value:
        """What a call or a sign gives; an offence where that does not fit for all sizes."""
        try:
            return make()
        except MixedError:
            self._refuse(place, f"a `{self.read.steps[place].detail}` {_MIXES}", _IN_ORDER)
        except PatternError:
            self._refuse(place, f"a `{self.read.steps[place].detail}` {_FITS}", advice)
        return SomeTensor()

    def _lengths(self, place: int, value: Value) -> None:
        """Refuse a length that is no whole number."""
        match value:
            case Size(whole=False):
                self._refuse(place, "a length that is no whole number", _WHOLE)
            case SomeParts(values):
                for one in values:
                    self._lengths(place, one)

    def _sign(self, place: int, step: FlowStep, taken: Sequence[Value]) -> Value:
        sign, (one, other) = str(step.detail), taken
        match one, other:
            case Size(), Size():
                return self._number(place, sign, one, other)
            case (Size() | SomeTensor(), SomeTensor()) | (SomeTensor(), Size()):
                return self._of_tensors(place, sign, one, other)
            case (SomeParts() as parts, Size() as times) | (Size() as times, SomeParts() as parts) if sign == "*":
                return self._again(place, parts, times)
            case (SomeTensor(), _) | (_, SomeTensor()):
                self._refuse(place, f"`{sign}` between a tensor and a list", _TENSORS)
                return SomeTensor()
        self._refuse(place, f"`{sign}` of lists or texts", "Write the list, or the text, as it is to be.")
        return SomeText()

    def _again(self, place: int, parts: SomeParts, times: Size) -> Value:
        """A list of lengths so many times over, as `[[n]] * 3`."""
        count = times.constant
        if count is None or not times.whole or not 0 < count <= _MOST_PARTS or _has_tensor(parts):
            self._refuse(place, "`*` of lists or texts", "Write the list, or the text, as it is to be.")
            return SomeText()
        return self._parts(place, parts.values * int(count))

    def _number(self, place: int, sign: str, one: Size, other: Size) -> Size:
        made = products.made(sign, one, other)
        if isinstance(made, Size):
            return self._above_nothing(place, made)
        if sign == "+" and (total := self._axis_of(products.plus(one, other))):
            return total
        self._refuse(place, made, _ADVICE.get(made, _PRODUCTS))
        return axis(f"[{place}]")

    def _axis_of(self, length: Size) -> Size | None:
        """The length of an axis that an input was packed along, if it is one."""
        known = (self._axis(name).length for name in self.exercise.sums)
        return next((one for one in known if shapes.equal(one, length)), None)

    def _above_nothing(self, place: int, size: Size) -> Size:
        """A size, which is refused with a minus: // rounds that the other way."""
        if size.constant is None and size.product and size.product[1] < 0:
            self._refuse(place, "a size with a minus", _PRODUCTS)
        return size

    def _negative(self, place: int, value: Value) -> Value:
        if not isinstance(value, Size):
            return value
        return self._above_nothing(place, products.times(value, number(-1)))

    def _of_tensors(self, place: int, sign: str, one: Value, other: Value) -> Value:
        """Signs with a tensor on a side: what is no sum and no product is for exercises that have it."""
        for value in (one, other):
            if isinstance(value, Size) and value.is_beyond_int64:
                self._refuse(place, products.LARGE, _ADVICE[products.LARGE])
        exponent = other.constant if isinstance(other, Size) else None
        squared = exponent is not None and exponent > 0 and exponent.denominator == 1
        if sign == "//":
            self._refuse(place, "`//` of a tensor", "Divide it by /.")
        elif sign == "**" and isinstance(other, SomeTensor):
            self._refuse(place, "`**` by a tensor", _TENSORS)
        elif not _ROOTS.isdisjoint(self.exercise.helpers):
            pass
        elif sign == "/" and isinstance(other, SomeTensor):
            self._refuse(place, "`/` by a tensor", _TENSORS)
        elif sign == "**" and not squared:
            self._refuse(place, "`**` of a tensor", _TENSORS)
        return self._together(place, one, other)

    def _together(self, place: int, one: Value, other: Value) -> Value:
        """A tensor of the shape that a sign gives."""

        def shape(value: Value) -> Shape:
            return _shape(value) if isinstance(value, SomeTensor) else ()

        return self._fitting(place, lambda: SomeTensor(shapes.broadcast(shape(one), shape(other))), _AXES)

    def _refuse(self, place: int, what: str, advice: str) -> None:
        self.found.setdefault(what, Offence(self.read.at.get(place, 0), what, advice))


def _has_tensor(value: Value) -> bool:
    return isinstance(value, SomeTensor) or (isinstance(value, SomeParts) and any(map(_has_tensor, value.values)))


def _whole(detail: object) -> int:
    return detail if isinstance(detail, int) else 0


def _constant(detail: object) -> Value:
    if isinstance(detail, int) or (isinstance(detail, float) and math.isfinite(detail)):
        return number(detail)
    return SomeText(detail if isinstance(detail, str) else None)


def _made(name: str, taken: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """What a call gives; PatternError where that does not fit for all sizes."""
    given = list(taken)
    for known in _NAMED.get(name, ("x", "input")):
        given += [named[known]] if known in named else []
    if name == "einsum":
        *tensors, text = given or [SomeText()]
        return SomeTensor(shapes.multiplied(_text(text), list(map(_shape, tensors))))
    match name, given:
        case "pack", [SomeParts(parts), SomeText() as text]:
            whole, shapes_of_parts = shapes.packed(_text(text), list(map(_shape, parts)))
            return SomeParts.of((SomeTensor(whole), SomeParts.of(map(_lengths, shapes_of_parts))))
        case "unpack", [SomeTensor() as tensor, SomeParts(parts), SomeText() as text]:
            made = shapes.unpacked(_text(text), _shape(tensor), list(map(_lengths_of, parts)))
            return SomeParts.of(map(SomeTensor, made))
        case "rearrange" | "reduce" | "repeat", [SomeTensor() | SomeParts() as tensor, SomeText() as text, *_]:
            lengths = {name: one for name, one in named.items() if isinstance(one, Size)}
            return SomeTensor(shapes.moved(_text(text), _shape(tensor), lengths))
        case "rearrange" | "reduce" | "repeat" | "pack" | "unpack", _:
            raise PatternError
    return next((one for one in given if isinstance(one, SomeTensor)), SomeTensor())


def _lengths(shape: Shape) -> SomeParts:
    return SomeParts.of(one.length for one in shape)


def count_of(value: Value) -> Size | None:
    """How many numbers are in a tensor, or in a list of them; None where that is not known."""
    total = number(1)
    try:
        for one in _shape(value):
            total = products.times(total, one.length)
    except PatternError:
        return None
    return total


def _text(value: Value) -> str:
    return value.text or "" if isinstance(value, SomeText) else ""


def _lengths_of(value: Value) -> Sequence[Size]:
    """The lengths of a part that unpack is asked for."""
    return tuple(one for one in value.values if isinstance(one, Size)) if isinstance(value, SomeParts) else ()


def _shape(value: Value) -> Shape:
    """The shape of a tensor; of a list of such with the length of that list before it."""
    if isinstance(value, SomeParts) and value.values:
        made, *others = map(_shape, value.values)
        for other in others:
            if (both := shapes.common_shape(made, other)) is None:
                raise PatternError
            made = both
        return (Axis.of(number(len(value.values))), *made)
    if not isinstance(value, SomeTensor) or value.shape is None:
        raise PatternError
    return value.shape
