"""Asks the numeric exercise behind an `E:` card: fresh numbers, diagnosis, a suggested grade, a follow-up."""

import time
from dataclasses import dataclass
from functools import partial

from studykit.cards.card import Card
from studykit.cli.authors import attach
from studykit.cli.context import Context
from studykit.errors import BadDataError, NotFoundError
from studykit.exercise import catalog
from studykit.exercise.numeric import dialogue, pins, selection
from studykit.exercise.numeric.dialogue import Dialogue, NumericOutcome
from studykit.exercise.numeric.feedback import NumericJudgment
from studykit.exercise.numeric.template import Template, Variant
from studykit.exercise.verdict import NotScored
from studykit.graders import number
from studykit.practice.followups import due_again
from studykit.practice.numeric import answers, grade_of, met, showing
from studykit.quantity import formatting
from studykit.scheduling.events import EventKind
from studykit.scheduling.memory import Grade
from studykit.terminal.pictures.answer_picture import after_answer
from studykit.ui import Command, ExerciseOutcome, Ui


def make_asker(context: Context) -> "NumericAsker":
    """The asker of numeric exercises for this run."""
    attach(context)
    return NumericAsker(context)


@dataclass(frozen=True, slots=True)
class NumericAsker:
    """One numeric card from question to suggested grade."""

    context: Context

    def __call__(self, card: Card, ui: Ui, seed: int) -> ExerciseOutcome:
        """Ask a variant that the learner has not met, judge, explain, and follow up a recurring slip."""
        template, variant = self._variant(card, seed)
        outcome = self._asked(ui, variant, _title(card, variant))
        if outcome.left:
            return ExerciseOutcome(None, None, "not answered")
        shown = showing(variant, outcome)
        grade = grade_of(outcome)
        if grade is not None:
            self._follow_up(card, ui, template, outcome)
        return ExerciseOutcome(
            None if grade is None else Grade(grade),
            shown if grade is not None else None,
            _message(variant, outcome),
        )

    def _variant(self, card: Card, seed: int) -> tuple[Template, Variant]:
        if card.task is None:
            raise BadDataError(f"{card.path}:{card.line}: this card names no exercise")
        try:
            template = catalog.template(card.task.name)
        except NotFoundError as error:
            raise BadDataError(f"{card.path}:{card.line}: {error}") from None
        values = pins.pins(template, dict(card.task.pinned))
        return template, selection.least_met(template, seed, met(self.context, template), values)

    def _asked(self, ui: Ui, variant: Variant, title: str) -> NumericOutcome:
        rough = self.context.section("exercise").get("rough") is True
        judge = partial(graded, rough=rough)
        outcome = Dialogue(ui, variant, judge, rough, answers(self.context), reviewing=True).ask(title)
        if not outcome.left:
            dialogue.show_ending(ui, variant, outcome, judge, after_answer)
            offered = {"": "go on", **({"s": "steps"} if outcome.right else {}), "q": ""}  # q goes on too
            while ui.read("", offered) == Command("s"):
                dialogue.show_steps(ui, variant)
        return outcome

    def _follow_up(self, card: Card, ui: Ui, template: Template, outcome: NumericOutcome) -> None:
        again = due_again(self.context, template, outcome.slips, recorded=False)
        if again is None:
            return
        slip, variant = again
        began = time.monotonic()
        found = self._asked(ui, variant, f"once more, because of: {slip.replace('_', ' ')}")
        took = round(1000 * (time.monotonic() - began))
        if found.answers or found.gave_up:
            self.context.store.log.record(
                EventKind.PRACTICE, card.id, took_ms=took, showing=showing(variant, found)
            )


def graded(variant: Variant, text: str, *, rough: bool) -> NumericJudgment:
    """The verdict of the numeric grader."""
    return number.judge(variant, text, rough=rough)


def _title(card: Card, variant: Variant) -> str:
    return f"{variant.template.id} · seed {variant.seed} · {card.deck}"


def _message(variant: Variant, outcome: NumericOutcome) -> str:
    if isinstance(outcome.verdict, NotScored) and not outcome.gave_up:
        return "skipped"
    right = formatting.shown(variant.answer, variant.template.wanted)
    return f"{dialogue.ending(outcome).replace('**', '')}: {right}"
