"""Draw the inputs that an answer is tried on, and decode its results, all as a dtype, a shape and bytes.

The shapes are random, and no two axes of one trial have the same size.
"""

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from studykit.exercise.rewrite import pattern
from studykit.exercise.rewrite.pattern import Axis, Side
from studykit.exercise.rewrite.rewrite import Fill, Rewrite
from studykit.text import MAX_TEXT_CHARACTERS, printable

_PRIMES = (2, 3, 5, 7, 11, 13, 17)
_FEW_AXES, _MANY_AXES = 4, 6  # the more axes, the fewer primes to choose from: tensors stay small
_DTYPES = ("float32", "int64", "float32", "float64")
_FILLS = {
    Fill.POSITIONS: (Fill.POSITIONS, Fill.POSITIONS, Fill.MIXED, Fill.MIXED),
    Fill.INTEGERS: (Fill.INTEGERS, Fill.FRACTIONS, Fill.NEGATIVE, Fill.LARGE),
    Fill.NORMAL: (Fill.NORMAL,),
}
"""What the trials hold, in turn: being right only on whole, small or positive numbers is not enough."""
_EIGHTHS, _MAX_EIGHTHS = 8, 999
_POWERS = (20, 60)
_APART = 100_000  # between the positions of one input and of the next
_CODES = {
    "float64": "d",
    "float32": "f",
    "float16": "e",
    "int64": "q",
    "int32": "i",
    "int16": "h",
    "int8": "b",
    "uint8": "B",
    "bool": "?",
}
_UNREADABLE = {"bfloat16": 2}
_MAX_DIMENSIONS = 64
_BITS = 63
_NAME_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Tensor:
    """Hold a tensor: its dtype, its shape, and its values as bytes in row-major order."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes

    @property
    def numbers(self) -> tuple[float, ...]:
        """Return the unpacked values, or () for a dtype that Python cannot read."""
        code = _CODES.get(self.dtype)
        return struct.unpack(f"={math.prod(self.shape)}{code}", self.data) if code else ()

    def described(self) -> dict[str, object]:
        """Return the JSON header that describes the bytes."""
        return {"dtype": self.dtype, "shape": list(self.shape)}


@dataclass(frozen=True, slots=True)
class Plain:
    """Hold a number, a text, or None."""

    value: int | float | str | None


@dataclass(frozen=True, slots=True)
class Items:
    """Hold a list, a tuple, or a dictionary's pairs."""

    kind: str
    items: tuple["WireValue", ...]


@dataclass(frozen=True, slots=True)
class Other:
    """Hold the name of the type of a value of any other kind."""

    type: str


WireValue = Tensor | Plain | Items | Other


@dataclass(frozen=True, slots=True)
class Trial:
    """Hold one call of an answer, with the size of each axis and the arguments."""

    sizes: Mapping[Axis, int]
    arguments: tuple[Tensor | int, ...]
    upstream: Tensor | None = None  # the gradient to send back through the result
    fill: Fill = Fill.POSITIONS

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """Return the arguments that are tensors."""
        return tuple(argument for argument in self.arguments if isinstance(argument, Tensor))

    def described(self) -> list[object]:
        """Return the arguments as JSON for a child. The tensors' bytes follow separately."""
        return [a if isinstance(a, int) else a.described() for a in self.arguments]


def differing(want: Sequence[float], got: Sequence[float], tolerance: float) -> Iterator[int]:
    """Yield indexes where values differ by more than `tolerance` times the largest wanted value (at least 1).

    A wanted NaN matches anything.
    """
    scale = max((abs(number) for number in want if math.isfinite(number)), default=1.0)
    near = tolerance * max(scale, 1.0)
    for place, (wanted, value) in enumerate(zip(want, got, strict=True)):
        if not (wanted == value or abs(wanted - value) <= near or math.isnan(wanted)):
            yield place


def draw(exercise: Rewrite, random: Random, count: int) -> tuple[Trial, ...]:
    """Draw `count` trials with a different prime size for each drawn axis, but 1 for one axis in the last trial.

    In the trials before the last, as few axes as possible have the same size as in the first.
    """
    trials: list[Trial] = []
    for place in range(count - 1):
        lengths = _draw_sizes(exercise, random)
        trials.append(_make_trial(exercise, random, _vary_lengths(exercise, lengths, trials), place))
    sizes = dict(_draw_sizes(exercise, random))
    sizes[random.choice([axis for axis in free_axes(exercise) if axis != exercise.norm_axis])] = 1
    sizes |= _sums_of(exercise, sizes)
    return (*trials, _make_trial(exercise, random, sizes, count - 1))


def _vary_lengths(exercise: Rewrite, sizes: Mapping[str, int], trials: Sequence[Trial]) -> Mapping[str, int]:
    """Rotate the lengths so that as few axes as possible have the same size as in the first trial."""
    free = free_axes(exercise)
    lengths = [sizes[axis] for axis in free]
    rotations = [dict(zip(free, lengths[n:] + lengths[:n], strict=True)) for n in range(len(free))]
    first = trials[0].sizes if trials else {}
    best = min(rotations, key=lambda sizes: sum(first.get(axis) == length for axis, length in sizes.items()))
    return {**sizes, **best, **_sums_of(exercise, best)}


def free_axes(exercise: Rewrite) -> tuple[Axis, ...]:
    """Return the axes whose sizes are drawn."""
    return tuple(axis for axis in axes(exercise) if axis not in {*exercise.fixed, *exercise.sums})


def axes(exercise: Rewrite) -> tuple[Axis, ...]:
    """Return the names of all axes of an exercise, in order of appearance."""
    names = ((a.name,) if a.groups is None else pattern.axes(a.groups) for a in exercise.arguments)
    return tuple(dict.fromkeys(chain.from_iterable(names)))


