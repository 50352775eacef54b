"""Yield edits of an answer's terms: a sign, a function, an order, a scale, an axis of softmax, a missing term."""

import ast
import re
from collections.abc import Iterator
from itertools import combinations, permutations

from studykit.graders.rewrite.answer_text import callee
from studykit.graders.rewrite.diagnosis.pattern_edits import exchanged
from studykit.graders.rewrite.diagnosis.syntax_tree import (
    HELPERS,
    Edit,
    SyntaxTree,
    constant,
    pattern_of,
    quoted_code,
    tokens,
    verbatim,
)

_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_OPPOSITE = {"+": "-", "-": "+", "*": "/", "/": "*"}
_ROOTS = {"sqrt": "rsqrt", "rsqrt": "sqrt"}
_PARTS = (2, 3)


def _signs(tree: SyntaxTree) -> Iterator[Edit]:
    for node in tree.nodes:
        if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS and not _is_size(node):
            sign = _SIGNS[type(node.op)]
            clause = f"`{sign}` should be `{_OPPOSITE[sign]}` in {quoted_code(node)}"
            yield tree.edit(node, clause, f"{{0.left}} {_OPPOSITE[sign]} {{0.right}}")


def _sums_of_sizes(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that multiply sizes instead of adding them."""
    for node in tree.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _is_size(node):
            yield tree.edit(node, f"`+` should be `*` in {quoted_code(node)}", "{0.left} * {0.right}")


def _is_size(node: ast.expr) -> bool:
    return not any(isinstance(n, ast.Call) for n in ast.walk(node)) and ".shape" in ast.unparse(node)


def _functions(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that exchange, remove or add a helper function."""
    helpers = tree.exercise.helpers
    called = {callee(call) for call in tree.calls(*helpers)}
    for call in tree.calls(*helpers):
        other = _ROOTS.get(callee(call), "")
        if other in helpers:
            clause = f"`{callee(call)}` should be `{other}`"
            yield tree.edit(call.func, clause, other)
    for helper in helpers:
        for node in _inner_results(tree) if helper not in called or helper in _ROOTS else ():
            yield tree.edit(node, f"`{helper}` is missing around {quoted_code(node)}", f"{helper}({{0}})")
    for call in tree.calls(*HELPERS):
        if call.args:
            clause = f"`{callee(call)}` around {quoted_code(call.args[0])} is too much"
            yield tree.edit(call, clause, "{0.args[0]}")


def _inner_results(tree: SyntaxTree) -> Iterator[ast.expr]:
    """Yield expressions that a function may be put around: calls of einops, and names of their results."""
    yield from tree.calls("einsum", "reduce")
    for node in tree.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in tree.assigned:
            yield node


def _unpacked(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that unpack in another order: `k, q, v = ...` for `q, k, v = ...`."""
    for node in tree.nodes:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=parts) as target], value=ast.Call()) if len(parts) in _PARTS:
                names = [ast.unparse(part) for part in parts]
                for right in list(permutations(names))[1:]:
                    clause = f"the parts come as {', '.join(right)}, not as {', '.join(names)}"
                    yield tree.edit(target, clause, verbatim(", ".join(right)))


def _lists(tree: SyntaxTree) -> Iterator[Edit]:
    for node in tree.nodes:
        if not isinstance(node, ast.List | ast.Tuple) or not isinstance(node.ctx, ast.Load):
            continue
        for one, other in combinations(range(len(node.elts)), 2):
            clause = f"{quoted_code(node.elts[one])} and {quoted_code(node.elts[other])} are in the wrong order"
            places = exchanged(range(len(node.elts)), one, other)
            yield tree.edit(node, clause, f"[{', '.join(f'{{0.elts[{place}]}}' for place in places)}]")


def _elements(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that take another element of a call's result: `[0]` for `[1]`."""
    for node in tree.nodes:
        match node:
            case ast.Subscript(value=ast.Call() | ast.Name(), slice=ast.Constant(value=int(place)) as index):
                other = 0 if place else 1
                yield tree.edit(index, f"element [{place}] is taken instead of [{other}]", constant(other))


def _result(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that add an input to the result, or multiply the result by it."""
    for node in tree.nodes:
        if isinstance(node, ast.Return) and node.value is not None:
            for given in tree.tensors():
                yield tree.edit(node.value, f"`{given}` is not added", f"{{0}} + {given}")
                yield tree.edit(node.value, f"the factor `{given}` is missing", f"{{0}} * {given}")


def _terms(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that drop one side of an operator."""
    for node in tree.nodes:
        if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS and not _is_size(node):
            sign = _SIGNS[type(node.op)]
            right = quoted_code(ast.BinOp(ast.Name("_"), node.op, node.right))  # with its parentheses
            yield tree.edit(node, f"`{right[len('`_ ') :]} is too much", "{0.left}")
            if isinstance(node.op, ast.Add | ast.Mult):
                yield tree.edit(node, f"{quoted_code(node.left)[:-1]} {sign}` is too much", "{0.right}")


def _exchanged_inputs(tree: SyntaxTree) -> Iterator[Edit]:
    for one, other in combinations(tree.tensors(), 2):
        uses = [n for n in tree.nodes if isinstance(n, ast.Name) and n.id in {one, other}]
        changes = tuple((tree.number[id(n)], other if n.id == one else one) for n in uses)
        if uses:
            clause = f"`{one}` and `{other}` stand in each other's places"
            yield Edit(uses[0].lineno, clause, changes, likely=False)


def _means(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that subtract an input's mean first."""
    shifted = set(_shifted(tree))
    for call in tree.calls("reduce"):
        _, text = pattern_of(call) or (None, "")
        for given, axes in tree.tensors().items():
            uses = [n for n in tree.nodes if isinstance(n, ast.Name) and n.id == given]
            if uses and given not in shifted and len(axes.split()) == len(tokens(text.partition("->")[0])):
                changes = tuple((tree.number[id(n)], _centered(text)) for n in uses)
                yield Edit(uses[0].lineno, f"the mean of `{given}` is not subtracted first", changes)


def _later_means(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that subtract the mean of a line's result."""
    shifted = set(_shifted(tree))
    patterns = dict.fromkeys(given[1] for call in tree.calls("reduce") if (given := pattern_of(call)))
    for node in tree.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            target = node.targets[0].id
            for text in () if target in shifted or _shifts(node.value) else patterns:
                yield tree.edit(node.value, f"the mean of `{target}` is not subtracted", _centered(text))


def _shifted(tree: SyntaxTree) -> Iterator[str]:
    """Yield the names that something is already subtracted from or added to."""
    for node in tree.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Name) and _shifts(node):
            yield node.left.id


def _shifts(node: ast.expr) -> bool:
    """Return whether a value is a sum or difference whose right side is not a literal."""
    if not isinstance(node, ast.BinOp) or isinstance(node.right, ast.Constant):
        return False
    return isinstance(node.op, ast.Add | ast.Sub)


def _centered(text: str) -> str:
    return f"{{0}} - reduce({{0}}, {constant(text)}, 'mean')"


def _names(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that replace one name by another, in one place."""
    names = [*tree.tensors(), *tree.assigned]
    for node in tree.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            for other in names:
                if other != node.id:
                    clause = f"`{node.id}` should be `{other}`"
                    yield tree.edit(node, clause, other, likely=False)


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
            yield tree.edit(call, clause, f"{{0.func}}({{0.args[0]}}, dim={other})")


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
    """Return the node, the root of the size and the name of each axis that an einsum or `@` sums over.

    The root is code such as `q.shape[3] ** 0.5`.
    """
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
                scale = f"`{ast.unparse(ast.BinOp(ast.Name('_'), sign, right))[len('_ ') :]}`"
                for _, text, axis in roots:
                    clause = f"{scale} should be `/ sqrt({axis})`"
                    yield tree.edit(node, clause, f"{{0.left}} / {text}")
    whose = "the scores are" if next(tree.calls("softmax"), None) else "the product is"
    for call, text, axis in roots:
        yield tree.edit(call, f"{whose} not divided by sqrt({axis})", f"{{0}} / {text}")


def _masks(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that add an unused input to the scores."""
    used = {node.id for node in tree.nodes if isinstance(node, ast.Name)}
    for unused in [tensor for tensor in tree.tensors() if tensor not in used]:
        for call in tree.calls("softmax"):
            if call.args:
                yield tree.edit(call.args[0], f"`{unused}` is not added to the scores", f"{{0}} + {unused}")


def _is_scale(node: ast.expr) -> bool:
    """Return whether a node is a size, a root of one, or a number."""
    inner = list(ast.walk(node))
    calls = [n for n in inner if isinstance(n, ast.Call) and callee(n) not in _ROOTS]
    sized = any(isinstance(n, ast.Attribute) and n.attr == "shape" for n in inner)
    return not calls and (sized or any(isinstance(n, ast.Pow) for n in inner) or isinstance(node, ast.Constant))


def _late_masks(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits from `softmax(a) + m` to `softmax(a + m)`."""
    for node in tree.nodes:
        match node:
            case ast.BinOp(left=ast.Call(args=[_, *_]) as call, op=ast.Add(), right=ast.Name(id=mask)):
                if callee(call) == "softmax":
                    before = f"{{0.left.func}}({{0.left.args[0]}} + {mask}{{0.left.others}})"
                    yield tree.edit(node, f"`{mask}` is added after softmax instead of before", before)


def _early_masks(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits from `(a + m) / n` to `a / n + m`, also with `a + m` on a line of its own."""
    for node in tree.nodes:
        match node:
            case ast.BinOp(left, ast.Div() | ast.Mult() as op, right) if _is_scale(tree.origin(right)):
                match tree.origin(left):
                    case ast.BinOp(op=ast.Add(), right=ast.Name(id=mask)) if mask in tree.tensors():
                        clause = f"`{mask}` is added before the scores are scaled instead of after"
                        after = f"({{0.left}} - {mask}) {_SIGNS[type(op)]} {{0.right}} + {mask}"
                        yield tree.edit(node, clause, after)


def _late_scales(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits from `softmax(a) / n` to `softmax(a / n)`."""
    for node in tree.nodes:
        match node:
            case ast.BinOp(ast.Call(args=[_, *_]) as call, ast.Div() | ast.Mult() as op, right):
                if callee(call) == "softmax" and _is_scale(tree.origin(right)):
                    scaled = f"{{0.left.args[0]}} {_SIGNS[type(op)]} {{0.right}}"
                    clause = "the scale comes after softmax instead of before"
                    yield tree.edit(node, clause, f"{{0.left.func}}({scaled}{{0.left.others}})")


def _squares(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that square the input of a reduce, as for a mean of squares."""
    for call in tree.calls("reduce"):
        if call.args and isinstance(call.args[0], ast.Name):
            text = ast.unparse(call.args[0])
            yield tree.edit(call.args[0], f"`{text}` is not squared in the reduce", f"{{0}} * {text}")


def _small_numbers(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that add the exercise's epsilon to a reduction."""
    for text in dict.fromkeys(re.findall(r"\b\d+e-\d+", tree.exercise.code)):
        for call in tree.calls("reduce"):
            yield tree.edit(call, f"{text} is not added to {quoted_code(call)}", f"{{0}} + {text}")


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
