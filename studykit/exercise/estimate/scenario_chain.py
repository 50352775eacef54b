"""A scenario being answered, on the right numbers and the learner's own; and one that was left before its end."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from studykit.errors import StudyError
from studykit.exercise.estimate import feedback, pins, scenario
from studykit.exercise.estimate.dialogue import NumericOutcome
from studykit.exercise.estimate.scenario import Scenario
from studykit.exercise.estimate.template import Judge, NumericJudgment, Template, Variant
from studykit.exercise.estimate.values import Value, plain
from studykit.exercise.verdict import Correct, Incorrect, Malformed, NotScored
from studykit.quantity import formatting
from studykit.scheduling.outcomes import CLOSE, RIGHT

if TYPE_CHECKING:
    from studykit.scheduling.events import Event, Showing
    from studykit.store.store import Store


class ScenarioChain:
    """How far a learner has come: the steps so far, and what was answered to each."""

    def __init__(self, story: Scenario, seed: int, pinned: Mapping[str, Value], judge: Judge) -> None:
        self.seed = seed
        self.parameters = scenario.draw_parameters(story, seed, pinned)
        self._judge = judge
        self._drawn_by = " ".join([story.id, *pins.words(pinned)])
        self._steps = frozenset(story.step_ids)
        self._own: dict[str, float] = {}  # the last value typed to each step, right or not
        self._asked: list[tuple[Variant, NumericOutcome]] = []

    def posed(self, template: Template) -> Variant:
        """A step on the right answers of the steps before it."""
        return replace(scenario.pose_step(template, self.seed, self.parameters, {}), drawn_by=self._drawn_by)

    def judge(self, variant: Variant, text: str) -> NumericJudgment:
        """The verdict on the right numbers; where it is wrong there, right or explained on the learner's own."""
        judged = self._judge(variant, text)
        used = [name for name in variant.template.builds_on if name in self._own]
        if not isinstance(judged.verdict, Incorrect) or not used or variant.template.id not in self._steps:
            return judged
        own = scenario.pose_step(variant.template, self.seed, self.parameters, self._own)
        other = self._judge(own, text)
        if isinstance(other.verdict, Malformed):
            return judged
        if isinstance(other.verdict, Incorrect) and (_explained(judged, variant) or not _explained(other, own)):
            return judged
        numbers = ", ".join(formatting.digits(self._own[name]) for name in used)
        word = "right" if isinstance(other.verdict, Correct) else "judged"
        return replace(other, notes=(*other.notes, f"{word} on your own {numbers}"), posed=own)

    def keep(self, template: Template, result: NumericOutcome) -> None:
        """Remember what was answered to a step, for the steps after it."""
        self._asked.append((self.posed(template), result))
        if result.values:
            self._own[_name(template)] = result.values[-1]

    @property
    def done(self) -> int:
        """Steps that are behind."""
        return len(self._asked)

    def forget(self, step: Template) -> int:
        """Drop what was answered to a step and since, for it is asked again; how many are behind."""
        ids = [variant.template.id for variant, _ in self._asked]
        self._asked = self._asked[: ids.index(step.id)] if step.id in ids else self._asked
        self._own = {_name(variant.template): one.values[-1] for variant, one in self._asked if one.values}
        return self.done

    @property
    def values(self) -> tuple[tuple[str, str], ...]:
        """Each step so far with the learner's own value and its unit, and the right one beside a wrong one."""
        rows = ((one, _own(one, result), result.right or result.left) for one, result in self._asked)
        return tuple(
            (_step(one), own if right else f"{own} (right: {feedback.right_answer(one)})")
            for one, own, right in rows
        )

    def comparison(self) -> str:
        """Each step with its right answer and the learner's own, in Markdown; empty where all were right."""
        if all(result.right and result.judged.posed is None for _, result in self._asked):
            return ""
        rows = ["| step | right | yours |", "|---|---|---|"]
        for variant, result in self._asked:
            rows.append(f"| {_step(variant)} | {feedback.right_answer(variant)} | {_own(variant, result)} |")
        return "\n".join(rows)


def _step(variant: Variant) -> str:
    return _name(variant.template).replace("_", " ")


def _own(variant: Variant, result: NumericOutcome) -> str:
    return formatting.show_amount(result.values[-1], variant.template.wanted) if result.values else "-"


def _explained(judged: NumericJudgment, variant: Variant) -> bool:
    """Whether a slip of the step itself explains an answer, not only its ratio to the right one."""
    return bool({slip.id for slip in judged.slips} & {slip.id for slip in variant.slips})


def _name(template: Template) -> str:
    return template.id.rpartition(".")[2]


_CLOSED = {RIGHT, CLOSE}


@dataclass(frozen=True, slots=True)
class OpenScenario:
    """Where a scenario goes on."""

    left: int  # when, in microseconds UTC
    seed: int
    answers: Sequence[str]  # to the steps that are behind; empty for one that was passed over

    def replay(self, chain: ScenarioChain, story: Scenario) -> None:
        """Put what was answered into a chain that has just begun."""
        for template, answer in zip(story.templates(), self.answers, strict=False):
            outcome = NumericOutcome(chain.judge(chain.posed(template), answer))
            if answer and outcome.judged.value is not None:
                outcome = NumericOutcome(outcome.judged, 1, answers=(answer,), values=(outcome.judged.value,))
            chain.keep(template, outcome)


def open_scenario(store: "Store", story: Scenario) -> OpenScenario | None:
    """The scenario as it was left; None where it was never begun, came to its end, or its numbers were given."""
    newest = [next(iter(store.log.showings(name, last=1)), None) for name in story.step_ids]
    begun = [event for event in newest if event is not None]
    if not begun:
        return None
    last = max(begun, key=lambda event: event.moment)
    same = [_of_variant(event, last) for event in newest]
    entry = same[newest.index(last)]
    if entry is None or same[-1] is not None or not _is_drawn(story, entry):
        return None
    gave_up = entry.verdict == NotScored.name and not entry.answer
    behind = newest.index(last) + (gave_up or entry.verdict in _CLOSED)
    return OpenScenario(last.moment, entry.seed, [one.answer if one is not None else "" for one in same[:behind]])


def _of_variant(event: "Event | None", last: "Event") -> "Showing | None":
    """The showing of an event if it is one of the same variant as the last."""
    one, other = (None if event is None else event.showing), last.showing
    if one is None or other is None:
        return None
    same = (one.version, one.seed, one.parameters) == (other.version, other.seed, other.parameters)
    return one if same else None


def _is_drawn(story: Scenario, entry: "Showing") -> bool:
    """Whether the numbers of a showing are those that its seed draws today."""
    if entry.version != story.version:
        return False
    try:
        drawn: Mapping[str, object] = scenario.draw_parameters(story, entry.seed)
        logged = json.loads(entry.parameters or "{}")
    except (StudyError, ValueError):
        return False
    return bool(logged == {name: plain(value) for name, value in drawn.items() if not name.startswith("_")})
