"""Define scenarios: chained estimates whose steps build on the answers before them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from studykit.exercise.estimate.template import Drawn, Estimate, Template, Variant, draw_together, pose
from studykit.exercise.estimate.values import Value


@dataclass(frozen=True, kw_only=True)
class Step(Estimate):
    """Hold an estimate of a scenario. Later steps refer to its value by name."""

    name: str


@dataclass(frozen=True, kw_only=True)
class Scenario(Drawn):
    """Hold a story with parameters and a chain of estimates."""

    title: str
    story: str
    steps: tuple[Step, ...]
    kind: str = "scenario"
    set_name: str = ""  # its family names them all

    @property
    def prompt(self) -> str:
        """Return the text that the catalogue shows."""
        return f"{self.title}: " + ", then ".join(step.name.replace("_", " ") for step in self.steps)

    @property
    def step_ids(self) -> tuple[str, ...]:
        """Return the ids of the steps, as the log records them."""
        return tuple(f"{self.id}.{step.name}" for step in self.steps)

    def template(self, name: str) -> Template:
        """Return the step with this name as a separate template, with right values for earlier answers."""
        return next(template for template in self.templates() if template.id == f"{self.id}.{name}")

    def templates(self) -> tuple[Template, ...]:
        """Return all steps as templates, in order."""
        return tuple(self._template(place, step) for place, step in enumerate(self.steps))

    def _template(self, place: int, step: Step) -> Template:
        earlier = {before.name: before.answer for before in self.steps[:place]}
        shared = {each.name: getattr(self, each.name) for each in fields(Drawn)}
        own = {each.name: getattr(step, each.name) for each in fields(Estimate)}
        values = {**self.given, **earlier}
        prompt = f"{self.story}\n\n{step.prompt}"
        return Template(**shared | own | {"id": f"{self.id}.{step.name}", "given": values, "prompt": prompt})


def draw_parameters(scenario: Scenario, seed: int, pinned: Mapping[str, Value] | None = None) -> dict[str, Value]:
    """Draw parameters from a seed that are fair for every step. Pins are kept, fair or not.

    Raise UsageError, with the reason, if no draw is possible.
    """
    first = draw_together(scenario, scenario.templates(), seed, pinned or {})[0]
    return {name: first.values.known[name] for name in scenario.grid}


def pose_step(template: Template, seed: int, parameters: Mapping[str, Value], own: Mapping[str, float]) -> Variant:
    """Pose a step with the learner's own earlier answers in place of the right ones that it builds on."""
    used = {name: own[name] for name in template.builds_on if name in own}
    visible = {name: value for name, value in parameters.items() if not name.startswith("_")}
    return pose(template, {**parameters, **used}, seed, {**visible, **used})
