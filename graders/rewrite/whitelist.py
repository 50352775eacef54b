"""What an answer may be made of and which calls it may make, decided on its syntax tree; nothing is run.

A whitelist of syntax, because a list of what is forbidden never ends.
"""

import ast
import re
from collections import deque
from collections.abc import Callable, Iterator

from studykit.exercise.rewrite.plain_calls import plain_tree
from studykit.exercise.rewrite.rewrite import EINOPS, Rewrite
from studykit.record_type import Record

MOST_CHARACTERS = 4000
_MOST_NUMBER = 4096
_MOST_BITS = 128  # of a number that is told
_MOST_DEPTH = 100  # of expressions in each other; whoever goes through a tree calls itself for each
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")  # but a tab, and what ends a line or a page
_NOT_READABLE = "the answer is not readable as Python: too deeply nested, or not text"
_BUILT_IN = {"sum", "max", "min"}  # Python's own: reduce wants their names
IMPORTS = frozenset({"einops", "torch"})  # modules that an answer may import
_ANOTHER, _SECOND = "another meaning for", "a second function"
_SIGNS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow)
_FINE = (
    *(ast.Module, ast.Assign, ast.AnnAssign, ast.Return, ast.Expr, ast.Pass, ast.Tuple, ast.List, ast.keyword),
    *(ast.arguments, ast.alias, ast.operator, ast.unaryop, ast.Load, ast.Store),
)
_OF_TYPES = (
    *(ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.Load),
    *(ast.Call, ast.keyword),
)
"""What an annotation may be made of: it is left out, so it may give no name a meaning, nor be no Python."""
_HELPED = {"dim", "x", "input"}
"""What a helper may be given by name: with `out` it would change a value that is there."""
_TENSORS = {"tensor", "tensors", "x", "pattern"}
"""Names under which a call may be given more than sizes."""


class UnreadableError(Exception):
    """The answer is no Python, or defines no `f` that could be called; `shown` is the line with a caret."""

    def __init__(self, why: str, shown: str = "") -> None:
        super().__init__(why)
        self.shown = shown


class Offence(Record):
    """Something that the rule does not allow."""

    line: int
    what: str
    advice: str = ""  # a sentence that says what to do

    def __str__(self) -> str:
        return f"{self.what} on line {self.line}" if self.line else self.what


class Literal(Record):
    """A size written as a number, `h=8`, or in a pattern and without a name: right for one shape only."""

    line: int
    name: str
    value: int


class Method(Record):
    """What an answer is made of."""

    offences: tuple[Offence, ...]
    literals: tuple[Literal, ...]
    patterns: tuple[tuple[int, str], ...]  # line and text
    sizes: tuple[tuple[str, str], ...] = ()  # `h=n`: an axis and the argument that gives its size
    plain: bool = False  # one call of what is asked for, on the arguments as they are, and nothing else
    unused: tuple[str, ...] = ()  # tensors that are given and never named


def read(source: str, exercise: Rewrite) -> Method:
    """The answer's method; UnreadableError where there is nothing to run."""
    if len(source) > MOST_CHARACTERS:
        raise UnreadableError(f"the answer has {len(source)} characters; {MOST_CHARACTERS} are allowed")
    if control := _CONTROL.search(source):
        line = source.count("\n", 0, control.start()) + 1
        raise UnreadableError(f"line {line}: {control[0]!r} is a control character, take it out")
    try:
        tree = plain_tree(source, exercise.helpers)
    except SyntaxError as error:
        why = f"line {error.lineno or 1}: {error.msg}{_bare(source, exercise)}"
        raise UnreadableError(why, _shown(source, error)) from None
    except (ValueError, RecursionError, MemoryError):
        raise UnreadableError(_NOT_READABLE) from None
    if _depth(tree) > _MOST_DEPTH:
        raise UnreadableError(_NOT_READABLE)
    _check_whole(source, exercise)
    _check_signature(tree, exercise)
    nodes = AnswerNodes(exercise, list(_nodes(tree)))
    offences = (*nodes.offences(), *nodes.not_called())
    plain = not offences and _is_plain(tree, exercise)
    offences = tuple(dict.fromkeys(offences))
    found = tuple(nodes.literals()), tuple(nodes.patterns()), tuple(nodes.sizes())
    return Method(offences, *found, plain, tuple(nodes.unused()))


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
    if count != len(exercise.arguments) or given.vararg or given.kwonlyargs or given.kwarg:
        raise UnreadableError(f"line {functions[-1].lineno}: write `def {exercise.signature}:`")


