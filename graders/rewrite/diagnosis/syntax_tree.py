"""An answer's syntax tree as a sheet to correct: its nodes by number, and small edits to put into a copy of it."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.rewrite.answer_text import callee, tensors

HELPERS = ("softmax", "rsqrt", "sqrt", "exp", "relu", "sigmoid")  # what an exercise may need besides einops
_MODULES = {"torch", "F", "torch.nn.functional", "nn.functional", "np", "math"}
_MAX_QUOTED_CHARACTERS = 32
_TOKEN = re.compile(r"\([^()]*\)|[^\s()]+")


@dataclass(frozen=True, slots=True)
class Edit:
    """One thing that a learner may have confused: how to explain it, and how to undo it."""

    line: int
    clause: str  # "softmax runs over i instead of j"
    place: int  # the number of the node
    template: str  # what takes the node's place: `{0}` is the node, `{0.left}` a part of it

    @property
    def explanation(self) -> str:
        """Return a sentence, for an edit that makes the answer right."""
        return f"On line {self.line} {self.clause}; all else is right."


class SyntaxTree:
    """The answer and what its lines say about axes."""

    def __init__(self, source: str, exercise: Rewrite) -> None:
        self.exercise = exercise
        self.tree = plain_tree(source)
        self.nodes = list(ast.walk(self.tree))
        self.number = {id(node): place for place, node in enumerate(self.nodes)}
        self.assigned = dict(self._assigned())

    def edit(self, node: ast.expr, clause: str, template: str) -> Edit:
        """Make an edit of one node."""
        return Edit(node.lineno, clause, self.number[id(node)], template)

    def calls(self, *names: str) -> Iterator[ast.Call]:
        """Yield calls of these functions, also as `einops.rearrange`, from top to bottom."""
        calls = (node for node in self.nodes if isinstance(node, ast.Call) and callee(node) in names)
        yield from sorted(calls, key=lambda node: (node.lineno, node.col_offset))

    def tensors(self) -> dict[str, str]:
        """Map the names of f's tensors in the answer to their axes."""
        function = next(n for n in self.nodes if isinstance(n, ast.FunctionDef))
        return tensors(function, self.exercise)

    def origin(self, node: ast.expr) -> ast.expr:
        """Return the expression that a name stands for, if it was assigned once."""
        for _ in range(4):
            if not isinstance(node, ast.Name) or node.id not in self.assigned:
                break
            node = self.assigned[node.id]
        return node

    def _assigned(self) -> Iterator[tuple[str, ast.expr]]:
        many: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if name not in many:
                    yield name, node.value
                many.add(name)


class _Part:
    """A node in a template: its code in parentheses, its parts, and `others`, a call's arguments but the first."""

    def __init__(self, node: ast.AST) -> None:
        self.node = node

    def __getattr__(self, name: str) -> object:
        if name == "others" and isinstance(self.node, ast.Call):
            return "".join(f", {ast.unparse(each)}" for each in (*self.node.args[1:], *self.node.keywords))
        part = getattr(self.node, name)
        return list(map(_Part, part)) if isinstance(part, list) else _Part(part)

    def __str__(self) -> str:
        return f"({ast.unparse(self.node)})"


class _Corrected(ast.NodeTransformer):
    """Puts an edit in."""

    def __init__(self, node: ast.AST, template: str) -> None:
        self.node = node
        self.template = template

    def visit(self, node: ast.AST) -> ast.AST:
        """Fill the template with the node, or leave it: a slice or a starred part fits few templates."""
        if node is not self.node:
            visited: ast.AST = super().visit(node)
            return visited
        try:
            return expression(self.template.format(_Part(node)))
        except SyntaxError:
            return node


def corrected(source: str, edit: Edit) -> str:
    """Return the answer with an edit made."""
    tree = plain_tree(source)
    node = list(ast.walk(tree))[edit.place]
    return ast.unparse(ast.fix_missing_locations(_Corrected(node, edit.template).visit(tree)))


class _Functions(ast.NodeTransformer):
    """`x.softmax(dim=-1)` as `softmax(x, dim=-1)`: one form to look for mistakes in."""

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
    """Return the node and text of an einops call's pattern."""
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
    """Return the template of a constant."""
    return verbatim(repr(value))
