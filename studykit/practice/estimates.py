"""Estimates as a kind of exercise: a card in a review, a question in a quiz, a variant for scripts."""

import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from studykit.cards.card import Card
from studykit.errors import BadDataError
from studykit.exercise.entry import PageCard
from studykit.exercise.numeric import dialogue, feedback, pins, selection
from studykit.exercise.numeric.dialogue import Dialogue, NumericOutcome
from studykit.exercise.numeric.template import NumericJudgment, Template, Variant, draw
from studykit.exercise.verdict import Close, Correct, Malformed, NotScored, Verdict, suggested_grade
from studykit.graders import number
from studykit.practice import estimate_log
from studykit.practice.kind import ExerciseKind, Pinned, QuizAnswer, QuizTurn, Report, SetRequest, VariantRequest
from studykit.practice.services import Services
from studykit.scheduling.events import EventKind, Showing
from studykit.scheduling.memory import Grade
from studykit.text import sentence
from studykit.ui import Command, ExerciseOutcome, Line, Quit, Ui

if TYPE_CHECKING:
    from studykit.exercise.numeric.scenario import Scenario


def ask(services: Services, template: Template, card: Card, ui: Ui, seed: int) -> ExerciseOutcome:
    """Ask a variant that the learner has not met, judge, explain, and follow up a recurring slip."""
    values = pins.pins(template, dict(card.task.pinned) if card.task else {})
    variant = selection.least_met(template, seed, estimate_log.shown_variants(services.store, template), values)
    result = _asked(services, ui, variant, f"{variant.template.id} · seed {variant.seed} · {card.deck}")
    if result.left:
        return ExerciseOutcome(None, None, "not answered")
    shown = estimate_log.showing(variant, result)
    grade = suggested(result)
    if grade is not None:
        _follow_up(services, card, ui, template, result)
    return ExerciseOutcome(grade, None if grade is None else shown, _message(variant, result))


def _asked(services: Services, ui: Ui, variant: Variant, title: str) -> NumericOutcome:
    rough = services.rough
    judge = partial(number.judge, rough=rough)
    history = estimate_log.answers(services.store)
    result = Dialogue(ui, variant, judge, rough, history, reviewing=True).ask(title)
    if not result.left:
        dialogue.show_ending(ui, variant, result)
        offered = {"": "go on", **({"s": "steps"} if result.right else {}), "q": ""}  # q goes on too
        while ui.read("", offered) == Command("s"):
            dialogue.show_steps(ui, variant)
    return result


def _follow_up(services: Services, card: Card, ui: Ui, template: Template, result: NumericOutcome) -> None:
    again = estimate_log.follow_up(services, template, result.slips, recorded=False)
    if again is None:
        return
    from studykit.exercise.numeric.slip_names import slip_names

    slip, variant = again
    began = time.monotonic()
    second = _asked(services, ui, variant, f"once more, because you {slip_names([slip])[slip]}")
    took = round(1000 * (time.monotonic() - began))
    if second.answers or second.gave_up:
        shown = estimate_log.showing(variant, second)
        services.store.log.record(EventKind.PRACTICE, card.id, took_ms=took, showing=shown)


def suggested(result: NumericOutcome) -> Grade | None:
    """The grade that a dialogue suggests; giving up is a failure, an unanswered one is not graded."""
    if result.gave_up and isinstance(result.verdict, NotScored):
        return Grade.AGAIN
    return suggested_grade(result.verdict, max(result.tries, 1), result.hints)


def _message(variant: Variant, result: NumericOutcome) -> str:
    if isinstance(result.verdict, NotScored) and not result.gave_up:
        return "skipped"
    right = feedback.right_answer(variant)
    return f"{dialogue.ending(result).replace('**', '')}: {right}"


def quiz(ui: Ui, template: Template, turn: QuizTurn) -> QuizAnswer | None:
    """Take one attempt at a variant; None where the learner leaves."""
    variant = _drawn(template, turn.seed, turn.pinned)
    ui.show(f"{variant.prompt}\n\nRight: {feedback.tolerance(variant)}.", title=turn.title)
    right = feedback.right_answer(variant)
    while True:
        said = ui.read(feedback.unit_label(variant), {"k": "skip"})
        if isinstance(said, Quit):
            return None
        if not isinstance(said, Line):
            shown = estimate_log.showing_of(variant, "", "not_scored", ())
            return QuizAnswer(0.0, "", right, variant.prompt, "not_scored", (), shown)
        judged = number.judge(variant, said.text)
        if isinstance(judged.verdict, Malformed):
            ui.tell(f"Not read: {sentence(judged.verdict.why)}")
            continue
        ui.tell(f"read as {judged.read_as}")
        if not turn.exam:
            explained = feedback.without_retry(variant, judged)
            ui.tell(f"**{feedback.headline(judged.verdict)}**. {explained}")
            ui.read("", {"": "next"})
        slips, verdict = tuple(slip.id for slip in judged.slips), judged.verdict.name
        shown = estimate_log.showing_of(variant, said.text, verdict, slips)
        return QuizAnswer(points(judged.verdict), said.text, right, variant.prompt, verdict, slips, shown)


def points(verdict: Verdict) -> float:
    """A point for right, half a point for close."""
    match verdict:
        case Correct():
            return 1.0
        case Close():
            return 0.5
        case _:
            return 0.0


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


def practise(services: Services, request: SetRequest) -> int:
    """Practise a set, outside the queue. The exit code."""
    from studykit.practice import estimate_run

    return estimate_run.practise(services, request)


def page(template: Template, pinned: Pinned) -> PageCard:
    """Variants that a page carries, so that it only fills in and judges."""
    return PageCard(variants=selection.first_variants(template, pins.pins(template, pinned)))


def _drawn(template: Template, seed: int, pinned: Pinned) -> Variant:
    return draw(template, seed, pins.pins(template, pinned))


def _refuse_pins(template: Template, pinned: Pinned) -> None:
    pins.pins(template, pinned)


def _asked_again(template: Template, shown: Showing) -> str:
    return estimate_log.variant_of(template, shown).prompt


def _faults(template: Template) -> list[str]:
    from studykit.exercise.numeric import selftest

    return [f"{template.id}: {fault}" for fault in selftest.problems(template, number.judge)]


def _no_card(_services: Services, scenario: "Scenario", card: Card, _ui: Ui, _seed: int) -> ExerciseOutcome:
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
