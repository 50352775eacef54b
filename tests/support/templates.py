"""Numeric templates of the catalogue by id."""

from studykit.exercise import catalog
from studykit.exercise.estimate.template import Template


def template_named(name: str) -> Template:
    """The template of this id."""
    exercise = catalog.find(name)
    assert isinstance(exercise, Template)
    return exercise
