"""Asks of a right answer whether it needs the calls that its exercise wants: its flow is computed once more.

The child that computes it has run the exercise's own code. An answer's text never runs there, so nothing that an
answer does can speak for it.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from random import Random

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.trial import ForgedError, Trial, decode
from studykit.graders.rewrite import flow, need
from studykit.graders.rewrite.flow import Flow, NoFlowError
from studykit.graders.rewrite.judge import Ending, Returned, agrees
from studykit.graders.rewrite.need import REPLACEMENTS, Equalities, Need
from studykit.graders.rewrite.whitelist import Offence
from studykit.sandbox.channel import Message

Ask = Callable[[dict[str, object], Sequence[bytes]], Message | Ending]

_TRIALS = 2
_MOST_DRAW = 1 << 20


class Necessity:
    """The question over the smallest trials of a grade, whose right results are known."""

    def __init__(
        self, exercise: Rewrite, trials: Sequence[Trial], wanted: Sequence[Returned], random: Random
    ) -> None:
        self.exercise = exercise
        ordinary = list(zip(trials, wanted, strict=True))[
            : max(1, len(trials) - 1)
        ]  # the last has an axis of size 1
        self.trials = sorted(ordinary, key=lambda pair: sum(len(t.data) for t in pair[0].tensors))[:_TRIALS]
        self.draw = [random.randrange(1, _MOST_DRAW) for _ in range(3)]

    def offences(self, source: str, ask: Ask) -> Iterator[Offence]:
        """What the method of a right answer lacks."""
        try:
            read = flow.read(ast.parse(source))
        except NoFlowError as error:
            yield Offence(error.line, str(error))
            return
        missing = tuple(need.unused(read, self.exercise))
        yield from missing
        if missing or need.is_plain(read, self.exercise):
            return
        seen = self._equalities(read, ask)
        if seen is None:
            yield Offence(0, "a result that comes out otherwise where the lines are computed one by one")
            return
        for name in need.asked(self.exercise):
            yield from self._needless(read, Need(read, name, seen), name, ask)

    def _needless(self, read: Flow, found: Need, name: str, ask: Ask) -> Iterator[Offence]:
        if found.changes_nothing or any(self._right_with(read, found, by, ask) for by in REPLACEMENTS):
            yield need.needless(read, name)
        elif self.exercise.call:
            names = {n: a.name for n, a in enumerate(self.exercise.arguments) if a.groups is not None}
            tensors = {n for n, step in enumerate(read.steps) if step.kind == "argument" and step.detail in names}
            if tensors <= found.passed_by():
                yield need.passed(read, name, [names[int(str(read.steps[n].detail))] for n in sorted(tensors)])

    def _equalities(self, read: Flow, ask: Ask) -> list[Equalities] | None:
        """What each trial shows; None where the steps do not give what the answer gave."""
        found = []
        for trial, wanted in self.trials:
            reply = ask(self._asked(read, trial) | {"draw": self.draw}, [t.data for t in trial.tensors])
            try:
                if not isinstance(reply, Message) or not self._agrees(reply, wanted):
                    return None
                found.append(Equalities.read(reply.header, len(read.steps)))
            except ValueError:
                return None
        return found

    def _right_with(self, read: Flow, found: Need, by: str, ask: Ask) -> bool:
        """Whether the result stays right with the calls replaced."""
        other = found.replacement()
        more = {"by": by, "kept": list(other.kept), "replaced": other.replaced}
        for trial, wanted in self.trials:
            reply = ask(self._asked(read, trial) | more, [t.data for t in trial.tensors])
            if not isinstance(reply, Message) or not self._agrees(reply, wanted):
                return False
        return True

    def _asked(self, read: Flow, trial: Trial) -> dict[str, object]:
        return {"steps": [step.described() for step in read.steps], "arguments": trial.described()}

    def _agrees(self, reply: Message, wanted: Returned) -> bool:
        try:
            return agrees(self.exercise, wanted, Returned(decode(reply.header.get("value"), list(reply.blobs))))
        except (ForgedError, TypeError, ValueError, RecursionError):
            return False
