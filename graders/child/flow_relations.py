"""Relations that the values of a flow keep whatever the inputs are: sums and products of each other.

Two calls whose difference was there without them need not be called: any numbers will do, if they keep it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from studykit.graders.child.library import Library

MOST_ROWS = 256  # of numbers that are compared
_MOST_COLUMNS = 48
_SPARE_ROWS = 4  # more than columns: else anything is a sum of anything
_WIDE, _NARROW = 1e-7, 1e-4  # what is left of a sum that holds, in numbers of 64 bits and of fewer
_WIDE_BYTES = 8
_COUNTS = 1e-6  # a part of a sum
KINDS = ("sums", "products")
_ONE = -1  # the column of ones


@dataclass(frozen=True, slots=True)
class Relation:
    """Steps of one shape: those that are free, and those that follow from them and from what is given."""

    by: str  # `sums`, or `products`
    free: tuple[int, ...]
    made: Mapping[int, Mapping[int, float]]  # by the parts, or the powers, of other steps

    @property
    def places(self) -> list[int]:
        """All steps that it is about."""
        return sorted({*self.free, *self.made})


@dataclass(slots=True)
class ColumnBasis:
    """Columns that are no sums of each other, at right angles, each with what it is made of."""

    near: float
    length: int
    columns: list[int] = field(default_factory=list)
    units: Any = None
    parts: Any = None

    def __post_init__(self) -> None:
        import numpy as np

        self.units, self.parts = np.zeros((0, self.length)), np.zeros((0, 0))

    def sum_for(self, column: int, numbers: Any) -> dict[int, float] | None:
        """What a column is made of; None where it is new, and is one of them from now on."""
        import numpy as np

        most = float(np.abs(numbers).max(initial=0))
        if not most:
            return {}
        rest, parts = numbers / most, np.zeros(len(self.columns))
        for _ in range(2):  # once more for what was rounded
            along = (self.units * rest).sum(axis=1)
            rest = rest - (along[:, None] * self.units).sum(axis=0)
            parts = parts + (along[:, None] * self.parts).sum(axis=0)
        if np.abs(rest).max() <= self.near:
            return {one: float(part) * most for one, part in zip(self.columns, parts, strict=True)}
        size = float((rest * rest).sum()) ** 0.5
        self.columns.append(column)
        self.units = np.concatenate([self.units, rest[None] / size])
        wider = np.pad(self.parts, ((0, 0), (0, 1)))
        self.parts = np.concatenate([wider, np.append(-parts, 1 / most)[None] / size])
        return None


@dataclass(frozen=True, slots=True)
class FlowColumns:
    """The tensors of a flow, computed with two inputs; `given` are those that nothing is asked of.

    Where they are `turned`, tensors of the same axes have the same shape: none of size 1, short ones first.
    """

    arrays: Mapping[int, tuple[Any, Any]]
    given: frozenset[int]
    turns: Mapping[int, tuple[tuple[int, ...], list[int]]]  # the shape of each, and its axes in their new order

    @classmethod
    def of(
        cls, library: Library, values: Sequence[Any], others: Sequence[Any], given: Sequence[int], *, turned: bool
    ) -> "FlowColumns":
        """The tensors of both computations that are finite."""
        import numpy as np

        found, turns = {}, {}
        for place, pair in enumerate(zip(values, others, strict=True)):
            if all(library.is_tensor(one) for one in pair):
                both = [library.array(one) for one in pair]
                if both[0].shape == both[1].shape and all(np.isfinite(one).all() for one in both):
                    shape, axes = both[0].shape, list(range(both[0].ndim))
                    axes = sorted(axes, key=lambda axis: (shape[axis] > 1, shape[axis])) if turned else axes
                    turns[place] = shape, axes
                    found[place] = (_turned(both[0], axes, turned=turned), _turned(both[1], axes, turned=turned))
        return cls(found, frozenset(given), turns)

    def relations(self) -> Iterator[Relation]:
        """Each group of steps that hang together and that is no plain sum of what is given."""
        shapes: dict[tuple[int, ...], list[int]] = {}
        for place, (one, _) in self.arrays.items():
            if place not in self.given:
                shapes.setdefault(one.shape, []).append(place)
        for shape, places in shapes.items():
            if len(places) > 1:
                for by in KINDS:
                    yield from self._related(by, shape, places)

    def _related(self, by: str, shape: tuple[int, ...], places: Sequence[int]) -> Iterator[Relation]:
        rows = self._rows(shape)
        columns = {place: self._column(by, place, shape, rows) for place in (*self._fitting(shape), *places)}
        known = {place: numbers for place, numbers in columns.items() if numbers is not None}
        basis = ColumnBasis(self._near(known), 2 * len(rows))
        basis.sum_for(_ONE, self._column(by, _ONE, shape, rows))
        made: dict[int, dict[int, float]] = {}
        for place, numbers in known.items():
            if len(basis.columns) + _SPARE_ROWS > basis.length:
                break
            parts = basis.sum_for(place, numbers)
            if parts and place not in self.given:
                sizes = {one: abs(part) * _most(known.get(one)) for one, part in parts.items()}
                made[place] = {one: parts[one] for one, size in sizes.items() if size > _COUNTS * _most(numbers)}
        yield from self._groups(by, made)

    def _groups(self, by: str, made: Mapping[int, Mapping[int, float]]) -> Iterator[Relation]:
        """The steps that are made of each other, without those that are made of what is given alone."""
        groups: list[set[int]] = []
        for place, parts in made.items():
            own = set(parts) - self.given - {_ONE}
            if own:
                group = {place, *own}.union(*(one for one in groups if one & own))
                groups = [*(one for one in groups if not one & own), group]
        for group in groups:
            free = tuple(sorted(group - set(made)))
            yield Relation(by, free, {place: made[place] for place in sorted(group & set(made))})

    def _rows(self, shape: tuple[int, ...]) -> Any:
        import numpy as np

        count = int(np.prod(shape, dtype="int64"))
        if count <= MOST_ROWS:
            return np.arange(count)
        return np.random.default_rng(count).choice(count, MOST_ROWS, replace=False)

    def _fitting(self, shape: tuple[int, ...]) -> list[int]:
        """What is kept and can stand beside a tensor of this shape."""
        return [place for place in self.given if place in self.arrays and self._fits(place, shape)][:_MOST_COLUMNS]

    def _fits(self, place: int, shape: tuple[int, ...]) -> bool:
        return _beside(self.arrays[place][0].shape, shape) is not None

    def _column(self, by: str, place: int, shape: tuple[int, ...], rows: Any) -> Any:
        """The numbers of a step with both inputs, or their logarithms; None where one has none."""
        import numpy as np

        if place == _ONE:
            return np.ones(2 * len(rows))
        both = [_broadcast(one, shape).ravel()[rows].astype("float64") for one in self.arrays[place]]
        numbers = np.concatenate(both)
        if by == "sums":
            return numbers
        return np.log(np.abs(numbers)) if numbers.all() else None

    def _near(self, known: Mapping[int, Any]) -> float:
        kinds = {self.arrays[place][0].dtype for place in known}
        wide = all(kind.kind != "f" or kind.itemsize >= _WIDE_BYTES for kind in kinds)
        return _WIDE if wide else _NARROW

    def instead(self, relation: Relation, free: Mapping[int, Any]) -> dict[int, Any]:
        """Arrays for the steps of a relation that keep it and nothing else, from others for the free ones."""
        import numpy as np

        found = {
            place: _turned(one, self.turns[place][1], turned=self._is_turned(place)) for place, one in free.items()
        }
        for place, parts in relation.made.items():
            shape = self.arrays[place][0].shape
            made, sign = np.full(shape, parts.get(_ONE, 0.0)), np.ones(shape)
            for one in set(parts) - {_ONE}:
                mine = _broadcast(found.get(one, self.arrays[one][0]), shape).astype("float64")
                made = made + parts[one] * (mine if relation.by == "sums" else np.log(np.abs(mine)))
                sign = sign * (np.sign(mine) if round(parts[one]) % 2 else 1)
            found[place] = made if relation.by == "sums" else np.exp(made) * sign
        return {place: self._turned_back(place, one) for place, one in found.items()}

    def _is_turned(self, place: int) -> bool:
        shape, axes = self.turns[place]
        return self.arrays[place][0].shape != shape or axes != sorted(axes)

    def _turned_back(self, place: int, array: Any) -> Any:
        import numpy as np

        shape, axes = self.turns[place]
        return array.reshape([shape[axis] for axis in axes]).transpose(np.argsort(axes))


def _turned(array: Any, axes: Sequence[int], *, turned: bool) -> Any:
    """The axes in this order, without those of size 1."""
    if not turned:
        return array
    return array.transpose(axes).reshape([array.shape[axis] for axis in axes if array.shape[axis] > 1])


def _beside(mine: Sequence[int], shape: Sequence[int]) -> list[int] | None:
    """A shape with axes of size 1 put in so that it stands beside another; None where it cannot."""
    found, waiting = [], list(mine)
    for length in reversed(shape):
        fits = bool(waiting) and waiting[-1] in {1, length}
        found.append(waiting.pop() if fits else 1)
    return None if waiting else found[::-1]


def _broadcast(array: Any, shape: tuple[int, ...]) -> Any:
    import numpy as np

    return np.broadcast_to(array.reshape(_beside(array.shape, shape)), shape)


def _most(numbers: Any) -> float:
    """The largest number without its sign; 1 for the column of ones."""
    import numpy as np

    return 1.0 if numbers is None else float(np.abs(numbers).max(initial=0))
