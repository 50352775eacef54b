"""Define einops rewrites: opaque code, the functions to rewrite it with, and right and wrong answers."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from studykit.exercise.rewrite import pattern
from studykit.exercise.rewrite.pattern import Side
from studykit.text import listed

EINOPS = ("rearrange", "reduce", "repeat", "einsum", "pack", "unpack", "parse_shape")
"""The functions that an exercise may ask for."""
REDUCTIONS = ("mean", "sum", "max", "min", "prod")
"""The operations of reduce."""
MAX_ANSWER_CHARACTERS = 20_000
"""Of an answer."""
DOTS_IN_ONE = "\N{HORIZONTAL ELLIPSIS}"
"""What editors make of three dots; to einops a name, where three dots may not stand as well."""

_SHORT = re.compile(
    rf"(?!(einops\.)?({'|'.join(EINOPS)})\()[\w\s().,]*->[\w\s().]*(,\s*({'|'.join(REDUCTIONS)}))?"
    r"(,\s*\w+\s*=\s*[\w.\[\]()/*-][\w.\[\]()/*\- ]*)*"
)
_DEFINITION = re.compile(r"(async\s+)?def\b|class\b|@|import\b|from\b|\w+\s*(:[^=]+)?=[^=]")
_NAMED_GROUP = re.compile(r"(\w+)=(\([\w\s]*\))")


class Fill(StrEnum):
    """Name what a trial's inputs hold, such as their positions for an exercise that only moves values."""

    POSITIONS = "positions"
    INTEGERS = "integers"
    NORMAL = "normal"
    FRACTIONS = "fractions"  # eighths of either sign; their sums and products are exact, as of the next two
    NEGATIVE = "negative"  # large numbers below zero
    LARGE = "large"  # large numbers above zero
    MIXED = "mixed"  # eighths and large numbers, of either sign


@dataclass(frozen=True, slots=True)
class Argument:
    """Hold a parameter of `f`: a tensor with axes, or (without axes) the size of the axis of the same name."""

    name: str
    groups: Side | None = None
    shown: str = ""  # the axes as the learner sees them, composites under one name


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Hold a rewrite exercise. `call` is a whole answer with `{}` in place of a short answer's pattern."""

    id: str
    family: str
    task: str  # one sentence: what the code is for
    code: str  # opaque torch code that defines f
    arguments: tuple[Argument, ...]
    must: tuple[str, ...]  # einops functions that the answer calls
    hints: tuple[str, ...]
    solution: str
    alternatives: tuple[str, ...]
    near_misses: tuple[str, ...]
    result: Side | None = None  # the axes of the result, where it is one tensor
    call: str = ""
    canonical: str = ""  # the pattern of the solution, where one pattern is all
    fill: Fill = Fill.POSITIONS
    tolerance: float = 0.0  # relative; 0 compares bytes
    helpers: tuple[str, ...] = ()  # functions that an answer has without an import, besides einops'
    fixed: Mapping[str, int] = field(default_factory=dict)  # axes whose size is part of the exercise
    sums: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # axes that are sums of others: `h*w`, `s`
    gradient: bool = False
    norm_axis: str = ""  # whose size is never 1: a norm of one element has the gradient 0, in which terms cancel
    operation: str = ""  # of a reduction
    version: int = 1
    objective: str = "einops"
    kind: str = "rewrite"
    set_name: str = "einops"

    @property
    def tensors(self) -> tuple[Argument, ...]:
        """Return the arguments that are tensors."""
        return tuple(argument for argument in self.arguments if argument.groups is not None)

    @property
    def size_names(self) -> tuple[str, ...]:
        """Return the names of the arguments that are sizes, which are those of their axes."""
        return tuple(argument.name for argument in self.arguments if argument.groups is None)

    @property
    def signature(self) -> str:
        """Return the signature, such as `f(x, h)`."""
        return f"f({', '.join(argument.name for argument in self.arguments)})"

    @property
    def prompt(self) -> str:
        """Return the question as Markdown."""
        facts = [f"`{a.name}` has the axes `{a.shown}`" for a in self.tensors]
        if sizes := [f"`{name}`" for name in self.size_names]:
            facts.append(f"{listed(sizes)} {'is a size' if len(sizes) == 1 else 'are sizes'}")
        calls = " and ".join(f"`{name}`" for name in self.must)
        helpers = listed([f"`{name}`" for name in self.helpers])
        note = f" {helpers} {'needs' if len(self.helpers) == 1 else 'need'} no import." if self.helpers else ""
        return (
            f"{self.task}\n\n```python\n{self.code.strip()}\n```\n\n{'; '.join(facts)}.\n\n"
            f"Rewrite `{self.signature}` using {calls} from einops.{note}"
        )


def tensor(name: str, axes: str) -> Argument:
    """Make a tensor argument from axes such as `b s w=(h d)`, which the learner sees as `b s w`."""
    return Argument(name, pattern.side(_NAMED_GROUP.sub(r"\2", axes)), _NAMED_GROUP.sub(r"\1", axes))


def size(name: str) -> Argument:
    """Make an argument that gives the size of the axis of the same name."""
    return Argument(name)


def defined(signature: str, body: str) -> str:
    """Return the source of a function that returns an expression."""
    return f"def {signature}:\n    return {body}\n"


def arguments_of(row: str) -> tuple[Argument, ...]:
    """Parse arguments such as `x: b s w=(h d); h`: tensors with axes, sizes without."""
    parts = [part.strip() for part in row.split(";")]
    return tuple(tensor(*part.split(": ")) if ":" in part else size(part) for part in parts)


