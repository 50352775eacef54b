"""Whether a result needs the calls that an exercise asks for, or has them only beside what does the work.

A call counts only where its result reaches what is returned. Three things show that it does not:

- No step of the result takes it, as of a call in a line that nobody reads.
- What it gives is equal to something that was there without it, or does not depend on the inputs' numbers, such as
  `r - r`, `0 * r`, a sum over its own mean, or axes that are turned and turned back. Steps that are made of such
  values alone count as made without it, and so on.
- The result stays right when all that is left of it is replaced by zeros, by ones, by numbers of no meaning, or by
  numbers that are a little off.

Where one call answers the whole exercise, at least one tensor must go through it on every way to the result.

Each of these proves that the result can be had without the call, so no honest answer is refused. What escapes is a
cancellation that shows in no single step and that all four replacements break.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.rewrite.flow import Flow
from studykit.graders.rewrite.whitelist import Offence

REPLACEMENTS = ("near", "ones", "zeros", "noise")
_PARTS = {"part", "item", "list", "tuple"}
_NUMBERS = {"constant", "shape"}


@dataclass(frozen=True, slots=True)
class Equalities:
    """What one computation of a flow showed of its steps."""

    classes: tuple[int, ...]  # for each the first with its value
    orders: tuple[int, ...]  # the same for numbers in their order, whatever the shape
    fixed: frozenset[int]  # those that the inputs' numbers do not change

    @classmethod
    def read(cls, header: Mapping[str, object], count: int) -> "Equalities":
        """As a child tells it of so many steps; ValueError where it tells something else."""
        told = header.get("fixed")
        fixed = told if isinstance(told, list) else []
        classes, orders = (_places(header.get(name), count) for name in ("classes", "orders"))
        return cls(classes, orders, frozenset(n for n in fixed if type(n) is int and 0 <= n < count))


def _places(told: object, count: int) -> tuple[int, ...]:
    if not isinstance(told, list) or len(told) != count:
        raise ValueError("no classes")
    if not all(type(n) is int and 0 <= n <= place for place, n in enumerate(told)):
        raise ValueError("no classes")
    return tuple(told)


def _joined(classes: Sequence[Sequence[int]]) -> list[int]:
    """For each step the first that is equal to it in every computation."""
    first: dict[tuple[int, ...], int] = {}
    return [first.setdefault(mark, place) for place, mark in enumerate(zip(*classes, strict=True))]


class Need:
    """The need of a result for one function, over computations with several inputs.

    With `by_order`, giving a value another shape is no work.
    """

    def __init__(self, flow: Flow, name: str, seen: Sequence[Equalities], *, by_order: bool = False) -> None:
        self.flow = flow
        self.calls = flow.calls(name) | flow.calls(f"torch.{name}")
        self.last = len(flow.steps) - 1
        self.same = _joined([one.classes for one in seen])
        self.number = _joined([one.orders for one in seen]) if by_order else self.same
        self.fixed = frozenset.intersection(*(one.fixed for one in seen))
        self.carries = self._carried()

    def _carried(self) -> dict[int, frozenset[int]]:
        """The steps that can be had without the calls, each with the arguments that it carries numbers of."""
        carries: dict[int, frozenset[int]] = {}
        while True:
            before = len(carries)
            equal = {self.number[place]: carried for place, carried in reversed(carries.items())}
            for place, step in enumerate(self.flow.steps):
                if place in carries:
                    continue
                if place in self.fixed or step.kind in _NUMBERS:
                    carries[place] = frozenset()
                elif step.kind in {"argument", "rest"}:
                    carries[place] = frozenset([place])
                elif self.number[place] in equal:
                    carries[place] = equal[self.number[place]]
                elif place not in self.calls and all(one in carries for one in step.inputs):
                    carries[place] = frozenset().union(*(carries[one] for one in step.inputs))
            if len(carries) == before:
                return carries

    @property
    def changes_nothing(self) -> bool:
        """Whether the result can be had without the calls."""
        return self.last in self.carries

    def replaced(self) -> dict[str, object]:
        """For a child: the steps that keep their values, those that get others, and which are the same."""
        mine = {self.same[place] for place in self.calls if place not in self.carries}
        replaced = [n for n in range(self.last + 1) if n not in self.carries and self.same[n] in mine]
        return {"kept": list(self.carries), "replaced": replaced, "same": self.same}

    def passed_by(self) -> frozenset[int]:
        """The arguments whose numbers reach the result on a way without the calls."""
        found: set[int] = set()
        seen, waiting = {self.last}, [self.last]
        while waiting:
            place = waiting.pop()
            if place in self.carries:
                found |= self.carries[place]
            elif place not in self.calls:
                new = set(self.flow.steps[place].inputs) - seen
                seen |= new
                waiting += new
        return frozenset(found)


def is_plain(flow: Flow, exercise: Rewrite) -> bool:
    """Whether tensors pass through the one function that is asked for, and nothing else can do its work."""
    if len(exercise.must) != 1:
        return False
    numbers: set[int] = set()
    for place, step in enumerate(flow.steps):
        inputs = set(step.inputs)
        given = step.kind == "argument" and exercise.arguments[_argument(step.detail)].groups is None
        size = step.kind == "shape" and flow.steps[step.takes[0]].kind == "argument"
        if step.kind == "constant" or given or size or (inputs and inputs <= numbers and step.kind != "call"):
            numbers.add(place)
        elif not (
            step.kind in {"argument", *_PARTS}
            or (step.kind == "call" and step.detail in exercise.must)
            or (step.kind == "sign" and place == len(flow.steps) - 1 and step.takes[1] in numbers)
        ):
            return False
    return True


def _argument(detail: object) -> int:
    return detail if isinstance(detail, int) else 0


def unused(flow: Flow, exercise: Rewrite) -> Iterator[Offence]:
    """Calls that no step of the result takes."""
    for name in exercise.must:
        if not flow.calls(name):
            advice = f"What {name} gives has to become the result, or a part of it."
            yield Offence(flow.lines.get(name, 0), f"the unused result of `{name}`", advice)


def needless(flow: Flow, name: str) -> Offence:
    """Calls that change nothing."""
    advice = f"The result is the same without what {name} gives: let it do the work."
    return Offence(flow.lines.get(name, 0), f"a `{name}` that changes nothing", advice)


def passed(flow: Flow, name: str, others: Sequence[str]) -> Offence:
    """Calls that do not stand between the inputs and the result."""
    advice = f"{' and '.join(others)} reaches the result on a way without {name}; one call of {name} is enough."
    return Offence(flow.lines.get(name, 0), f"a `{name}` beside the way to the result", advice)


def is_by_order(exercise: Rewrite, name: str) -> bool:
    """Whether the function has more to do than give another shape: an axis of size 1, say, among several lines."""
    return bool(exercise.call) or name not in {"rearrange", "repeat"}


def asked(exercise: Rewrite) -> Iterator[str]:
    """The functions whose need is looked at: what parse_shape gives are sizes, which no numbers change."""
    return (name for name in exercise.must if name != "parse_shape")
