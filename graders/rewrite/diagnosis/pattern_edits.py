"""Yield edits of an answer's patterns, each of which undoes a usual mistake."""

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import combinations, permutations
from typing import TypeVar

from studykit.exercise.rewrite.rewrite import REDUCTIONS
from studykit.graders.rewrite.diagnosis.syntax_tree import (
    Change,
    Edit,
    SyntaxTree,
    constant,
    pattern_of,
    quoted_code,
    tokens,
)

_COMPOSITE = re.compile(r"\(([^()]*)\)")
_T = TypeVar("_T")
_MAX_COMPOSITE_AXES = 4  # 24 orders of one composite


def _patterns(tree: SyntaxTree, *names: str) -> Iterator[tuple[ast.Call, ast.Constant, str]]:
    for call in tree.calls(*(names or ("rearrange", "reduce", "repeat", "einsum"))):
        node_and_text = pattern_of(call)
        if node_and_text is not None:
            yield call, *node_and_text


def _composites(tree: SyntaxTree) -> Iterator[Edit]:
    for _, node, text in _patterns(tree):
        for composite in _COMPOSITE.finditer(text):
            names = composite.group(1).split()
            for other in list(permutations(names))[1:] if len(names) <= _MAX_COMPOSITE_AXES else ():
                clause = f"the composite {composite.group()} is in the wrong order"
                yield tree.edit(node, clause, _replaced(composite.group(), f"({' '.join(other)})"))


def _replaced(old: str, new: str) -> Change:
    """Return a change of part of a pattern, which keeps earlier changes to its other parts."""
    return lambda node: ast.Constant(node.value.replace(old, new, 1))


def _reductions(tree: SyntaxTree) -> Iterator[Edit]:
    for call in tree.calls("reduce"):
        for node in (*call.args[2:], *(keyword.value for keyword in call.keywords)):
            if isinstance(node, ast.Constant) and node.value in REDUCTIONS:
                for other in REDUCTIONS:
                    if other != node.value:
                        clause = f"the {node.value} is taken instead of the {other}"
                        yield tree.edit(node, clause, constant(other))


def _kept(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that reduce another axis: `b s d -> b 1 d` for `b s d -> b s 1`."""
    for _, node, text in _patterns(tree, "reduce"):
        left, _, right = text.partition("->")
        names, result = tokens(left), tokens(right)
        if len(names) != len(result) or result.count("1") != 1:
            continue
        gone = names[result.index("1")]
        for other in names:
            if other not in {"1", gone}:
                sides = " ".join("1" if name == other else name for name in names)
                clause = f"the reduction goes over {gone} instead of {other}"
                yield tree.edit(node, clause, constant(f"{left.strip()} -> {sides}"))


def _operands(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that swap two axes of one einsum input, such as a transposed weight."""
    for call, node, text in _patterns(tree, "einsum"):
        left, _, right = text.partition("->")
        inputs = left.split(",")
        for place, given in enumerate(inputs):
            names = tokens(given)
            for one, other in combinations(range(len(names)), 2):
                swapped = exchanged(names, one, other)
                changed = ", ".join(
                    " ".join(swapped) if n == place else axes.strip() for n, axes in enumerate(inputs)
                )
                whose = f"of {quoted_code(call.args[place])} " if place < len(call.args) else ""
                clause = f"the axes {names[one]} and {names[other]} {whose}are swapped"
                weight = place < len(call.args) and ast.unparse(call.args[place]) in tree.tensors()
                yield tree.edit(node, clause, constant(f"{changed} -> {right.strip()}"), likely=weight)


def _results(tree: SyntaxTree) -> Iterator[Edit]:
    for _, node, text in _patterns(tree):
        left, _, right = text.partition("->")
        names = tokens(right)
        for one, other in combinations(range(len(names)), 2):
            changed = f"{left.strip()} -> {' '.join(exchanged(names, one, other))}"
            clause = f"the axes {names[one]} and {names[other]} behind the arrow are swapped"
            yield tree.edit(node, clause, constant(changed), likely=False)


def exchanged(items: Iterable[_T], one: int, other: int) -> list[_T]:
    """Return the items with two of them swapped."""
    result = list(items)
    result[one], result[other] = result[other], result[one]
    return result


def _one_axis(tree: SyntaxTree) -> Iterator[Edit]:
    """Yield edits that give two axes of an einsum one name."""
    for _, node, text in _patterns(tree, "einsum"):
        names = list(dict.fromkeys(re.findall(r"[A-Za-z]\w*", text)))
        for one, other in permutations(names, 2):
            changed = re.sub(rf"\b{other}\b", one, text)
            clause = f"{one} and {other} are one axis and need one name"
            yield tree.edit(node, clause, constant(changed), likely=False)


KINDS = (_composites, _reductions, _kept, _operands, _results, _one_axis)
"""The kinds of edits, the likely ones first."""
