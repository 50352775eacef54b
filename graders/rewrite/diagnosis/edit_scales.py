"""Edits of what an answer scales: softmax over the wrong axis, a root forgotten, an epsilon left out."""

import ast
import re
from collections.abc import Iterator

from studykit.graders.rewrite.diagnosis.syntax_tree import (
    Change,
    Edit,
    Sheet,
    callee,
    constant,
    expression,
    joined,
    pattern_of,
    shown,
    tokens,
)

_ROOTS = ("sqrt", "rsqrt")


def _softmax_axes(sheet: Sheet) -> Iterator[Edit]:
    for call in sheet.calls("softmax"):
        if not call.args:
            continue
        axes = sheet.axes(call.args[0])
        now = _dimension(call)
        count = len(axes) or 4
        for other in range(-1, -count - 1, -1):
            if now is None or other == now or other == now - count:
                continue
            said = f"softmax runs over {_axis(axes, now)} instead of {_axis(axes, other)}"
            yield sheet.edit(call, said, _over(other))


def _over(dimension: int) -> Change:
    given = [ast.keyword("dim", expression(str(dimension)))]
    return lambda node: ast.Call(node.func, node.args[:1], given)


def _dimension(call: ast.Call) -> int | None:
    given = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "dim")]
    try:
        found = ast.literal_eval(given[0]) if given else -1
    except ValueError:
        return None
    return found if isinstance(found, int) else None


def _axis(axes: list[str], place: int) -> str:
    known = axes and -len(axes) <= place < len(axes)
    return f"the axis {axes[place]}" if known else f"dimension {place}"


def _roots(sheet: Sheet) -> list[tuple[ast.Call, str, str]]:
    """For each axis that an einsum sums over: the call, `q.shape[3] ** 0.5`, and the axis."""
    found = []
    for call in sheet.calls("einsum"):
        _, text = pattern_of(call) or (None, "")
        left, _, right = text.partition("->")
        for operand, given in zip(call.args, left.split(","), strict=False):
            for place, axis in enumerate(tokens(given)):
                if axis not in tokens(right) and isinstance(operand, ast.Name):
                    found.append((call, f"{operand.id}.shape[{place}] ** 0.5", axis))
    return found


def _scales(sheet: Sheet) -> Iterator[Edit]:
    roots = _roots(sheet)
    for node in sheet.nodes:
        match node:
            case ast.BinOp(op=(ast.Div() | ast.Mult()) as sign, right=right) if _is_scale(sheet.origin(right)):
                mine = f"`{'*' if isinstance(sign, ast.Mult) else '/'} {ast.unparse(right)}`"
                for _, text, axis in roots:
                    said = f"{mine} stands where `/ sqrt({axis})` is wanted"
                    yield sheet.edit(node, said, _rescaled(text))
    whose = "the scores are" if next(sheet.calls("softmax"), None) else "the product is"
    for call, text, axis in roots:
        yield sheet.edit(call, f"{whose} not divided by sqrt({axis})", joined(ast.Div, text))


def _rescaled(text: str) -> Change:
    return lambda node: ast.BinOp(node.left, ast.Div(), expression(text))


def _masks(sheet: Sheet) -> Iterator[Edit]:
    """An input that the answer never uses, to be added to the scores."""
    used = {node.id for node in sheet.nodes if isinstance(node, ast.Name)}
    for name in [name for name in sheet.tensors() if name not in used]:
        for call in sheet.calls("softmax"):
            if call.args:
                yield sheet.edit(call.args[0], f"`{name}` is not added to the scores", joined(ast.Add, name))


def _is_scale(node: ast.expr) -> bool:
    """A size, a root of one, or a number."""
    inner = list(ast.walk(node))
    calls = [n for n in inner if isinstance(n, ast.Call) and callee(n) not in _ROOTS]
    sized = any(isinstance(n, ast.Attribute) and n.attr == "shape" for n in inner)
    return not calls and (sized or any(isinstance(n, ast.Pow) for n in inner) or isinstance(node, ast.Constant))


def _late_masks(sheet: Sheet) -> Iterator[Edit]:
    """`softmax(a) + m` for `softmax(a + m)`."""
    for node in sheet.nodes:
        match node:
            case ast.BinOp(left=ast.Call(args=[_, *_]) as call, op=ast.Add(), right=ast.Name(id=mask)):
                if callee(call) == "softmax":
                    yield sheet.edit(node, f"`{mask}` is added after softmax instead of before", _before(mask))


def _before(mask: str) -> Change:
    def change(node: ast.BinOp) -> ast.expr:
        call = node.left
        if not isinstance(call, ast.Call):
            return node
        inner = ast.BinOp(call.args[0], ast.Add(), ast.Name(mask))
        return ast.Call(call.func, [inner, *call.args[1:]], call.keywords)

    return change


def _small_numbers(sheet: Sheet) -> Iterator[Edit]:
    """An epsilon under a root."""
    for text in dict.fromkeys(re.findall(r"\b\d+e-\d+", sheet.exercise.code)):
        for call in sheet.calls("reduce"):
            yield sheet.edit(call, f"{text} is not added to {shown(call)}", joined(ast.Add, text))


def _powers(sheet: Sheet) -> Iterator[Edit]:
    for node in sheet.nodes:
        match node:
            case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=float(power)) as exponent):
                said = f"the power {power} stands where {-power} is wanted"
                yield sheet.edit(exponent, said, constant(-power))


KINDS = (_softmax_axes, _scales, _masks, _late_masks, _small_numbers, _powers)
"""The kinds of edits, the likely ones first."""
