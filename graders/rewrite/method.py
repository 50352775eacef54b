"""Whether an answer keeps to its exercise's rule, decided on its syntax tree. Nothing is run."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.rewrite.whitelist import Literal, Offence, Walk

MOST_CHARACTERS = 4000


class UnreadableError(Exception):
    """The answer is no Python, or defines no `f` that could be called; `shown` is the line with a caret."""

    def __init__(self, why: str, shown: str = "") -> None:
        super().__init__(why)
        self.shown = shown


@dataclass(frozen=True, slots=True)
class Method:
    """What an answer is made of."""

    offences: tuple[Offence, ...]
    literals: tuple[Literal, ...]
    patterns: tuple[tuple[int, str], ...]  # line and text


def read(source: str, exercise: Rewrite) -> Method:
    """The answer's method; UnreadableError where there is nothing to run."""
    if len(source) > MOST_CHARACTERS:
        raise UnreadableError(f"the answer has {len(source)} characters; {MOST_CHARACTERS} are allowed")
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        why = f"line {error.lineno or 1}: {error.msg}{_bare(source, exercise)}"
        raise UnreadableError(why, _shown(source, error)) from None
    except (ValueError, RecursionError, MemoryError):
        raise UnreadableError("the answer is not readable as Python: too deeply nested, or not text") from None
    _check_whole(source, exercise)
    _check_signature(tree, exercise)
    try:
        walk = Walk(exercise, list(_nodes(tree)))
        offences = (*walk.offences(), *walk.not_called())
    except RecursionError:
        raise UnreadableError("the answer is too deeply nested") from None
    return Method(tuple(dict.fromkeys(offences)), tuple(walk.literals()), tuple(walk.patterns()))


def _shown(source: str, error: SyntaxError) -> str:
    """The line that Python stumbled over, as it was typed, with a caret."""
    lines = source.splitlines()
    number, at = error.lineno or 1, error.offset or 0
    if not 0 < number <= len(lines) or at < 1:
        return ""
    line = lines[number - 1]
    head = len(line) - len(_typed(source)) if _typed(source) else len(line) - len(line.lstrip())
    return f"  {line[head:]}\n  {' ' * max(0, min(at, len(line) + 1) - 1 - head)}^"


def _typed(source: str) -> str:
    """What a learner typed of an answer of one line."""
    whole = re.fullmatch(r"def f\([^)]*\): return (.*)\n?", source)
    return whole.group(1) if whole else ""


def _bare(source: str, exercise: Rewrite) -> str:
    """What to do where a pattern was typed alone and cannot stand alone."""
    typed = _typed(source)
    if re.search(r"-\s+>|=>|-->|\u2192", typed):
        return "; an arrow is written ->, in one piece"
    if not re.fullmatch(r"[\w\s()*.>-]*->[\w\s()*.]*|[\w()*]+(\s+[\w()*]+)+\s*", typed):
        return ""
    if exercise.call and "->" not in typed:
        return "; a pattern has two sides with an arrow between: ... -> ..."
    if exercise.call:
        return "; a pattern has names, spaces and parentheses only, as in (h d)"
    return f"; a pattern alone is not enough here, write the whole call: {exercise.must[0]}(..., '...')"


def _check_whole(source: str, exercise: Rewrite) -> None:
    """Refuse a pattern with a star typed alone, which Python would read as a product: `b * d`."""
    words = _typed(source).split()
    known = {argument.name for argument in exercise.arguments}
    if "*" in words and all(re.fullmatch(r"\*|[A-Za-z]\w*", word) for word in words) and not known & set(words):
        raise UnreadableError(f"line 1: {_bare(source, exercise).removeprefix('; ')}")


def _check_signature(tree: ast.Module, exercise: Rewrite) -> None:
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "f"]
    assigned = [node for node in tree.body if isinstance(node, ast.Assign | ast.ImportFrom | ast.ClassDef)]
    if not functions:
        if assigned and "f" in {name.id for a in assigned for name in ast.walk(a) if isinstance(name, ast.Name)}:
            return  # the rule will say what is wrong with it
        raise UnreadableError(f"the answer defines no function `f`; write `def {exercise.signature}:`")
    given = functions[-1].args
    count = len(given.posonlyargs) + len(given.args)
    if given.vararg is None and (count != len(exercise.arguments) or given.kwonlyargs):
        raise UnreadableError(f"line {functions[-1].lineno}: write `def {exercise.signature}:`")


def _nodes(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """Every node with its parent, annotations left out."""
    waiting: list[tuple[ast.AST, ast.AST | None]] = [(tree, None)]
    while waiting:
        node, parent = waiting.pop(0)
        yield node, parent
        skipped = (getattr(node, "annotation", None), getattr(node, "returns", None))
        waiting += [(child, node) for child in ast.iter_child_nodes(node) if child not in skipped]
