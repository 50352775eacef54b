"""An answer without what is only for its readers."""

import ast
from collections.abc import Set as AbstractSet


class WithoutAnnotations(ast.NodeTransformer):
    """Annotations are for readers; evaluated, they would fail where a name of theirs is not at hand.

    Imports of the modules in `at_hand` go too: what an answer may take from them is there under its name.
    """

    def __init__(self, at_hand: AbstractSet[str] = frozenset()) -> None:
        self.at_hand = at_hand

    def visit_Import(self, node: ast.Import) -> ast.AST | None:
        return None if {alias.name for alias in node.names} <= self.at_hand else node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module in self.at_hand else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        node.annotation = ast.copy_location(ast.Constant(None), node)  # without a value the name is still f's own
        return ast.copy_location(ast.Assign([node.target], node.value), node) if node.value else node
