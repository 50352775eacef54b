"""How much an answer reckons with tensors: no more than the exercise's solutions do.

Whoever may add, multiply and divide tensors at will can make a number of them that is 0, or 1, for the numbers and
sizes of all trials and for no others. Most solutions have no such sign at all; what is left then, einops' own
functions of tensors, is right for all numbers when it is right for some that are drawn. So an answer may have as
many sums of tensors, lists of them, roots and functions as one of the solutions. Of products and means, which sum
nothing that was apart, it may have two more where a solution has any: a mean is a sum too that is divided. But
where a solution divides by a tensor, a norm, it may have no more products of two tensors: a norm takes away again
what multiplies all numbers alike, such as the sum of all squared, which is 0 for some.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from studykit.exercise.rewrite.plain_calls import plain_tree
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.rewrite import flow, sizes
from studykit.graders.rewrite.flow import Flow, FlowStep
from studykit.graders.rewrite.products import Size
from studykit.graders.rewrite.sizes import SizeReader, SomeParts, SomeTensor, SomeTensors, Value
from studykit.graders.rewrite.whitelist import Offence

_SUM, _SHIFT, _PRODUCT = "sum of tensors", "number added to a tensor", "product with a tensor"
_ROOT, _QUOTIENT, _LIST = "root of a tensor", "quotient by a tensor", "list of tensors"
_BOTH = "product of tensors"  # where something is divided: what cancels out there may be 0
_FACTOR = "factor that is no length"
_MEAN = "`reduce` by sum or mean"
_LINEAR = {_PRODUCT, _MEAN}  # an einsum is products that are summed, a mean a sum that is divided
_ROOTS = {"sqrt", "rsqrt"}
_MOVES = {"rearrange", "repeat", "pack", "unpack", "parse_shape"}  # these compute nothing
_MORE = 2  # products and calls than in a solution that has some
_MOST_SQUARED, _ROUNDED = 64**2, 1e-12  # of a factor, such as the root of a third
_ENDLESS = 1000  # more than any exercise needs

Lines = Mapping[str, Sequence[int]]
"""Where something of each kind stands, as often as it counts."""


def offences(read: Flow, exercise: Rewrite) -> list[Offence]:
    """What an answer has more of than the solution that is nearest to it; each kind once."""
    mine = arithmetic(read, exercise)
    if not mine:
        return []
    trees = [plain_tree(source, exercise.helpers) for source in (exercise.solution, *exercise.alternatives)]
    each = (list(_beyond(mine, arithmetic(flow.read(tree), exercise))) for tree in trees)
    return min(each, key=len)


def _beyond(mine: Lines, theirs: Lines) -> Iterator[Offence]:
    """What one has more of than the other, and than a step of its own for each axis takes."""
    for kind, lines in mine.items():
        if kind == _BOTH and _QUOTIENT not in theirs:
            continue
        most = len(theirs.get(kind, ()))
        if kind in _LINEAR:
            most += _MORE if any(one in theirs for one in _LINEAR) else 0
        elif kind.startswith("`reduce`"):
            most += _MORE if most else 0
        if len(lines) > most:
            yield Offence(lines[most], f"one {kind} too many" if most else f"a {kind}", _enough(most))


def _enough(most: int) -> str:
    return f"{most} are enough here." if most > 1 else f"{'One is enough' if most else 'None is needed'} here."


def arithmetic(read: Flow, exercise: Rewrite) -> Lines:
    """What the result of a flow takes, by kind."""
    reader = ArithmeticReader(read, sizes.read_sizes(read, exercise))
    for place in range(len(read.steps)):
        reader.add(place)
    return reader.found


@dataclass(slots=True)
class ArithmeticReader:
    """Reads one step after another."""

    read: Flow
    sizes: SizeReader
    found: dict[str, list[int]] = field(default_factory=dict)

    def add(self, place: int) -> None:
        """The next step."""
        step = self.read.steps[place]
        match step.kind:
            case "sign":
                self._sign(place, step)
            case "minus" if self._is_tensor(step.takes[0]):
                self._count(place, _PRODUCT)
            case "call":
                self._call(place, step)

    def _count(self, place: int, kind: str, times: int = 1) -> None:
        if times > 0:
            self.found.setdefault(kind, []).extend([self.read.at[place]] * times)

    def _is_tensor(self, place: int) -> bool:
        return isinstance(self.sizes.values[place], SomeTensor)

    def _sign(self, place: int, step: FlowStep) -> None:
        """A sign between a tensor and a tensor or a number; a sum of lists counts where a call takes it."""
        one, other = (self.sizes.values[each] for each in step.takes)
        if not isinstance(one, SomeTensor) and not isinstance(other, SomeTensor):
            return
        numbers = [each for each in (one, other) if isinstance(each, Size)]
        if step.detail in {"+", "-"}:
            self._count(place, _SHIFT if numbers else _SUM)
        elif step.detail == "**":
            self._power(place, numbers[0].constant if isinstance(other, Size) else None)
        else:
            self._count(place, _PRODUCT)
            self._count(place, _BOTH, not numbers)
            self._count(place, _QUOTIENT, step.detail != "*" and isinstance(other, SomeTensor))
            self._count(place, _FACTOR, any(map(_is_odd, numbers)))

    def _power(self, place: int, power: Fraction | None) -> None:
        if power is None or power.denominator != 1 or not power:
            self._count(place, _ROOT, 1 if power is not None and 2 % power.denominator == 0 else _ENDLESS)
        else:
            for kind in (_PRODUCT, _BOTH):
                self._count(place, kind, min(abs(int(power)) - 1, _ENDLESS))
        self._count(place, _QUOTIENT, power is not None and power < 0)

    def _call(self, place: int, step: FlowStep) -> None:
        name = str(step.detail).removeprefix("torch.")
        given = [self.sizes.values[one] for one in step.inputs]
        self._count(place, _LIST, sum(map(_in_a_list, given)))
        if name in _ROOTS:
            self._count(place, _ROOT)
            self._count(place, _QUOTIENT, name == "rsqrt")
        elif name == "reduce":
            self._count(place, self._reduction(step))
        elif name == "einsum":
            count = sum(isinstance(one, SomeTensor) for one in given) - 1
            self._count(place, _PRODUCT, max(1, count))
            self._count(place, _BOTH, count)
        elif name not in _MOVES:
            self._count(place, f"`{name}`")

    def _reduction(self, step: FlowStep) -> str:
        """What a `reduce` is called by its operation."""
        named = dict(step.named)
        written = self.read.steps[named["reduction"] if "reduction" in named else step.takes[-1]]
        return _MEAN if written.detail in {"sum", "mean"} else f"`reduce` by {written.detail!r}"


def _in_a_list(value: Value) -> int:
    """How many tensors stand in a list beside the first."""
    match value:
        case SomeParts(values):
            count = sum(isinstance(one, SomeTensor) for one in values)
            return max(0, count - 1) + sum(map(_in_a_list, values))
        case SomeTensors():
            return 1
    return 0


def _is_odd(factor: Size) -> bool:
    """Whether a factor holds a length twice, or a number that is no small one, nor the root of a small one."""
    if factor.product is None or any(abs(power) > 1 for _, power in factor.product[0]):
        return True
    squared = float(factor.product[1]) ** 2
    small = Fraction(squared).limit_denominator(_MOST_SQUARED)
    return not 0 < small <= _MOST_SQUARED or abs(squared - small) > _ROUNDED * squared
