"""Judge the steps of a scenario on the right numbers and on the learner's own, and resume a scenario."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from studykit.errors import StudyError
from studykit.exercise.estimate import feedback, number, pins, scenario
from studykit.exercise.estimate.question import question_of
from studykit.exercise.estimate.scenario import Scenario
from studykit.exercise.estimate.template import NumericJudgment, Template, Variant
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
    """Hold a finished step, and the last number that was typed."""

    variant: Variant
    value: float | None
    is_right: bool

    @property
    def name(self) -> str:
        """Return the name by which later steps refer to the value."""
        return self.variant.template.id.rpartition(".")[2]

    @property
    def words(self) -> str:
        """Return the name as words."""
        return self.name.replace("_", " ")

    @property
    def own(self) -> str:
        """Return the learner's number with its unit, or "-" if no number was typed."""
        target = self.variant.template.target
        return "-" if self.value is None else formatting.show_amount(self.value, target)


class ScenarioChain:
    """Hold a scenario with drawn numbers. Its finished steps are read from the run's closed questions."""

    def __init__(
        self,
        story: Scenario,
        seed: int,
        pinned: Mapping[str, Value],
        behind: "Sequence[tuple[str, bool]]" = (),
        *,
        rough: bool,
    ) -> None:
        """Draw the numbers. `behind` holds an earlier run's answers and outcomes by step."""
        self.story = story
        self.seed = seed
        self._parameters = scenario.draw_parameters(story, seed, pinned)
        self._rough = rough
        self._judge = partial(number.judge, rough=rough)
        self._drawn_by = " ".join([story.id, *pins.words(pinned)])
        self._earlier: list[AnsweredStep] = []
        for template, (answer, is_right_answer) in zip(story.templates(), behind, strict=False):
            judgment = self._judge_step(self.answered(()), self.posed(template), answer)
            self._earlier.append(
                AnsweredStep(self.posed(template), judgment.value if answer else None, is_right_answer)
            )

    def posed(self, template: Template) -> Variant:
        """Pose a step on the right answers of earlier steps."""
        return replace(scenario.pose_step(template, self.seed, self._parameters, {}), drawn_by=self._drawn_by)

    def question(self, template: Template, done: "Iterable[Done]", history: Sequence[str]) -> Question:
        """Return a step as a question, judged on both the right numbers and the learner's own."""
        judge = partial(self._judge_step, self.answered(done))
        step = self.posed(template)
        ending = step.prompt.rpartition("\n\n")[2]
        step_question = question_of(step, judge, rough=self._rough, history=history)
        return replace(step_question, text=f"{self.story.title}, step {ending}")

    def answered(self, done: "Iterable[Done]") -> Sequence[AnsweredStep]:
        """Return the finished steps, first those of an earlier run."""
        new_steps = [
            AnsweredStep(
                self.posed(one.turn.detail[1]),
                one.asked.values[-1] if one.asked.values else None,
                is_right(one.asked.verdict),
            )
            for one in done
            if one.turn.is_step and one.turn.detail[0] is self
        ]
        return (*self._earlier, *new_steps)

    def values(self, done: "Iterable[Done]") -> tuple[tuple[str, str], ...]:
        """Return each finished step's name and the learner's value, and the right one where that is wrong."""
        steps = self.answered(done)
        rights = ["" if step.is_right else f" (right: {feedback.right_answer(step.variant)})" for step in steps]
        return tuple((step.words, step.own + right) for step, right in zip(steps, rights, strict=True))

    def comparison(self, done: "Iterable[Done]") -> str:
        """Return a table of right and own answers, or "" if all were right."""
        steps = self.answered(done)
        if all(step.is_right for step in steps):
            return ""
        rows = [f"| {step.words} | {feedback.right_answer(step.variant)} | {step.own} |" for step in steps]
        return "\n".join(["| step | right | yours |", "|---|---|---|", *rows])

    def _judge_step(self, answered: Sequence[AnsweredStep], variant: Variant, text: str) -> NumericJudgment:
        """Judge with the right earlier numbers, or with the learner's own if only those explain the answer."""
        own_values = {step.name: step.value for step in answered if step.value is not None}
        judgment = self._judge(variant, text)
        used = [name for name in variant.template.builds_on if name in own_values]
        is_step = variant.template.id in self.story.step_ids
        if not (used and is_step and isinstance(judgment.verdict, Incorrect)):
            return judgment
        own = scenario.pose_step(variant.template, self.seed, self._parameters, own_values)
        own_judgment = self._judge(own, text)
        if isinstance(own_judgment.verdict, Malformed):
            return judgment
        if isinstance(own_judgment.verdict, Incorrect) and (
            _is_explained(judgment, variant) or not _is_explained(own_judgment, own)
        ):
            return judgment
        numbers = ", ".join(formatting.digits(own_values[name]) for name in used)
        word = "right" if isinstance(own_judgment.verdict, Correct) else "judged"
        return replace(own_judgment, notes=(*own_judgment.notes, f"{word} on your own {numbers}"), posed=own)


def _is_explained(judgment: NumericJudgment, variant: Variant) -> bool:
    """Return whether a slip of the step explains the answer, and not only a generic one."""
    return bool({slip.id for slip in judgment.slips} & {slip.id for slip in variant.slips})


@dataclass(frozen=True, slots=True)
class OpenScenario:
    """Hold the place where an unfinished scenario continues."""

    story: Scenario
    moment: int  # when it was left, in microseconds UTC
    seed: int
    behind: Sequence[tuple[str, bool]]  # answer and outcome of each closed step
    tries: "Sequence[Showing]" = ()  # at the step that was left


def open_scenario(store: "Store", story: Scenario) -> OpenScenario | None:
    """Return the state of an unfinished scenario, or None if it is finished, has changed, or had pins."""
    newest = [next(iter(store.log.showings(name, last=1)), None) for name in story.step_ids]
    events = [event for event in newest if event is not None]
    if not events:
        return None
    last_event = max(reversed(events), key=lambda event: event.moment)  # of one moment the later step
    entry = last_event.showing
    # A step that was left after a try has no grade.
    closed_count = newest.index(last_event) + (last_event.grade is not None)
    if entry is None or closed_count >= len(story.steps) or not _has_drawn_numbers(story, entry):
        return None
    closed = [_showing_of_run(event, entry) for event in newest[:closed_count]]
    behind = [(each.answer, is_right(each.verdict)) if each else ("", False) for each in closed]
    recent = store.log.showings(entry.template, last=2)  # a third try closes a step
    showings = [_showing_of_run(each, entry) for each in takewhile(lambda each: each.grade is None, recent)]
    tries = [each for each in reversed(showings) if each is not None]
    return OpenScenario(story, last_event.moment, entry.seed, behind, tries)


def _showing_of_run(event: "Event | None", entry: "Showing") -> "Showing | None":
    """Return an event's log entry if it belongs to the same run of a scenario as `entry`, or None."""
    showing = None if event is None else event.showing
    if showing is None or (showing.version, showing.seed) != (entry.version, entry.seed):
        return None
    return showing if showing.parameters == entry.parameters else None


def _has_drawn_numbers(story: Scenario, entry: "Showing") -> bool:
    """Return whether a log entry has the numbers that its seed draws today."""
    if entry.version != story.version:
        return False
    try:
        parameters: Mapping[str, object] = scenario.draw_parameters(story, entry.seed)
        logged = json.loads(entry.parameters or "{}")
    except (StudyError, ValueError):
        return False
    return bool(logged == {name: plain(value) for name, value in parameters.items() if not name.startswith("_")})
