"""Asks of a right answer whether it stays right where an axis is longer than any that a grade draws.

Each axis in turn is longer than the numbers that the answer writes, then all are equal, then each is 1 long, and
the inputs hold larger numbers. Then all are 1 long at once, where a merged axis has one place alone, or all but
one. The numbers of the last trials are far larger, then of one sign as well. What `sizes.py` lets an answer do
with sizes leaves no other lengths to be looked at.
"""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import cycle
from math import ceil, isfinite
from random import Random

from studykit.exercise.rewrite import trial
from studykit.exercise.rewrite.rewrite import Fill, Rewrite
from studykit.exercise.rewrite.trial import ForgedError, Tensor, Trial, decode
from studykit.exercise.verdict import Refused
from studykit.graders.rewrite.flow import Flow
from studykit.graders.rewrite.judge import Returned, agrees
from studykit.graders.rewrite.whitelist import Offence
from studykit.sandbox.channel import Message

Ask = Callable[[dict[str, object], Sequence[bytes]], Message | Refused]
"""Asks the child of the exercise's own code, which may be refused the steps of an answer."""

_LENGTHS, _LONGER = range(101, 1000), range(4097, 8192)  # the second are longer than what an answer may write
_FEW = range(101, 128)  # for inputs that have an axis twice
_DRAWN = 8
_EQUAL = (29, 23, 19, 13, 7)
_MOST_NUMBER, _LARGE = 4096, 4
_SMALL = (2.0**-7, 2.0**-12, 2.0**-20)  # numbers below 1 in the trials of size 1, in turn
_OTHERS = 3  # there: enough numbers for both signs
_ALIKE = (7, 5, 3)  # where numbers are often equal: a row of some is its own mean, and few are all the same
_FAR_LARGER = 1 << 20  # times what is drawn: constants in a row may set a bound that none of them tells
_MOST_ELEMENTS = 1 << 15  # of an argument
_ENORMOUS = 1 << 40  # and of one sign, so that sums of them lose the last places of what is added to them
_NEAR = 1e-7  # relative: what sums in another order may leave, and differences of numbers that are nearly equal
_NEARER = 1e-9  # where few numbers are summed: an epsilon shows among small ones alone
_LEAST = 2.0**-20  # numbers that are smaller are looked at as if they were not
_SIGNS: dict[object, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
}
_WHOLE = "whole numbers"
_KEPT = "The dtype of the input is kept: whole numbers stay whole."
_EVERY = "It has to hold for axes of every length, not for short ones alone."


def computes(read: Flow) -> bool:
    """Whether there are signs in an answer, between sizes or anything else, or places in what is no shape.

    Or a `reduce`: a mean of whole numbers is none.
    """
    return any(
        step.kind in {"sign", "minus"}
        or step.detail == "reduce"
        or (step.kind == "item" and read.steps[step.takes[0]].kind != "shape")
        for step in read.steps
    )


