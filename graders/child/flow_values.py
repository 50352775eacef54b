"""Computes an answer's flow in the child that runs the exercise's own code: no text of the answer runs there.

It tells which steps have equal values, which do not depend on the numbers of the inputs, and what the result
would be with other values in the place of some.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from studykit.graders.child.library import Library, decoded
from studykit.sandbox.channel import Message

_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "**": operator.pow,
}
_MADE: dict[str, Callable[[Any, list[Any]], Any]] = {  # from the detail and the values that a step takes
    "constant": lambda detail, _: detail,
    "sign": lambda sign, values: _SIGNS[sign](*values),
    "minus": lambda _, values: -values[0],
    "plus": lambda _, values: +values[0],
    "shape": lambda _, values: values[0].shape,
    "item": lambda _, values: values[0][values[1]],
    "slice": lambda _, values: values[0][slice(*values[1:])],
    "part": lambda number, values: _parts(*values)[number],
    "list": lambda _, values: values,
    "tuple": lambda _, values: tuple(values),
    "copy": lambda _, values: values[0],
}
_WIDE, _NARROW = 1e-8, 1e-6
"""Relative differences that sums in another order may show, in numbers of 64 bits and of fewer."""
_WIDE_BYTES = 8
_MODULUS = 997
_SHIFTED = 4  # of fewer numbers each is another one's multiple with a shift
_FAR = 0.37

Step = Sequence[Any]  # as JSON: its kind, its detail, the steps it takes, and those it takes by name


def instead(
    library: Library, values: Sequence[Any], others: Sequence[Any], ways: Sequence[tuple[str, Sequence[int]]]
) -> dict[int, Any]:
    """Values in the place of some steps' own, of a flow that was computed with two inputs; each by its own way."""
    known: dict[int, Any] = {}
    for by, places in ways:
        if by == "others":
            known |= {place: others[place] for place in places}
            continue
        numbers = [[Numbers.of(library, each[n]) for each in (values, others)] for n in places]
        for place, number in zip(places, _multiples(numbers), strict=True):
            known[place] = Replacement(library, by, number).of(values[place])
    return known


def arguments(library: Library, frame: Message, draw: Sequence[int] = ()) -> list[Any]:
    """The arguments of a frame; with three numbers of a draw, others of the same shapes."""
    described = frame.header["arguments"]
    kinds = [one["dtype"] for one in described if isinstance(one, Mapping)]
    blobs = [_drawn(kind, blob, draw) if draw else blob for kind, blob in zip(kinds, frame.blobs, strict=True)]
    return [decoded(library, one, blobs) for one in described]


def _drawn(kind: str, blob: bytes, draw: Sequence[int]) -> bytes:
    """Numbers of the same kind and about the same size, which are neither these nor these in another order."""
    import numpy as np

    given = np.frombuffer(blob, dtype=kind)
    places = np.arange(given.size, dtype="int64")
    mixed = given[(places * places * draw[0] + places * draw[1] + draw[2]) % max(given.size, 1)]
    new = mixed // 2 + 1 if (mixed == mixed // 1).all() else mixed * 0.75 + 0.0625
    return bytes(new.astype(kind).tobytes())


def _parts(value: Any, count: int) -> list[Any]:
    """The parts of a value that is unpacked into so many names."""
    parts = list(value)
    if len(parts) != count:
        raise ValueError("not as many parts as names")
    return parts


class FlowValues:
    """The value of each step, but for those that are `known`, or the `same` as an earlier one."""

    def __init__(
        self,
        library: Library,
        steps: Sequence[Step],
        given: Sequence[Any],
        known: Mapping[int, Any] | None = None,
        same: Sequence[int] = (),
    ) -> None:
        self.names = library.names()
        self.given = given
        self.values: list[Any] = []
        for place, step in enumerate(steps):
            if known and place in known:
                self.values.append(known[place])
            elif same and same[place] < place:
                self.values.append(self.values[same[place]])
            else:
                self.values.append(self._value(*step))

    def _value(self, kind: str, detail: Any, takes: Sequence[int], named: Mapping[str, int]) -> Any:
        inputs = [self.values[place] for place in takes]
        match kind:
            case "argument":
                return self.given[detail]
            case "call":
                return self._called(detail)(*inputs, **{name: self.values[place] for name, place in named.items()})
            case _:
                return _MADE[kind](detail, inputs)

    def _called(self, name: str) -> Any:
        base, _, attribute = name.rpartition(".")
        return getattr(self.names[base], attribute) if base else self.names[name]


