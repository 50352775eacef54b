"""Edits of an answer's terms: a sign, a function, an order, a scale, an axis of softmax, a term too few."""

import ast
import re
from collections.abc import Iterator
from itertools import combinations, permutations

from studykit.graders.rewrite.answer_text import callee
from studykit.graders.rewrite.diagnosis.syntax_tree import (
    HELPERS,
    Change,
    Edit,
    SyntaxTree,
    around,
    constant,
    expression,
    joined,
    name,
    operator,
    pattern_of,
    quoted_code,
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


def _signs(tree: SyntaxTree) -> Iterator[Edit]:
    for node in tree.nodes:
        if not isinstance(node, ast.BinOp) or type(node.op) not in _OPPOSITE or _is_size(node):
            continue
        other, mine, right = _OPPOSITE[type(node.op)]
        clause = f"`{mine}` should be `{right}` in {quoted_code(node)}"
        yield tree.edit(node, clause, operator(other))


def _sums_of_sizes(tree: SyntaxTree) -> Iterator[Edit]:
    """Sizes that are added up where the number of elements is meant."""
    for node in tree.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _is_size(node):
            yield tree.edit(node, f"`+` should be `*` in {quoted_code(node)}", operator(ast.Mult))


def _is_size(node: ast.expr) -> bool:
    return not any(isinstance(n, ast.Call) for n in ast.walk(node)) and ".shape" in ast.unparse(node)


def _functions(tree: SyntaxTree) -> Iterator[Edit]:
    """A helper exchanged, left out, or put in where none was wanted."""
    helpers = tree.exercise.helpers
    called = {callee(call) for call in tree.calls(*helpers)}
    for call in tree.calls(*helpers):
        other = _ROOTS.get(callee(call), "")
        if other in helpers:
            clause = f"`{callee(call)}` should be `{other}`"
            yield tree.edit(call.func, clause, name(other))
    for helper in helpers:
        for node in _inner_results(tree) if helper not in called or helper in _ROOTS else ():
            yield tree.edit(node, f"`{helper}` is missing around {quoted_code(node)}", around(helper))
    for call in tree.calls(*HELPERS):
        if call.args:
            clause = f"`{callee(call)}` around {quoted_code(call.args[0])} is too much"
            yield tree.edit(call, clause, lambda n: n.args[0])


def _inner_results(tree: SyntaxTree) -> Iterator[ast.expr]:
    """What a function may be put around: calls of einops, and names that stand for their results."""
    yield from tree.calls("einsum", "reduce")
    for node in tree.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in tree.assigned:
            yield node


def _unpacked(tree: SyntaxTree) -> Iterator[Edit]:
    """`k, q, v = ...` for `q, k, v = ...`."""
    for node in tree.nodes:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Call()) if 1 < len(parts) <= _MOST_PARTS:
                names = [ast.unparse(part) for part in parts]
                for order in list(permutations(range(len(parts))))[1:]:
                    right = [names[place] for place in order]
                    clause = f"the parts come as {', '.join(right)}, not as {', '.join(names)}"
                    yield tree.edit(node, clause, _renamed(right))


def _renamed(names: list[str]) -> Change:
    def change(node: ast.Assign) -> ast.Assign:
        targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
        return ast.Assign([ast.Tuple(targets, ast.Store())], node.value)

    return change


def _lists(tree: SyntaxTree) -> Iterator[Edit]:
    for node in tree.nodes:
        if not isinstance(node, ast.List | ast.Tuple) or not isinstance(node.ctx, ast.Load):
            continue
        for one, other in combinations(range(len(node.elts)), 2):
            clause = f"{quoted_code(node.elts[one])} and {quoted_code(node.elts[other])} are in the wrong order"
            yield tree.edit(node, clause, _reordered(one, other))


def _reordered(one: int, other: int) -> Change:
    def change(node: ast.List) -> ast.List:
        parts = list(node.elts)
        parts[one], parts[other] = parts[other], parts[one]
        return ast.List(parts, ast.Load())

    return change


