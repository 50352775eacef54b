"""Draw parameters from an exercise's grid, which lists the options of each in drawing order."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from studykit.exercise.estimate.values import Value, Values

Choices = Sequence[Value] | Callable[[Values], Sequence[Value]]
"""What a parameter may be, or how that follows from the parameters before it."""

Grid = Mapping[str, Choices]

MAX_COMBINATIONS = 500  # combinations that are looked at where one choice follows from another


def draw_values(grid: Grid, draw: Callable[[], float], pinned: Mapping[str, Value]) -> dict[str, Value]:
    """Draw every parameter of a grid that is not pinned by `draw`, which returns random numbers from 0 to 1."""
    values: dict[str, Value] = {}
    for name in grid:
        if name in pinned:
            values[name] = pinned[name]
            continue
        options = options_of(grid, name, values)
        # random() alone is promised to stay the same in every version of Python
        values[name] = options[int(draw() * len(options))]
    values.update((name, value) for name, value in pinned.items() if name not in grid)
    return values


def options_of(grid: Grid, name: str, values: Mapping[str, Value]) -> Sequence[Value]:
    """Return a parameter's options, given the parameters before it."""
    choices = grid[name]
    return choices(Values(dict(values))) if callable(choices) else choices


def choices_of(grid: Grid, name: str) -> Sequence[Value]:
    """Return a parameter's options. If they depend on others, collect those of the first combinations."""
    choices = grid[name]
    if callable(choices):
        return list(dict.fromkeys(each[name] for each in islice(combinations(grid), MAX_COMBINATIONS)))
    return choices


def combinations(grid: Grid, fixed: Mapping[str, Value] | None = None) -> Iterator[dict[str, Value]]:
    """Yield every combination of parameters in grid order, with the `fixed` ones unchanged."""
    fixed = fixed or {}
    name = next((name for name in grid if name not in fixed), None)
    if name is None:
        yield dict(fixed)
        return
    for option in options_of(grid, name, fixed):
        yield from combinations(grid, {**fixed, name: option})
