"""A scenario as a conversation: every step is judged on the learner's own earlier answers."""

from collections.abc import Mapping

from studykit.exercise.numeric import pins, scenario
from studykit.exercise.numeric.feedback import NumericJudgment
from studykit.exercise.numeric.scenario import Scenario
from studykit.exercise.numeric.template import Template, Variant
from studykit.exercise.numeric.values import Value
from studykit.exercise.verdict import Close, Correct
from studykit.practice.numeric import Practice, after, title


class Chain:
    """How far a learner has come in a scenario."""

    def __init__(self, practice: Practice, found: Scenario, seed: int, pinned: Mapping[str, Value]) -> None:
        self.practice = practice
        self.found = found
        self.seed = seed
        self.parameters = scenario.draw_parameters(found, seed, pinned)
        self.shown: dict[str, float] = {}  # own answers where they passed, the revealed ones elsewhere
        self.typed: dict[str, float] = {}  # own answers, right or not

    def judge(self, variant: Variant, text: str) -> NumericJudgment:
        """The verdict on the numbers shown; right too where it follows from what was typed, or from the truth."""
        judged = self.practice.judge(variant, text)
        for own in ({**self.shown, **self.typed}, {}):
            if isinstance(judged.verdict, Correct) or variant.template.id not in self.found.step_ids:
                break
            on_own = scenario.pose_step(variant.template, self.seed, self.parameters, own)
            other = self.practice.judge(on_own, text)
            judged = other if isinstance(other.verdict, Correct) else judged
        return judged

    def step(self, template: Template, heading: str, *, last: bool) -> bool:
        """Ask one step; whether to go on."""
        variant = scenario.pose_step(template, self.seed, self.parameters, self.shown)
        outcome = self.practice.one(variant, title(self.practice, heading, variant), self.judge)
        if outcome.left:
            return False
        name = template.id.rpartition(".")[2]
        passed = isinstance(outcome.verdict, Correct | Close) and bool(outcome.values)
        self.shown[name] = outcome.values[-1] if passed else variant.answer
        if outcome.values:
            self.typed[name] = outcome.values[-1]
        return after(self.practice.ui, variant, last=last, again=False, steps=outcome.right) != "quit"


def run(practice: Practice, found: Scenario, seed: int, pinned: Mapping[str, str], *, last: bool) -> bool:
    """Lead through a scenario; whether to go on after it."""
    templates = found.templates()
    chain = Chain(practice, found, seed, pins.pins(templates[0], pinned))
    for place, template in enumerate(templates, start=1):
        heading = f"{found.title} {place}/{len(templates)}"
        if not chain.step(template, heading, last=last and place == len(templates)):
            return False
    return True