class AnswerNodes(Record):
    """The nodes of an answer, each with its parent."""

    exercise: Rewrite
    nodes: list[tuple[ast.AST, ast.AST | None]]

    @property
    def _callable(self) -> set[str]:
        return {*EINOPS, *self.exercise.helpers}

    @property
    def _stored(self) -> set[str]:
        """Names that the answer gives, to its arguments too."""
        given = {n.id for n, _ in self.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        return given | {n.arg for n, _ in self.nodes if isinstance(n, ast.arg)}

    @property
    def _taken(self) -> set[str]:
        """Names that keep their meaning: what may be called, and where it comes from."""
        return self._callable | IMPORTS | {"Tensor"}

    def offences(self) -> Iterator[Offence]:
        told: set[ast.AST] = set()  # with what stands around them, which comes first
        for node, parent in self.nodes:
            if node in told or parent in told:
                told.add(node)
                continue
            what = self._objection(node, parent)
            if what:
                told.update(_told_with(node))
                yield Offence(getattr(node, "lineno", 0), what, _advice(node, what))
            for said in filter(None, _annotations(node)):
                if not all(isinstance(inner, _OF_TYPES) for inner in ast.walk(said)):
                    yield Offence(said.lineno, "an annotation that is no type", "Leave it out.")

    def not_called(self) -> Iterator[Offence]:
        called = {_callee(node) for node, _ in self.nodes if isinstance(node, ast.Call)}
        for name in self.exercise.must:
            if name not in called:
                yield Offence(0, f"`{name}` is never called")

    def unused(self) -> Iterator[str]:
        """Tensors among the parameters of f that no line names."""
        read = {n.id for n, _ in self.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        functions = [n for n, _ in self.nodes if isinstance(n, ast.FunctionDef) and n.name == "f"]
        for function in functions[-1:]:
            names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
            for argument, name in zip(self.exercise.arguments, names, strict=False):
                if argument.groups is not None and name not in read:
                    yield name

    def literals(self) -> Iterator[Literal]:
        allowed = set(self.exercise.fixed.values()) | {1}
        for node, parent in self.nodes:
            if not isinstance(node, ast.keyword) or not isinstance(parent, ast.Call):
                continue
            value = node.value.value if isinstance(node.value, ast.Constant) else None
            if not isinstance(value, int) or value.bit_length() > _MOST_BITS:
                continue
            if value not in allowed and _callee(parent) in EINOPS:
                yield Literal(node.value.lineno, node.arg or "", value)
        for line, text in self.patterns():
            for number in re.findall(r"(?<!\w)\d+", text):
                if int(number) not in allowed:
                    yield Literal(line, "", int(number))

    def sizes(self) -> Iterator[tuple[str, str]]:
        for node, parent in self.nodes:
            match node, parent:
                case ast.keyword(arg=str(axis), value=ast.Name(id=name)), ast.Call() if _callee(parent) in EINOPS:
                    yield axis, name

    def patterns(self) -> Iterator[tuple[int, str]]:
        for node, _ in self.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "->" in node.value:
                yield node.lineno, node.value

    def _objection(self, node: ast.AST, parent: ast.AST | None) -> str:
        rules: dict[type[ast.AST], Callable[..., str]] = {
            ast.Call: self._call,
            ast.Attribute: self._attribute,
            ast.Subscript: self._subscript,
            ast.Constant: _constant,
            ast.BinOp: _operation,
            ast.UnaryOp: _operation,
            ast.arg: self._argument,
            ast.Import: _import,
            ast.ImportFrom: self._import_from,
            ast.FunctionDef: self._function,
            ast.Name: self._name,
        }
        if type(node) in rules:
            return rules[type(node)](node, parent)
        if isinstance(node, _FINE):
            return ""
        if isinstance(node, ast.Slice) and isinstance(parent, ast.Subscript) and _is_shape(parent.value):
            return ""
        return _said(node)

    def _call(self, node: ast.Call, _: ast.AST | None) -> str:
        if any(keyword.arg is None for keyword in node.keywords):
            return "`**` in a call (name the axes)"
        called = _callee(node)
        if called in self.exercise.helpers and (odd := [k.arg for k in node.keywords if k.arg not in _HELPED]):
            return f"`{odd[0]}=` in a call of {called}"
        if called in self.exercise.helpers and (odd_one := _unlike_torch(node)):
            return odd_one
        if called in self._callable:
            return ""
        if isinstance(node.func, ast.Attribute):
            return ""  # told as an attribute, once
        return f"`{called}`{_instead(called)}" if called else "a call of something that is no name"

    def _attribute(self, node: ast.Attribute, parent: ast.AST | None) -> str:
        if node.attr == "shape":
            return "" if isinstance(node.ctx, ast.Load) else "an assignment to `.shape`"
        base = node.value.id if isinstance(node.value, ast.Name) else ""
        known = isinstance(node.ctx, ast.Load) and node.attr in self._callable
        if known and (base == "einops" or (base == "torch" and node.attr in self.exercise.helpers)):
            return "" if _is_called(node, parent) else f"`{base}.{node.attr}` without calling it"
        instead = f" (write `{node.attr}(...)`)" if node.attr in self._callable and base != "torch" else ""
        if base == "torch" and node.attr in EINOPS:
            instead = f" (write `{node.attr}(...)`: einops takes the tensors first, then the pattern with spaces)"
        name = ast.unparse(node) if _is_of_module(node) else f".{node.attr}"
        return f"`{name}`{instead or _instead(f'.{node.attr}')}"

    def _subscript(self, node: ast.Subscript, _: ast.AST | None) -> str:
        if not isinstance(node.ctx, ast.Load):
            return "an assignment to an element"
        if _is_shape(node.value):
            return ""
        index = node.slice.operand if isinstance(node.slice, ast.UnaryOp) else node.slice
        whole = isinstance(index, ast.Constant) and isinstance(index.value, int)
        return "" if whole and isinstance(node.value, ast.Name | ast.Call) else "an index or a slice"

    def _function(self, node: ast.FunctionDef, parent: ast.AST | None) -> str:
        if node.name in self._taken:
            return f"{_ANOTHER} `{node.name}`"
        if getattr(node, "type_params", None):
            return "a type parameter"
        if node.decorator_list or node.args.defaults or any(node.args.kw_defaults):
            return "a decorator or a default value"
        first = next((n for n, above in self.nodes if isinstance(n, ast.FunctionDef) and n.name == "f"), None)
        return "" if isinstance(parent, ast.Module) and node is first else f"{_SECOND}, `{node.name}`"

    def _argument(self, node: ast.arg, _: ast.AST | None) -> str:
        return f"{_ANOTHER} `{node.arg}`" if node.arg in self._taken else ""

    def _import_from(self, node: ast.ImportFrom, _: ast.AST | None) -> str:
        allowed = {"einops": set(EINOPS), "torch": {"Tensor", *self.exercise.helpers}}.get(
            node.module or "", set()
        )
        fine = not node.level and all(alias.name in allowed and alias.asname is None for alias in node.names)
        return "" if fine else f"`{ast.unparse(node)}`{_renamed(node)}"

    def _name(self, node: ast.Name, parent: ast.AST | None) -> str:
        if node.id.startswith("__"):
            return f"`{node.id}`"
        if isinstance(node.ctx, ast.Store) and node.id in self._taken | {"f"}:
            return f"{_ANOTHER} `{node.id}`"
        if node.id in IMPORTS and not isinstance(parent, ast.Attribute):
            return f"`{node.id}` without a call of its functions"
        if isinstance(node.ctx, ast.Load) and node.id in self._callable and not _is_called(node, parent):
            return f"`{node.id}` without calling it"
        if node.id in _BUILT_IN and not _is_called(node, parent) and node.id not in self._stored:
            return f"`{node.id}` without quotes (write '{node.id}')"
        return ""


def _nodes(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """Every node with its parent, annotations left out."""
    waiting: deque[tuple[ast.AST, ast.AST | None]] = deque([(tree, None)])
    while waiting:
        node, parent = waiting.popleft()
        yield node, parent
        skipped = _annotations(node)
        waiting += [(child, node) for child in ast.iter_child_nodes(node) if child not in skipped]


def _depth(tree: ast.AST) -> int:
    """How many nodes stand in each other, one by one."""
    level, depth = [tree], 0
    while level:
        level, depth = [child for node in level for child in ast.iter_child_nodes(node)], depth + 1
    return depth


def _annotations(node: ast.AST) -> tuple[ast.expr | None, ast.expr | None]:
    return getattr(node, "annotation", None), getattr(node, "returns", None)


def _unlike_torch(node: ast.Call) -> str:
    """What torch would not take of a call of one of its functions."""
    given = [*node.args, *(one.value for one in node.keywords)]
    if any(isinstance(one, ast.List | ast.Tuple) for one in given):
        return f"a list in a call of {_callee(node)}"
    if not isinstance(node.func, ast.Attribute):
        return ""
    if any(one.arg == "x" for one in node.keywords):
        return f"`x=` in a call of torch.{_callee(node)}"
    lacks = _callee(node) == "softmax" and len(given) < len(("input", "dim"))
    return "`torch.softmax` without its axis (write dim=-1)" if lacks else ""


def _callee(node: ast.Call) -> str:
    """The name that a call calls: `rearrange`, also of `einops.rearrange`."""
    if isinstance(node.func, ast.Name):
        return node.func.id
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        return node.func.attr if node.func.value.id in IMPORTS else ""
    return ""


def _is_called(node: ast.expr, parent: ast.AST | None) -> bool:
    return isinstance(parent, ast.Call) and parent.func is node


def _is_shape(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def _constant(node: ast.Constant, _: ast.AST | None) -> str:
    if isinstance(node.value, str):
        return ""
    if isinstance(node.value, int | float) and not isinstance(node.value, bool):
        if abs(node.value) <= _MOST_NUMBER:
            return ""
        if isinstance(node.value, int) and node.value.bit_length() > _MOST_BITS:
            return f"a number of {node.value.bit_length()} bits"  # which Python may refuse to write out
        return f"the number {node.value!r}"
    return f"the constant {node.value!r}"


def _operation(node: ast.BinOp | ast.UnaryOp, _: ast.AST | None) -> str:
    return "" if isinstance(node.op, (*_SIGNS, ast.USub, ast.UAdd)) else _said(node)


def _said(node: ast.AST) -> str:
    from studykit.graders.rewrite import syntax_words

    return syntax_words.said(node)


def _instead(called: str) -> str:
    from studykit.graders.rewrite import syntax_words

    return syntax_words.instead(called)


def _told_with(node: ast.AST) -> list[ast.AST]:
    """The parts of something refused that need no words of their own."""
    match node:
        case ast.Subscript():
            return [node.slice]
        case ast.Attribute() if _is_of_module(node):
            return [node.value]
        case ast.Assert():
            return [node.test]
        case ast.For():
            return [node.iter]
    return []


def _is_of_module(node: ast.expr) -> bool:
    """Whether it is a dotted name of torch's or numpy's."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in {"torch", "F", "np"}


def _advice(node: ast.AST, what: str) -> str:
    from studykit.graders.rewrite import syntax_words

    if what.startswith(_ANOTHER):
        return "Choose another name."
    return "" if isinstance(node, ast.FunctionDef) and not what.startswith(_SECOND) else syntax_words.advice(node)


def _is_plain(tree: ast.Module, exercise: Rewrite) -> bool:
    """Whether `f` returns one call of all that is asked for, on its arguments as they are."""
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    last = function.body[-1]
    others = [node for node in (*tree.body, *function.body) if node not in {function, last}]
    if not all(isinstance(node, ast.Import | ast.ImportFrom) or _is_docstring(node) for node in others):
        return False
    call = last.value if isinstance(last, ast.Return) else None
    if not isinstance(call, ast.Call) or (_callee(call),) != exercise.must:
        return False
    packs = exercise.must == ("pack",)
    listed = [one.elts if packs and isinstance(one, ast.List | ast.Tuple) else [one] for one in call.args]
    given = [part for parts in listed for part in parts]
    sizes = [keyword for keyword in call.keywords if keyword.arg not in _TENSORS]
    inside = [node for part in (*call.args, *call.keywords) for node in ast.walk(part)]
    return (
        all(isinstance(part, ast.Name | ast.Constant) for part in given)
        and len(sizes) == len(call.keywords)
        and not any(isinstance(node, ast.Call) for node in inside)
        and not any(isinstance(node, ast.BinOp) and not _is_quotient(node) for node in inside)
        and all(_is_length(node) for node in inside if isinstance(node, ast.Subscript))
    )


def _is_quotient(node: ast.BinOp) -> bool:
    """Whether one size is divided by another: `x.shape[2] // h`."""
    both = (node.left, node.right)
    return isinstance(node.op, ast.FloorDiv) and all(isinstance(one, ast.Name | ast.Subscript) for one in both)


def _is_length(node: ast.Subscript) -> bool:
    """Whether a part is one of the shape of a value with a name, at a place that written numbers say."""
    written = not any(isinstance(inner, ast.Name | ast.Attribute) for inner in ast.walk(node.slice))
    return written and isinstance(node.value, ast.Attribute) and isinstance(node.value.value, ast.Name)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _import(node: ast.Import, _: ast.AST | None) -> str:
    fine = all(alias.name in IMPORTS and alias.asname is None for alias in node.names)
    return "" if fine else f"`{ast.unparse(node)}`{_renamed(node)}"


def _renamed(node: ast.Import | ast.ImportFrom) -> str:
    """What to do where the import itself would be fine."""
    module = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
    short = [alias.asname for alias in node.names if alias.asname]
    return f" (without `as {short[0]}`)" if short and module in IMPORTS else ""
