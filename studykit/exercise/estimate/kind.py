"""Define estimates as a kind of exercise, asked in reviews, quizzes, sets and by scripts."""

from typing import TYPE_CHECKING, NoReturn

from studykit.errors import BadDataError
from studykit.exercise import catalog
from studykit.exercise.entry import PageCard
from studykit.exercise.estimate import feedback, log, number, pins, selection
from studykit.exercise.estimate.question import command, pose_draw, read_as, steps
from studykit.exercise.estimate.template import Template, Variant, draw
from studykit.exercise.kind import ExerciseKind, Pinned, Report, SetRequest
from studykit.exercise.services import Services
from studykit.exercise.verdict import Malformed

if TYPE_CHECKING:
    from studykit.exercise.estimate.scenario import Scenario
    from studykit.exercise.turn import Draw, Turn
    from studykit.review.question import Asked


def show(template: Template, drawn: "Draw") -> Report:
    """Report a variant with its answer, steps and slips."""
    variant = _draw_variant(template, drawn.seed, drawn.pinned)
    document = {
        "exercise": template.id,
        "version": template.version,
        "seed": variant.seed,
        "prompt": variant.prompt,
        "parameters": variant.parameters,
        "unit": template.unit,
        "tolerance": variant.tolerance,
        "answer": variant.answer,
        "answer_shown": feedback.right_answer(variant),
        "slips": [{"id": slip.id, "value": slip.value, "message": slip.message} for slip in variant.slips],
        "hints": list(variant.hints),
        "solution": list(variant.solution),
    }
    head = f"{template.id}  seed {variant.seed}  {feedback.tolerance(variant, rough=drawn.rough)}"
    slips = [f"slip {slip.id}: {slip.message}" for slip in variant.slips]
    return Report(document, "\n".join([f"{head}\n\n{variant.prompt}\n", steps(variant), *slips]))


def check(template: Template, drawn: "Draw", answer: str) -> Report:
    """Judge an answer to a variant."""
    variant = _draw_variant(template, drawn.seed, drawn.pinned)
    judgment = number.judge(variant, answer, rough=drawn.rough)
    why = judgment.verdict.why if isinstance(judgment.verdict, Malformed) else ""
    document = {
        "verdict": judgment.verdict.name,
        "read_as": judgment.read_as or None,
        "formula": judgment.formula or None,
        "notes": list(judgment.notes),
        "value": judgment.value,
        "factor": judgment.factor,
        "slips": [slip.id for slip in judgment.slips],
        "message": why or feedback.without_retry(variant, judgment),
    }
    echo = f"read as {read_as(judgment)}\n" if judgment.read_as else ""
    return Report(document, f"{echo}{document['verdict']}: {document['message']}", judgment.verdict)


def practise(services: Services, request: SetRequest) -> int:
    """Practise a set of estimates, and return the exit code."""
    from studykit.exercise.estimate import turns  # a card and a script do not wait for these

    practise_set = turns.practise_course if request.name in catalog.courses() else turns.practise_set
    return practise_set(services, request)


def page(template: Template, pinned: Pinned) -> PageCard:
    """Return the variants that a page shows and judges, or a formula question to read."""
    variants = selection.first_variants(template, pins.pins(template, pinned))
    numbers = tuple(variant for variant in variants if not variant.formula)
    if numbers:
        return PageCard(variants=numbers)
    first = variants[0]
    return PageCard(first.prompt, f"{first.formula}\n\n{steps(first)}", command(first))


def _draw_variant(template: Template, seed: int, pinned: Pinned) -> Variant:
    return draw(template, seed, pins.pins(template, pinned))


def _meaning_today(template: Template, pinned: Pinned) -> str | None:
    variant = _draw_variant(template, 0, pinned)
    return template.changed and template.changed(variant.values, pinned)


def _faults_of(template: Template) -> list[str]:
    from studykit.exercise.estimate import selftest

    return [f"{template.id}: {fault}" for fault in selftest.problems(template, number.judge)]


def _refuse_card(scenario: "Scenario") -> NoReturn:
    raise BadDataError(f"{scenario.id} is a scenario, not a numeric exercise. Name one of its steps.")


def _follow_up(services: Services, name: str, state: "Asked") -> "Turn | None":
    from studykit.exercise.estimate.turns import follow_up

    return follow_up(services, name, state, recorded=False)


ESTIMATE = ExerciseKind(
    pose=pose_draw,
    practise=practise,
    follow_up=_follow_up,
    in_quiz=True,
    mixed_sets=True,
    check=check,
    show=show,
    page=page,
    refuse_pins=_meaning_today,
    asked_again=lambda template, entry: log.variant_of(template, entry).prompt,
    faults=_faults_of,
)
SCENARIO: ExerciseKind["Scenario"] = ExerciseKind(
    pose=lambda _asking, scenario, _draw: _refuse_card(scenario),
    practise=practise,
    refuse_pins=lambda scenario, _pinned: _refuse_card(scenario),
    faults=lambda scenario: [fault for template in scenario.templates() for fault in _faults_of(template)],
)
