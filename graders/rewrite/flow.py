"""What an answer computes, as steps that name the steps they take their values from.

The language that the whitelist leaves has no branches, no loops and nothing that changes a value: the steps are
all there is to it. What is not known here has no flow, and an answer without one does not pass.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from studykit.exercise.rewrite.rewrite import EINOPS

MOST_STEPS = 400
_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Pow: "**",
}


class NoFlowError(Exception):
    """The answer holds something that is no step; `line` says where."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line


@dataclass(frozen=True, slots=True)
class FlowStep:
    """One value: an argument, a constant, a call, a sign between two values, a part of one.

    `detail` is the argument's place, the constant, the name that is called, the sign, or the place of a part.
    """

    kind: str
    detail: int | float | str | bool | None = None
    takes: tuple[int, ...] = ()
    named: tuple[tuple[str, int], ...] = ()  # keywords of a call

    @property
    def inputs(self) -> tuple[int, ...]:
        """The steps whose values it takes."""
        return (*self.takes, *(place for _, place in self.named))

    def described(self) -> list[object]:
        """The step as JSON, for a child."""
        return [self.kind, self.detail, list(self.takes), dict(self.named)]


@dataclass(frozen=True, slots=True)
class Flow:
    """The steps in order, those that the result needs alone; the result is the last."""

    steps: tuple[FlowStep, ...]
    lines: Mapping[str, int]  # of the first call of each function, whether or not the result needs it
    at: Mapping[int, int] = field(default_factory=dict)  # the line of each step that stands on one

    def calls(self, name: str) -> frozenset[int]:
        """The places of the calls of one function."""
        return frozenset(
            place for place, step in enumerate(self.steps) if step.kind == "call" and step.detail == name
        )


def read(tree: ast.Module, *, every: bool = False) -> Flow:
    """The flow of an answer that the whitelist has nothing against; NoFlowError where it has none.

    With `every` the steps too that the result does not need.
    """
    try:
        return _read(tree, every=every)
    except RecursionError:
        raise NoFlowError(0, "an expression that is too deeply nested to follow") from None


def _read(tree: ast.Module, *, every: bool) -> Flow:
    whole = FlowReader()
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if len(functions) != 1:
        raise NoFlowError(functions[-1].lineno if functions else 0, f"{len(functions)} functions, not one f")
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            whole.statement(node)
    if functions[0].name in whole.names:
        raise NoFlowError(functions[0].lineno, f"another meaning for `{functions[0].name}`")
    inner = FlowReader(
        steps=whole.steps,
        known=whole.known,
        outer=whole.names,
        lines=whole.lines,
        at=whole.at,
    )
    inner.arguments(functions[0].args)
    for statement in functions[0].body:
        if isinstance(statement, ast.Return):
            result = inner.value(statement.value) if statement.value else inner.step(FlowStep("constant"))
            if not every:
                return _reached(inner, result)
            inner.steps.append(FlowStep("copy", None, (result,)))  # the result is the last
            return Flow(tuple(inner.steps), inner.lines, inner.at)
        inner.statement(statement)
    raise NoFlowError(functions[0].lineno, "a function that returns nothing")


def _reached(whole: "FlowReader", result: int) -> Flow:
    """The steps that lead to the result, numbered anew."""
    steps = whole.steps
    wanted, waiting = {result}, [result]
    while waiting:
        new = set(steps[waiting.pop()].inputs) - wanted
        wanted |= new
        waiting += new
    places = {old: new for new, old in enumerate(sorted(wanted))}
    kept = []
    for old in sorted(wanted):
        step = steps[old]
        takes = tuple(places[one] for one in step.takes)
        kept.append(
            FlowStep(step.kind, step.detail, takes, tuple((name, places[one]) for name, one in step.named))
        )
    at = {places[old]: line for old, line in whole.at.items() if old in places}
    return Flow(tuple(kept), dict(whole.lines), at)


