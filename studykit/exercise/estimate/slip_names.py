"""What slips are called where they are listed: the log has their ids."""

from collections.abc import Iterable, Iterator

from studykit.exercise import catalog
from studykit.exercise.estimate.feedback import GENERIC_NAMES
from studykit.exercise.estimate.scenario import Scenario
from studykit.exercise.estimate.template import SlipRule, Template


def slip_names(ids: Iterable[str]) -> dict[str, str]:
    """Each slip in words, such as "forgot the backward pass"; its id in words where no exercise knows it."""
    names = {slip: slip.replace("_", " ") for slip in ids}
    if names:
        known = {**{rule.id: rule.name for rule in _rules()}, **GENERIC_NAMES}
        names.update({slip: known[slip] for slip in names if slip in known})
    return names


def _rules() -> Iterator[SlipRule]:
    for exercise in catalog.every():
        templates = exercise.templates() if isinstance(exercise, Scenario) else (exercise,)
        for template in templates:
            if isinstance(template, Template):
                yield from template.slips
