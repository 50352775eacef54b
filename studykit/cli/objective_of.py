"""The objective that an exercise practises, looked up in the catalogue."""

from functools import cache

from studykit.exercise import catalog


@cache
def objective_of(template: str) -> str | None:
    """The objective of an exercise by its name in the log; None where the catalogue has none of that name."""
    exercise = catalog.known(template)
    return None if exercise is None else exercise.objective
