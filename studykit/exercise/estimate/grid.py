"""The grid of an exercise: what each parameter may be, in the order in which they are drawn."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from studykit.exercise.estimate.values import Value, Values, plain

Choices = Sequence[Value] | Callable[[Values], Sequence[Value]]
"""What a parameter may be, or how that follows from the parameters before it."""

Grid = Mapping[str, Choices]

MAX_COMBINATIONS = 500  # combinations that are looked at where one choice follows from another


def draw_values(grid: Grid, draw: Callable[[], float], pinned: Mapping[str, Value]) -> dict[str, Value]:
    """Draw parameters with numbers from 0 to 1. Pinned ones stay, and those outside the grid are added."""
    known: dict[str, Value] = {}
    for name in grid:
        if name in pinned:
            known[name] = pinned[name]
            continue
        options = options_of(grid, name, known)
        # random() alone is promised to stay the same in every version of Python
        known[name] = options[int(draw() * len(options))]
    known.update((name, value) for name, value in pinned.items() if name not in grid)
    return known


def options_of(grid: Grid, name: str, known: Mapping[str, Value]) -> Sequence[Value]:
    """Return what a parameter may be, given those before it."""
    choices = grid[name]
    return choices(Values(dict(known))) if callable(choices) else choices


def choices_of(grid: Grid, name: str) -> Sequence[Value]:
    """Return what a parameter is drawn from. If that follows from others, for its first combinations."""
    choices = grid[name]
    if callable(choices):
        return list(dict.fromkeys(known[name] for known in islice(combinations(grid), MAX_COMBINATIONS)))
    return choices


def combinations(grid: Grid, known: Mapping[str, Value] | None = None) -> Iterator[dict[str, Value]]:
    """Yield every set of parameters, in the grid's order, with the `known` ones fixed."""
    known = known or {}
    name = next((name for name in grid if name not in known), None)
    if name is None:
        yield dict(known)
        return
    for option in options_of(grid, name, known):
        yield from combinations(grid, {**known, name: option})


def parameters(exercise: object) -> dict[str, tuple[str, ...]]:
    """Map each parameter to the values that it is drawn from, each as one word, such as `H100-SXM`."""
    grid: Grid | None = getattr(exercise, "grid", None)
    if grid is None:
        by_device: Mapping[str, Mapping[str, Sequence[Value]]] = getattr(exercise, "sizes", {})
        names = dict.fromkeys(name for sizes in by_device.values() for name in sizes)
        return {name: _words(v for sizes in by_device.values() for v in sizes.get(name, ())) for name in names}
    return {name: _words(choices_of(grid, name)) for name in grid if not name.startswith("_")}


def _words(values: Iterable[Value]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(_word, values)))


def _word(value: Value) -> str:
    short = next(iter(getattr(value, "also", ())), "")
    return short or str(plain(value)).replace(" ", "-")