def _elements(tree: SyntaxTree) -> Iterator[Edit]:
    """`[0]` for `[1]` of what a call gives."""
    for node in tree.nodes:
        match node:
            case ast.Subscript(value=ast.Call() | ast.Name(), slice=ast.Constant(value=int(place)) as index):
                other = 0 if place else 1
                yield tree.edit(index, f"element [{place}] is taken instead of [{other}]", constant(other))


def _result(tree: SyntaxTree) -> Iterator[Edit]:
    """An input that was to be added or multiplied at the end."""
    for node in tree.nodes:
        if isinstance(node, ast.Return) and node.value is not None:
            for given in tree.tensors():
                yield tree.edit(node.value, f"`{given}` is not added", joined(ast.Add, given))
                yield tree.edit(node.value, f"the factor `{given}` is missing", joined(ast.Mult, given))


def _terms(tree: SyntaxTree) -> Iterator[Edit]:
    """One side of an operator too much."""
    for node in tree.nodes:
        if isinstance(node, ast.BinOp) and type(node.op) in _OPPOSITE and not _is_size(node):
            sign = _OPPOSITE[type(node.op)][1]
            right = quoted_code(ast.BinOp(ast.Name("_"), node.op, node.right))  # with its parentheses
            yield tree.edit(node, f"`{right[len('`_ ') :]} is too much", lambda n: n.left)
            if isinstance(node.op, ast.Add | ast.Mult):
                yield tree.edit(node, f"{quoted_code(node.left)[:-1]} {sign}` is too much", lambda n: n.right)


def _exchanged_inputs(tree: SyntaxTree) -> Iterator[Edit]:
    for one, other in combinations(tree.tensors(), 2):
        uses = [n for n in tree.nodes if isinstance(n, ast.Name) and n.id in {one, other}]
        changes = tuple((tree.number[id(n)], name(other if n.id == one else one)) for n in uses)
        if uses:
            clause = f"`{one}` and `{other}` stand in each other's places"
            yield Edit(uses[0].lineno, clause, changes, likely=False)


def _means(tree: SyntaxTree) -> Iterator[Edit]:
    """The mean that was to be subtracted first."""
    shifted = set(_shifted(tree))
    for call in tree.calls("reduce"):
        _, text = pattern_of(call) or (None, "")
        for given, axes in tree.tensors().items():
            uses = [n for n in tree.nodes if isinstance(n, ast.Name) and n.id == given]
            if uses and given not in shifted and len(axes.split()) == len(tokens(text.partition("->")[0])):
                new = f"({given} - reduce({given}, {text!r}, 'mean'))"
                changes = tuple((tree.number[id(n)], _instead(new)) for n in uses)
                yield Edit(uses[0].lineno, f"the mean of `{given}` is not subtracted first", changes)


def _later_means(tree: SyntaxTree) -> Iterator[Edit]:
    """The same of what a line gave."""
    shifted = set(_shifted(tree))
    patterns = dict.fromkeys(given[1] for call in tree.calls("reduce") if (given := pattern_of(call)))
    for node in tree.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            target = node.targets[0].id
            for text in () if target in shifted or _shifts(node.value) else patterns:
                yield tree.edit(node.value, f"the mean of `{target}` is not subtracted", _centred(text))


def _shifted(tree: SyntaxTree) -> Iterator[str]:
    """The names from which something is subtracted already, or to which it is added."""
    for node in tree.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Name) and _shifts(node):
            yield node.left.id


def _shifts(node: ast.expr) -> bool:
    """Whether a value is a sum or difference whose right side is not a literal."""
    if not isinstance(node, ast.BinOp) or isinstance(node.right, ast.Constant):
        return False
    return isinstance(node.op, ast.Add | ast.Sub)


def _centred(text: str) -> Change:
    return lambda node: expression(f"({ast.unparse(node)}) - reduce({ast.unparse(node)}, {text!r}, 'mean')")


def _instead(text: str) -> Change:
    return lambda _: expression(text)


