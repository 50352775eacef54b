"""How the numbers of tensors grow with the sizes, as calls and signs say it: `n * x` with n, a mean not at all.

Of a tensor and its own multiple by a size a sum makes what is 0 for some sizes alone: `n * x - 5 * x`. So what is
added or compared has to grow alike. Two means do, a sum over n numbers and n times one of them too, and a number
that is written is as large as ever. A product of different tensors is summed to something new, which grows with
nothing else: scores and a mask may be added. So no such product may sum copies that repeat made: it would be n
times another. Whatever made them, parts of a sum that are multiples of the same numbers are the same multiple in
every trial, and what enters curved functions, such as roots of sums and softmax, grows alike too.

The lengths of the trials may have a product in common, so two further ones are looked at, by what is read of
sizes: all axes as long as primes, none of them twice. Their products are equal where they are of the same axes.
In further ones each axis is long by itself: a norm takes away again what multiplies all numbers, but not where
float32 ends, and there axes that multiply may be long, and those that divide short. No axis is needed beyond its
third power, as a sum over it has of what was multiplied by it and squared, and where no solution sums over it not
beyond its first; nor in the gradient of what divides, which divides by it once more.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import isclose, log

from studykit.graders.rewrite import products, shapes
from studykit.graders.rewrite.flow import FlowStep
from studykit.graders.rewrite.need import Need
from studykit.graders.rewrite.products import Size
from studykit.graders.rewrite.sizes import SomeTensor, Value, count_of
from studykit.graders.rewrite.whitelist import Offence

_NEAR = 1e-9
_LONG = 1 << 14  # an axis is seldom longer
_MOST_LOG = 64.0  # of a multiple where axes are so long: float32 ends at 88, and numbers are squared themselves
_MOST_POWER, _MOST_OTHER = 3.1, 1.1  # of an axis that a solution sums over, and of others; these are near whole
_ROUNDED = 1e-6  # relative: what sums in another order may leave
_PRIMES = (17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113)
_POWERS = {"sqrt": 0.5, "rsqrt": -0.5}
_MOVED = {"rearrange", "repeat", "pack", "unpack", "relu"}
_GIVEN = {"tensor", "tensors", "x", "input"}  # by these names a call is given tensors
_ADVICE = "What is added or compared has to grow alike with the sizes, as x and its mean do."

_FEWER = "Multiply or divide by a size once: the numbers have to stay as large as they are for longer axes too."
_COPIES = "Name the axes without the copies: einsum brings them together by their names."

Logs = tuple[float, ...]
Base = frozenset[tuple[tuple[str, int], float]]  # sums of products with their powers; of nothing for arguments


@dataclass(frozen=True, slots=True)
class Scale:
    """What a tensor's numbers are a multiple of, and the logarithm of how large a multiple, for each trial.

    A sum is of several such.
    """

    parts: Mapping[Base, Logs]
    copied: bool = False  # repeat made it, and nothing of the same size has changed it since

    def times(self, other: "Scale") -> "Scale":
        """The scale of a product."""
        made: dict[Base, Logs] = {}
        for mine, logs in self.parts.items():
            for theirs, more in other.parts.items():
                powers = dict(mine)
                for one, times in theirs:
                    powers[one] = powers.get(one, 0) + times
                base = frozenset((one, times) for one, times in powers.items() if times)
                made.setdefault(base, tuple(a + b for a, b in zip(logs, more, strict=True)))
        return Scale(made)

    def power(self, power: float) -> "Scale | None":
        """The scale of a power; None of a sum's."""
        if len(self.parts) > 1:
            return None
        ((base, logs),) = self.parts.items()
        return Scale({frozenset((one, times * power) for one, times in base): tuple(a * power for a in logs)})

    def grows_like(self, other: "Scale") -> bool:
        """Whether the one is always as many times the other; of different products nothing is known."""
        both = [(self.parts[base], other.parts[base]) for base in self.parts if base in other.parts]
        ratios = [[a - b for a, b in zip(*two, strict=True)] for two in both]
        return all(isclose(one, each[0], abs_tol=_NEAR) for each in ratios for one in each)


def _multiple(times: Iterable[float]) -> Scale:
    return Scale({frozenset(): tuple(log(abs(one) or 1.0) for one in times)})


def unlike(
    need: Need, values: Sequence[Value], summed: Callable[[], Collection[str]], *, gradient: bool
) -> Iterator[Offence]:
    """The sums of what grows differently with the sizes, which are known of some steps, and what grows too large.

    The axes that a solution sums over are asked for where lengths are multiplied at all.
    """
    reader = ScaleReader(need, values, summed, gradient=gradient)
    for place in range(len(need.flow.steps)):
        reader.add(place)
    at = need.flow.at
    for place in reader.found:
        yield Offence(at.get(place, 0), "a sum of what sizes make differently large", _ADVICE)
    for place in reader.large:
        yield Offence(at.get(place, 0), products.LARGE, _FEWER)
    for place in reader.sums_copies:
        yield Offence(at.get(place, 0), "an `einsum` of copies that repeat made", _COPIES)


