"""Analyze an answer's text: whether it is Python, its patterns, its sizes, and what it leaves out."""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from studykit.exercise.rewrite.rewrite import EINOPS, MAX_ANSWER_CHARACTERS, Rewrite

_MAX_BITS = 128  # of a number that is shown
_MAX_DEPTH = 100  # of expressions in each other; whoever goes through a tree calls itself for each
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")  # but a tab, and what ends a line or a page
_TOO_DEEP = "it is too deeply nested or has invalid characters; write it as several simple statements"
_SHOWING = {"print", "log", "debug", "info", "warning", "warn", "error"}


class UnreadableError(Exception):
    """Raised if the answer is not Python or has no function. `shown` is the wrong line with a caret, or ""."""

    def __init__(self, why: str, shown: str = "") -> None:
        super().__init__(why)
        self.shown = shown


@dataclass(frozen=True, slots=True)
class Literal:
    """Hold a size written as a number, as in `h=8` or a pattern, which is right for one shape only."""

    line: int
    name: str
    value: int


@dataclass(frozen=True, slots=True)
class AnswerText:
    """Hold what the text of an answer shows without running it."""

    literals: tuple[Literal, ...] = ()
    patterns: tuple[tuple[int, str], ...] = ()  # line and text
    sizes: tuple[tuple[str, str], ...] = ()  # `h=n`: an axis and the argument that gives its size
    unused: tuple[str, ...] = ()  # tensors that are given and never named
    idle_lines: frozenset[int] = frozenset()  # which only assert, print or raise


def read(source: str, exercise: Rewrite) -> AnswerText:
    """Parse an answer, or raise UnreadableError if there is nothing to run."""
    tree = _tree(source, exercise)
    nodes = [*ast.walk(tree)]
    patterns = tuple(_patterns(nodes))
    return AnswerText(
        tuple(_literals(exercise, nodes, patterns)),
        patterns,
        tuple((one.arg, one.value.id) for one in _sizes_in(nodes) if one.arg and isinstance(one.value, ast.Name)),
        tuple(_unused(exercise, nodes)),
        frozenset(_idle_lines(nodes)),
    )


def _tree(source: str, exercise: Rewrite) -> ast.Module:
    if len(source) > MAX_ANSWER_CHARACTERS:
        raise UnreadableError(f"the answer has {len(source):,} characters; {MAX_ANSWER_CHARACTERS:,} are allowed")
    if control := _CONTROL.search(source):
        line = source.count("\n", 0, control.start()) + 1
        raise UnreadableError(f"line {line}: {control[0]!r} is a control character; delete it")
    try:
        tree = ast.parse(source, "<answer>")
    except SyntaxError as error:
        why = f"line {error.lineno or 1}: {_bare(source, exercise) or error.msg}"
        raise UnreadableError(why, _shown(source, error)) from None
    except (ValueError, RecursionError, MemoryError):
        raise UnreadableError(_TOO_DEEP) from None
    if _depth(tree) > _MAX_DEPTH:
        raise UnreadableError(_TOO_DEEP)
    _check_stars(source, exercise)
    if not any(isinstance(one, _DEFINING) for one in tree.body):
        raise UnreadableError(f"the answer defines no function; write `def {exercise.signature}:`")
    return tree


_DEFINING = (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.ImportFrom, ast.If, ast.Try)


def _shown(source: str, error: SyntaxError) -> str:
    """Return the line with the syntax error as the learner typed it, with a caret below, or ""."""
    lines = source.splitlines()
    number, at = error.lineno or 1, error.offset or 0
    if not 0 < number <= len(lines) or at < 1:
        return ""
    line = lines[number - 1]
    head = len(line) - len(_typed(source)) if _typed(source) else len(line) - len(line.lstrip())
    return f"  {line[head:]}\n  {' ' * max(0, min(at, len(line) + 1) - 1 - head)}^"


def _typed(source: str) -> str:
    """Return the expression that a learner typed as an answer of one line, or ""."""
    whole = re.fullmatch(r"def f\([^)]*\): return (.*)\n?", source)
    return whole.group(1) if whole else ""


_ALONE = r"[\w\s()*.,>-]*->[\w\s()*.,]*|[\w()*]+(?:\s+[\w()*]+)+\s*"
_SLIPS_OF_PATTERNS = (
    (r".*(?:-\s+>|=>|-->|\u2192).*", "an arrow is written ->, in one piece"),
    (r"(?:einops\.)?\w+\([\w, ]+,[^'\"]*->.*", "the pattern stands in quotes, as in 'b s d -> s b d'"),
    (r"[\w\s().]*->[\w\s().]*=[\w\s().=]*", "a size stands behind a comma, as in 'b (h e) -> b h e', h=h"),
    (rf"(?=.*,)(?:{_ALONE})", "axes are separated by spaces, as in 'b s d -> s b d'"),
    (rf"(?!.*->)(?:{_ALONE})", "a pattern has two sides with an arrow between, as in 'b s d -> s b d'"),
    (_ALONE, "a pattern has names, spaces and parentheses only, as in (h e)"),
)
"""Regular expressions for patterns that were typed without a call, each with advice."""
_MAX_WITHOUT_CALL = 2  # of these hold for other exercises too


