"""Adds to the judgment on a wrong answer what running it again, as it is or a little changed, can tell."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from studykit.errors import MissingError
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.trial import Trial
from studykit.graders.host.edit_search import search_for, wants_search
from studykit.graders.host.grade import LIMITS, Place, expected
from studykit.graders.host.trace import hinted
from studykit.graders.rewrite.diagnosis.wrong_axes import NEARLY
from studykit.graders.rewrite.judge import CheckResult, Judgment, Outcome, Returned, agrees
from studykit.graders.rewrite.whitelist import Method


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong answer and its trials, as far as they were run."""

    source: str
    method: Method
    trials: Sequence[Trial]
    wanted: Sequence[Returned]
    got: Sequence[Outcome]

    def places(self, exercise: Rewrite) -> list[int]:
        """The trials that went wrong."""
        pairs = zip(self.wanted, self.got, strict=False)
        return [n for n, (want, one) in enumerate(pairs) if not agrees(exercise, want, one)]


def explained(place: Place, exercise: Rewrite, answer: Wrong, judgment: Judgment) -> Judgment:
    """The same verdict and checks with all that can be said; what cannot be had is left out."""
    with suppress(MissingError):
        wrong = answer.places(exercise)
        judgment = _searched(place, exercise, answer, judgment, wrong)
        first = wrong[0] if wrong else 0
        judgment = hinted(
            place.worker,
            exercise,
            answer.source,
            answer.method,
            judgment,
            answer.trials[first],
            answer.got[first],
        )
    return judgment


def _searched(
    place: Place, exercise: Rewrite, answer: Wrong, judgment: Judgment, wrong: Sequence[int]
) -> Judgment:
    """The judgment with the small edits, if any, that make the answer right."""
    if CheckResult("method", passed=True) not in judgment.checks or not wants_search(
        exercise, judgment, answer.got[-1]
    ):
        return judgment
    if not wrong:
        return judgment  # a changed input, or a gradient: no edit of values is the matter
    wanted = answer.wanted
    if len(wanted) < len(answer.trials):
        wanted = expected(replace(place, device="cpu", limits=LIMITS), exercise, answer.trials)
    search = search_for(exercise, answer.source, answer.trials, wanted, wrong)
    told = search.explanation(place.worker, place.search_s)
    if not told:
        return judgment
    kept = [line for line in judgment.diagnosis.splitlines() if not line.startswith(NEARLY)]
    return replace(judgment, diagnosis="\n".join([*kept, told]))
