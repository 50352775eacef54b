"""Estimates as a kind of exercise: a card in a review, a question in a quiz, a variant for scripts."""

import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from studykit.cards.card import Card
from studykit.errors import BadDataError
from studykit.exercise.entry import PageCard
from studykit.exercise.estimate import dialogue, feedback, log, pins, selection
from studykit.exercise.estimate.dialogue import Dialogue, NumericOutcome
from studykit.exercise.estimate.template import NumericJudgment, Template, Variant, draw
from studykit.exercise.kind import ExerciseKind, Pinned, QuizAnswer, QuizTurn, Report, SetRequest, VariantRequest
from studykit.exercise.services import Services
from studykit.exercise.tries import KeptTries, log_lost
from studykit.exercise.typed_commands import letters_are_letters
from studykit.exercise.verdict import Close, Correct, Malformed, NotScored
from studykit.graders import number
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.outcomes import WORDS
from studykit.scheduling.recall_grade import Grade
from studykit.text import sentence
from studykit.ui import ExerciseOutcome, Line, Quit, Ui

if TYPE_CHECKING:
    from studykit.exercise.estimate.scenario import Scenario


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
        "answer_shown": feedback.right_answer(variant),
        "slips": [{"id": slip.id, "value": slip.value, "message": slip.message} for slip in variant.slips],
        "hints": list(variant.hints),
        "solution": list(variant.solution),
    }
    head = f"{template.id}  seed {variant.seed}  {feedback.tolerance(variant, rough=request.rough)}"
    slips = [f"slip {slip.id}: {slip.message}" for slip in variant.slips]
    return Report(document, "\n".join([f"{head}\n\n{variant.prompt}\n", dialogue.steps(variant), *slips]))


def check(template: Template, request: VariantRequest, answer: str) -> Report:
    """The verdict on one answer to a variant."""
    variant = _drawn(template, request.seed, request.pinned)
    judged = number.judge(variant, answer, rough=request.rough)
    document = _document(variant, judged)
    echo = f"{dialogue.echo(judged)}\n" if judged.read_as else ""
    return Report(document, f"{echo}{document['verdict']}: {document['message']}", judged.verdict)


def _document(variant: Variant, judged: NumericJudgment) -> Mapping[str, object]:
    why = judged.verdict.why if isinstance(judged.verdict, Malformed) else ""
    return {
        "verdict": judged.verdict.name,
        "read_as": judged.read_as or None,
        "notes": list(judged.notes),
        "value": judged.value,
        "factor": judged.factor,
        "slips": [slip.id for slip in judged.slips],
        "message": why or feedback.without_retry(variant, judged),
    }


def practise(services: Services, request: SetRequest) -> int:
    """Practise a set, outside the queue. The exit code."""
    from studykit.exercise.estimate import run  # a card and a script do not wait for it

    return run.practise(services, request)


def page(template: Template, pinned: Pinned) -> PageCard:
    """Variants that a page carries, so that it only fills in and judges."""
    return PageCard(variants=selection.first_variants(template, pins.pins(template, pinned)))


def _drawn(template: Template, seed: int, pinned: Pinned) -> Variant:
    return draw(template, seed, pins.pins(template, pinned))


def _faults(template: Template) -> list[str]:
    from studykit.exercise.estimate import selftest

    return [f"{template.id}: {fault}" for fault in selftest.problems(template, number.judge)]


def _refuse_card(scenario: "Scenario", where: str = "") -> NoReturn:
    raise BadDataError(f"{where}{scenario.id} is a scenario, not a numeric exercise")


def ask(services: Services, template: Template, card: Card, ui: Ui, seed: int) -> ExerciseOutcome:
    """Ask a variant that the learner has not met, judge, explain, and follow up a recurring slip."""
    values = pins.pins(template, dict(card.task.pinned) if card.task else {})
    log_lost(services)
    open_question = log.begun(services.store, card.id, template)
    if open_question is None:
        variant = log.unmet(services.store, template, seed, values, begun=ui.begun(template.id))
        open_question = variant, dialogue.UNANSWERED
    variant, so_far = open_question
    result = _asked(services, ui, variant, _title(variant, str(card.deck)), card=card, so_far=so_far)
    if result.left:
        return ExerciseOutcome(None, None, "not answered")
    entry = log.showing(variant, result)
    grade = result.grade
    followed = grade is not None and _follow_up(services, card, ui, template, result)
    steps = dialogue.steps(variant) if result.right and not followed else ""
    logged = None if grade is None else entry
    complete = grade is Grade.GOOD and not followed and not _remarked(variant)
    return ExerciseOutcome(grade, logged, _message(variant, result), steps, complete)


def _remarked(variant: Variant) -> bool:
    """Whether the right answer comes with a remark or a picture."""
    return bool(feedback.asides(variant)) or variant.template.roof is not None


