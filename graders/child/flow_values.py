"""Computes an answer's flow in the child that runs the exercise's own code: no text of the answer runs there.

It tells which steps have equal values, which do not depend on the numbers of the inputs, and what the result
would be with other values in the place of some.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from studykit.graders.child.library import Library, decoded
from studykit.sandbox.channel import Message, pack

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
}
_WIDE, _NARROW = 1e-8, 1e-6
"""Relative differences that sums in another order may show, in numbers of 64 bits and of fewer."""
_WIDE_BYTES = 8
_MODULUS = 997

Described = Sequence[Any]  # a step as JSON: its kind, its detail, the steps it takes, and those it takes by name


def replied(library: Library, frame: Message) -> bytes:
    """The reply to a frame with `steps`: a comparison of their values, or the result with some replaced."""
    steps, sent = frame.header["steps"], list[bytes]()
    values = FlowValues(library, steps, arguments(library, frame)).values
    if "by" not in frame.header:
        others = FlowValues(library, steps, arguments(library, frame, frame.header["draw"])).values
        leaves = [_leaves(library, value) for value in values]
        fixed = [n for n, other in enumerate(others) if _equal(leaves[n], _leaves(library, other))]
        told = {"value": library.encoded(values[-1], sent), "classes": _classes(leaves), "fixed": fixed}
        return pack(told, sent)
    replaced = {int(place): number for place, number in frame.header["replaced"].items()}
    known = {place: values[place] for place in frame.header["kept"]}
    for place, number in replaced.items():
        known[place] = Replacement(library, frame.header["by"], number).of(values[place])
    result = FlowValues(library, steps, arguments(library, frame), known).values[-1]
    return pack({"value": library.encoded(result, sent)}, sent)


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
    """The value of each step; those that are `known` are not computed."""

    def __init__(
        self, library: Library, steps: Sequence[Described], given: Sequence[Any], known: Mapping[int, Any] = {}
    ) -> None:
        self.names = library.names()
        self.given = given
        self.values: list[Any] = []
        for place, step in enumerate(steps):
            self.values.append(known[place] if place in known else self._value(*step))

    def _value(self, kind: str, detail: Any, takes: Sequence[int], named: Mapping[str, int]) -> Any:
        inputs = [self.values[place] for place in takes]
        match kind:
            case "argument":
                return self.given[detail]
            case "rest":
                return tuple(self.given[detail:])
            case "call":
                return self._called(detail)(*inputs, **{name: self.values[place] for name, place in named.items()})
            case _:
                return _MADE[kind](detail, inputs)

    def _called(self, name: str) -> Any:
        base, _, attribute = name.rpartition(".")
        return getattr(self.names[base], attribute) if base else self.names[name]


class Replacement:
    """Other numbers in the place of a value's: nothing of what was computed is left but the shape."""

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
        import numpy as np

        kind, shape = self.library.array(value).dtype, tuple(value.shape)
        count = int(np.prod(shape, dtype="int64"))
        if self.by == "noise":
            places = np.arange(count, dtype="int64")
            numbers = 1 + (places * places * 31 + places * 17 + self.number * 101 + 7) % _MODULUS
            numbers = numbers / _MODULUS + 0.5 if kind.kind == "f" else numbers
        else:
            numbers = np.full(count, int(self.by == "ones"))
        return self.library.tensor({"dtype": kind.name, "shape": shape}, numbers.astype(kind).tobytes())


def _leaves(library: Library, value: Any) -> tuple[Any, list[Any]]:
    """What a value is made of, and its numbers as arrays."""
    if type(value) in {list, tuple} or type(value).__name__ == "Size":
        inner = [_leaves(library, one) for one in value]
        return ("items", tuple(kind for kind, _ in inner)), [array for _, arrays in inner for array in arrays]
    if library.is_tensor(value):
        return ("tensor", tuple(value.shape)), [library.array(value)]
    if isinstance(value, int | float):
        import numpy as np

        return "number", [np.asarray(float(value))]
    return ("other", repr(value)), []


def _equal(one: tuple[Any, list[Any]], other: tuple[Any, list[Any]]) -> bool:
    return one[0] == other[0] and all(_near(a, b) for a, b in zip(one[1], other[1], strict=True))


def _near(one: Any, other: Any) -> bool:
    import numpy as np

    if not one.size:
        return True
    narrow = any(array.dtype.kind == "f" and array.dtype.itemsize < _WIDE_BYTES for array in (one, other))
    a, b = one.astype("float64"), other.astype("float64")
    scale = float(np.abs(a).max())
    if not np.isfinite(scale):
        return bool(np.array_equal(a, b, equal_nan=True))
    return bool(np.abs(a - b).max() <= (_NARROW if narrow else _WIDE) * scale)


def _classes(leaves: Sequence[tuple[Any, list[Any]]]) -> list[int]:
    """For each step the first that has its value."""
    found: list[int] = []
    for place, mine in enumerate(leaves):
        equal = (n for n in range(place) if found[n] == n and _equal(leaves[n], mine))
        found.append(next(equal, place))
    return found
