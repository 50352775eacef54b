"""Estimates as a kind of exercise: a card in a review, a question in a quiz, a variant for scripts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from studykit.cards.card import Card
from studykit.errors import BadDataError
from studykit.exercise.entry import PageCard
from studykit.exercise.estimate import feedback, pins, selection
from studykit.exercise.estimate.template import NumericJudgment, Template, Variant, draw
from studykit.exercise.kind import ExerciseKind, Pinned, QuizAnswer, QuizTurn, Report, SetRequest, VariantRequest
from studykit.exercise.verdict import Malformed
from studykit.graders import number

if TYPE_CHECKING:
    from studykit.exercise.estimate.scenario import Scenario
    from studykit.exercise.services import Services
    from studykit.scheduling.events import Showing
    from studykit.ui import ExerciseOutcome, Ui


def ask(services: "Services", template: Template, card: Card, ui: "Ui", seed: int) -> "ExerciseOutcome":
    """Ask a variant that the learner has not met."""
    from studykit.exercise.estimate import card as estimate_card

    return estimate_card.ask(services, template, card, ui, seed)


def quiz(ui: "Ui", template: Template, turn: QuizTurn) -> QuizAnswer | None:
    """Take one attempt at a variant."""
    from studykit.exercise.estimate import card as estimate_card

    return estimate_card.quiz(ui, _drawn(template, turn.seed, turn.pinned), turn)


def show(template: Template, request: VariantRequest) -> Report:
    """A variant with its answer, steps and slips."""
    variant = _drawn(template, request.seed, request.pinned)
    document = {
        "exercise": template.id,
        "version": template.version,
        "seed": variant.seed,
        "prompt": variant.prompt,
        "parameters": variant.parameters,
        "unit": template.unit,
        "tolerance": variant.tolerance,
        "answer": variant.answer,
        "slips": [{"id": slip.id, "value": slip.value, "message": slip.message} for slip in variant.slips],
        "hints": list(variant.hints),
        "solution": list(variant.solution),
    }
    head = f"{template.id}  seed {variant.seed}  {feedback.tolerance(variant, rough=request.rough)}"
    steps = [f"{place}. {step}" for place, step in enumerate(variant.solution, start=1)]
    slips = [f"slip {slip.id}: {slip.message}" for slip in variant.slips]
    return Report(document, "\n".join([f"{head}\n\n{variant.prompt}\n", *steps, *slips]))


def check(template: Template, request: VariantRequest, answer: str) -> Report:
    """The verdict on one answer to a variant."""
    variant = _drawn(template, request.seed, request.pinned)
    judged = number.judge(variant, answer, rough=request.rough)
    document = _document(variant, judged)
    echo = f"read as {judged.read_as}\n" if judged.read_as else ""
    return Report(document, f"{echo}{document['verdict']}: {document['message']}", judged.verdict)


def _document(variant: Variant, judged: NumericJudgment) -> Mapping[str, object]:
    why = judged.verdict.why if isinstance(judged.verdict, Malformed) else ""
    return {
        "verdict": judged.verdict.name,
        "read_as": judged.read_as or None,
        "value": judged.value,
        "factor": judged.factor,
        "slips": [slip.id for slip in judged.slips],
        "message": why or feedback.without_retry(variant, judged),
    }


def practise(services: "Services", request: SetRequest) -> int:
    """Practise a set, outside the queue. The exit code."""
    from studykit.exercise.estimate import run as estimate_run

    return estimate_run.practise(services, request)


def page(template: Template, pinned: Pinned) -> PageCard:
    """Variants that a page carries, so that it only fills in and judges."""
    return PageCard(variants=selection.first_variants(template, pins.pins(template, pinned)))


def _drawn(template: Template, seed: int, pinned: Pinned) -> Variant:
    return draw(template, seed, pins.pins(template, pinned))


def _refuse_pins(template: Template, pinned: Pinned) -> None:
    pins.pins(template, pinned)


def _asked_again(template: Template, shown: "Showing") -> str:
    from studykit.exercise.estimate import log as estimate_log

    return estimate_log.variant_of(template, shown).prompt


def _faults(template: Template) -> list[str]:
    from studykit.exercise.estimate import selftest

    return [f"{template.id}: {fault}" for fault in selftest.problems(template, number.judge)]


def _no_card(_services: "Services", scenario: "Scenario", card: Card, _ui: "Ui", _seed: int) -> "ExerciseOutcome":
    raise BadDataError(f"{card.path}:{card.line}: {scenario.id} is a scenario, not a numeric exercise")


def _scenario_faults(scenario: "Scenario") -> list[str]:
    return [fault for template in scenario.templates() for fault in _faults(template)]


ESTIMATE = ExerciseKind(
    ask=ask,
    practise=practise,
    mixed_sets=True,
    check=check,
    show=show,
    page=page,
    quiz=quiz,
    refuse_pins=_refuse_pins,
    asked_again=_asked_again,
    faults=_faults,
)
SCENARIO = ExerciseKind(ask=_no_card, practise=practise, faults=_scenario_faults)