@dataclass(slots=True)
class FlowReader:
    """Reads statements; equal steps are one."""

    steps: list[FlowStep] = field(default_factory=list)
    known: dict[FlowStep, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    outer: Mapping[str, int] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    at: dict[int, int] = field(default_factory=dict)
    counted: int = 0  # arguments so far

    def step(self, step: FlowStep) -> int:
        """The place of this step."""
        key = step if step.kind != "constant" else FlowStep("constant", _written(step.detail))  # 1 == True
        if key not in self.known:
            if len(self.steps) == MOST_STEPS:
                raise NoFlowError(0, f"more than {MOST_STEPS} steps")
            self.known[key] = len(self.steps)
            self.steps.append(step)
        return self.known[key]

    def arguments(self, given: ast.arguments) -> None:
        """Name the arguments of a function."""
        for argument in (*given.posonlyargs, *given.args):
            self.names[argument.arg] = self.step(FlowStep("argument", self.counted))
            self.counted += 1
        if (rest := given.vararg or given.kwarg) or given.kwonlyargs:
            raise NoFlowError((rest or given.kwonlyargs[0]).lineno, "`*` in a signature")

    def statement(self, node: ast.stmt) -> None:
        """Note down what a statement gives a name to."""
        match node:
            case ast.Pass() | ast.Import() | ast.ImportFrom():
                pass
            case ast.Expr():
                self.value(node.value)
            case ast.AnnAssign(target=ast.Name() as name):
                if node.value:
                    self.bind(name, self.value(node.value))
            case ast.Assign():
                place = self.value(node.value)
                for target in node.targets:
                    self.bind(target, place)
            case _:
                raise NoFlowError(node.lineno, "a statement that computes nothing here")

    def bind(self, target: ast.expr, place: int) -> None:
        """Give a value its name, or its parts theirs."""
        match target:
            case ast.Name():
                self.names[target.id] = place
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if parts:
                for number, part in enumerate(parts):
                    self.bind(part, self.part(place, number, len(parts)))
            case _:
                raise NoFlowError(target.lineno, "an assignment to what is no name")

    def part(self, place: int, number: int, count: int) -> int:
        """One of `count` parts of a value that is unpacked."""
        step = self.steps[place]
        if step.kind in {"list", "tuple"} and len(step.takes) == count:
            return step.takes[number]
        return self.step(FlowStep("part", number, (place, self.step(FlowStep("constant", count)))))

    def value(self, node: ast.expr) -> int:
        """The step of an expression."""
        readers: dict[type[ast.expr], Callable[..., int]] = {
            ast.Constant: lambda n: self.step(FlowStep("constant", n.value)),
            ast.Name: self._name,
            ast.BinOp: self._sign,
            ast.UnaryOp: self._minus,
            ast.Call: self._call,
            ast.Attribute: self._shape,
            ast.Subscript: self._item,
            ast.List: lambda n: self.step(FlowStep("list", None, tuple(self._values(n.elts)))),
            ast.Tuple: lambda n: self.step(FlowStep("tuple", None, tuple(self._values(n.elts)))),
        }
        if type(node) not in readers:
            raise NoFlowError(node.lineno, "an expression that is no value here")
        place = readers[type(node)](node)
        if line := getattr(node, "lineno", 0):  # the end of a slice that is not there has none
            self.at.setdefault(place, line)
        return place

    def _values(self, nodes: Sequence[ast.expr]) -> Iterator[int]:
        return (self.value(node) for node in nodes)

    def _name(self, node: ast.Name) -> int:
        place = self.names.get(node.id, self.outer.get(node.id))
        if place is None:
            raise NoFlowError(node.lineno, f"`{node.id}`, which is no value of the answer")
        return place

    def _sign(self, node: ast.BinOp) -> int:
        if type(node.op) not in _SIGNS:
            raise NoFlowError(node.lineno, "an operator")
        return self.step(FlowStep("sign", _SIGNS[type(node.op)], tuple(self._values([node.left, node.right]))))

    def _minus(self, node: ast.UnaryOp) -> int:
        if not isinstance(node.op, ast.USub | ast.UAdd):
            raise NoFlowError(node.lineno, "an operator")
        return self.step(
            FlowStep("minus" if isinstance(node.op, ast.USub) else "plus", None, (self.value(node.operand),))
        )

    def _call(self, node: ast.Call) -> int:
        called = node.func
        match called:
            case ast.Name(id=name) if name not in self.names and name not in self.outer:
                pass
            case ast.Attribute(value=ast.Name(id=base), attr=name) if (
                base not in self.names and base not in self.outer
            ):
                name = f"torch.{name}" if base == "torch" else name
                if base not in {"torch", "einops"} or (base == "torch") == (called.attr in EINOPS):
                    raise NoFlowError(node.lineno, f"`{base}.{called.attr}`")
            case _:
                raise NoFlowError(node.lineno, "a call of something that is no function here")
        self.lines.setdefault(name, node.lineno)
        takes = tuple(self._values(node.args))
        if any(keyword.arg is None for keyword in node.keywords):
            raise NoFlowError(node.lineno, "`**` in a call (name the axes)")
        named = tuple((str(keyword.arg), self.value(keyword.value)) for keyword in node.keywords)
        return self.step(FlowStep("call", name, takes, named))

    def _shape(self, node: ast.Attribute) -> int:
        if node.attr != "shape":
            raise NoFlowError(node.lineno, f"`.{node.attr}`")
        return self.step(FlowStep("shape", None, (self.value(node.value),)))

    def _item(self, node: ast.Subscript) -> int:
        base = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            ends = [part or ast.Constant(None) for part in (node.slice.lower, node.slice.upper, node.slice.step)]
            return self.step(FlowStep("slice", None, (base, *self._values(ends))))
        place = self.value(node.slice)
        step, number = self.steps[base], _number(self.steps, place)
        if step.kind in {"list", "tuple"} and number is not None and -len(step.takes) <= number < len(step.takes):
            return step.takes[number]
        return self.step(FlowStep("item", None, (base, place)))


def _written(detail: object) -> str:
    """A constant as a text that no other has; Python refuses to write a number of thousands of digits in ours."""
    return hex(detail) if type(detail) is int else repr(detail)


def _number(steps: Sequence[FlowStep], place: int) -> int | None:
    """The whole number that a step is, where it is one: `0` or `-1`."""
    step, sign = steps[place], 1
    if step.kind in {"minus", "plus"}:
        sign = -1 if step.kind == "minus" else 1
        step = steps[step.takes[0]]
    return sign * step.detail if step.kind == "constant" and isinstance(step.detail, int) else None
