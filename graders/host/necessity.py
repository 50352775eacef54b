"""Asks of a right answer whether it needs the calls that its exercise wants: its flow is computed once more.

The child that computes it has run the exercise's own code. An answer's text never runs there, so nothing that an
answer does can speak for it.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from math import prod
from random import Random

from studykit.exercise.rewrite.plain_calls import plain_tree
from studykit.exercise.rewrite.rewrite import Fill, Rewrite
from studykit.exercise.rewrite.trial import ForgedError, Tensor, Trial, decode, free_axes, with_sizes
from studykit.exercise.verdict import Refused
from studykit.graders.host.long_axes import Ask, LongAxes, computes
from studykit.graders.rewrite import arithmetic, flow, need, scales, sizes
from studykit.graders.rewrite.flow import Flow, NoFlowError
from studykit.graders.rewrite.judge import Returned, agrees
from studykit.graders.rewrite.need import Equalities, Need, Way
from studykit.graders.rewrite.sizes import SizeReader
from studykit.graders.rewrite.whitelist import Offence
from studykit.sandbox.channel import Message

_TRIALS = 2
_MOST_DRAW = 1 << 20
_LARGE = {Fill.NEGATIVE, Fill.LARGE, Fill.MIXED}  # beside such numbers others vanish
_UNLIKE = (3, 5, 7, 11, 13, 17, 19)  # a norm over two numbers makes most values of it alike
_NEAR = 1e-7  # relative: what other numbers may leave of a sum that was exact


def _unlike(pairs: Sequence[tuple[Trial, Returned]]) -> list[tuple[Trial, Returned]]:
    """The smallest trials that have no axis of the same length, and no product of them, of those by size."""
    both = min(combinations(pairs, _TRIALS), key=lambda two: _common(*(one.sizes for one, _ in two)), default=None)
    return list(both or pairs)


def _common(one: Mapping[str, int], other: Mapping[str, int]) -> int:
    """How many products of lengths are the same in both, of one length too."""
    each = (axes for count in range(1, len(one) + 1) for axes in combinations(one, count))
    return sum(prod(one[axis] for axis in axes) == prod(other[axis] for axis in axes) for axes in each)


class NotFollowedError(Exception):
    """The child did not compute the steps of an answer, or not to the answer's result, or not of their sizes."""


class Necessity:
    """The question over the smallest trials of a grade, whose right results are known."""

    def __init__(
        self, exercise: Rewrite, trials: Sequence[Trial], wanted: Sequence[Returned], random: Random
    ) -> None:
        self.exercise = exercise
        pairs = list(zip(trials, wanted, strict=True))[: max(1, len(trials) - 1)]  # the last has an axis of size 1
        ordinary = [pair for pair in pairs if pair[0].fill not in _LARGE]
        self.trials = _unlike(sorted(ordinary or pairs, key=lambda pair: prod(pair[0].sizes.values())))
        self.random = random
        self.draw = [random.randrange(1, _MOST_DRAW) for _ in range(3)]

    def offences(self, source: str, ask: Ask) -> Iterator[Offence]:
        """What the method of a right answer lacks."""
        try:
            tree = plain_tree(source, self.exercise.helpers)
            yield from self._offences(flow.read(tree), flow.read(tree, every=True), ask)
        except NoFlowError as error:
            yield Offence(error.line, str(error))
        except NotFollowedError:
            yield Offence(0, "a result that cannot be followed step by step")

    def _offences(self, read: Flow, whole: Flow, ask: Ask) -> Iterator[Offence]:
        """By the steps of the result; sizes by those too that nothing takes, which may raise for some."""
        if unused := [*need.unused(read, self.exercise)]:
            yield from unused
            return
        of_whole = sizes.read_sizes(whole, self.exercise)  # once: an answer may take seconds to read
        if refused := sizes.offences(of_whole):
            yield from refused
            return
        known = sizes.read_sizes(read, self.exercise)
        missing = (
            arithmetic.offences(known)
            or [*self._unusual(read, ask)]
            or [*need.untaken(whole, sizes.tensors(of_whole))]
            or [*self._short(whole, ask)]
        )
        yield from missing
        if missing:
            return
        asked = [*need.asked(self.exercise)]
        is_plain = not asked or need.is_plain(read, self.exercise)
        for name in asked or self.exercise.must:
            found = FollowedAnswer(self, known, name, ask)  # its sizes are looked at in any case
            if is_plain:
                return
            if found.is_needless():
                yield need.needless(read, name, found.need)
            elif (place := self._otherwise(found.need, name)) is not None:
                yield need.partly(read, name, place)
            elif odd := _odd(found.need, known):
                yield odd[0]
                return

    def _short(self, read: Flow, ask: Ask) -> Iterator[Offence]:
        """What holds for short axes alone."""
        if computes(read):
            yield from LongAxes(self.exercise, read, self.random, ask).offences()

    def _unusual(self, read: Flow, ask: Ask) -> Iterator[Offence]:
        """The first step that computes what no solution does: it could be 0, or large, for some numbers alone."""
        if not arithmetic.computes_more(self.exercise):
            return
        axes = free_axes(self.exercise)
        trial = with_sizes(self.exercise, self.random, dict(zip(axes, _UNLIKE, strict=False)))
        asked: dict[str, object] = {
            "steps": [step.described() for step in read.steps],
            "ways": [[step.described() for step in way.steps] for way in arithmetic.ways(self.exercise)],
            "arguments": trial.described(),
            "draw": self.draw,
        }
        reply = ask(asked, [tensor.data for tensor in trial.tensors])
        told = reply.header.get("unusual") if isinstance(reply, Message) else None
        if not isinstance(told, list) or not all(type(n) is int and 0 <= n < len(read.steps) for n in told):
            raise NotFollowedError
        for place in told[:1]:
            what = f"numbers that no usual way has, by `{read.steps[place].detail or '-'}`"
            yield Offence(read.at.get(place, 0), what, "Follow the code: what it does not compute is not needed.")

    def _otherwise(self, found: Need, name: str) -> int | None:
        """The step that does what this function is there for."""
        if name == "rearrange":
            return found.moved_otherwise()
        return found.copied_otherwise() if self.exercise.call and name == "repeat" else None

    def alike(self, name: str) -> str:
        """Which values are alike for a function, by the right result of the first trial."""
        trial, wanted = self.trials[0]
        result = wanted.value.numbers if isinstance(wanted.value, Tensor) else ()
        return need.alike(self.exercise, name, result, [tensor.numbers for tensor in trial.tensors])

    def right(
        self, reply: Message | Refused, values: Sequence[object], wanted: Returned, near: float = 0.0
    ) -> list[bool]:
        """Which of the values of a reply are right; None stands for one that could not be computed."""
        exercise = self.exercise.replaced(tolerance=max(self.exercise.tolerance, near))
        if not isinstance(reply, Message):
            raise NotFollowedError
        blobs = list(reply.blobs)
        try:
            made = [None if one is None else Returned(decode(one, blobs)) for one in values]
        except (ForgedError, TypeError, ValueError, RecursionError):
            raise NotFollowedError from None
        return [one is not None and agrees(exercise, wanted, one) for one in made]