def _draw_sizes(exercise: Rewrite, random: Random) -> dict[Axis, int]:
    free = free_axes(exercise)
    # A drawn axis must not have the size of a fixed one, since no two axes of a trial are equal.
    primes = [prime for prime in _PRIMES if prime not in exercise.fixed.values()]
    spare = 2 if len(free) < _FEW_AXES else int(len(free) < _MANY_AXES)
    lengths = dict(zip(free, random.sample(primes[: len(free) + spare], len(free)), strict=True))
    return {**exercise.fixed, **lengths, **_sums_of(exercise, lengths)}


def _sums_of(exercise: Rewrite, sizes: Mapping[Axis, int]) -> dict[Axis, int]:
    """Return the sizes of axes that are sums. Each part is an axis or a product such as `h*w`."""
    return {
        whole: sum(math.prod(sizes[axis] for axis in part.split("*")) for part in parts)
        for whole, parts in exercise.sums.items()
    }


def _make_trial(exercise: Rewrite, random: Random, sizes: Mapping[Axis, int], place: int) -> Trial:
    dtype = (
        _DTYPES[place % len(_DTYPES)] if exercise.fill is Fill.POSITIONS and not exercise.gradient else "float64"
    )
    fills = _FILLS[exercise.fill]
    fill = fills[place % len(fills)]
    arguments = tuple(
        sizes[a.name]
        if a.groups is None
        else _filled_tensor(fill, random, pattern.shape(a.groups, sizes), dtype, place=n)
        for n, a in enumerate(exercise.arguments)
    )
    upstream = None
    if exercise.gradient and exercise.result is not None:
        shape = pattern.shape(exercise.result, sizes)
        upstream = _filled_tensor(Fill.INTEGERS, random, shape, dtype, place=0)
    return Trial(sizes, arguments, upstream, fill)


def _filled_tensor(fill: Fill, random: Random, shape: tuple[int, ...], dtype: str, *, place: int) -> Tensor:
    count = math.prod(shape)
    match fill:
        case Fill.POSITIONS:
            return tensor(dtype, shape, range(place * _APART, place * _APART + count))
        case Fill.INTEGERS:
            return tensor(dtype, shape, random.choices(range(-99, 100), k=count))
        case Fill.NORMAL:
            return tensor(dtype, shape, [random.gauss(0, 1) for _ in range(count)])
        case _:
            return tensor(dtype, shape, _draw_eighths(fill, random, count))


def _draw_eighths(fill: Fill, random: Random, count: int) -> list[float]:
    """Draw eighths, multiplied by a power of two for large fills and for some numbers of mixed ones."""
    power = 0 if fill is Fill.FRACTIONS else random.randint(*_POWERS)
    signs = {Fill.NEGATIVE: (-1,), Fill.LARGE: (1,)}.get(fill, (1, -1))
    return [
        math.ldexp(
            random.choice(signs) * random.randint(1, _MAX_EIGHTHS) / _EIGHTHS,
            random.choice((0, power)) if fill is Fill.MIXED else power,
        )
        for _ in range(count)
    ]


def side_of(exercise: Rewrite) -> Side | None:
    """Return the axes of the input tensor, or None if there are several tensors."""
    return exercise.tensors[0].groups if len(exercise.tensors) == 1 else None


def tensor(dtype: str, shape: Sequence[int], numbers: Sequence[float]) -> Tensor:
    """Pack numbers into a tensor."""
    return Tensor(dtype, tuple(shape), struct.pack(f"={len(numbers)}{_CODES[dtype]}", *numbers))


def decode(header: object, blobs: list[bytes]) -> WireValue:
    """Decode a value from a child's header, taking the bytes from `blobs`, or raise ValueError."""
    if not isinstance(header, Mapping) or len(header) != 1:
        raise ValueError("The reply does not describe a value.")
    kind, content = next(iter(header.items()))
    match kind:
        case "tensor":
            return _decode_tensor(content, blobs)
        case "plain" if content is None or isinstance(content, float) or is_short(content):
            return Plain(content)
        case "list" | "tuple" if isinstance(content, list):
            return Items(kind, tuple(decode(item, blobs) for item in content))
        case "dict" if isinstance(content, list):
            return Items(kind, tuple(decode({"tuple": pair}, blobs) for pair in content))
        case "other":
            return Other(printable(str(content), _NAME_CHARACTERS))
        case _:
            raise ValueError("The reply does not describe a value.")


def is_short(content: object) -> bool:
    """Return whether the content is a number or text short enough to be an answer."""
    if isinstance(content, str):
        return len(content) <= MAX_TEXT_CHARACTERS
    return isinstance(content, int) and content.bit_length() <= _BITS


def _decode_tensor(content: object, blobs: list[bytes]) -> Tensor:
    match content:
        case {"dtype": dtype_name, "shape": list(lengths)}:
            dtype, shape = printable(str(dtype_name), _NAME_CHARACTERS), tuple(lengths)
        case _:
            raise ValueError("The reply has a tensor without a dtype or a shape.")
    if len(shape) > _MAX_DIMENSIONS or not all(type(n) is int and 0 <= n < 1 << _BITS for n in shape) or not blobs:
        raise ValueError("The reply has a tensor without a possible shape, or without bytes.")
    data = blobs.pop(0)
    width = struct.calcsize(f"={_CODES[dtype]}") if dtype in _CODES else _UNREADABLE.get(dtype)
    if width is not None and len(data) != math.prod(shape) * width:
        raise ValueError("The reply has a tensor whose bytes do not fill its shape.")
    return Tensor(dtype, shape, data)
