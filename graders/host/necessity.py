"""Asks of a right answer whether it needs the calls that its exercise wants: its flow is computed once more.

The child that computes it has run the exercise's own code. An answer's text never runs there, so nothing that an
answer does can speak for it.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from random import Random

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.trial import ForgedError, Tensor, Trial, decode
from studykit.graders.rewrite import flow, need
from studykit.graders.rewrite.flow import Flow, NoFlowError
from studykit.graders.rewrite.judge import Ending, Returned, agrees
from studykit.graders.rewrite.need import REPLACEMENTS, Equalities, Need
from studykit.graders.rewrite.whitelist import Offence
from studykit.sandbox.channel import Message

Ask = Callable[[dict[str, object], Sequence[bytes]], Message | Ending]

_TRIALS = 2
_MOST_DRAW = 1 << 20


class NotFollowedError(Exception):
    """The child did not compute the steps of an answer, or not to the answer's result."""


class Necessity:
    """The question over the smallest trials of a grade, whose right results are known."""

    def __init__(
        self, exercise: Rewrite, trials: Sequence[Trial], wanted: Sequence[Returned], random: Random
    ) -> None:
        self.exercise = exercise
        ordinary = list(zip(trials, wanted, strict=True))[
            : max(1, len(trials) - 1)
        ]  # the last has an axis of size 1
        self.trials = sorted(ordinary, key=lambda pair: prod(pair[0].sizes.values()))[:_TRIALS]
        self.draw = [random.randrange(1, _MOST_DRAW) for _ in range(3)]

    def offences(self, source: str, ask: Ask) -> Iterator[Offence]:
        """What the method of a right answer lacks."""
        try:
            yield from self._offences(flow.read(ast.parse(source)), ask)
        except NoFlowError as error:
            yield Offence(error.line, str(error))
        except NotFollowedError:
            yield Offence(0, "a result that cannot be followed step by step")

    def _offences(self, read: Flow, ask: Ask) -> Iterator[Offence]:
        missing = tuple(need.unused(read, self.exercise))
        yield from missing
        if missing or need.is_plain(read, self.exercise):
            return
        alike = {name: f"measured {self._alike(name)}" for name in need.asked(self.exercise)}
        seen = self._equalities(read, sorted({"values", *alike.values()}), ask)
        found = {name: Need(read, name, seen, alike[name]) for name in alike}
        idle = self._idle(read, found, ask)
        for name, each in found.items():
            if name in idle:
                yield need.needless(read, name, each)
            elif self.exercise.call:
                yield from self._passed(read, each, name)

    def _passed(self, read: Flow, found: Need, name: str) -> Iterator[Offence]:
        """The offence of tensors that all reach the result without the call."""
        names = {n: a.name for n, a in enumerate(self.exercise.arguments) if a.groups is not None}
        given = {n: step.detail for n, step in enumerate(read.steps) if step.kind in {"argument", "rest"}}
        tensors = {n: names[detail] for n, detail in given.items() if isinstance(detail, int) and detail in names}
        if set(tensors) <= found.passed_by():
            yield need.passed(read, name, list(tensors.values()))

    def _alike(self, name: str) -> str:
        """Which values are alike, by the right result of the first trial."""
        trial, wanted = self.trials[0]
        result = wanted.value.numbers if isinstance(wanted.value, Tensor) else ()
        return need.alike(self.exercise, name, result, [tensor.numbers for tensor in trial.tensors])

    def _equalities(self, read: Flow, alike: list[str], ask: Ask) -> list[Equalities]:
        """What each trial shows of the steps, which must give what the answer gave."""
        found = []
        for trial, wanted in self.trials:
            reply = ask(self._asked(read, trial) | {"alike": alike}, [t.data for t in trial.tensors])
            header = reply.header if isinstance(reply, Message) else {}
            if self._right(reply, [header.get("value")], wanted) != [True]:
                raise NotFollowedError
            try:
                found.append(Equalities.read(header, len(read.steps)))
            except ValueError:
                raise NotFollowedError from None
        return found

    def _idle(self, read: Flow, found: Mapping[str, Need], ask: Ask) -> set[str]:
        """The functions without whose values the result is right."""
        idle = {name for name, each in found.items() if each.changes_nothing}
        ways = [(name, by) for name in found if name not in idle for by in REPLACEMENTS]
        for trial, wanted in self.trials:
            if not ways:
                break
            asked = [{"by": by, **found[name].replaced()} for name, by in ways]
            reply = ask(self._asked(read, trial) | {"replaced": asked}, [t.data for t in trial.tensors])
            values = reply.header.get("values") if isinstance(reply, Message) else None
            if not isinstance(values, list) or len(values) != len(ways):
                raise NotFollowedError
            right = self._right(reply, values, wanted)
            ways = [way for way, each in zip(ways, right, strict=True) if each]
        return idle | {name for name, _ in ways}

    def _right(self, reply: Message | Ending, values: Sequence[object], wanted: Returned) -> list[bool]:
        """Which of the values of a reply are right; None stands for one that could not be computed."""
        if not isinstance(reply, Message):
            raise NotFollowedError
        blobs = list(reply.blobs)
        try:
            made = [None if one is None else Returned(decode(one, blobs)) for one in values]
        except (ForgedError, TypeError, ValueError, RecursionError):
            raise NotFollowedError from None
        return [one is not None and agrees(self.exercise, wanted, one) for one in made]

    def _asked(self, read: Flow, trial: Trial) -> dict[str, object]:
        steps = [step.described() for step in read.steps]
        return {"steps": steps, "arguments": trial.described(), "draw": self.draw}
