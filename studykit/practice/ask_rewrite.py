"""Asks a rewrite: the opaque code, an answer typed or edited, its judgment, another try."""

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from studykit.cards.card import Card
from studykit.cli.commands.grade_watch import template
from studykit.errors import UsageError
from studykit.exercise.rewrite.rewrite import Rewrite, as_source
from studykit.exercise.verdict import Correct, Malformed, spelled, suggested_grade
from studykit.graders.host import report
from studykit.graders.host.grade import Graded, Place, grade
from studykit.graders.host.place import place_for, rewrite_named, showing_of
from studykit.scheduling.memory import Grade
from studykit.ui import Asker, Command, ExerciseOutcome, Line, Quit, Ui

if TYPE_CHECKING:
    from studykit.cli.context import Context

TRIES = 3
"""Graded answers before the solution is shown."""


def make_asker(context: "Context") -> Asker:
    """The asker for `E: rewrite...` cards."""

    def ask(card: Card, ui: Ui, seed: int) -> ExerciseOutcome:
        if card.task is None:
            raise UsageError(f"{card.id} is no exercise.")
        return converse(context, rewrite_named(card.task.name), ui, seed)

    return ask


def converse(context: "Context", task: Rewrite, ui: Ui, seed: int) -> ExerciseOutcome:
    """One exercise from its question to a verdict."""
    with place_for(context) as place:  # it imports torch while the learner reads
        ui.show(task.prompt, title=task.id)
        return _Conversation(place, task, ui, seed).run()


@dataclass(slots=True)
class _Conversation:
    place: Place
    task: Rewrite
    ui: Ui
    seed: int
    tries: int = 0
    hints: int = 0
    source: str = ""
    typed: list[str] = field(default_factory=list)

    def run(self) -> ExerciseOutcome:
        """Ask until it is right, given up, or out of tries."""
        commands = {"h": "hint", "e": "editor", "s": "solution"}
        pattern = "a pattern such as a b -> b a, " if self.task.call else ""
        self.ui.tell(f"Type {pattern}an expression, or e for your editor.")
        while True:
            said = self.ui.read("f =", commands, history=self.typed)
            if isinstance(said, Quit):
                return ExerciseOutcome(None, None)
            asked = self._command(said.key) if isinstance(said, Command) else self._line(said)
            if asked is not None:
                return asked

    def _command(self, key: str) -> ExerciseOutcome | None:
        match key:
            case "h":
                self._hint()
            case "s":
                return self._given_up("given_up")
            case "e":
                text = self.ui.edit(self.source or template(self.task))
                if text is not None:
                    return self._answer(text)
                self.ui.tell("Nothing was changed.")
        return None

    def _line(self, said: Line) -> ExerciseOutcome | None:
        if not said.text.strip():
            return None
        self.typed.append(said.text)
        return self._answer(said.text)

    def _hint(self) -> None:
        if self.hints < len(self.task.hints):
            self.ui.tell(f"Hint {self.hints + 1}: {self.task.hints[self.hints]}")
            self.hints += 1
        else:
            self.ui.tell("That was the last hint.")

    def _answer(self, text: str) -> ExerciseOutcome | None:
        """Judge an answer; None where the learner may try again."""
        self.source = as_source(self.task, text)
        graded = self._graded()
        self.ui.tell(report.markdown(graded))
        verdict = graded.judgment.verdict
        if isinstance(verdict, Malformed):
            return None
        self.tries += 1
        if isinstance(verdict, Correct):
            self.ui.tell(f"One way to write it:\n\n```python\n{self.task.solution.strip()}\n```")
            return self._asked(suggested_grade(verdict, self.tries, self.hints), graded)
        if self.tries < TRIES:
            left = TRIES - self.tries
            self.ui.tell(f"Try again: {left} {'try' if left == 1 else 'tries'} left.")
            return None
        return self._given_up(spelled(verdict))

    def _graded(self) -> Graded:
        random = Random(self.seed + self.tries)  # noqa: S311 - to be repeated; the answer never sees it
        return grade(self.place, self.task, self.source, random)

    def _asked(self, grade_: Grade | None, graded: Graded) -> ExerciseOutcome:
        verdict = spelled(graded.judgment.verdict)
        hints = f", {self.hints} {'hint' if self.hints == 1 else 'hints'}" if self.hints else ""
        told = f"Right {'at once' if self.tries == 1 else f'at try {self.tries}'}{hints}."
        return ExerciseOutcome(grade_, showing_of(self.task, self.seed, self.source, verdict), told)

    def _given_up(self, verdict: str) -> ExerciseOutcome:
        self.ui.tell(f"A solution:\n\n```python\n{self.task.solution.strip()}\n```")
        showing = showing_of(self.task, self.seed, self.source, "incorrect" if verdict == "given_up" else verdict)
        return ExerciseOutcome(Grade.AGAIN, showing, "The solution was shown.")