def _names(tree: SyntaxTree) -> Iterator[Edit]:
    """One name for another, in one place."""
    names = [*tree.tensors(), *tree.assigned]
    for node in tree.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            for other in names:
                if other != node.id:
                    clause = f"`{node.id}` should be `{other}`"
                    yield tree.edit(node, clause, name(other), likely=False)


def _softmax_axes(tree: SyntaxTree) -> Iterator[Edit]:
    for call in tree.calls("softmax"):
        if not call.args:
            continue
        axes = tree.axes(call.args[0])
        now = _dimension(call)
        count = len(axes) or 4
        for other in range(-1, -count - 1, -1):
            if now is None or other == now or other == now - count:
                continue
            clause = f"softmax runs over {_axis(axes, now)} instead of {_axis(axes, other)}"
            yield tree.edit(call, clause, _over(other))


def _over(dimension: int) -> Change:
    keywords = [ast.keyword("dim", expression(str(dimension)))]
    return lambda node: ast.Call(node.func, node.args[:1], keywords)


def _dimension(call: ast.Call) -> int | None:
    values = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "dim")]
    try:
        dimension = ast.literal_eval(values[0]) if values else -1
    except (ValueError, TypeError):  # no literal, or a set of lists
        return None
    return dimension if isinstance(dimension, int) else None


def _axis(axes: list[str], place: int) -> str:
    is_known = axes and -len(axes) <= place < len(axes)
    return f"the axis {axes[place]}" if is_known else f"dimension {place}"


_NAME = re.compile(r"[^\W\d]\w*")


def _roots(tree: SyntaxTree) -> list[tuple[ast.expr, str, str]]:
    """For each axis that an einsum sums over: the call, `q.shape[3] ** 0.5`, and the axis."""
    roots: list[tuple[ast.expr, str, str]] = []
    for call in tree.calls("einsum"):
        _, text = pattern_of(call) or (None, "")
        left, _, right = text.partition("->")
        right_names = set(_NAME.findall(right))
        for operand, names in zip(call.args, left.split(","), strict=False):
            groups = tokens(names)
            for place, group in enumerate(groups):
                at = place - len(groups) if "..." in groups[:place] else place
                name = _NAME.search(group)
                if name and name[0] not in right_names and isinstance(operand, ast.Name):
                    roots.append((call, f"{operand.id}.shape[{at}] ** 0.5", name[0]))
    for node in tree.nodes:  # not allowed, but other mistakes are explained all the same
        match node:
            case ast.BinOp(left=ast.Name() as given, op=ast.MatMult()) if axes := tree.axes(given):
                roots.append((node, f"{given.id}.shape[-1] ** 0.5", axes[-1]))
    return roots


def _scales(tree: SyntaxTree) -> Iterator[Edit]:
    roots = _roots(tree)
    for node in tree.nodes:
        match node:
            case ast.BinOp(op=(ast.Div() | ast.Mult()) as sign, right=right) if _is_scale(tree.origin(right)):
                mine = f"`{ast.unparse(ast.BinOp(ast.Name('_'), sign, right))[len('_ ') :]}`"
                for _, text, axis in roots:
                    clause = f"{mine} should be `/ sqrt({axis})`"
                    yield tree.edit(node, clause, _rescaled(text))
    whose = "the scores are" if next(tree.calls("softmax"), None) else "the product is"
    for call, text, axis in roots:
        yield tree.edit(call, f"{whose} not divided by sqrt({axis})", joined(ast.Div, text))


def _rescaled(text: str) -> Change:
    return lambda node: ast.BinOp(node.left, ast.Div(), expression(text))


def _masks(tree: SyntaxTree) -> Iterator[Edit]:
    """An input that the answer never uses, to be added to the scores."""
    used = {node.id for node in tree.nodes if isinstance(node, ast.Name)}
    for unused in [tensor for tensor in tree.tensors() if tensor not in used]:
        for call in tree.calls("softmax"):
            if call.args:
                yield tree.edit(call.args[0], f"`{unused}` is not added to the scores", joined(ast.Add, unused))


