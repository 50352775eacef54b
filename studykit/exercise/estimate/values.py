"""Draw the parameters of a variant from a grid, hold its values, and format them in its texts."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from studykit.quantity import formatting
from studykit.quantity.units import target_unit

Value = int | float | str | object
"""A parameter: a number, a name, or a thing with a `name` such as a device."""


class Values:
    """Hold parameters, values computed from them, and the answer, as attributes for formulas."""

    __slots__ = ("known",)

    def __init__(self, known: dict[str, Value]) -> None:
        self.known = known

    def __getattr__(self, name: str) -> Any:
        try:
            return self.known[name]
        except KeyError:
            raise AttributeError(name) from None

    def __getitem__(self, name: str) -> "_Formatted":
        """Return a value that formats itself, for `str.format_map`."""
        return _Formatted(self.known[name])


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


def plain(value: Value) -> int | float | str:
    """Return a parameter as JSON holds it: a number or a name."""
    if isinstance(value, int | float | str):
        return value
    return str(getattr(value, "name", value))


class _Formatted:
    """Format a value as the letters after a field's colon say: `{N:si}`."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __getattr__(self, name: str) -> "_Formatted":
        return _Formatted(getattr(self.value, name))

    def __format__(self, how: str) -> str:
        value = self.value
        if (write := _FORMATS.get(how)) is not None:
            return write(value)
        if how:
            return formatting.show_amount(value, target_unit(how))
        return formatting.digits(value, 5) if isinstance(value, float) else str(value)


_FORMATS: dict[str, Callable[[float], str]] = {
    "si": formatting.count,
    "n": formatting.grouped,
    "e": formatting.scientific,
    "time": formatting.seconds,
}


_NOUNS = (
    "bit|byte|cache|column|day|device|draft|element|expert|FLOP|GPU|head|hour|id|input|key|layer|logit|number|"
    "operation|output|parameter|point|product|round|row|score|sequence|stage|step|tensor|term|token|vector|week|weight"
)
_PLURAL = re.compile(rf"({{[\w.]+(?::n|:si)?}})(?: [\w-]+)? (?:{_NOUNS})s\b")


def fill_in(text: str, values: Values) -> str:
    """Replace the braces in a text by formatted values. "{L} layers" becomes "1 layer" where L is 1."""
    filled = text.format_map(values) if "{" in text else text
    if filled == text or "1 " not in filled:
        return filled
    return _PLURAL.sub(partial(_in_number, values), text).format_map(values)


def _in_number(values: Values, noun: re.Match[str]) -> str:
    """Return a field and its plural noun, without the "s" where the field is 1."""
    return noun[0].removesuffix("s") if noun[1].format_map(values) == "1" else noun[0]
