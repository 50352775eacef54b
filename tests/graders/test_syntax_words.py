"""Every piece of Python that an answer may not hold is called by a learner's word for it, never by a parser's."""

import ast
from typing import Any

import pytest

from studykit.graders.rewrite import syntax_words

ALLOWED = {"Assign", "AnnAssign", "Attribute", "Call", "Constant", "Expr", "Import", "ImportFrom", "List"}
ALLOWED |= {"Module", "Name", "Pass", "Return", "Subscript", "Tuple"}
OUTDATED = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis"}
PARTS = {"FormattedValue", "Interpolation"}
OF_OPERATORS: dict[str, type[ast.AST]] = {
    "BinOp": ast.Mod,
    "UnaryOp": ast.Not,
    "BoolOp": ast.Or,
    "Compare": ast.NotIn,
}
KINDS: list[type[ast.AST]] = [
    kind
    for base in (ast.stmt, ast.expr)
    for kind in base.__subclasses__()
    if kind.__name__ not in ALLOWED | OUTDATED | PARTS
]
SAID: dict[type[ast.AST], str] = {ast.BinOp: "the operator `%`", ast.UnaryOp: "the operator `not`"}
SAID |= {ast.BoolOp: "the operator `or`", ast.Compare: "the comparison `not in`"}


def node(kind: type[ast.AST]) -> ast.AST:
    made: Any = kind()
    operator = OF_OPERATORS.get(kind.__name__)
    if operator:
        made.op, made.ops = operator(), [operator()]
    found: ast.AST = made
    return found


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_piece_of_python_has_a_word(kind: type[ast.AST]) -> None:
    word = syntax_words.said(node(kind))

    assert word.startswith(("a ", "an ", "the ", "`"))
    assert word == SAID.get(kind, word)
    assert word != f"a {kind.__name__.lower()}" or kind in {ast.Set, ast.Slice}


@pytest.mark.parametrize(
    ("kind", "advice"),
    [
        (ast.If, "One way must be right for every shape."),
        (ast.Starred, "Write the values out one by one; a size has its place: x.shape[-1]."),
        (ast.FunctionDef, "Write its lines into f itself."),
        (ast.With, ""),
        (ast.BinOp, ""),
    ],
)
def test_there_is_advice_where_something_else_can_be_written(kind: type[ast.AST], advice: str) -> None:
    assert syntax_words.advice(node(kind)) == advice


@pytest.mark.parametrize(
    "kind",
    [
        ast.comprehension,
        ast.ExceptHandler,
        ast.withitem,
        ast.match_case,
        ast.MatchAs,
        ast.And,
        ast.Lt,
        ast.Del,
        ast.FormattedValue,
    ],
)
def test_a_part_of_what_is_told_is_not_told_again(kind: type[ast.AST]) -> None:
    assert syntax_words.said(node(kind)) == ""
    assert syntax_words.advice(node(kind)) == ""


def test_what_no_version_of_python_had_so_far_has_a_word_too() -> None:
    class Unheard(ast.expr):
        pass

    assert syntax_words.said(Unheard()) == "something that an answer has no use for"
    assert syntax_words.advice(Unheard()) == ""


@pytest.mark.parametrize(
    "kind", [*ast.operator.__subclasses__(), *ast.unaryop.__subclasses__(), *ast.cmpop.__subclasses__()]
)
def test_every_sign_that_is_refused_is_shown(kind: type[ast.AST]) -> None:
    if kind in {ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow, ast.USub, ast.UAdd}:
        return
    base: type[ast.AST] = ast.Compare if issubclass(kind, ast.cmpop) else ast.BinOp
    made: Any = base()
    made.op, made.ops = kind(), [kind()]

    assert syntax_words.said(made).startswith(("the operator `", "the comparison `"))