def _axes(values: Sequence[Value]) -> list[str]:
    """The axes that sizes are made of."""
    sizes = [one for value in values for one in _sizes(value)]
    return sorted({name for size in sizes for powers in size.terms for name, _ in powers})


def _prime_lengths(axes: Sequence[str]) -> Iterator[Mapping[str, int]]:
    """Two lengths for each axis, each a prime that is no other's."""
    for primes in (_PRIMES[::2], _PRIMES[1::2]):
        yield dict(zip(axes, primes, strict=False))


def _long_lengths(axes: Sequence[str]) -> Iterator[Mapping[str, int]]:
    """Length 1 for all axes, then each of them long by itself."""
    for long in ("", *axes):
        yield {name: _LONG if name == long else 1 for name in axes}


def _sizes(value: Value) -> Sequence[Size]:
    if isinstance(value, SomeTensor):
        return [axis.length for axis in value.shape or ()]
    return [value] if isinstance(value, Size) else []


def _numbers(values: Sequence[Value], lengths: Mapping[str, int]) -> Mapping[int, float]:
    return {place: one.value(lengths) for place, one in enumerate(values) if isinstance(one, Size)}


def _counts(values: Sequence[Value], lengths: Mapping[str, int], known: Sequence[int]) -> Sequence[float]:
    """How many numbers are in each tensor; where that is not read, as many as are known in a trial."""
    read = [count_of(one) for one in values]
    return [count if size is None else size.value(lengths) for size, count in zip(read, known, strict=True)]