class LongAxes:
    """The question over a trial for each axis, computed by the child that runs the exercise's own code."""

    def __init__(self, exercise: Rewrite, read: Flow, random: Random, ask: Ask) -> None:
        self.exercise, self.read, self.random, self.ask = exercise, read, random, ask

    def offences(self) -> Iterator[Offence]:
        """The first thing that an answer does wrong."""
        single = {_single(axis) for axis in trial.free_axes(self.exercise)}
        for said, one in self._trials():
            if not self._is_right(one, _NEARER if said in single else _NEAR):
                yield Offence(0, f"a result that is wrong for {said}", _KEPT if said == _WHOLE else _EVERY)
                return

    def _trials(self) -> Iterator[tuple[str, Trial]]:
        """A trial for each free axis, all others of size 2, and one where all are equal and long."""
        most, free = _largest(self.read), trial.free_axes(self.exercise)
        times = 2 * ceil(most) if most >= _LARGE else 1
        for axis in (*free, ""):
            lengths = self._lengths(longer=most >= _LENGTHS[0]) if axis else _EQUAL
            if drawn := next((sizes for n in lengths if self._fits(sizes := _long(free, axis, n))), None):
                said = f"{axis} = {drawn[axis]}" if axis else f"axes that are all {drawn[free[0]]} long"
                yield said, trial.with_sizes(self.exercise, self.random, drawn, times)
        for axis, small in zip(
            free, cycle(_SMALL), strict=False
        ):  # after what is long: a short axis explains less
            drawn = _long(free, axis, 1, _OTHERS)
            yield _single(axis), trial.with_sizes(self.exercise, self.random, drawn, small)
        yield "axes that are all 1 long", trial.with_sizes(self.exercise, self.random, _long(free, "", 1))
        for axis in free:
            alone = {one: _OTHERS if one == axis else 1 for one in free}
            yield f"{axis} = {_OTHERS} and all others 1", trial.with_sizes(self.exercise, self.random, alone)
        larger = max(times, _FAR_LARGER)
        yield "large numbers", trial.with_sizes(self.exercise, self.random, _long(free, "", _OTHERS), larger)
        drawn = next((sizes for n in _ALIKE if self._fits(sizes := _long(free, "", n))), None)
        if drawn and self.exercise.fill is Fill.NORMAL:
            enormous = trial.with_sizes(self.exercise, self.random, drawn, _ENORMOUS)
            yield "large numbers above 0", trial.of_one_sign(enormous)
        if drawn:
            yield "numbers that are -1, 0 or 1", trial.of_few_numbers(self.exercise, self.random, drawn)
        exact = not self.exercise.tolerance or self.exercise.operation == "sum"
        if drawn and self.exercise.fill is Fill.INTEGERS and exact:
            yield _WHOLE, trial.of_few_numbers(self.exercise, self.random, drawn, "int64")

    def _lengths(self, *, longer: bool) -> list[int]:
        """Lengths at random: an answer may name a few, but not many."""
        ranges = (_LONGER, _LENGTHS, _FEW) if longer else (_LENGTHS, _FEW)
        return [length for each in ranges for length in self.random.sample(each, _DRAWN)]

    def _fits(self, sizes: Mapping[str, int]) -> bool:
        return trial.most_elements(self.exercise, sizes) <= _MOST_ELEMENTS

    def _is_right(self, one: Trial, near: float) -> bool:
        """Whether an answer's result is right, or the exercise's own code has none to compare it with."""
        blobs = [tensor.data for tensor in one.tensors]
        wanted = _returned(self.ask({"arguments": one.described()}, blobs))
        if wanted is None:
            return True
        steps = [step.described() for step in self.read.steps]
        got = _returned(self.ask({"steps": steps, "arguments": one.described(), "result": True}, blobs))
        if got is None:
            return False
        wanted, got = _where_finite(wanted, got)
        return agrees(_nearly(self.exercise, wanted, near), wanted, got)


def _long(free: Sequence[str], axis: str, length: int, others: int = 2) -> dict[str, int]:
    """One axis of this length, all others of another; all axes where there is no name."""
    return {one: length if one == axis or not axis else others for one in free}


def _returned(reply: Message | Refused) -> Returned | None:
    """What came back; None where nothing did."""
    if not isinstance(reply, Message) or "value" not in reply.header:
        return None
    try:
        return Returned(decode(reply.header["value"], list(reply.blobs)))
    except (ForgedError, TypeError, ValueError, RecursionError):
        return None


def _where_finite(wanted: Returned, got: Returned) -> tuple[Returned, Returned]:
    """Both without the numbers that are wanted to be none: a norm over an axis of size 1 has no others."""
    one, other = wanted.value, got.value
    if (
        not isinstance(one, Tensor)
        or not isinstance(other, Tensor)
        or (one.shape, one.dtype) != (other.shape, other.dtype)
    ):
        return wanted, got
    places = [place for place, number in enumerate(one.numbers) if isfinite(number)]
    if len(places) == len(one.numbers):
        return wanted, got
    kept = (trial.tensor(one.dtype, (len(places),), [each.numbers[n] for n in places]) for each in (one, other))
    mine, theirs = kept
    return Returned(mine), Returned(theirs)


def _single(axis: str) -> str:
    return f"{axis} = 1"


def _nearly(exercise: Rewrite, wanted: Returned, near: float) -> Rewrite:
    """The exercise with what is near enough to small numbers too, whose tolerance is not that of 1."""
    numbers = wanted.value.numbers if isinstance(wanted.value, Tensor) else ()
    scale = min(1.0, max(map(abs, numbers), default=1.0))
    return exercise.replaced(tolerance=max(exercise.tolerance * scale, near * max(scale, _LEAST)))


def _largest(read: Flow) -> float:
    """The largest number that is written, or made of such; what divides counts as well."""
    known: dict[int, float] = {}
    for place, step in enumerate(read.steps):
        values = [known[n] for n in step.takes if n in known]
        if step.kind == "constant" and isinstance(step.detail, int | float):
            known[place] = float(step.detail)
        elif step.kind in {"minus", "plus"} and values:
            known[place] = -values[0] if step.kind == "minus" else values[0]
        elif step.kind == "sign" and step.detail in _SIGNS and len(values) == len(step.takes):
            known[place] = _made(step.detail, *values)
    return min(_MOST_NUMBER, max((size for number in known.values() for size in _sizes_of(number)), default=0))


def _made(sign: object, one: float, other: float) -> float:
    try:
        return float(_SIGNS[sign](one, other))
    except (ArithmeticError, ValueError, TypeError):
        return 0.0


def _sizes_of(number: float) -> Iterator[float]:
    yield abs(number)
    if number and 1 / abs(number) <= _MOST_NUMBER:
        yield 1 / abs(number)
