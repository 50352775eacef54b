"""Find rewrites of the catalogue by name."""

from studykit.exercise import catalog
from studykit.exercise.rewrite.rewrite import Rewrite


def task(name: str) -> Rewrite:
    """Return the rewrite of this name, given without the prefix `rewrite.`."""
    exercise = catalog.find(f"rewrite.{name}")
    assert isinstance(exercise, Rewrite)
    return exercise
