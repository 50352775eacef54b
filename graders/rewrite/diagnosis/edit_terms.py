"""Edits of an answer's terms: a sign, a function, an order, a term too few or too many."""

import ast
from collections.abc import Iterator
from itertools import combinations, permutations

from studykit.graders.rewrite.diagnosis.syntax_tree import (
    Change,
    Edit,
    Sheet,
    around,
    callee,
    constant,
    expression,
    joined,
    name,
    operator,
    pattern_of,
    shown,
    tokens,
)

_OPPOSITE: dict[type[ast.operator], tuple[type[ast.operator], str, str]] = {
    ast.Add: (ast.Sub, "+", "-"),
    ast.Sub: (ast.Add, "-", "+"),
    ast.Mult: (ast.Div, "*", "/"),
    ast.Div: (ast.Mult, "/", "*"),
}
_ROOTS = {"sqrt": "rsqrt", "rsqrt": "sqrt"}
_MOST_PARTS = 3


def _signs(sheet: Sheet) -> Iterator[Edit]:
    for node in sheet.nodes:
        if not isinstance(node, ast.BinOp) or type(node.op) not in _OPPOSITE or _is_size(node):
            continue
        other, mine, right = _OPPOSITE[type(node.op)]
        said = f"`{mine}` stands where `{right}` is wanted in {shown(node)}"
        yield sheet.edit(node, said, operator(other))


def _is_size(node: ast.expr) -> bool:
    return not any(isinstance(n, ast.Call) for n in ast.walk(node)) and ".shape" in ast.unparse(node)


def _functions(sheet: Sheet) -> Iterator[Edit]:
    """A helper exchanged, left out, or put in where none was wanted."""
    helpers = sheet.exercise.helpers
    called = {callee(call) for call in sheet.calls(*helpers)}
    for call in sheet.calls(*helpers):
        other = _ROOTS.get(callee(call), "")
        if other in helpers:
            said = f"`{callee(call)}` stands where `{other}` is wanted"
            yield sheet.edit(call.func, said, name(other))
    for helper in helpers:
        for node in _inner_results(sheet) if helper not in called or helper in _ROOTS else ():
            yield sheet.edit(node, f"`{helper}` is missing around {shown(node)}", around(helper))
    for call in sheet.calls(*helpers):
        if call.args:
            said = f"`{callee(call)}` around {shown(call.args[0])} is too much"
            yield sheet.edit(call, said, lambda n: n.args[0])


def _inner_results(sheet: Sheet) -> Iterator[ast.expr]:
    """What a function may be put around: calls of einops, and names that stand for their results."""
    yield from sheet.calls("einsum", "reduce")
    for node in sheet.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in sheet.assigned:
            yield node


def _unpacked(sheet: Sheet) -> Iterator[Edit]:
    """`k, q, v = ...` for `q, k, v = ...`."""
    for node in sheet.nodes:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Call()) if 1 < len(parts) <= _MOST_PARTS:
                names = [ast.unparse(part) for part in parts]
                for order in list(permutations(range(len(parts))))[1:]:
                    right = [names[place] for place in order]
                    said = f"the parts come as {', '.join(right)}, not as {', '.join(names)}"
                    yield sheet.edit(node, said, _renamed(right))


def _renamed(names: list[str]) -> Change:
    def change(node: ast.Assign) -> ast.Assign:
        targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
        return ast.Assign([ast.Tuple(targets, ast.Store())], node.value)

    return change


def _lists(sheet: Sheet) -> Iterator[Edit]:
    for node in sheet.nodes:
        if not isinstance(node, ast.List | ast.Tuple) or not isinstance(node.ctx, ast.Load):
            continue
        for one, other in combinations(range(len(node.elts)), 2):
            said = f"{shown(node.elts[one])} and {shown(node.elts[other])} are in the wrong order"
            yield sheet.edit(node, said, _reordered(one, other))


