"""An answer in the one form that is judged: `x.sqrt()` as `sqrt(x)`, `x.size(1)` as `x.shape[1]`.

`math.sqrt(d)` is `d ** 0.5`, with `import math` and without; only its run, in a child, has math's own root, which
is of numbers alone. What Python would not run, or torch would read otherwise, keeps its form and is refused.
"""

import ast
import re
from collections.abc import Collection, Iterator

HELPERS = ("softmax", "rsqrt", "sqrt", "exp", "relu", "sigmoid")
"""What an exercise may allow besides einops."""

_ODD = rf"\.\s*({'|'.join((*HELPERS, 'size'))})\b|\bimport\b"
_FUNCTIONAL = {"F", "torch.nn.functional"}
_THERE = {"softmax", "relu", "sigmoid"}  # what these have
_MODULES = {"torch", "einops", "np", "numpy", "nn", "nn.functional", "torch.nn", *_FUNCTIONAL}


def plain_tree(
    source: str, helpers: Collection[str] = HELPERS, file: str = "<answer>", *, to_run: bool = False
) -> ast.Module:
    """The tree of an answer, its lines as they are; what `ast.parse` raises."""
    tree = ast.parse(source, file)
    if not re.search(_ODD, source):
        return tree
    try:
        return in_plain_form(tree, helpers, to_run=to_run)
    except RecursionError:  # the judge will say that it is too deeply nested
        return ast.parse(source, file)


def in_plain_form(tree: ast.Module, helpers: Collection[str] = HELPERS, *, to_run: bool = False) -> ast.Module:
    """The same tree, changed; one that is `to_run` keeps what it takes from math."""
    bound = set(_bound(tree))
    changed: ast.Module = PlainCalls(set(helpers) - bound, bound, to_run=to_run).visit(tree)
    return ast.fix_missing_locations(changed)


def _bound(tree: ast.Module) -> Iterator[str]:
    """The names that the answer itself gives a meaning."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name
            case ast.ImportFrom(module=module, names=names) if module != "torch" and not _is_functional(node):
                yield from (alias.asname or alias.name for alias in names)


class PlainCalls(ast.NodeTransformer):
    """Methods of tensors as functions, and sizes as what a shape holds."""

    def __init__(self, helpers: Collection[str], bound: Collection[str], *, to_run: bool) -> None:
        self.helpers = helpers
        self.bound = bound  # names that are no module here
        self.to_run = to_run

    def visit_Import(self, node: ast.Import) -> ast.AST:
        """Leave out what is there anyway: `F` in both forms, as its functions become others, `math` in one."""
        names = [(alias.name, alias.asname) for alias in node.names]
        needless = names == [("torch.nn.functional", "F")] and "F" not in self.bound
        needless |= names == [("math", None)] and not self.to_run and "math" not in self.bound
        return ast.copy_location(ast.Pass(), node) if needless else node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        """The other way to write `import torch.nn.functional as F`."""
        is_needless = _is_functional(node) and "F" not in self.bound
        return ast.copy_location(ast.Pass(), node) if is_needless else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Attribute):
            return node
        name, base = node.func.attr, ast.unparse(node.func.value) if _is_dotted(node.func.value) else ""
        is_module = base in {*_MODULES, "math"} and base.partition(".")[0] not in self.bound
        plain: ast.expr = node
        if is_module and (name, base) == ("sqrt", "math"):
            if len(node.args) == 1 and not node.keywords and not self.to_run:
                plain = ast.BinOp(node.args[0], ast.Pow(), ast.copy_location(ast.Constant(0.5), node))
        elif name in self.helpers and is_module:
            if base in _FUNCTIONAL and name in _THERE and _has_dim(node, name, 1):
                plain = ast.Call(ast.Name(name, ast.Load()), node.args, node.keywords)
        elif name in self.helpers and _has_dim(node, name, 0):
            plain = ast.Call(ast.Name(name, ast.Load()), [node.func.value, *node.args], node.keywords)
        elif name == "size" and not is_module and all(one.arg == "dim" for one in node.keywords):
            places = [*node.args, *(one.value for one in node.keywords)]
            shape = ast.copy_location(ast.Attribute(node.func.value, "shape", ast.Load()), node)
            if len(places) <= 1:
                plain = ast.Subscript(shape, places[0], ast.Load()) if places else shape
        return ast.copy_location(plain, node)


def _is_functional(node: ast.ImportFrom) -> bool:
    names = [(alias.name, alias.asname) for alias in node.names]
    return (node.module, node.level, names) == ("torch.nn", 0, [("functional", "F")])


def _has_dim(node: ast.Call, name: str, before: int) -> bool:
    """Whether a softmax says its axis, which torch's own has to be told; `before` it stand so many values."""
    return name != "softmax" or len(node.args) > before or any(one.arg == "dim" for one in node.keywords)


def _is_dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)
