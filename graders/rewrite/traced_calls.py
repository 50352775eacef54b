"""Which torch functions an answer called as it ran, as its child says: a stranger's data, for hints alone."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from studykit.exercise.rewrite import pattern
from studykit.exercise.rewrite.pattern import Axis
from studykit.graders.rewrite.whitelist import Offence

_MOST_CALLS, _MOST_SHAPES, _MOST_DIMENSIONS = 48, 3, 12
_MOST_LENGTH = 1 << 31
_MOST_TOLD = 3
_ATTRIBUTE = "attribute"  # in the place of a name that learners do not write
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}(\.[A-Za-z0-9_]{1,31})?")
_SIGNS = {
    "mul": "*",
    "add": "+",
    "sub": "-",
    "div": "/",
    "pow": "**",
    "matmul": "@",
    "rsub": "-",
    "true_divide": "/",
}
_REDUCTIONS = {"softmax", "mean", "sum", "amax", "amin", "max", "min", "prod", "var", "std", "norm"}
_HARMLESS = {"size", "dim", "numel", "stride", "is_contiguous", "_softmax", "unbind", "neg", *_SIGNS}


@dataclass(frozen=True, slots=True)
class Call:
    """One function of torch, called by a line of the answer."""

    line: int
    name: str
    shapes: tuple[tuple[int, ...], ...] = ()
    over: tuple[int, ...] = ()  # dimensions that it names


def read(told: object, lines: int) -> tuple[Call, ...]:
    """The calls of an answer of so many lines; none at all where one of them describes nothing that could be."""
    if not isinstance(told, list) or len(told) > _MOST_CALLS:
        return ()
    calls = tuple(call for one in told if (call := _call(one, lines)) is not None)
    return calls if len(calls) == len(told) else ()


def _call(told: object, lines: int) -> Call | None:
    if not isinstance(told, Mapping) or set(told) != {"line", "name", "shapes", "over"}:
        return None
    line, name, shapes, over = told["line"], told["name"], told["shapes"], told["over"]
    if not (type(line) is int and 0 < line <= lines and type(name) is str and type(shapes) is list):
        return None
    if name.startswith("__"):  # an attribute or an operator by its Python name
        name = _ATTRIBUTE
    fine = _NAME.fullmatch(name) and len(shapes) <= _MOST_SHAPES and _whole(over, -_MOST_DIMENSIONS)
    if not fine or not all(_whole(shape, 0) for shape in shapes):
        return None
    return Call(line, name, tuple(tuple(shape) for shape in shapes), tuple(over))


def _whole(told: object, least: int) -> bool:
    return (
        isinstance(told, list)
        and len(told) <= _MOST_DIMENSIONS
        and all(type(n) is int and least <= n < _MOST_LENGTH for n in told)
    )


def hidden_calls(calls: Sequence[Call], offences: Sequence[Offence], allowed: Sequence[str]) -> str:
    """Calls that a broken rule did not show yet: those behind `getattr`, an `eval` or a helper."""
    said = " ".join(offence.what for offence in offences)
    lines: dict[str, None] = {}
    for call in calls:
        name = call.name.partition(".")[0]
        if name not in {*_HARMLESS, *allowed, _ATTRIBUTE} and not re.search(rf"\b{name}\b", said):
            lines[f"line {call.line} called `{name}`"] = None
    shown = list(lines)[:_MOST_TOLD]
    return f"As it ran, {', '.join(shown)}." if shown else ""


def shapes_met(calls: Sequence[Call], line: int, sizes: Mapping[Axis, int]) -> str:
    """The shapes that the last call met before it raised, with the names of their axes."""
    if not calls or calls[-1].line != line or not calls[-1].shapes or calls[-1].name == _ATTRIBUTE:
        return ""
    call = calls[-1]
    if call.name in _SIGNS and len(set(call.shapes)) < len(call.shapes):
        return ""  # equal shapes: something else raised
    name = _SIGNS.get(call.name, call.name.partition(".")[0])
    shapes = [
        f"{shape}, which is {' '.join(pattern.named(shape, sizes)) or 'one number'}" for shape in call.shapes
    ]
    return f"There `{name}` met {', and '.join(shapes)}."


def reduced_axes(calls: Sequence[Call], sizes: Mapping[Axis, int]) -> str:
    """The axes that reductions went over."""
    sentences = []
    for call in calls:
        shape = call.shapes[0] if call.shapes else ()
        usual = call.name == "softmax" and call.over in {(-1,), (len(shape) - 1,)}
        if (
            call.name in _REDUCTIONS
            and call.over
            and not usual
            and all(-len(shape) <= n < len(shape) for n in call.over)
        ):
            names = pattern.named(shape, sizes)
            over = " and ".join(names[n] for n in call.over)
            if "?" not in over:
                sentences.append(f"{call.name} on line {call.line} ran over {over}")
    return f"As it ran, {', '.join(sentences[:_MOST_TOLD])}." if sentences else ""
