"""An answer in the one form that is judged: `x.sqrt()` as `sqrt(x)`, `x.size(1)` as `x.shape[1]`, no lambda.

`math.sqrt(d)` is `d ** 0.5`, with `import math` and without; only its run, in a child, has math's own root, which
is of numbers alone. What Python would not run, or torch would read otherwise, keeps its form and is refused.
"""

import ast
import copy
import re
from collections.abc import Collection, Iterator, Sequence

HELPERS = ("softmax", "rsqrt", "sqrt", "exp", "relu", "sigmoid")
"""What an exercise may allow besides einops."""

_ODD = rf"lambda|\.\s*({'|'.join((*HELPERS, 'size'))})\b"
_FUNCTIONAL = {"F", "nn.functional", "torch.nn.functional"}
_THERE = {"softmax", "relu", "sigmoid"}  # what these have
_MODULES = {"torch", "einops", "np", "numpy", "nn", "torch.nn", *_FUNCTIONAL}
_MOST_NODES, _MOST_USES = 80, 12  # of a lambda


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
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            _write_out_lambdas(node)
    bound = set(_bound(tree))
    changed: ast.Module = PlainCalls(set(helpers) - bound, bound, to_run=to_run).visit(tree)
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

    def __init__(self, helpers: Collection[str], bound: Collection[str], *, to_run: bool) -> None:
        self.helpers = helpers
        self.bound = bound  # names that are no module here
        self.to_run = to_run

    def visit_Import(self, node: ast.Import) -> ast.AST:
        only = [(alias.name, alias.asname) for alias in node.names] == [("math", None)]
        return (
            ast.copy_location(ast.Pass(), node) if only and not self.to_run and "math" not in self.bound else node
        )

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
        elif name == "size" and not is_module and not node.keywords and len(node.args) <= 1:
            shape = ast.copy_location(ast.Attribute(node.func.value, "shape", ast.Load()), node)
            plain = ast.Subscript(shape, node.args[0], ast.Load()) if node.args else shape
        return ast.copy_location(plain, node)


def _has_dim(node: ast.Call, name: str, before: int) -> bool:
    """Whether a softmax says its axis, which torch's own has to be told; `before` it stand so many values."""
    return name != "softmax" or len(node.args) > before or any(one.arg == "dim" for one in node.keywords)


def _is_dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _write_out_lambdas(function: ast.FunctionDef) -> None:
    """Put what small lambdas give where they are called, those with a name and no other use."""
    for statement in list(function.body):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as given) if _is_small(given):
                behind = function.body[function.body.index(statement) + 1 :]
                if _is_only_called(function, behind, name, len(given.args.args)):
                    LambdaCalls(name, given).visit(function)
                    function.body.remove(statement)


def _is_small(given: ast.Lambda) -> bool:
    """Whether a lambda has plain arguments and takes each: what is not taken would not be computed at all."""
    args, nodes = given.args, list(ast.walk(given.body))
    plain = not (args.posonlyargs or args.kwonlyargs or args.vararg or args.kwarg or args.defaults)
    taken = {node.id for node in nodes if isinstance(node, ast.Name)}
    fits = len(nodes) <= _MOST_NODES and not any(isinstance(node, ast.Lambda) for node in nodes)
    return plain and fits and taken.issuperset(argument.arg for argument in args.args)


def _is_only_called(function: ast.FunctionDef, behind: Sequence[ast.stmt], name: str, count: int) -> bool:
    """Whether a name has no use but some calls behind its lambda, and no other meaning."""
    nodes = list(ast.walk(function))
    calls = [
        n
        for statement in behind
        for n in ast.walk(statement)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == name
    ]
    fit = all(len(n.args) == count and not n.keywords and not _stars(n.args) for n in calls)
    named = [
        n
        for n in nodes
        if (isinstance(n, ast.Name) and n.id == name) or (isinstance(n, ast.arg) and n.arg == name)
    ]
    return fit and 0 < len(calls) <= _MOST_USES and len(named) == len(calls) + 1


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
