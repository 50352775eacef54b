"""The lengths of an axis that an answer may tell from others by its numbers.

Where sizes and written numbers make 0, or less than 0, something may happen that happens nowhere else: `h - 4` is
0 for one length alone. An answer with sizes that always stay above 0 has no such length.
"""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import isfinite

from studykit.graders.rewrite.flow import Flow, FlowStep

_MOST_LENGTH = 4096
_MOST_LENGTHS = 48  # that are tried
_MOST_TURNS = 32  # of one number: one that is 0 everywhere tells nothing apart
_LEAST = 3  # shorter axes are drawn
_TENSORS = {"call", "argument", "rest"}
_SIGNS: dict[object, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "**": operator.pow,
}

Number = float | None  # None where it cannot be computed


def special_lengths(flow: Flow, sizes: frozenset[int]) -> list[int]:
    """The lengths, those of shorter axes that make them together with axes of size 2 among them.

    `sizes` are the arguments that are sizes.
    """
    found = {*_written(flow), *_turns(flow, sizes)}
    shorter = {length // part for length in found for part in (1, 2, 4) if length % part == 0}
    return sorted(length for length in shorter if 0 < length <= _MOST_LENGTH)[:_MOST_LENGTHS]


def _written(flow: Flow) -> Iterator[int]:
    """The numbers that stand at a sign, and those beside them."""
    for step in flow.steps:
        for place in step.takes if step.kind == "sign" else ():
            number = flow.steps[place].detail if flow.steps[place].kind == "constant" else None
            if isinstance(number, int | float) and _LEAST <= number <= _MOST_LENGTH:
                yield from (int(number) - 1, int(number), int(number) + 1)


def _turns(flow: Flow, sizes: frozenset[int]) -> Iterator[int]:
    """Where a number of the answer is 0 or changes its sign, if all sizes have one length."""
    lengths = _free(flow, sizes)
    if not any(flow.steps[place].detail == "-" or flow.steps[place].kind == "minus" for place in lengths):
        return
    rows = [_numbers(flow.steps, lengths, length) for length in range(1, _MOST_LENGTH + 1)]
    for place in (place for place in lengths if flow.steps[place].kind == "sign"):
        signs = [_sign(row[place]) for row in rows]
        turns = [
            one
            for length, (before, after) in enumerate(pairwise(signs), start=1)
            if before != after
            for one in (length, length + 1)
        ]
        if len(turns) <= _MOST_TURNS * 2:
            yield from turns


def _free(flow: Flow, sizes: frozenset[int]) -> list[int]:
    """The steps that are numbers: sizes, written numbers, and what signs make of them."""
    found: list[int] = []
    known: set[int] = set()
    for place, step in enumerate(flow.steps):
        size = step.kind == "argument" and step.detail in sizes
        part = step.kind in {"item", "part"} and flow.steps[step.takes[0]].kind not in _TENSORS
        written = step.kind == "constant" and isinstance(step.detail, int | float)
        made = step.kind in {"sign", "minus", "plus"} and known.issuperset(step.takes)
        if size or part or written or made:
            known.add(place)
            found.append(place)
    return found


def _numbers(steps: Sequence[FlowStep], places: Sequence[int], length: int) -> Mapping[int, Number]:
    """The numbers where all sizes have this length; as floats, which do not grow without end."""
    found: dict[int, Number] = {}
    for place in places:
        step = steps[place]
        if step.kind == "constant" and isinstance(step.detail, int | float):
            found[place] = float(step.detail)
        elif step.kind in {"sign", "minus", "plus"}:
            found[place] = _made(step, [found[one] for one in step.takes])
        else:
            found[place] = float(length)
    return found


def _made(step: FlowStep, values: Sequence[Number]) -> Number:
    numbers = [value for value in values if value is not None]
    if len(numbers) < len(values):
        return None
    if step.kind != "sign":
        return -numbers[0] if step.kind == "minus" else numbers[0]
    try:
        made = _SIGNS[step.detail](*numbers)
    except ArithmeticError:
        return None
    return made if isinstance(made, float) and isfinite(made) else None  # a root may be complex


def _sign(number: Number) -> int | None:
    """-1, 0 or 1; None for what is no number."""
    return None if number is None else (number > 0) - (number < 0)
