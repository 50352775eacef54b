"""A scenario being answered: asked on the right numbers, judged on the learner's own too."""

from collections.abc import Mapping
from dataclasses import replace

from studykit.exercise.numeric import feedback, scenario
from studykit.exercise.numeric.dialogue import NumericOutcome
from studykit.exercise.numeric.scenario import Scenario
from studykit.exercise.numeric.template import Judge, NumericJudgment, Template, Variant
from studykit.exercise.numeric.values import Value
from studykit.exercise.verdict import Correct, Incorrect, Malformed
from studykit.quantity import formatting


class ScenarioChain:
    """How far a learner has come: the steps so far, and what was answered to each."""

    def __init__(self, story: Scenario, seed: int, pinned: Mapping[str, Value], judge: Judge) -> None:
        self.seed = seed
        self.parameters = scenario.draw_parameters(story, seed, pinned)
        self._judge = judge
        self._steps = frozenset(story.step_ids)
        self._own: dict[str, float] = {}  # the last value typed to each step, right or not
        self._asked: list[tuple[Variant, NumericOutcome]] = []

    def posed(self, template: Template) -> Variant:
        """A step on the right answers of the steps before it."""
        return scenario.pose_step(template, self.seed, self.parameters, {})

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

    def table(self) -> str:
        """Each step with its right answer and the learner's own, in Markdown; empty where all were right."""
        if all(result.right and result.judged.posed is None for _, result in self._asked):
            return ""
        rows = ["| step | right | yours |", "|---|---|---|"]
        for variant, result in self._asked:
            wanted = variant.template.wanted
            own = formatting.shown(result.values[-1], wanted) if result.values else "-"
            step = _name(variant.template).replace("_", " ")
            rows.append(f"| {step} | {feedback.right_answer(variant)} | {own} |")
        return "\n".join(rows)


def _explained(judged: NumericJudgment, variant: Variant) -> bool:
    """Whether a slip of the step itself explains an answer, not only its ratio to the right one."""
    return bool({slip.id for slip in judged.slips} & {slip.id for slip in variant.slips})


def _name(template: Template) -> str:
    return template.id.rpartition(".")[2]
