"""Parse an answer into a syntax tree with numbered nodes, and apply small edits to copies of it."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.rewrite.answer_text import callee, tensors

HELPERS = ("softmax", "rsqrt", "sqrt", "exp", "relu", "sigmoid")  # what an exercise may need besides einops
_MODULES = {"torch", "F", "torch.nn.functional", "nn.functional", "np", "math"}
_MAX_STEPS = 8
_MAX_QUOTED_CHARACTERS = 32
Change = str | Callable[[Any], ast.AST]
"""What takes a node's place: a template with `{0}` for the node and `{0.left}` for a part, or a function of it."""
_TOKEN = re.compile(r"\([^()]*\)|[^\s()]+")


@dataclass(frozen=True, slots=True)
class Edit:
    """Hold one thing that a learner may have confused: how to explain it, and how to undo it."""

    line: int
    clause: str  # "softmax runs over i instead of j"
    changes: tuple[tuple[int, Change], ...]  # by the number of the node
    likely: bool = True  # worth trying together with another
    kind: int = 0

    def __str__(self) -> str:
        return f"on line {self.line} {self.clause}"


class SyntaxTree:
    """Hold the syntax tree of an answer, and find what its lines say about axes."""

    def __init__(self, source: str, exercise: Rewrite) -> None:
        self.exercise = exercise
        self.tree = plain_tree(source)
        self.nodes = list(ast.walk(self.tree))
        self.number = {id(node): place for place, node in enumerate(self.nodes)}
        self.assigned = dict(self._assigned())

    def edit(self, node: ast.expr | ast.stmt, clause: str, change: Change, *, likely: bool = True) -> Edit:
        """Make an edit of one node."""
        return Edit(node.lineno, clause, ((self.number[id(node)], change),), likely)

    def calls(self, *names: str) -> Iterator[ast.Call]:
        """Yield calls of these functions, also as `einops.rearrange`, from top to bottom."""
        calls = (node for node in self.nodes if isinstance(node, ast.Call) and callee(node) in names)
        yield from sorted(calls, key=lambda node: (node.lineno, node.col_offset))

    def tensors(self) -> dict[str, str]:
        """Map the names of f's tensors in the answer to their axes."""
        function = next(n for n in self.nodes if isinstance(n, ast.FunctionDef))
        return tensors(function, self.exercise)

    def origin(self, node: ast.expr) -> ast.expr:
        """Return the expression first assigned to a name, or the node itself if it is not an assigned name."""
        for _ in range(4):
            if not isinstance(node, ast.Name) or node.id not in self.assigned:
                break
            node = self.assigned[node.id]
        return node

    def axes(self, node: ast.expr, deep: int = _MAX_STEPS) -> list[str]:
        """Return the names of a tensor's axes if the answer's patterns show them, else [].

        At most `deep` steps are followed, because assigned names may refer to each other.
        """
        if not deep:
            return []
        if isinstance(node, ast.Name) and node.id in self.tensors():
            return self.tensors()[node.id].split()
        expression = self.origin(node)
        match expression:
            case ast.BinOp(left=left, right=right):
                return max(self.axes(left, deep - 1), self.axes(right, deep - 1), key=len)
            case ast.Call() if (given := pattern_of(expression)) is not None:
                return tokens(given[1].partition("->")[2])
            case ast.Call(args=[inner, *_]):
                return self.axes(inner, deep - 1)
        return []

    def _assigned(self) -> Iterator[tuple[str, ast.expr]]:
        many: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if name not in many:
                    yield name, node.value
                many.add(name)


class _Part:
    """Hold a node for templates: its code in parentheses, its parts, and `others`, a call's later arguments."""

    def __init__(self, node: ast.AST) -> None:
        self.node = node

    def __getattr__(self, name: str) -> object:
        if name == "others" and isinstance(self.node, ast.Call):
            return "".join(f", {ast.unparse(each)}" for each in (*self.node.args[1:], *self.node.keywords))
        part = getattr(self.node, name)
        return list(map(_Part, part)) if isinstance(part, list) else _Part(part)

    def __str__(self) -> str:
        return f"({ast.unparse(self.node)})"


def _changed(node: ast.AST, change: Change) -> ast.AST:
    """Return the node after a change, or as it was where the change cannot be made.

    Another change may have taken the parts that this one needs, and a slice or a starred part fits few templates.
    """
    if callable(change):
        return change(node)
    try:
        return expression(change.format(_Part(node)))
    except (AttributeError, IndexError, SyntaxError):
        return node


class _Corrected(ast.NodeTransformer):
    """Apply changes to the nodes of a tree."""

    def __init__(self, changes: Mapping[int, Sequence[Change]]) -> None:
        self.changes = changes

    def visit(self, node: ast.AST) -> ast.AST:
        visited: ast.AST = super().visit(node)
        for change in self.changes.get(id(node), ()):
            visited = _changed(visited, change)
        return visited


def corrected(source: str, *edits: Edit) -> str:
    """Return the answer with these edits made."""
    tree = plain_tree(source)
    nodes = list(ast.walk(tree))
    changes: dict[int, list[Change]] = {}
    for edit in edits:
        for place, change in edit.changes:
            changes.setdefault(id(nodes[place]), []).append(change)
    return ast.unparse(ast.fix_missing_locations(_Corrected(changes).generic_visit(tree)))


class _Functions(ast.NodeTransformer):
    """Convert `x.softmax(dim=-1)` to `softmax(x, dim=-1)`, so that mistakes need one form only."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node.func:
            case ast.Attribute(attr=name, value=given) if name in HELPERS and ast.unparse(given) not in _MODULES:
                function = ast.Name(name, ast.Load())
                return ast.copy_location(ast.Call(function, [given, *node.args], node.keywords), node)
        return node


def plain_tree(source: str) -> ast.Module:
    """Parse an answer, with methods of tensors as functions."""
    tree: ast.Module = _Functions().visit(ast.parse(source))
    return ast.fix_missing_locations(tree)


def pattern_of(node: ast.Call) -> tuple[ast.Constant, str] | None:
    """Return the node and text of an einops call's pattern, or None."""
    for given in node.args:
        if isinstance(given, ast.Constant) and isinstance(given.value, str) and "->" in given.value:
            return given, given.value
    return None


def tokens(side: str) -> list[str]:
    """Split `b (h d)` into its names and composites."""
    return _TOKEN.findall(side)


def expression(text: str) -> ast.expr:
    """Parse an expression."""
    return ast.parse(text, mode="eval").body


def quoted_code(node: ast.AST) -> str:
    """Return the source of a node, shortened, in backticks."""
    text = ast.unparse(node)
    return f"`{text if len(text) <= _MAX_QUOTED_CHARACTERS else text[: _MAX_QUOTED_CHARACTERS - 3] + '...'}`"


def verbatim(code: str) -> str:
    """Escape the answer's own code for a template."""
    return code.replace("{", "{{").replace("}", "}}")


def constant(value: str | float) -> str:
    """Return a template of a constant."""
    return verbatim(repr(value))