class Replacement:
    """Other numbers in the place of a value's: nothing of what was computed is left but the shape, or the size.

    By `near` each number changes by up to a quarter of itself, those of values with one number by the same part.
    """

    def __init__(self, library: Library, by: str, number: int) -> None:
        self.library = library
        self.by = by
        self.number = number

    def of(self, value: Any) -> Any:
        """The value with its tensors' numbers replaced, in lists and tuples too."""
        if type(value) in {list, tuple}:
            return type(value)(self.of(one) for one in value)
        if not self.library.is_tensor(value):
            return value
        return _like(self.library, value, self._numbers(self.library.array(value)))

    def _numbers(self, given: Any) -> Any:
        import numpy as np

        if self.by in {"zeros", "ones"}:
            return np.full(given.shape, int(self.by == "ones"))
        places = np.arange(given.size, dtype="int64").reshape(given.shape)
        noise = (places * places * 31 + places * 17 + self.number * 101 + 7) % _MODULUS
        if given.dtype.kind != "f":
            return noise + 1 if self.by == "noise" else given + 1 + noise % 3
        return noise / _MODULUS + 0.5 if self.by == "noise" else given * (0.75 + 0.5 * noise / _MODULUS)


def _like(library: Library, value: Any, numbers: Any) -> Any:
    """An array as a tensor of the same kind as another."""
    kind = library.array(value).dtype
    numbers = numbers if kind.kind == "f" else numbers.round()
    return library.tensor({"dtype": kind.name, "shape": numbers.shape}, numbers.astype(kind).tobytes())


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a value is made of, and the numbers in it."""

    kind: Any
    arrays: tuple[Any, ...] = ()  # of 64 bits
    most: tuple[float, ...] = ()  # the largest of each, without its sign
    near: float = _WIDE  # the difference that means nothing

    @classmethod
    def of(cls, library: Library, value: Any) -> "Numbers":
        """The numbers of a tensor, a number, or a list of such."""
        import numpy as np

        if type(value) in {list, tuple} or type(value).__name__ == "Size":
            inner = [cls.of(library, one) for one in value]
            arrays = tuple(array for one in inner for array in one.arrays)
            most = tuple(number for one in inner for number in one.most)
            return cls(
                tuple(one.kind for one in inner), arrays, most, max((one.near for one in inner), default=_WIDE)
            )
        if not library.is_tensor(value) and not isinstance(value, int | float):
            return cls(repr(value))
        given = library.array(value) if library.is_tensor(value) else np.asarray(float(value))
        wide = given.astype("float64")
        narrow = given.dtype.kind == "f" and given.dtype.itemsize < _WIDE_BYTES
        kind = ("tensor", given.shape) if library.is_tensor(value) else "number"
        return cls(kind, (wide,), (float(np.abs(wide).max(initial=0)),), _NARROW if narrow else _WIDE)

    def in_a_row(self) -> "Numbers":
        """The same without the shape of a tensor."""
        if self.kind[:1] != ("tensor",):
            return self
        return replace(self, kind=("row", self.arrays[0].size), arrays=(self.arrays[0].ravel(),))

    def measured(self, other: "Numbers", *, in_order: bool = True) -> "Numbers":
        """The numbers of two inputs without a factor and a shift, which signs make; in any order by size."""
        import numpy as np

        rows = [array.ravel() for array in (*self.arrays, *other.arrays)]
        every = np.concatenate(rows) if rows else np.zeros(0)
        if not every.size or not np.isfinite(every).all():
            return replace(self, kind=(self.kind, other.kind), arrays=(every,), most=(0.0,))
        measure = _in_order if in_order else _by_size
        return Numbers((self.kind, other.kind), (measure(every, every.size // 2),), (1.0,), self.near)

    @property
    def spread(self) -> float:
        """From the smallest to the largest number; 0 where there are none, or one that is not finite."""
        found = [float(array.max() - array.min()) for array in self.arrays if array.size]
        return max((one for one in found if isfinite(one)), default=0.0) if all(map(isfinite, self.most)) else 0.0

    def equal(self, other: "Numbers") -> bool:
        """Whether the values are equal, but for what sums in another order may show."""
        near = max(self.near, other.near)
        return self.kind == other.kind and all(
            _is_near(a, b, most, more, near)
            for a, b, most, more in zip(self.arrays, other.arrays, self.most, other.most, strict=True)
        )

    def as_set(self) -> "Numbers":
        """The different numbers of tensors, of a list too, in order, but for what rounding alone sets apart."""
        import numpy as np

        if not self.arrays or not all(np.isfinite(array).all() for array in self.arrays):
            return self
        every = np.sort(np.concatenate([array.ravel() for array in self.arrays]))
        most = float(np.abs(every).max(initial=0))
        every = every[np.diff(every, prepend=-np.inf) > self.near * most]
        return replace(self, kind=("set", every.size), arrays=(every,), most=(most,))


def _is_near(one: Any, other: Any, most: float, more: float, near: float) -> bool:
    import numpy as np

    if not (isfinite(most) and isfinite(more)):
        return bool(np.array_equal(one, other, equal_nan=True))
    if abs(most - more) > near * most:  # what is cheap comes first
        return False
    return not one.size or bool(np.abs(one - other).max() <= near * most)


def _in_order(every: Any, _: int) -> Any:
    """Numbers from 0 at the first to 1 at one that is far from it."""
    import numpy as np

    moved = every - every[0] * (every.size >= _SHIFTED)
    far = np.abs(moved)
    return moved / moved[int(np.argmax(far >= _FAR * far.max()))] if far.max() else moved


def _by_size(every: Any, half: int) -> Any:
    """Numbers from 0 to 1 in two halves, each sorted; of the two directions the one that is smaller first."""
    import numpy as np

    if every.size < _SHIFTED:
        return _in_order(every, half)
    length = every.max() - every.min()
    up = (every - every.min()) / (length or 1.0)
    both = [np.concatenate([np.sort(one[:half]), np.sort(one[half:])]) for one in (up, 1 - up)]
    differs = np.abs(both[0] - both[1]) > _NARROW
    first = int(np.argmax(differs))
    return both[int(differs.any() and both[1][first] < both[0][first])] if length else up


ALIKE: dict[str, Callable[[Numbers, Numbers], Numbers]] = {
    "values": lambda mine, _: mine,
    "measured values": lambda mine, other: mine.measured(other),
    "measured rows": lambda mine, other: mine.in_a_row().measured(other.in_a_row()),
    "measured sets": lambda mine, other: mine.as_set().measured(other.as_set(), in_order=False),
    "measured bags": lambda mine, other: mine.in_a_row().measured(other.in_a_row(), in_order=False),
}


def classes_of(values: Sequence[Numbers]) -> list[int]:
    """For each step the first that has its value."""
    found: list[int] = []
    firsts: dict[Any, list[int]] = {}
    for place, mine in enumerate(values):
        others = firsts.setdefault(mine.kind, [])
        first = next((n for n in others if values[n].equal(mine)), place)
        if first == place:
            others.append(place)
        found.append(first)
    return found


def _multiples(values: Sequence[Sequence[Numbers]]) -> list[int]:
    """For each value, over several inputs, the first whose numbers are always the same multiple of its own."""
    import numpy as np

    rows = [np.concatenate([np.ravel(x) for one in each for x in one.arrays] or [np.zeros(0)]) for each in values]
    found: list[int] = []
    for place, mine in enumerate(rows):
        equal = (n for n in range(place) if found[n] == n and _is_multiple(rows[n], mine))
        found.append(next(equal, place))
    return found


def _is_multiple(one: Any, other: Any) -> bool:
    import numpy as np

    if one.shape != other.shape or not one.size or not (np.isfinite(one).all() and np.isfinite(other).all()):
        return False
    most = int(np.abs(one).argmax())
    mine, theirs = one * other[most], other * one[most]
    return bool(np.abs(mine - theirs).max() <= _NARROW * np.abs(mine).max())
