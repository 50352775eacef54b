"""Test wrong answers as learners type them, and the slip that the judge names for each.

An examiner solved the questions with a mistake in mind. The third hundred was typed after the last
change to the judge, `more` during a later trial of all kinds of exercises. `shapes` is about shapes of models.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from templates import scenario_named, template_named

from studykit.exercise.estimate import number
from studykit.exercise.estimate.pins import pins
from studykit.exercise.estimate.scenario import draw_parameters, pose_step
from studykit.exercise.estimate.template import Variant, draw
from studykit.exercise.verdict import Close, Incorrect

HUNDREDS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "wrong_answers.json").read_text(encoding="utf-8")
)


def posed(name: str, seed: int, parameters: dict[str, Any]) -> Variant:
    """Return the variant with these parameters, of a scenario's step after right answers to the earlier steps."""
    whole, _, step = name.rpartition(".")
    if not whole.startswith("scenario."):
        template = template_named(name)
        return draw(template, seed, pins(template, {letter: str(value) for letter, value in parameters.items()}))
    scenario = scenario_named(whole)
    template = scenario.template(step)
    parameters = pins(template, {letter: str(value) for letter, value in parameters.items()})
    return pose_step(template, seed, draw_parameters(scenario, seed, parameters), {})


@pytest.mark.parametrize("hundred", HUNDREDS)
def test_wrong_answers_get_their_recorded_slips(hundred: str) -> None:
    diagnoses = []
    for row in HUNDREDS[hundred]:
        variant = posed(row["template"], row["seed"], row["parameters"])
        judged = number.judge(variant, row["answer"])
        assert isinstance(judged.verdict, Incorrect | Close), row
        slips = [slip.id for slip in judged.slips] or "none"
        diagnoses.append({**row, "parameters": variant.parameters, "slips": slips})

    assert diagnoses == HUNDREDS[hundred]


def test_wrong_answers_about_shapes_are_named() -> None:
    rows = HUNDREDS["shapes"]

    assert len(rows) == 64
    assert sum(row["slips"] != "none" and not row["slips"][0].startswith("formula_") for row in rows) >= 60


@pytest.mark.parametrize("hundred", ["first", "second", "third"])
def test_wrong_answer_sets_name_at_least_87_slips(hundred: str) -> None:
    rows = HUNDREDS[hundred]

    assert len(rows) == 100
    assert sum(row["slips"] != "none" for row in rows) >= 87
    assert len({(row["template"], row["seed"]) for row in rows}) >= 60