def _bare(source: str, exercise: Rewrite) -> str:
    """Say what to do about a pattern that was typed without its call, or return ""."""
    typed = _typed(source)
    for pattern, advice in _SLIPS_OF_PATTERNS if exercise.call else _SLIPS_OF_PATTERNS[:_MAX_WITHOUT_CALL]:
        if re.fullmatch(pattern, typed):
            return advice
    is_alone = re.fullmatch(_ALONE, typed)
    return (
        f"a pattern is not enough here, write the whole call: {exercise.must[0]}(..., '...')" if is_alone else ""
    )


def _check_stars(source: str, exercise: Rewrite) -> None:
    """Refuse a bare pattern with a star, which Python would read as a product: `b * d`."""
    words = _typed(source).split()
    names = {argument.name for argument in exercise.arguments}
    if "*" in words and all(re.fullmatch(r"\*|[A-Za-z]\w*", word) for word in words) and not names & set(words):
        raise UnreadableError(f"line 1: {_bare(source, exercise)}")


def _depth(tree: ast.AST) -> int:
    """Return how deep the nodes are nested, without recursion."""
    level, depth = [tree], 0
    while level:
        level, depth = [child for node in level for child in ast.iter_child_nodes(node)], depth + 1
    return depth


def _patterns(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield line and text of strings with an arrow, except docstrings, annotations and parts of f-strings."""
    passed: set[int] = set()
    for node in nodes:
        match node:
            case ast.JoinedStr() | ast.Expr(value=ast.Constant()):
                passed.update(id(inner) for inner in ast.walk(node))
            case ast.FunctionDef(returns=hint) | ast.arg(annotation=hint) | ast.AnnAssign(annotation=hint) if hint:
                passed.update(id(inner) for inner in ast.walk(hint))
            case ast.Constant(value=str(text)) if "->" in text and id(node) not in passed:
                yield node.lineno, text


def _literals(
    exercise: Rewrite, nodes: Iterable[ast.AST], patterns: Iterable[tuple[int, str]]
) -> Iterator[Literal]:
    fine = {*exercise.fixed.values(), 1}
    for given in _sizes_in(nodes):
        value = given.value.value if isinstance(given.value, ast.Constant) else None
        if isinstance(value, int) and value.bit_length() <= _MAX_BITS and value not in fine:
            yield Literal(given.value.lineno, given.arg or "", value)
    for line, text in patterns:
        for number in re.findall(r"(?<!\w)\d+", text):
            if len(number) < _MAX_DEPTH and int(number) not in fine:
                yield Literal(line, "", int(number))


def _sizes_in(nodes: Iterable[ast.AST]) -> list[ast.keyword]:
    """Return the keyword arguments of einops calls."""
    calls = [node for node in nodes if isinstance(node, ast.Call) and callee(node) in EINOPS]
    return [given for call in calls for given in call.keywords]


def _unused(exercise: Rewrite, nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the tensor parameters that no line uses, if the answer has only one function."""
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    read_names = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    for function in functions if len(functions) == 1 else ():
        yield from (name for name in tensors(function, exercise) if name not in read_names)


def tensors(function: ast.FunctionDef, exercise: Rewrite) -> dict[str, str]:
    """Map the names of a function's parameters to the axes of the exercise's tensors."""
    parameters = [*function.args.posonlyargs, *function.args.args]
    names = [parameter.arg for parameter in parameters if parameter.arg != "self"]  # of a module's `forward`
    pairs = zip(names, exercise.arguments, strict=False)
    return {name: argument.shown for name, argument in pairs if argument.groups is not None}


def _idle_lines(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """Yield the numbers of lines that only assert, print or raise, whose calls do not count as the answer's."""
    busy = {node.lineno for node in nodes if isinstance(node, ast.stmt) and not _is_idle(node)}
    for node in nodes:
        if isinstance(node, ast.stmt) and _is_idle(node):
            yield from set(range(node.lineno, (node.end_lineno or node.lineno) + 1)) - busy


def _is_idle(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
            return name in _SHOWING or name.startswith("assert")
        case ast.If(body=body, orelse=[]):
            return all(map(_is_idle, body))
    return isinstance(node, ast.Assert | ast.Raise)


def callee(node: ast.Call) -> str:
    """Return the name of the called function without its module, as `rearrange` for `einops.rearrange`, or ""."""
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name, value=ast.Name()):
            return name
    return ""
