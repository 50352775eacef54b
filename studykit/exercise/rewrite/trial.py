"""The inputs that an answer is tried on: random shapes in which no two axes have the same size."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from studykit.exercise.rewrite import pattern
from studykit.exercise.rewrite.pattern import Axis, Side
from studykit.exercise.rewrite.rewrite import Argument, Fill, Rewrite
from studykit.exercise.rewrite.tensors import Tensor, tensor

_PRIMES = (2, 3, 5, 7, 11, 13, 17)
_FEW_AXES, _MANY_AXES = 4, 6  # the more axes, the fewer primes to choose from: tensors stay small
_DTYPES = ("float32", "int64", "float32", "float64")
_APART = 100_000  # between the positions of one input and of the next


@dataclass(frozen=True, slots=True)
class Trial:
    """One call: the size of each axis and the arguments."""

    sizes: Mapping[Axis, int]
    arguments: tuple[Tensor | int, ...]
    upstream: Tensor | None = None  # the gradient to send back through the result

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """The arguments that are tensors."""
        return tuple(argument for argument in self.arguments if isinstance(argument, Tensor))

    def described(self) -> list[object]:
        """The arguments as JSON, for a child; the tensors' bytes go beside it."""
        return [a if isinstance(a, int) else a.described() for a in self.arguments]


def draw(exercise: Rewrite, random: Random, count: int) -> tuple[Trial, ...]:
    """`count` trials: every axis another prime, in the last one a single axis of size 1."""
    trials = [_trial(exercise, random, _sizes(exercise, random), place) for place in range(count - 1)]
    sizes = dict(_sizes(exercise, random))
    sizes[random.choice([axis for axis in axes(exercise) if axis not in {*exercise.fixed, *exercise.sums}])] = 1
    sizes |= _sums(exercise, sizes)
    return (*trials, _trial(exercise, random, sizes, count - 1))


def axes(exercise: Rewrite) -> tuple[Axis, ...]:
    """The names of all axes of an exercise, in order of appearance."""
    seen: dict[Axis, None] = {}
    for argument in exercise.arguments:
        names = (argument.name,) if argument.groups is None else pattern.axes(argument.groups)
        seen.update(dict.fromkeys(names))
    return tuple(seen)


def _sizes(exercise: Rewrite, random: Random) -> dict[Axis, int]:
    free = [axis for axis in axes(exercise) if axis not in {*exercise.fixed, *exercise.sums}]
    primes = [prime for prime in _PRIMES if prime not in exercise.fixed.values()]
    spare = 2 if len(free) < _FEW_AXES else int(len(free) < _MANY_AXES)
    drawn = dict(zip(free, random.sample(primes[: len(free) + spare], len(free)), strict=True))
    return {**exercise.fixed, **drawn, **_sums(exercise, drawn)}


def _sums(exercise: Rewrite, sizes: Mapping[Axis, int]) -> dict[Axis, int]:
    """A part is an axis or a product of axes, `h*w`."""
    return {
        whole: sum(math.prod(sizes[axis] for axis in part.split("*")) for part in parts)
        for whole, parts in exercise.sums.items()
    }


def _trial(exercise: Rewrite, random: Random, sizes: Mapping[Axis, int], place: int) -> Trial:
    dtype = (
        _DTYPES[place % len(_DTYPES)] if exercise.fill is Fill.POSITIONS and not exercise.gradient else "float64"
    )
    arguments = [_argument(a, exercise.fill, random, sizes, dtype, n) for n, a in enumerate(exercise.arguments)]
    upstream = None
    if exercise.gradient and exercise.result is not None:
        upstream = _filled(Fill.INTEGERS, random, pattern.shape(exercise.result, sizes), dtype, 0)
    return Trial(sizes, tuple(arguments), upstream)


def _argument(  # noqa: PLR0917 - all of one trial
    argument: Argument, fill: Fill, random: Random, sizes: Mapping[Axis, int], dtype: str, place: int
) -> Tensor | int:
    if argument.groups is None:
        return sizes[argument.name]
    return _filled(fill, random, pattern.shape(argument.groups, sizes), dtype, place)


def _filled(fill: Fill, random: Random, shape: tuple[int, ...], dtype: str, place: int) -> Tensor:
    count = math.prod(shape)
    match fill:
        case Fill.POSITIONS:
            return tensor(dtype, shape, range(place * _APART, place * _APART + count))
        case Fill.INTEGERS:
            return tensor(dtype, shape, random.choices(range(-99, 100), k=count))
        case Fill.NORMAL:
            return tensor(dtype, shape, [random.gauss(0, 1) for _ in range(count)])


def side_of(exercise: Rewrite) -> Side | None:
    """The axes of the input, where there is one tensor."""
    given = [argument.groups for argument in exercise.arguments if argument.groups is not None]
    return given[0] if len(given) == 1 else None
