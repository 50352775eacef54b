"""Check that every scenario step passes its self-test and uses the learner's own earlier answers."""

import math

import pytest
from templates import SCENARIOS, scenario_named, template_named

from studykit.exercise.estimate import number, pins, scenario
from studykit.exercise.estimate.scenario import Scenario
from studykit.exercise.estimate.selftest import problems
from studykit.exercise.estimate.template import Template, draw
from studykit.exercise.estimate.values import plain

STEPS = [template for run in SCENARIOS for template in run.templates()]
JUDGE = number.judge


@pytest.mark.parametrize("template", STEPS, ids=lambda template: template.id)
def test_a_step_proves_itself(template: Template) -> None:
    assert problems(template, JUDGE, range(12)) == []


def test_there_are_at_least_six_scenarios() -> None:
    assert len(SCENARIOS) >= 6


@pytest.mark.parametrize("run", SCENARIOS, ids=lambda run: run.id)
def test_a_step_builds_only_on_earlier_ones(run: Scenario) -> None:
    names = [step.name for step in run.steps]

    wrong = [step.name for place, step in enumerate(run.steps) if set(step.builds_on) - set(names[:place])]

    assert wrong == []


def test_lecture_scenario_gives_144_days() -> None:
    run = scenario_named("scenario.scope_run")
    flops, days, *_ = run.templates()
    texts = {"N": "70B", "D": "15T", "G": "1024", "hw": "H100 SXM", "mfu": "0.5"}
    parameters = scenario.draw_parameters(run, 1, pins.pins(flops, texts))

    assert scenario.pose_step(flops, 1, parameters, {}).answer == 6.3e24
    assert math.isclose(scenario.pose_step(days, 1, parameters, {}).answer / 86400, 143.93, rel_tol=1e-4)


def test_scenario_step_follows_the_own_earlier_answer() -> None:
    run = scenario_named("scenario.scope_run")
    flops, days, *_ = run.templates()
    parameters = scenario.draw_parameters(run, 1)
    own = {"flops": scenario.pose_step(flops, 1, parameters, {}).answer / 3}

    right = scenario.pose_step(days, 1, parameters, {}).answer
    following = scenario.pose_step(days, 1, parameters, own).answer

    assert math.isclose(following, right / 3)


def test_logged_scenario_step_accepts_its_pins() -> None:
    template = template_named("scenario.scope_run.days")

    values = pins.pins(
        template, {"N": "7e9", "D": "2e12", "G": "256", "hw": "H100 SXM", "mfu": "0.4", "flops": "8e22"}
    )

    assert values["flops"] == 8e22


def test_logged_scenario_step_draws_again_equal() -> None:
    run = scenario_named("scenario.audit_mfu")
    *_, mfu, _, _ = run.templates()
    prompt = scenario.pose_step(mfu, 5, scenario.draw_parameters(run, 5), {"work": 1e17})

    again = draw(mfu, 5, pins.pins(mfu, {name: str(plain(value)) for name, value in prompt.pinned.items()}))

    assert again.prompt == prompt.prompt
    assert math.isclose(again.answer, prompt.answer)
