"""Find numeric templates of the catalogue by id."""

from studykit.exercise import catalog
from studykit.exercise.estimate.template import Template, Variant, draw


def draw_number(template: Template, seed: int) -> Variant:
    """Draw a variant that asks for a number, even if its template can ask for a formula too."""
    return draw(template, seed, {"ask": "number"} if "ask" in template.grid else {})


def template_named(name: str) -> Template:
    """Return the template with this id."""
    exercise = catalog.find(name)
    assert isinstance(exercise, Template)
    return exercise