class ScaleReader:
    """Reads one step after another."""

    def __init__(
        self, need: Need, values: Sequence[Value], summed: Callable[[], Collection[str]], *, gradient: bool
    ) -> None:
        self.need = need
        self.gradient = gradient
        self.summed = cache(summed)
        self.values = values
        self.axes = _axes(values)
        others = [*_prime_lengths(self.axes), *_long_lengths(self.axes)]
        self.numbers = [*need.numbers, *({**need.numbers[0], **_numbers(values, one)} for one in others)]
        self.counts = [*need.every_count, *(_counts(values, one, need.counts) for one in others)]
        self.scales: list[Scale | None] = []
        self.found: list[int] = []
        self.large: list[int] = []  # multiples that are too large, or too small
        self.entered: list[Scale] = []
        self.sums_copies: list[int] = []
        self.one = _multiple([1.0] * len(self.numbers))

    def add(self, place: int) -> None:
        """The next step."""
        step = self.need.flow.steps[place]
        made = self._scale(place, step, [self.scales[one] for one in step.takes])
        self.scales.append(made)
        if made:
            self._look(place, made)

    def _look(self, place: int, scale: Scale) -> None:
        """Note a multiple that leaves float32 where axes are long."""
        for logs in scale.parts.values():
            least, *each = logs[-1 - len(self.axes) :]
            by_axis = [one - least for one in each]
            more, less = sum(max(0.0, one) for one in by_axis), sum(max(0.0, -one) for one in by_axis)
            if max(more, less) + abs(least) > _MOST_LOG or self._is_beyond(by_axis):
                self.large.append(place)

    def _is_beyond(self, by_axis: Sequence[float]) -> bool:
        """Whether an axis stands in a multiple more often than any that is needed."""
        powers = {axis: abs(one) / log(_LONG) for axis, one in zip(self.axes, by_axis, strict=True)}
        if all(power <= _MOST_OTHER for power in powers.values()):
            return False
        summed = self.summed()
        return any(power > (_MOST_POWER if axis in summed else _MOST_OTHER) for axis, power in powers.items())

    def _scale(self, place: int, step: FlowStep, taken: Sequence[Scale | None]) -> Scale | None:
        if self._is_number(place):
            return _multiple(numbers[place] for numbers in self.numbers)
        tensors = [one for one in map(self.scales.__getitem__, self._tensors(step)) if one]
        match step.kind:
            case "argument":
                return self.one
            case "call":
                return self._called(place, step)
            case "sign":
                return self._sign(place, step, taken)
            case "list" | "tuple":
                return self._alike(place, tensors)
        return tensors[0] if tensors and step.kind != "shape" else None

    def _is_number(self, place: int) -> bool:
        return all(place in numbers for numbers in self.need.numbers)

    def _tensors(self, step: FlowStep) -> list[int]:
        """The steps whose numbers it takes, by place or by name: lengths and patterns are none."""
        named = (one for name, one in step.named if name in _GIVEN)
        return [one for one in (*step.takes, *named) if not self._is_number(one) and self.scales[one]]

    def _called(self, place: int, step: FlowStep) -> Scale:
        places = self._tensors(step)
        given = [one for one in map(self.scales.__getitem__, places) if one]
        name = str(step.detail).removeprefix("torch.")
        first = given[0] if given else self.one
        if name in _MOVED:
            return replace(first, copied=name == "repeat" or any(one.copied for one in given))
        if name in _POWERS:
            return self._power(place, first, _POWERS[name])
        if name not in {"reduce", "einsum"}:
            self._inside("call", place, first)
            return self.one  # softmax and others that make small numbers of all
        return self._summed(place, step, places, given) if given else self.one

    def _summed(self, place: int, step: FlowStep, places: Sequence[int], given: Sequence[Scale]) -> Scale:
        """What einsum and reduce give."""
        if step.detail == "einsum" and len(given) > 1:
            self.sums_copies += [place] if self._drops(step) and any(one.copied for one in given) else []
            made = self._new("product", place)
            for one in given:  # from the left, as torch multiplies them
                made = made.times(one)
                self._look(place, made)
            most = (max(counts[one] for one in places) / max(1, counts[place]) for counts in self.counts)
            self._look(place, made.times(_multiple(max(1.0, one) for one in most)))  # what it sums may be alike
            return made
        if step.detail == "reduce" and self._operation(step) != "sum":
            return given[0]
        return given[0].times(_multiple(counts[places[0]] / max(1, counts[place]) for counts in self.counts))

    def _drops(self, step: FlowStep) -> bool:
        """Whether an einsum sums over an axis."""
        steps, named = self.need.flow.steps, dict(step.named)
        text = steps[named["pattern"] if "pattern" in named else step.takes[-1]].detail
        given = [
            value.shape or ()
            for value in map(self.values.__getitem__, step.inputs)
            if isinstance(value, SomeTensor)
        ]
        return bool(shapes.summed(str(text), given))

    def _new(self, kind: str, place: int) -> Scale:
        """The scale of what is a multiple of nothing that is known."""
        return Scale({frozenset([((kind, self.need.multiples[place]), 1.0)]): next(iter(self.one.parts.values()))})

    def _power(self, place: int, given: Scale, power: float) -> Scale:
        """The scale of a power; its gradient has to stay in float32 too, where that is asked for."""
        if self.gradient and power < 0 and place not in self.need.numbers[0] and (slope := given.power(power - 1)):
            self._look(place, slope)
        return given.power(power) or self._inside("sum", place, given)

    def _inside(self, kind: str, place: int, given: Scale) -> Scale:
        """The scale of what a curved function gives: all that enter one have to grow alike."""
        self.found += [place] if any(not given.grows_like(one) for one in self.entered) else []
        self.entered.append(given)
        return self._new(kind, place)

    def _operation(self, step: FlowStep) -> object:
        steps, named = self.need.flow.steps, dict(step.named)
        return steps[named["reduction"] if "reduction" in named else step.takes[-1]].detail

    def _is_special(self, place: int) -> bool:
        """Whether parts of a sum are multiples of the same numbers, by a factor that sizes change."""
        need = self.need
        firsts: dict[int, int] = {}
        for one in self._tensors(need.flow.steps[place]):
            first = firsts.setdefault(need.multiples[one], one)
            ratios = [each[one] / each[first] for each in need.spreads if each and each[first]]
            if any(not isclose(ratio, ratios[0], rel_tol=_ROUNDED) for ratio in ratios):
                return True
        return False

    def _sign(self, place: int, step: FlowStep, taken: Sequence[Scale | None]) -> Scale | None:
        one, other = taken
        if one is None or other is None:
            return one or other
        match step.detail:
            case "*":
                made: Scale | None = one.times(other)
            case "/" | "//":
                made = one.times(self._power(step.takes[1], other, -1))
            case "**":
                power = self.need.numbers[0].get(step.takes[1], 1.0) if self.need.numbers else 1.0
                made = self._power(place, one, power)
            case _:
                made = self._alike(place, [one, other])
        return made and replace(made, copied=self._is_copied(place, step))

    def _is_copied(self, place: int, step: FlowStep) -> bool:
        """Whether all that is as large as what a sign makes are copies."""
        counts = self.need.counts
        large = [self.scales[one] for one in step.takes if counts[one] == counts[place]]
        return any(one is not None and one.copied for one in large) and all(
            one is None or one.copied for one in large
        )

    def _alike(self, place: int, given: Sequence[Scale]) -> Scale | None:
        """The scale of what is added or compared."""
        if not given:
            return None
        if not all(one.grows_like(given[0]) for one in given) or self._is_special(place):
            self.found.append(place)
        return Scale({base: logs for one in reversed(given) for base, logs in one.parts.items()})
