"""A scenario being answered, on the right numbers and the learner's own; and one that was left before its end."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from studykit.errors import StudyError
from studykit.exercise.estimate import feedback, pins, scenario
from studykit.exercise.estimate.question import question_of
from studykit.exercise.estimate.scenario import Scenario
from studykit.exercise.estimate.template import Judge, NumericJudgment, Template, Variant
from studykit.exercise.estimate.values import Value, plain
from studykit.exercise.verdict import Correct, Incorrect, Malformed
from studykit.quantity import formatting
from studykit.review.question import Question
from studykit.scheduling.outcomes import is_right

if TYPE_CHECKING:
    from studykit.exercise.turn import Done
    from studykit.scheduling.events import Event, Showing
    from studykit.store.store import Store


@dataclass(frozen=True, slots=True)
class AnsweredStep:
    """A step that is behind, and the last number that was typed to it."""

    variant: Variant
    value: float | None
    is_right: bool

    @property
    def name(self) -> str:
        """Return the name by which later steps know its value."""
        return self.variant.template.id.rpartition(".")[2]

    @property
    def words(self) -> str:
        """Return its name in words."""
        return self.name.replace("_", " ")

    @property
    def own(self) -> str:
        """Return the learner's number with its unit."""
        wanted = self.variant.template.wanted
        return "-" if self.value is None else formatting.show_amount(self.value, wanted)


class ScenarioChain:
    """A scenario with its numbers; the steps that are behind are read from what is done."""

    def __init__(
        self,
        story: Scenario,
        seed: int,
        pinned: Mapping[str, Value],
        judge: Judge,
        behind: "Sequence[tuple[str, bool]]" = (),
    ) -> None:
        """`behind` has answer and outcome of the steps that were answered in an earlier run."""
        self.story = story
        self.seed = seed
        self._parameters = scenario.draw_parameters(story, seed, pinned)
        self._judge = judge
        self._drawn_by = " ".join([story.id, *pins.words(pinned)])
        self._earlier: list[AnsweredStep] = []
        for template, (answer, right) in zip(story.templates(), behind, strict=False):
            judged = self._judged(self.answered(()), self.posed(template), answer)
            self._earlier.append(AnsweredStep(self.posed(template), judged.value if answer else None, right))

    def posed(self, template: Template) -> Variant:
        """Return a step on the right answers of the steps before it."""
        return replace(scenario.pose_step(template, self.seed, self._parameters, {}), drawn_by=self._drawn_by)

    def question(self, template: Template, done: "Iterable[Done]", history: Sequence[str]) -> Question:
        """Return a step as a question, judged on the right numbers and on the learner's own."""
        judge = partial(self._judged, self.answered(done))
        step = self.posed(template)
        ending = step.prompt.rpartition("\n\n")[2]
        asked = question_of(step, judge, history=history)
        return replace(asked, text=f"{self.story.title}, step {ending}")

    def answered(self, done: "Iterable[Done]") -> Sequence[AnsweredStep]:
        """Return the steps that are behind."""
        now = [
            AnsweredStep(
                self.posed(one.turn.detail[1]),
                one.asked.values[-1] if one.asked.values else None,
                is_right(one.asked.verdict),
            )
            for one in done
            if one.turn.is_step and one.turn.detail[0] is self
        ]
        return (*self._earlier, *now)

    def values(self, done: "Iterable[Done]") -> tuple[tuple[str, str], ...]:
        """Return each step so far with the learner's own value, and the right one beside a wrong one."""
        return tuple(
            (
                step.words,
                step.own if step.is_right else f"{step.own} (right: {feedback.right_answer(step.variant)})",
            )
            for step in self.answered(done)
        )

    def comparison(self, done: "Iterable[Done]") -> str:
        """Return a table of the steps with right and own answers, or "" if all were right."""
        steps = self.answered(done)
        if all(step.is_right for step in steps):
            return ""
        rows = [f"| {step.words} | {feedback.right_answer(step.variant)} | {step.own} |" for step in steps]
        return "\n".join(["| step | right | yours |", "|---|---|---|", *rows])

    def _judged(self, answered: Sequence[AnsweredStep], variant: Variant, text: str) -> NumericJudgment:
        """Judge on the right numbers. What is wrong there may be right or explained on the learner's own."""
        own_values = {step.name: step.value for step in answered if step.value is not None}
        judged = self._judge(variant, text)
        used = [name for name in variant.template.builds_on if name in own_values]
        if not isinstance(judged.verdict, Incorrect) or not used or variant.template.id not in self.story.step_ids:
            return judged
        own = scenario.pose_step(variant.template, self.seed, self._parameters, own_values)
        other = self._judge(own, text)
        if isinstance(other.verdict, Malformed):
            return judged
        if isinstance(other.verdict, Incorrect) and (_explained(judged, variant) or not _explained(other, own)):
            return judged
        numbers = ", ".join(formatting.digits(own_values[name]) for name in used)
        word = "right" if isinstance(other.verdict, Correct) else "judged"
        return replace(other, notes=(*other.notes, f"{word} on your own {numbers}"), posed=own)


def _explained(judged: NumericJudgment, variant: Variant) -> bool:
    """Return whether a slip of the step itself explains an answer, not only its ratio to the right one."""
    return bool({slip.id for slip in judged.slips} & {slip.id for slip in variant.slips})


@dataclass(frozen=True, slots=True)
class OpenScenario:
    """Where a scenario goes on."""

    left: int  # when, in microseconds UTC
    seed: int
    behind: Sequence[tuple[str, bool]]  # answer and outcome of each closed step


def open_scenario(store: "Store", story: Scenario) -> OpenScenario | None:
    """Return the scenario as it was left, or None if none was, or its numbers were given."""
    newest = [next(iter(store.log.showings(name, last=1)), None) for name in story.step_ids]
    begun = [event for event in newest if event is not None]
    if not begun:
        return None
    last = max(reversed(begun), key=lambda event: event.moment)  # of one moment the later step
    same = [_of_variant(event, last) for event in newest]
    entry = same[newest.index(last)]
    closed = newest.index(last) + (last.grade is not None)  # a step that was left after a try has no grade
    if entry is None or closed >= len(story.steps) or not _is_drawn(story, entry):
        return None
    behind = [("", False) if one is None else (one.answer, is_right(one.verdict)) for one in same[:closed]]
    return OpenScenario(last.moment, entry.seed, behind)


def _of_variant(event: "Event | None", last: "Event") -> "Showing | None":
    """Return the showing of an event if it is one of the same variant as the last."""
    one, other = (None if event is None else event.showing), last.showing
    if one is None or other is None:
        return None
    same = (one.version, one.seed, one.parameters) == (other.version, other.seed, other.parameters)
    return one if same else None


def _is_drawn(story: Scenario, entry: "Showing") -> bool:
    """Return whether the numbers of a showing are those that its seed draws today."""
    if entry.version != story.version:
        return False
    try:
        drawn: Mapping[str, object] = scenario.draw_parameters(story, entry.seed)
        logged = json.loads(entry.parameters or "{}")
    except (StudyError, ValueError):
        return False
    return bool(logged == {name: plain(value) for name, value in drawn.items() if not name.startswith("_")})