def _title(variant: Variant, where: str) -> str:
    return f"{variant.template.id} · seed {variant.seed} · {where}"


def _asked(
    services: Services, ui: Ui, variant: Variant, title: str, *, card: Card, so_far: NumericOutcome
) -> NumericOutcome:
    """Ask until it is closed or left; tries at one that is left, however it is, are kept for the next time."""
    rough = services.rough
    judge = partial(number.judge, rough=rough)
    history = log.answers(services.store)
    tries, count = KeptTries(services, card.id), len(so_far.answers)

    def keep(outcome: NumericOutcome) -> None:
        tries.keep(log.tries(card.id, variant, outcome, count))

    try:
        result = Dialogue(ui, variant, judge, rough=rough, history=history, outcome=so_far, keep=keep).ask(title)
    except BaseException:  # Ctrl-C, a signal, a terminal that is gone
        tries.log()
        raise
    if result.left:
        tries.log()
    else:
        tries.drop()
        dialogue.show_ending(ui, variant, result)
    return result


def _follow_up(services: Services, card: Card, ui: Ui, template: Template, result: NumericOutcome) -> bool:
    """One more of the kind where a slip keeps coming back; whether it was asked."""
    again = log.follow_up(services, template, result.slips, recorded=False)
    if again is None:
        return False
    why, variant = again
    began = time.monotonic()
    if ui.choose("", [("", why)]) is None:
        return False
    second = _asked(services, ui, variant, _title(variant, why), card=card, so_far=dialogue.UNANSWERED)
    took = round(1000 * (time.monotonic() - began))
    if second.answers or second.gave_up:
        entry = log.showing(variant, second)
        services.store.log.record(EventKind.PRACTICE, card.id, took_ms=took, showing=entry)
    return True


def _message(variant: Variant, result: NumericOutcome) -> str:
    if isinstance(result.verdict, NotScored) and not result.gave_up:
        return "skipped"
    right = feedback.right_answer(variant)
    return f"{dialogue.ending(result).replace('**', '')}: {right}"


_IN_QUIZ = {"skip", "undo", "quit"}
_NO_HELP = "A quiz gives no hints and no steps. Commands begin with a colon: `:skip`, `:quit`."


def quiz(ui: Ui, template: Template, turn: QuizTurn) -> QuizAnswer | None:
    """Take one attempt at a variant; None where the learner leaves."""
    variant = _drawn(template, turn.seed, turn.pinned)
    ui.show(f"{variant.prompt}\n\n{feedback.tolerance(variant).capitalize()}.", title=turn.title, place=turn.place)
    right = feedback.right_answer(variant)
    while True:
        reply = ui.read(feedback.unit_label(variant), {"k": "skip"})
        if isinstance(reply, Quit):
            return None
        if not isinstance(reply, Line):
            entry = log.showing_of(variant, "", "not_scored", ())
            return QuizAnswer("not_scored", "", right, variant.prompt, (), entry)
        if command := dialogue.command_meant(reply.text.strip()):
            ui.tell(letters_are_letters(command) if command in _IN_QUIZ else _NO_HELP)
            continue
        judged = number.judge(variant, reply.text)
        if isinstance(judged.verdict, Malformed):
            ui.tell(f"Not read: {sentence(judged.verdict.why)}")
            continue
        ui.tell(f"read as {judged.read_as}")
        if not turn.exam:
            right_at_once = isinstance(judged.verdict, Correct) and not _remarked(variant)
            sign = "✓" if isinstance(judged.verdict, Correct | Close) else "✗"
            explained = feedback.without_retry(variant, judged)
            ui.tell(f"{sign} **{WORDS.get(judged.verdict.name, 'wrong')}**. {explained}")
            if not right_at_once:
                ui.choose("", [("", "next")])
        slips, verdict = tuple(slip.id for slip in judged.slips), judged.verdict.name
        entry = log.showing_of(variant, reply.text, verdict, feedback.blamed(judged.slips))
        return QuizAnswer(verdict, reply.text, right, variant.prompt, slips, entry)


ESTIMATE = ExerciseKind(
    ask=ask,
    practise=practise,
    mixed_sets=True,
    check=check,
    show=show,
    page=page,
    quiz=quiz,
    refuse_pins=lambda template, pinned: _drawn(template, 0, pinned),
    asked_again=lambda template, entry: log.variant_of(template, entry).prompt,
    faults=_faults,
)
SCENARIO: ExerciseKind["Scenario"] = ExerciseKind(
    ask=lambda _services, scenario, card, _ui, _seed: _refuse_card(scenario, f"{card.path}:{card.line}: "),
    practise=practise,
    refuse_pins=lambda scenario, _pinned: _refuse_card(scenario),
    faults=lambda scenario: [fault for template in scenario.templates() for fault in _faults(template)],
)
