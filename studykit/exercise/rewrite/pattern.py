"""Parse einops patterns, and compute which element of the input lands where in the output."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations, product

Axis = str
Group = tuple[Axis, ...]
Side = tuple[Group, ...]

_TOKEN = re.compile(r"\(|\)|[A-Za-z]\w*|1")
_SIDE = re.compile(r"[\w\s()]*")


def side(text: str) -> Side:
    """Parse one side of a pattern. A composite is a group of several axes, and `1` an empty group."""
    if not _SIDE.fullmatch(text):
        raise ValueError(
            f"{text!r} is not a side of an einops pattern. Write names, 1 and parentheses, such as 'b (h w) 1'."
        )
    groups: list[Group] = []
    inside: list[Axis] | None = None
    for word in _TOKEN.findall(text):
        if word == "(":
            inside = []
        elif word == ")":
            groups.append(tuple(inside or ()))
            inside = None
        elif inside is not None:
            inside += [] if word == "1" else [word]
        else:
            groups.append(() if word == "1" else (word,))
    return tuple(groups)


def side_text(groups: Side) -> str:
    """Format a side as einops writes it."""
    return " ".join("1" if not g else g[0] if len(g) == 1 else f"({' '.join(g)})" for g in groups)


def axes(groups: Side) -> Group:
    """List the elementary axes in order, slowest first."""
    return tuple(axis for group in groups for axis in group)


def shape(groups: Side, sizes: Mapping[Axis, int]) -> tuple[int, ...]:
    """Return the shape of a tensor with these groups."""
    return tuple(math.prod(sizes[axis] for axis in group) for group in groups)


def sources(left: Side, right: Side, sizes: Mapping[Axis, int]) -> tuple[list[int], list[int]]:
    """Return each output element's first input element, and the offsets of all that are reduced into it."""
    steps, step = {}, 1
    for axis in reversed(axes(left)):
        steps[axis] = step
        step *= sizes[axis]
    order = axes(right)
    reduced_axes = [axis for axis in axes(left) if axis not in order]
    return _offsets_of(order, steps, sizes), _offsets_of(reduced_axes, steps, sizes)


def _offsets_of(order: Iterable[Axis], steps: Mapping[Axis, int], sizes: Mapping[Axis, int]) -> list[int]:
    offsets = [0]
    for axis in order:
        step = steps.get(axis, 0)  # an axis that is only repeated stays where it is
        offsets = [offset + i * step for offset in offsets for i in range(sizes[axis])]
    return offsets


def reorderings(groups: Side) -> Iterator[Side]:
    """Yield the side with the axes inside composites in every order, starting with the side itself."""
    yield from product(*(permutations(group) for group in groups))
