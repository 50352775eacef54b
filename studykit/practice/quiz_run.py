"""A quiz being taken: one graded attempt for each question, every answer logged."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from studykit.cards.card import Card, CardId
from studykit.cli.context import Context
from studykit.exercise.numeric import feedback, pins
from studykit.exercise.numeric.template import Variant, draw
from studykit.exercise.numeric.values import plain
from studykit.exercise.verdict import Malformed, spelled
from studykit.graders import number
from studykit.practice import quiz
from studykit.practice.quiz import Mark, Question
from studykit.quantity import formatting
from studykit.review import typed_answer
from studykit.scheduling.events import EventKind, Showing
from studykit.scheduling.memory import Grade
from studykit.text import sentence
from studykit.ui import Line, Quit, Ui

MARKING = (("y", "right"), ("n", "wrong"))


@dataclass(slots=True)
class Quizzing:
    """The questions of one quiz being asked."""

    context: Context
    ui: Ui
    exam: bool
    ends: float | None  # on the monotonic clock
    too_late: bool = False

    def through(self, plan: Sequence[Question], seed: int) -> tuple[Mark, ...]:
        """Ask them all; what was answered until the learner left or time was up."""
        marks: list[Mark] = []
        for place, question in enumerate(plan):
            title = f"quiz {place + 1}/{len(plan)} · seed {seed}{' · exam' if self.exam else ''}"
            began = time.monotonic()
            mark = self._one(question, seed + place, title)
            self.too_late = self.ends is not None and time.monotonic() > self.ends
            if mark is None or self.too_late:
                break
            if not (self.exam and question.template is None):
                self._log(mark, seed + place, began)
            marks.append(mark)
        return tuple(self._marked_afterwards(marks) if self.exam else marks)

    def _one(self, question: Question, seed: int, title: str) -> Mark | None:
        if question.template is not None:
            return self._exercise(question, seed, title)
        return self._card(question, question.card, title) if question.card is not None else None

    def _exercise(self, question: Question, seed: int, title: str) -> Mark | None:
        variant = self._variant(question, seed)
        if variant is None:
            return None
        self.ui.show(f"{variant.prompt}\n\nRight: {feedback.tolerance(variant)}.", title=title)
        right = formatting.shown(variant.answer, variant.template.wanted)
        while True:
            said = self.ui.read(feedback.unit_label(variant), {"k": "skip"})
            if isinstance(said, Quit):
                return None
            if not isinstance(said, Line):
                return Mark(question, 0.0, right=right, prompt=variant.prompt, verdict="not_scored")
            judged = number.judge(variant, said.text)
            if isinstance(judged.verdict, Malformed):
                self.ui.tell(f"Not read: {sentence(judged.verdict.why)}")
                continue
            self.ui.tell(f"read as {judged.read_as}")
            score, slips = quiz.score_of(judged.verdict), tuple(slip.id for slip in judged.slips)
            if not self.exam:
                said_of = feedback.without_retry(variant, judged.verdict, judged.value, judged.slips)
                self.ui.tell(f"**{feedback.headline(judged.verdict)}**. {said_of}")
                self.ui.read("", {"": "next"})
            return Mark(question, score, said.text, right, variant.prompt, spelled(judged.verdict), slips)

    def _variant(self, question: Question, seed: int) -> Variant | None:
        if question.template is None:
            return None
        return draw(question.template, seed, pins.pins(question.template, dict(question.pinned)))

    def _card(self, question: Question, card: Card, title: str) -> Mark | None:
        self.ui.show(card.prompt, title=title)
        said = self.ui.read("answer", {"": "no answer" if self.exam else "show the answer"})
        if isinstance(said, Quit):
            return None
        answer = said.text if isinstance(said, Line) else ""
        mark = Mark(question, 0.0, answer.strip(), card.answer, card.prompt)
        return mark if self.exam else self._self_marked(mark)

    def _self_marked(self, mark: Mark) -> Mark | None:
        """The mark that the learner gives, once the right answer is out."""
        if mark.answer and typed_answer.compare(mark.answer, mark.right).same:
            self.ui.tell(f"**right**: {mark.right}")
            return replace(mark, score=1.0, verdict="correct")
        self.ui.tell(f"The answer: {mark.right}")
        said = self.ui.choose("Was yours right?", MARKING)
        if said is None:
            return None
        return replace(mark, score=float(said == "y"), verdict="correct" if said == "y" else "incorrect")

    def _marked_afterwards(self, marks: list[Mark]) -> list[Mark]:
        """An exam's marks: cards are marked by the learner now, with both answers side by side."""
        found: list[Mark] = []
        for mark in marks:
            if mark.question.template is not None:
                found.append(mark)
                continue
            self.ui.show(mark.prompt, title="marking")
            self.ui.tell(f"yours: {mark.answer or 'none'}")
            given = self._self_marked(mark) or replace(mark, verdict="not_scored")
            self._log(given, 0, time.monotonic())
            found.append(given)
        for text in quiz.reviewed([mark for mark in found if mark.question.template is not None]):
            self.ui.tell(text)
        return found

    def _log(self, mark: Mark, seed: int, began: float) -> None:
        question = mark.question
        took = round(1000 * (time.monotonic() - began))
        card = CardId(question.card.id if question.card is not None else "")
        showing = self._showing(mark, seed)
        grade = Grade.GOOD if mark.score == 1 else Grade.AGAIN
        self.context.store.log.record(EventKind.QUIZ, card, grade=grade, took_ms=took, showing=showing)

    def _showing(self, mark: Mark, seed: int) -> Showing | None:
        template = mark.question.template
        variant = self._variant(mark.question, seed)
        if template is None or variant is None:
            return None
        parameters = json.dumps({name: plain(value) for name, value in variant.pinned.items()})
        return Showing(template.id, template.version, seed, parameters, mark.answer, mark.verdict, mark.slips)