def _is_scale(node: ast.expr) -> bool:
    """A size, a root of one, or a number."""
    inner = list(ast.walk(node))
    calls = [n for n in inner if isinstance(n, ast.Call) and callee(n) not in _ROOTS]
    sized = any(isinstance(n, ast.Attribute) and n.attr == "shape" for n in inner)
    return not calls and (sized or any(isinstance(n, ast.Pow) for n in inner) or isinstance(node, ast.Constant))


def _late_masks(tree: SyntaxTree) -> Iterator[Edit]:
    """`softmax(a) + m` for `softmax(a + m)`."""
    for node in tree.nodes:
        match node:
            case ast.BinOp(left=ast.Call(args=[_, *_]) as call, op=ast.Add(), right=ast.Name(id=mask)):
                if callee(call) == "softmax":
                    yield tree.edit(node, f"`{mask}` is added after softmax instead of before", _before(mask))


def _before(mask: str) -> Change:
    def change(node: ast.BinOp) -> ast.expr:
        call = node.left
        if not isinstance(call, ast.Call):
            return node
        inner = ast.BinOp(call.args[0], ast.Add(), ast.Name(mask))
        return ast.Call(call.func, [inner, *call.args[1:]], call.keywords)

    return change


def _early_masks(tree: SyntaxTree) -> Iterator[Edit]:
    """`(a + m) / n` for `a / n + m`, `a + m` on a line of its own too."""
    for node in tree.nodes:
        match node:
            case ast.BinOp(left=left, op=ast.Div() | ast.Mult(), right=right) if _is_scale(tree.origin(right)):
                match tree.origin(left):
                    case ast.BinOp(op=ast.Add(), right=ast.Name(id=mask)) if mask in tree.tensors():
                        clause = f"`{mask}` is added before the scores are scaled instead of after"
                        yield tree.edit(node, clause, _after(mask))


def _after(mask: str) -> Change:
    def change(node: ast.BinOp) -> ast.expr:
        scaled = ast.BinOp(ast.BinOp(node.left, ast.Sub(), ast.Name(mask)), node.op, node.right)
        return ast.BinOp(scaled, ast.Add(), ast.Name(mask))

    return change


def _late_scales(tree: SyntaxTree) -> Iterator[Edit]:
    """`softmax(a) / n` for `softmax(a / n)`."""
    for node in tree.nodes:
        match node:
            case ast.BinOp(left=ast.Call(args=[_, *_]) as call, op=ast.Div() | ast.Mult(), right=right):
                if callee(call) == "softmax" and _is_scale(tree.origin(right)):
                    yield tree.edit(node, "the scale comes after softmax instead of before", _scaled_first)


def _scaled_first(node: ast.BinOp) -> ast.expr:
    call = node.left
    if not isinstance(call, ast.Call):
        return node
    return ast.Call(call.func, [ast.BinOp(call.args[0], node.op, node.right), *call.args[1:]], call.keywords)


def _squares(tree: SyntaxTree) -> Iterator[Edit]:
    """A mean of squares whose numbers are not squared."""
    for call in tree.calls("reduce"):
        if call.args and isinstance(call.args[0], ast.Name):
            text = ast.unparse(call.args[0])
            yield tree.edit(call.args[0], f"`{text}` is not squared in the reduce", joined(ast.Mult, text))


def _small_numbers(tree: SyntaxTree) -> Iterator[Edit]:
    """An epsilon under a root."""
    for text in dict.fromkeys(re.findall(r"\b\d+e-\d+", tree.exercise.code)):
        for call in tree.calls("reduce"):
            yield tree.edit(call, f"{text} is not added to {quoted_code(call)}", joined(ast.Add, text))


def _powers(tree: SyntaxTree) -> Iterator[Edit]:
    for node in tree.nodes:
        match node:
            case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=float(power)) as exponent):
                clause = f"the power {power} should be {-power}"
                yield tree.edit(exponent, clause, constant(-power))


KINDS = (
    _softmax_axes,
    _scales,
    _masks,
    _late_masks,
    _early_masks,
    _late_scales,
    _squares,
    _small_numbers,
    _powers,
    _signs,
    _sums_of_sizes,
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
