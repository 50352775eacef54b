"""Relations that the values of a flow keep whatever the inputs are: sums and products of each other.

Two calls whose difference was there without them need not be called: any numbers will do, if they keep it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, permutations, product
from typing import Any

from studykit.graders.child.library import Library

MOST_ROWS = 256  # of numbers that are compared
_MOST_COLUMNS = 48
_SPARE_ROWS = 4  # more than columns: else anything is a sum of anything
_WIDE, _NARROW = 1e-7, 1e-4  # what is left of a sum that holds, in numbers of 64 bits and of fewer
_WIDE_BYTES = 8
_COUNTS = 1e-6  # a part of a sum
_MOST_LAYOUTS, _MOST_MERGED = 6, 3  # of one tensor; single axes in a merged one
_NUMBERS_APART = 1 << 16  # of the layouts of a tensor
KINDS = ("sums", "products")
_ONE = -1  # the column of ones


@dataclass(frozen=True, slots=True)
class Relation:
    """Steps of one shape: those that are free, and those that follow from them and from what is given."""

    by: str  # `sums`, or `products`
    free: tuple[int, ...]
    made: Mapping[
        int, Mapping[int, float]
    ]  # by the parts, or the powers, of others; each is a step with its layout

    @property
    def places(self) -> list[int]:
        """All steps that it is about."""
        return sorted({*self.free, *map(_place, self.made)})


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

    def sum_for(self, column: int, numbers: Any, *, adds: bool = True) -> dict[int, float] | None:
        """What a column is made of; None where it is new: where it `adds`, it is one of them from now on."""
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
        if not adds:
            return None
        size = float((rest * rest).sum()) ** 0.5
        self.columns.append(column)
        self.units = np.concatenate([self.units, rest[None] / size])
        wider = np.pad(self.parts, ((0, 0), (0, 1)))
        self.parts = np.concatenate([wider, np.append(-parts, 1 / most)[None] / size])
        return None


@dataclass(frozen=True, slots=True)
class Layout:
    """How a tensor is read: its axes taken apart into `parts`, which then stand in this `order`."""

    parts: tuple[int, ...]
    order: tuple[int, ...]
    plain: bool = False  # as it is, axes of size 1 too

    def of(self, array: Any) -> Any:
        """The array as it is read, without axes of size 1."""
        if self.plain:
            return array
        turned = array.reshape(self.parts).transpose(self.order)
        return turned.reshape([length for length in turned.shape if length > 1])

    def back(self, array: Any, shape: Sequence[int]) -> Any:
        """An array that was read so, as it was."""
        import numpy as np

        turned = array.reshape([self.parts[axis] for axis in self.order])
        return turned.transpose(np.argsort(self.order)).reshape(shape)


def layouts(shape: Sequence[int]) -> Iterator[Layout]:
    """The ways to read a tensor by its single axes: a merged one has lengths that are primes, in some order.

    Short ones first: then tensors of the same single axes have the same shape.
    """
    ways = product(*(dict.fromkeys(permutations(_primes(length))) for length in shape))
    for way in islice(ways, _MOST_LAYOUTS):
        parts = tuple(length for one in way for length in one)
        yield Layout(parts, tuple(sorted(range(len(parts)), key=lambda axis: parts[axis])))


def _primes(length: int) -> list[int]:
    """The prime factors of a length; the length itself where there are many."""
    found, left, factor = list[int](), length, 2
    while factor * factor <= left:
        while left % factor == 0:
            found.append(factor)
            left //= factor
        factor += 1
    found += [left] if left > 1 else []
    return found if len(found) <= _MOST_MERGED else [length]


@dataclass(frozen=True, slots=True)
class FlowColumns:
    """The tensors of a flow, computed with two inputs; `given` are those that nothing is asked of.

    Where they are `turned`, each is there by every layout that it may have, under a number of its own.
    """

    arrays: Mapping[int, tuple[Any, Any]]
    given: frozenset[int]
    read: Mapping[int, tuple[tuple[int, ...], Layout]]  # the shape of each, and how it is read

    @classmethod
    def of(
        cls, library: Library, values: Sequence[Any], others: Sequence[Any], given: Sequence[int], *, turned: bool
    ) -> "FlowColumns":
        """The tensors of both computations that are finite."""
        import numpy as np

        arrays, read = {}, {}
        for place, pair in enumerate(zip(values, others, strict=True)):
            if all(library.is_tensor(one) for one in pair):
                both = [library.array(one) for one in pair]
                if both[0].shape == both[1].shape and all(np.isfinite(one).all() for one in both):
                    plain = (Layout(both[0].shape, tuple(range(both[0].ndim)), plain=True),)
                    for way, layout in enumerate(layouts(both[0].shape) if turned else plain):
                        number = place + way * _NUMBERS_APART
                        read[number] = both[0].shape, layout
                        arrays[number] = layout.of(both[0]), layout.of(both[1])
        return cls(arrays, frozenset(number for number in arrays if _place(number) in set(given)), read)

    def relations(self) -> Iterator[Relation]:
        """Each group of steps that hang together and that is no plain sum of what is given."""
        shapes: dict[tuple[int, ...], list[int]] = {}
        for place, (one, _) in self.arrays.items():
            if place not in self.given:
                shapes.setdefault(one.shape, []).append(place)
        for shape, places in shapes.items():
            if len(_by_place(places)) > 1:
                for by in KINDS:
                    yield from self._related(by, shape, places)

    def _related(self, by: str, shape: tuple[int, ...], places: Sequence[int]) -> Iterator[Relation]:
        rows = self._rows(shape)
        columns = {place: self._column(by, place, shape, rows) for place in (*self._fitting(shape), *places)}
        known = {place: numbers for place, numbers in columns.items() if numbers is not None}
        basis = ColumnBasis(self._near(known), 2 * len(rows))
        basis.sum_for(_ONE, self._column(by, _ONE, shape, rows))
        made: dict[int, dict[int, float]] = {}
        for ways in _by_place(known).values():
            if len(basis.columns) + _SPARE_ROWS > basis.length:
                break
            tried = ((one, basis.sum_for(one, known[one], adds=False)) for one in ways)
            number, parts = next(((one, parts) for one, parts in tried if parts is not None), (ways[0], None))
            if parts is None:
                for one in ways:
                    basis.sum_for(one, known[one])
            elif parts and number not in self.given:
                sizes = {one: abs(part) * _most(known.get(one)) for one, part in parts.items()}
                least = _COUNTS * _most(known[number])
                made[number] = {one: parts[one] for one, size in sizes.items() if size > least}
        yield from self._groups(by, made)

    def _groups(self, by: str, made: Mapping[int, Mapping[int, float]]) -> Iterator[Relation]:
        """The steps that are made of each other, without those that are made of what is given alone."""
        groups: list[set[int]] = []
        for number, parts in made.items():
            own = {_place(one) for one in set(parts) - self.given - {_ONE}}
            if own:
                group = {_place(number), *own}.union(*(one for one in groups if one & own))
                groups = [*(one for one in groups if not one & own), group]
        for group in groups:
            follow = {number: made[number] for number in sorted(made, key=_place) if _place(number) in group}
            yield Relation(by, tuple(sorted(group - set(map(_place, follow)))), follow)

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

        found = {number: self.read[number][1].of(free[_place(number)]) for number in self._numbers(free)}
        for number, parts in relation.made.items():
            shape = self.arrays[number][0].shape
            made, sign = np.full(shape, parts.get(_ONE, 0.0)), np.ones(shape)
            for one in set(parts) - {_ONE}:
                mine = _broadcast(found.get(one, self.arrays[one][0]), shape).astype("float64")
                made = made + parts[one] * (mine if relation.by == "sums" else np.log(np.abs(mine)))
                sign = sign * (np.sign(mine) if round(parts[one]) % 2 else 1)
            found[number] = made if relation.by == "sums" else np.exp(made) * sign
        return {_place(number): self._as_it_was(number, found[number]) for number in (*free, *relation.made)}

    def _numbers(self, places: Mapping[int, Any]) -> list[int]:
        return [number for number in self.arrays if _place(number) in places]

    def _as_it_was(self, number: int, array: Any) -> Any:
        shape, layout = self.read[number]
        return layout.back(array, shape)


def _place(number: int) -> int:
    """The step of a number that stands for it with a layout."""
    return number % _NUMBERS_APART if number >= 0 else number


def _by_place(numbers: Iterable[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for number in numbers:
        found.setdefault(_place(number), []).append(number)
    return found


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
