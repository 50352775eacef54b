"""Looks for the small edits that make a wrong answer right, by running the answer with them; a second at most."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.trial import ForgedError, Trial, decode
from studykit.exercise.verdict import Correct, Crashed
from studykit.graders.host.grade import SEARCH_S
from studykit.graders.rewrite.diagnosis import edits
from studykit.graders.rewrite.diagnosis.syntax_tree import Edit
from studykit.graders.rewrite.diagnosis.wrong_axes import NEARLY
from studykit.graders.rewrite.judge import Judgment, Outcome, Raised, Returned, agrees
from studykit.sandbox.client import Child, Worker
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.wire import Message

_ARITHMETIC = ("RuntimeError", "IndexError", "ValueError")
_UNEXPLAINED = ("First wrong element", "In the input's axes", NEARLY)
_LARGE = 1 << 40
_AT_ONCE = 16  # versions in one request: the clock is looked at between two


@dataclass(frozen=True, slots=True)
class Search:
    """A wrong answer, and trials whose right results are known, the telling one first."""

    exercise: Rewrite
    source: str
    trials: Sequence[Trial]
    wanted: Sequence[Returned]

    def explanation(self, worker: Worker, seconds: float = SEARCH_S) -> str:
        """The one or two things that are wrong, confirmed by running the answer without them; else nothing."""
        until = time.monotonic() + seconds
        single = edits.singles(self.source, self.exercise)
        alone: Iterable[tuple[Edit, ...]] = [(edit,) for edit in single]
        with worker.start("run_edited", Limits(wall_s=seconds, cpu_s=ceil(seconds) + 1)) as child:
            child.ask({"backend": worker.backend, "device": "cpu"})
            for group in (alone, edits.pairs(single)):
                for found in self._right(child, group, until):
                    return edits.explanation(found)
        return ""

    def _right(self, child: Child, tried: Iterable[tuple[Edit, ...]], until: float) -> Iterator[tuple[Edit, ...]]:
        waiting, versions = iter(tried), edits.EditedAnswers(self.source)
        while (some := list(islice(waiting, _AT_ONCE))) and time.monotonic() < until:
            sources = [versions.made(each) for each in some]
            for place, right in enumerate(self._agree(child, sources, 0)):
                if right and all(self._agree(child, [sources[place]], n)[0] for n in range(1, len(self.trials))):
                    yield some[place]

    def _agree(self, child: Child, sources: Sequence[str], place: int) -> list[bool]:
        """Which of these versions give what is wanted on one trial."""
        trial, wanted = self.trials[place], self.wanted[place]
        asked = {"codes": list(sources), "arguments": trial.described()}
        reply = child.ask(asked, [tensor.data for tensor in trial.tensors])
        none = [False] * len(sources)
        if not isinstance(reply, Message):
            return none
        try:
            blobs = list(reply.blobs)
            values = [None if one is None else decode(one, blobs) for one in reply.header["values"]]
        except (ForgedError, KeyError, TypeError, ValueError, RecursionError):
            return none
        if len(values) != len(sources):
            return none
        return [value is not None and agrees(self.exercise, wanted, Returned(value)) for value in values]


def wants_search(exercise: Rewrite, judgment: Judgment, last: Outcome) -> bool:
    """Whether an answer went wrong in a way that nothing said so far explains."""
    if isinstance(last, Raised):
        return isinstance(judgment.verdict, Crashed) and last.type in _ARITHMETIC
    if not isinstance(last, Returned) or isinstance(judgment.verdict, Correct):
        return False
    failed = {check.name for check in judgment.checks if not check.passed}
    if "shape" in failed:
        return not exercise.canonical
    lines = judgment.diagnosis.splitlines()
    return "values" in failed and (not exercise.canonical or lines[-1].startswith(_UNEXPLAINED))


def search_for(
    exercise: Rewrite, source: str, trials: Sequence[Trial], wanted: Sequence[Returned], wrong: Sequence[int]
) -> Search:
    """The search over a trial that went wrong, a small one, and then over all the others."""
    places = range(len(wanted))
    size = {n: sum(len(t.data) for t in trials[n].tensors) + (n == len(trials) - 1) * _LARGE for n in places}
    order = sorted(places, key=lambda n: (n not in wrong, size[n]))
    return Search(exercise, source, [trials[n] for n in order], [wanted[n] for n in order])
