"""An answer without what is only for its readers."""

import ast


class WithoutAnnotations(ast.NodeTransformer):
    """Annotations are for readers; evaluated, they would fail where a name of theirs is not at hand.

    Without torch its import goes too: what an answer may take from it is at hand under its name.
    """

    def __init__(self, *, bare: bool) -> None:
        self.bare = bare

    def visit_Import(self, node: ast.Import) -> ast.AST | None:
        return None if self.bare and [alias.name for alias in node.names] == ["torch"] else node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if self.bare and node.module == "torch" else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], node.value), node)