def _reordered(one: int, other: int) -> Change:
    def change(node: ast.List) -> ast.List:
        parts = list(node.elts)
        parts[one], parts[other] = parts[other], parts[one]
        return ast.List(parts, ast.Load())

    return change


def _elements(sheet: Sheet) -> Iterator[Edit]:
    """`[0]` for `[1]` of what a call gives."""
    for node in sheet.nodes:
        match node:
            case ast.Subscript(value=ast.Call() | ast.Name(), slice=ast.Constant(value=int(place)) as index):
                other = 0 if place else 1
                yield sheet.edit(index, f"element [{place}] is taken instead of [{other}]", constant(other))


def _result(sheet: Sheet) -> Iterator[Edit]:
    """An input that was to be added or multiplied at the end."""
    for node in sheet.nodes:
        if isinstance(node, ast.Return) and node.value is not None:
            for given in sheet.tensors():
                yield sheet.edit(node.value, f"`{given}` is not added", joined(ast.Add, given))
                yield sheet.edit(node.value, f"`{given}` is not there as a factor", joined(ast.Mult, given))


def _terms(sheet: Sheet) -> Iterator[Edit]:
    """One side of an operator too much."""
    for node in sheet.nodes:
        if isinstance(node, ast.BinOp) and type(node.op) in _OPPOSITE and not _is_size(node):
            sign = _OPPOSITE[type(node.op)][1]
            yield sheet.edit(node, f"`{sign} {shown(node.right)[1:]} is too much", lambda n: n.left)
            if isinstance(node.op, ast.Add | ast.Mult):
                yield sheet.edit(node, f"{shown(node.left)[:-1]} {sign}` is too much", lambda n: n.right)


def _exchanged_inputs(sheet: Sheet) -> Iterator[Edit]:
    for one, other in combinations(sheet.tensors(), 2):
        uses = [n for n in sheet.nodes if isinstance(n, ast.Name) and n.id in {one, other}]
        changes = tuple((sheet.number[id(n)], name(other if n.id == one else one)) for n in uses)
        if uses:
            yield Edit(uses[0].lineno, f"`{one}` and `{other}` change places, here and below", changes)


def _means(sheet: Sheet) -> Iterator[Edit]:
    """The mean that was to be subtracted first."""
    for call in sheet.calls("reduce"):
        _, text = pattern_of(call) or (None, "")
        for given, axes in sheet.tensors().items():
            uses = [n for n in sheet.nodes if isinstance(n, ast.Name) and n.id == given]
            if uses and len(axes.split()) == len(tokens(text.partition("->")[0])):
                new = f"({given} - reduce({given}, {text!r}, 'mean'))"
                changes = tuple((sheet.number[id(n)], _instead(new)) for n in uses)
                yield Edit(uses[0].lineno, f"the mean of `{given}` is not subtracted first", changes)


def _later_means(sheet: Sheet) -> Iterator[Edit]:
    """The same of what a line gave."""
    patterns = dict.fromkeys(given[1] for call in sheet.calls("reduce") if (given := pattern_of(call)))
    for node in sheet.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            for text in patterns:
                said = f"the mean of `{node.targets[0].id}` is not subtracted"
                yield sheet.edit(node.value, said, _centred(text))


def _centred(text: str) -> Change:
    return lambda node: expression(f"({ast.unparse(node)}) - reduce({ast.unparse(node)}, {text!r}, 'mean')")


def _instead(text: str) -> Change:
    return lambda _: expression(text)


def _names(sheet: Sheet) -> Iterator[Edit]:
    """One name for another, in one place."""
    known = [*sheet.tensors(), *sheet.assigned]
    for node in sheet.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in known:
            for other in known:
                if other != node.id:
                    said = f"`{node.id}` stands where `{other}` is wanted"
                    yield sheet.edit(node, said, name(other), likely=False)


KINDS = (
    _signs,
    _functions,
    _unpacked,
    _lists,
    _elements,
    _result,
    _terms,
    _exchanged_inputs,
    _means,
    _later_means,
    _names,
)
"""The kinds of edits, the likely ones first."""