def single(
    name: str,
    family: str,
    task: str,
    code: str,
    arguments: tuple[Argument, ...],
    function: str,
    canonical: str,
    *,
    hints: tuple[str, ...],
    wrong: tuple[str, ...],
    operation: str = "",
    alternatives: tuple[str, ...] = (),
    near_misses: tuple[str, ...] = (),
    gradient: bool = False,
) -> Rewrite:
    """Make an exercise that is answered by one call with one pattern. `wrong` are patterns of near misses."""
    tensors = ", ".join(a.name for a in arguments if a.groups is not None)
    sizes = "".join(f", {a.name}={a.name}" for a in arguments if a.groups is None)
    call = f"{function}({tensors}, {{}}{f', {operation!r}' if operation else ''}{sizes})"
    signature = f"f({', '.join(a.name for a in arguments)})"
    source = {text: defined(signature, call.format(repr(text))) for text in (canonical, *wrong)}
    renamed = _with_other_names(canonical, {a.name for a in arguments})
    qualified = f"import einops\n\n{defined(signature, 'einops.' + call.format(repr(canonical)))}"
    named_first = f"def {signature}:\n    y = {call.format(repr(canonical))}\n    return y\n"
    return Rewrite(
        id=f"rewrite.{name}",
        family=family,
        task=task,
        code=code,
        arguments=arguments,
        must=(function,),
        hints=hints,
        solution=source[canonical],
        alternatives=(defined(signature, call.format(repr(renamed))), qualified, named_first, *alternatives),
        near_misses=(*(source[text] for text in wrong), *near_misses),
        result=pattern.side(canonical.partition("->")[2]),
        call=call,
        canonical=canonical,
        fill=Fill.INTEGERS if function in {"reduce", "einsum"} else Fill.POSITIONS,
        tolerance=1e-9 if operation in {"mean", "sum"} else 0.0,
        gradient=gradient,
        operation=operation,
    )


def _with_other_names(text: str, kept: set[str]) -> str:
    return re.sub(
        r"[A-Za-z]\w*", lambda word: word.group() if word.group() in kept else word.group() + "_axis", text
    )


def module(
    name: str,
    task: str,
    code: str,
    arguments: str,
    must: tuple[str, ...],
    helpers: tuple[str, ...],
    result: str,
    hints: tuple[str, ...],
    solution: str,
    alternatives: tuple[str, ...],
    near_misses: tuple[str, ...],
    fixed: Mapping[str, int] | None = None,
    *,
    norm_axis: str = "",
) -> Rewrite:
    """Make an exercise whose answers are bodies of `f` in several lines. A `norm_axis` adds a gradient check."""
    parsed = arguments_of(arguments)
    signature = f"f({', '.join(argument.name for argument in parsed)})"

    def whole(body: str) -> str:
        lines = "\n".join(f"    {line.strip()}" for line in body.strip().splitlines())
        return f"def {signature}:\n{lines}\n"

    return Rewrite(
        id=f"rewrite.{name}",
        family="modules",
        task=task,
        code=code,
        arguments=parsed,
        must=must,
        helpers=helpers,
        hints=hints,
        solution=whole(solution),
        alternatives=tuple(whole(text) for text in alternatives),
        near_misses=tuple(whole(text) for text in near_misses),
        result=pattern.side(result),
        fill=Fill.NORMAL,
        tolerance=1e-9,
        fixed=fixed or {},
        gradient=bool(norm_axis),
        norm_axis=norm_axis,
    )


def as_source(exercise: Rewrite, text: str) -> str:
    """Convert an answer to a module. It may be a module, an expression, or a pattern with optional sizes."""
    if len(text) > MAX_ANSWER_CHARACTERS:  # it is refused
        return text
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace(DOTS_IN_ONE, "...")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    short = "\n".join(lines).strip().removeprefix("return ")
    quotes = r"['\"]" if short[:1] in {"'", '"'} else r"(?<=[\s,])['\"](?=\w+['\"])|(?<=\w)['\"](?=,|$)"
    bare = re.sub(quotes, "", short)
    if exercise.call and _SHORT.fullmatch(bare):
        short = _call_of(exercise, " ".join(bare.split()))
    elif (kind := _expression_kind(short)) is ast.Lambda:
        return f"f = {short}\n"
    elif kind is None and (len(lines) != 1 or _DEFINITION.match(short)):
        return text.rstrip() + "\n"
    if "\n" in short:
        short = f"({short})"
    return f"def {exercise.signature}: return {short}\n"  # errors then speak of line 1


def _expression_kind(text: str) -> type[ast.expr] | None:
    """Return the AST type of an expression, or None for other text."""
    try:
        return type(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _call_of(exercise: Rewrite, text: str) -> str:
    arrow = text.index("->")
    right_side, *options = text[arrow:].split(",")
    text_of_pattern = text[:arrow] + right_side.strip()
    operations = [part.strip() for part in options if "=" not in part]
    operation = "".join(f", {name!r}" for name in operations or filter(None, [exercise.operation]))
    if sizes := [part.strip() for part in options if "=" in part]:
        head = exercise.call.partition("{}")[0]
        return f"{head}{text_of_pattern!r}{operation}, {', '.join(sizes)})"
    names = set(re.findall(r"\w+", text_of_pattern))
    call = exercise.call.replace(f", {exercise.operation!r}", operation).format(repr(text_of_pattern))
    for name in set(exercise.size_names) - names:  # a size whose axis this pattern does not name
        call = call.replace(f", {name}={name}", "")
    return call