def _odd(found: Need, known: SizeReader) -> list[Offence]:
    """Tensors that sizes alone could make special."""
    exercise = known.exercise
    summed = partial(arithmetic.summed_axes, exercise)
    grown = scales.unlike(found, known.values, summed, gradient=exercise.gradient)
    return [*need.unchanged(found, sizes.tensors(known)), *grown]


class FollowedAnswer:
    """An answer whose calls of one function are put to the test, over the trials of its need."""

    def __init__(self, necessity: Necessity, known: SizeReader, name: str, ask: Ask) -> None:
        self.necessity, self.known, self.read, self.name, self.ask = necessity, known, known.read, name, ask
        self.alike = necessity.alike(name)
        self.need = Need(self.read, name, self._equalities(), f"measured {self.alike}")

    def is_needless(self) -> bool:
        """Whether the result can be had without the calls."""
        return self.need.changes_nothing or self.need.is_needless(self._right)

    def _equalities(self) -> list[Equalities]:
        """What each trial shows of the steps, which must give what the answer gave."""
        found = []
        for trial, wanted in self.necessity.trials:
            reply = self._reply(trial, {"alike": self._asked()})
            if self.necessity.right(reply, [reply.header.get("value")], wanted) != [True]:
                raise NotFollowedError
            try:
                found.append(Equalities.read(reply.header, len(self.read.steps)))
            except ValueError:
                raise NotFollowedError from None
            if not sizes.are_met(self.known.values, trial.sizes, found[-1]):
                raise NotFollowedError
        return found

    def _asked(self) -> list[str]:
        """What may be alike: values, what is no work of the function, and what is its work."""
        own = [need.MOVES[self.name], "measured values"] if self.name in need.MOVES else []
        sums = any(step.kind in {"sign", "list", "tuple"} or step.detail == "repeat" for step in self.read.steps)
        return list(dict.fromkeys(["values", f"measured {self.alike}", *own, *([need.MULTIPLES] if sums else [])]))

    def _right(self, tried: Sequence[Sequence[Way]]) -> list[bool]:
        """Which replacements leave the result right in every trial."""
        left = list(range(len(tried)))
        whence = {"kept": list(self.need.carries), "same": self.need.same}
        for trial, wanted in self.necessity.trials if tried else ():
            reply = self._reply(trial, {**whence, "replaced": [tried[n] for n in left]})
            values = reply.header.get("values")
            if not isinstance(values, list) or len(values) != len(left):
                raise NotFollowedError
            agreed = self.necessity.right(reply, values, wanted, _NEAR)
            left = [n for n, each in zip(left, agreed, strict=True) if each]
            if not left:
                break
        return [n in left for n in range(len(tried))]

    def _reply(self, trial: Trial, asked: Mapping[str, object]) -> Message:
        described = [step.described() for step in self.read.steps]
        header = {"steps": described, "arguments": trial.described(), "draw": self.necessity.draw, **asked}
        reply = self.ask(header, [t.data for t in trial.tensors])
        if not isinstance(reply, Message):
            raise NotFollowedError
        return reply
