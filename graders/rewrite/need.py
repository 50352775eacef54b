"""Whether a result needs the calls that an exercise asks for, or has them only beside what does the work.

A call counts only where its result reaches what is returned. Three things show that it does not:

- No step of the result takes it, as of a call in a line that nobody reads.
- What it gives is equal to something that was there without it, or does not depend on the inputs' numbers, such as
  `r - r`, `0 * r`, a sum over its own mean, or axes that are turned and turned back. Steps that are made of such
  values alone count as made without it, and so on.
- The result stays right when all that is left of it is replaced by zeros, by ones, or by numbers of no meaning.

Where one call answers the whole exercise, at least one tensor must go through it on every way to the result.

Each of these proves that the result can be had without the call, so no honest answer is refused. What escapes is a
cancellation that shows in no single step and that all three replacements break.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.rewrite.flow import Flow
from studykit.graders.rewrite.whitelist import Offence

REPLACEMENTS = ("zeros", "ones", "noise")
_PARTS = {"part", "item", "list", "tuple"}
_NUMBERS = {"constant", "shape"}


@dataclass(frozen=True, slots=True)
class Equalities:
    """What one computation of a flow showed: the first step with each step's value, and the steps without data."""

    classes: tuple[int, ...]
    fixed: frozenset[int]

    @classmethod
    def read(cls, header: Mapping[str, object], count: int) -> "Equalities":
        """As a child tells it of so many steps; ValueError where it tells something else."""
        classes, fixed = header.get("classes"), header.get("fixed")
        if not isinstance(classes, list) or not isinstance(fixed, list) or len(classes) != count:
            raise ValueError("no equalities")
        if not all(type(n) is int and 0 <= n <= place for place, n in enumerate(classes)):
            raise ValueError("no classes")
        return cls(tuple(classes), frozenset(n for n in fixed if type(n) is int and 0 <= n < count))


@dataclass(frozen=True, slots=True)
class Replaced:
    """A flow with the calls of one function replaced: which steps keep their values, which get others."""

    kept: tuple[int, ...]
    replaced: Mapping[int, int]  # step to number: equal numbers are replaced by equal values


class Need:
    """The need of a result for one function, over computations with several inputs."""

    def __init__(self, flow: Flow, name: str, seen: Sequence[Equalities]) -> None:
        self.flow = flow
        self.calls = flow.calls(name) | flow.calls(f"torch.{name}")
        self.last = len(flow.steps) - 1
        marks = [tuple(one.classes[place] for one in seen) for place in range(len(flow.steps))]
        first: dict[tuple[int, ...], int] = {}
        self.number = [first.setdefault(mark, place) for place, mark in enumerate(marks)]
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

    def replacement(self) -> Replaced:
        """The flow with what is left of the calls, and all that equals it, to be replaced."""
        mine = {self.number[place] for place in self.calls if place not in self.carries}
        places = (n for n in range(self.last + 1) if n not in self.carries and self.number[n] in mine)
        return Replaced(tuple(self.carries), {place: self.number[place] for place in places})

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


def asked(exercise: Rewrite) -> Iterator[str]:
    """The functions whose need is looked at: what parse_shape gives are sizes, which no numbers change."""
    return (name for name in exercise.must if name != "parse_shape")
