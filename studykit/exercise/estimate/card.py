"""An estimate asked: as a card of a review, with a follow-up where a slip recurs, and as a question of a quiz."""

import time
from functools import partial

from studykit.cards.card import Card
from studykit.exercise.estimate import dialogue, feedback, pins
from studykit.exercise.estimate import log as estimate_log
from studykit.exercise.estimate.dialogue import Dialogue, NumericOutcome
from studykit.exercise.estimate.template import Template, Variant
from studykit.exercise.kept_tries import KeptTries, log_lost
from studykit.exercise.kind import QuizAnswer, QuizTurn
from studykit.exercise.services import Services
from studykit.exercise.verdict import Close, Correct, Malformed, NotScored, Verdict, suggested_grade
from studykit.graders import number
from studykit.scheduling.events import EventKind
from studykit.scheduling.memory import Grade
from studykit.text import sentence
from studykit.ui import ExerciseOutcome, Line, Quit, Ui


def ask(services: Services, template: Template, card: Card, ui: Ui, seed: int) -> ExerciseOutcome:
    """Ask a variant that the learner has not met, judge, explain, and follow up a recurring slip."""
    values = pins.pins(template, dict(card.task.pinned) if card.task else {})
    log_lost(services)
    open_question = estimate_log.begun(services.store, card.id, template)
    if open_question is None:
        variant = estimate_log.unmet(services.store, template, seed, values, begun=ui.begun(template.id))
        open_question = variant, NumericOutcome(estimate_log.OPEN)
    variant, so_far = open_question
    result = _asked(services, ui, variant, _title(variant, str(card.deck)), card=card, so_far=so_far)
    if result.left:
        return ExerciseOutcome(None, None, "not answered")
    shown = estimate_log.showing(variant, result)
    grade = suggested(result)
    followed = grade is not None and _follow_up(services, card, ui, template, result)
    steps = dialogue.steps(variant) if result.right and not followed else ""
    logged = None if grade is None else shown
    complete = grade is Grade.GOOD and not followed and not _remarked(variant)
    return ExerciseOutcome(grade, logged, _message(variant, result), steps, complete)


def _remarked(variant: Variant) -> bool:
    """Whether more is said and drawn of the right answer than that it is right: there is something to read."""
    return bool(feedback.asides(variant)) or variant.template.roof is not None


def _title(variant: Variant, where: str) -> str:
    return f"{variant.template.id} · seed {variant.seed} · {where}"


def _asked(
    services: Services, ui: Ui, variant: Variant, title: str, *, card: Card, so_far: NumericOutcome
) -> NumericOutcome:
    """Ask until it is closed or left; tries at one that is left, however it is, are kept for the next time."""
    rough = services.rough
    judge = partial(number.judge, rough=rough)
    history = estimate_log.answers(services.store)
    kept, known = KeptTries(services, card.id), len(so_far.answers)

    def keep(outcome: NumericOutcome) -> None:
        kept.keep(estimate_log.tries(card.id, variant, outcome, known))

    try:
        result = Dialogue(ui, variant, judge, rough=rough, history=history, outcome=so_far, keep=keep).ask(title)
    except BaseException:  # Ctrl-C, a signal, a terminal that is gone
        kept.log()
        raise
    if result.left:
        kept.log()
    else:
        kept.drop()
        dialogue.show_ending(ui, variant, result)
    return result


def _follow_up(services: Services, card: Card, ui: Ui, template: Template, result: NumericOutcome) -> bool:
    """One more of the kind where a slip keeps coming back; whether it was asked."""
    again = estimate_log.follow_up(services, template, result.slips, recorded=False)
    if again is None:
        return False
    from studykit.exercise.estimate.slip_names import slip_names

    slip, variant = again
    began = time.monotonic()
    why = f"once more, because you {slip_names([slip])[slip]}"
    if ui.choose("", [("", why)]) is None:
        return False
    second = _asked(
        services, ui, variant, _title(variant, why), card=card, so_far=NumericOutcome(estimate_log.OPEN)
    )
    took = round(1000 * (time.monotonic() - began))
    if second.answers or second.gave_up:
        shown = estimate_log.showing(variant, second)
        services.store.log.record(EventKind.PRACTICE, card.id, took_ms=took, showing=shown)
    return True


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


_IN_QUIZ = {"skip", "undo", "quit"}
_NO_HELP = "A quiz gives no hints and no steps. Commands begin with a colon: `:skip`, `:quit`."


def quiz(ui: Ui, variant: Variant, turn: QuizTurn) -> QuizAnswer | None:
    """Take one attempt at a variant; None where the learner leaves."""
    ui.show(f"{variant.prompt}\n\nRight: {feedback.tolerance(variant)}.", title=turn.title, place=turn.place)
    right = feedback.right_answer(variant)
    while True:
        said = ui.read(feedback.unit_label(variant), {"k": "skip"})
        if isinstance(said, Quit):
            return None
        if not isinstance(said, Line):
            shown = estimate_log.showing_of(variant, "", "not_scored", ())
            return QuizAnswer(0.0, "", right, variant.prompt, "not_scored", (), shown)
        if command := dialogue.command_meant(said.text.strip()):
            ui.tell(dialogue.letters_are_letters(command) if command in _IN_QUIZ else _NO_HELP)
            continue
        judged = number.judge(variant, said.text)
        if isinstance(judged.verdict, Malformed):
            ui.tell(f"Not read: {sentence(judged.verdict.why)}")
            continue
        ui.tell(f"read as {judged.read_as}")
        if not turn.exam:
            right_at_once = isinstance(judged.verdict, Correct) and not _remarked(variant)
            sign = "✓" if isinstance(judged.verdict, Correct | Close) else "✗"
            explained = feedback.without_retry(variant, judged)
            ui.tell(f"{sign} **{feedback.headline(judged.verdict)}**. {explained}")
            if not right_at_once:
                ui.choose("", [("", "next")])
        slips, verdict = tuple(slip.id for slip in judged.slips), judged.verdict.name
        shown = estimate_log.showing_of(variant, said.text, verdict, feedback.blamed(judged.slips))
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
