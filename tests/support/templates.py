"""Find and draw numeric templates and scenarios of the catalogue."""

from studykit.exercise import catalog
from studykit.exercise.estimate.pins import pins
from studykit.exercise.estimate.scenario import Scenario
from studykit.exercise.estimate.template import Template, Variant, draw

TEMPLATES = [found for found in catalog.every() if isinstance(found, Template)]
SCENARIOS = [found for found in catalog.every() if isinstance(found, Scenario)]


def draw_number(template: Template, seed: int) -> Variant:
    """Draw a variant that asks for a number, even if its template can ask for a formula too."""
    return draw(template, seed, {"ask": "number"} if "ask" in template.grid else {})


def template_named(name: str) -> Template:
    """Return the template with this id."""
    exercise = catalog.find(name)
    assert isinstance(exercise, Template)
    return exercise


def scenario_named(name: str) -> Scenario:
    """Return the scenario with this id."""
    return next(scenario for scenario in SCENARIOS if scenario.id == name)


def pinned(name: str, **parameters: str) -> Variant:
    """Draw a variant of the template with this id and these pins, as texts."""
    template = template_named(name)
    return draw(template, 1, pins(template, parameters))
