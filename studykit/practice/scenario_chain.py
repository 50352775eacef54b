"""A scenario being answered: asked on the right numbers, judged on the learner's own too."""

from collections.abc import Mapping
from dataclasses import replace

from studykit.exercise.numeric import feedback, pins, scenario
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
        told = ((one, _own(one, result), result.right or result.left) for one, result in self._asked)
        return tuple(
            (_step(one), own if right else f"{own} (right: {feedback.right_answer(one)})")
            for one, own, right in told
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
