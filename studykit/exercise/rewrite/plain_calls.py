"""An answer in the one form that is judged: `x.sqrt()` as `sqrt(x)`, `x.size(1)` as `x.shape[1]`, no lambda.

`math.sqrt(d)` is `d ** 0.5`, with `import math` and without.
"""

import ast
import copy
import re
from collections.abc import Collection, Iterator, Sequence

HELPERS = ("softmax", "rsqrt", "sqrt", "exp", "relu", "sigmoid")
"""What an exercise may allow besides einops."""

_ODD = rf"lambda|\.\s*({'|'.join((*HELPERS, 'size'))})\b"
_FUNCTIONAL = {"F", "nn.functional", "torch.nn.functional"}
_MODULES = {"torch", "einops", "np", "numpy", "nn", "torch.nn", *_FUNCTIONAL}
_MOST_NODES, _MOST_USES = 80, 12  # of a lambda


def plain_tree(source: str, helpers: Collection[str] = HELPERS, file: str = "<answer>") -> ast.Module:
    """The tree of an answer, its lines as they are; what `ast.parse` raises."""
    tree = ast.parse(source, file)
    if not re.search(_ODD, source):
        return tree
    try:
        return in_plain_form(tree, helpers)
    except RecursionError:  # the judge will say that it is too deeply nested
        return ast.parse(source, file)


def in_plain_form(tree: ast.Module, helpers: Collection[str] = HELPERS) -> ast.Module:
    """The same tree, changed."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            _write_out_lambdas(node)
    changed: ast.Module = PlainCalls(set(helpers) - set(_bound(tree))).visit(tree)
    return ast.fix_missing_locations(changed)


def _bound(tree: ast.Module) -> Iterator[str]:
    """The names that the answer itself gives a meaning."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name
            case ast.ImportFrom(module=module, names=names) if module != "torch":
                yield from (alias.asname or alias.name for alias in names)


class PlainCalls(ast.NodeTransformer):
    """Methods of tensors as functions, and sizes as what a shape holds."""

    def __init__(self, helpers: Collection[str]) -> None:
        self.helpers = helpers

    def visit_Import(self, node: ast.Import) -> ast.AST:
        only = [(alias.name, alias.asname) for alias in node.names] == [("math", None)]
        return ast.copy_location(ast.Pass(), node) if only else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Attribute):
            return node
        name, base = node.func.attr, ast.unparse(node.func.value) if _is_dotted(node.func.value) else ""
        plain: ast.expr = node
        if (name, base) == ("sqrt", "math") and len(node.args) == 1 and not node.keywords:
            plain = ast.BinOp(node.args[0], ast.Pow(), ast.copy_location(ast.Constant(0.5), node))
        elif name in self.helpers and base in _FUNCTIONAL:
            plain = ast.Call(ast.Name(name, ast.Load()), node.args, node.keywords)
        elif name in self.helpers and base not in _MODULES:
            plain = ast.Call(ast.Name(name, ast.Load()), [node.func.value, *node.args], node.keywords)
        elif name == "size" and base not in _MODULES and not node.keywords and len(node.args) <= 1:
            shape = ast.copy_location(ast.Attribute(node.func.value, "shape", ast.Load()), node)
            plain = ast.Subscript(shape, node.args[0], ast.Load()) if node.args else shape
        return ast.copy_location(plain, node)


def _is_dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _write_out_lambdas(function: ast.FunctionDef) -> None:
    """Put what small lambdas give where they are called, those with a name and no other use."""
    for statement in list(function.body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as given) if _is_small(given):
                uses = _uses(function, name, len(given.args.args))
                if uses is not None:
                    LambdaCalls(name, given).visit(function)
                    function.body.remove(statement)


def _is_small(given: ast.Lambda) -> bool:
    args, nodes = given.args, list(ast.walk(given.body))
    plain = not (args.posonlyargs or args.kwonlyargs or args.vararg or args.kwarg or args.defaults)
    return plain and len(nodes) <= _MOST_NODES and not any(isinstance(node, ast.Lambda) for node in nodes)


def _uses(function: ast.FunctionDef, name: str, count: int) -> Sequence[ast.Call] | None:
    """The calls of a name; None where it is used otherwise, or has another meaning too."""
    nodes = list(ast.walk(function))
    calls = [n for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == name]
    fit = all(len(n.args) == count and not n.keywords and not _stars(n.args) for n in calls)
    named = [
        n
        for n in nodes
        if (isinstance(n, ast.Name) and n.id == name) or (isinstance(n, ast.arg) and n.arg == name)
    ]
    return calls if fit and 0 < len(calls) <= _MOST_USES and len(named) == len(calls) + 1 else None


def _stars(given: Sequence[ast.expr]) -> bool:
    return any(isinstance(one, ast.Starred) for one in given)


class LambdaCalls(ast.NodeTransformer):
    """Calls of one lambda as what it gives; on the line of the call."""

    def __init__(self, name: str, given: ast.Lambda) -> None:
        self.name = name
        self.given = given

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id != self.name:
            return node
        values = {argument.arg: value for argument, value in zip(self.given.args.args, node.args, strict=True)}
        body = ArgumentValues(values).visit(copy.deepcopy(self.given.body))
        for inner in ast.walk(body):
            ast.copy_location(inner, node)
        result: ast.AST = body
        return result


class ArgumentValues(ast.NodeTransformer):
    """Names of arguments as their values."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return copy.deepcopy(self.values[node.id]) if node.id in self.values else node
