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
from studykit.scheduling.sm2 import Grade
from studykit.ui import Asked, Asker, Command, Face, Left, Line

if TYPE_CHECKING:
    from studykit.cli.context import World

TRIES = 3
"""Graded answers before the solution is shown."""


def make_asker(world: "World") -> Asker:
    """The asker for `E: rewrite...` cards."""

    def ask(card: Card, face: Face, seed: int) -> Asked:
        if card.task is None:
            raise UsageError(f"{card.id} is no exercise.")
        return converse(world, rewrite_named(card.task.name), face, seed)

    return ask


def converse(world: "World", task: Rewrite, face: Face, seed: int) -> Asked:
    """One exercise from its question to a verdict."""
    with place_for(world) as place:  # it imports torch while the learner reads
        face.show(task.prompt, title=task.id)
        return _Conversation(place, task, face, seed).run()


@dataclass(slots=True)
class _Conversation:
    place: Place
    task: Rewrite
    face: Face
    seed: int
    tries: int = 0
    hints: int = 0
    source: str = ""
    typed: list[str] = field(default_factory=list)

    def run(self) -> Asked:
        """Ask until it is right, given up, or out of tries."""
        commands = {"h": "hint", "e": "editor", "s": "solution"}
        pattern = "a pattern such as a b -> b a, " if self.task.call else ""
        self.face.tell(f"Type {pattern}an expression, or e for your editor.")
        while True:
            said = self.face.read("f =", commands, history=self.typed)
            if isinstance(said, Left):
                return Asked(None, None)
            asked = self._command(said.key) if isinstance(said, Command) else self._line(said)
            if asked is not None:
                return asked

    def _command(self, key: str) -> Asked | None:
        match key:
            case "h":
                self._hint()
            case "s":
                return self._given_up("given_up")
            case "e":
                text = self.face.edit(self.source or template(self.task))
                if text is not None:
                    return self._answer(text)
                self.face.tell("Nothing was changed.")
        return None

    def _line(self, said: Line) -> Asked | None:
        if not said.text.strip():
            return None
        self.typed.append(said.text)
        return self._answer(said.text)

    def _hint(self) -> None:
        if self.hints < len(self.task.hints):
            self.face.tell(f"Hint {self.hints + 1}: {self.task.hints[self.hints]}")
            self.hints += 1
        else:
            self.face.tell("That was the last hint.")

    def _answer(self, text: str) -> Asked | None:
        """Judge an answer; None where the learner may try again."""
        self.source = as_source(self.task, text)
        graded = self._graded()
        self.face.tell(report.markdown(graded))
        verdict = graded.judgment.verdict
        if isinstance(verdict, Malformed):
            return None
        self.tries += 1
        if isinstance(verdict, Correct):
            self.face.tell(f"One way to write it:\n\n```python\n{self.task.solution.strip()}\n```")
            return self._asked(suggested_grade(verdict, self.tries, self.hints), graded)
        if self.tries < TRIES:
            left = TRIES - self.tries
            self.face.tell(f"Try again: {left} {'try' if left == 1 else 'tries'} left.")
            return None
        return self._given_up(spelled(verdict))

    def _graded(self) -> Graded:
        random = Random(self.seed + self.tries)  # noqa: S311 - to be repeated; the answer never sees it
        return grade(self.place, self.task, self.source, random)

    def _asked(self, grade_: Grade | None, graded: Graded) -> Asked:
        verdict = spelled(graded.judgment.verdict)
        hints = f", {self.hints} {'hint' if self.hints == 1 else 'hints'}" if self.hints else ""
        told = f"Right {'at once' if self.tries == 1 else f'at try {self.tries}'}{hints}."
        return Asked(grade_, showing_of(self.task, self.seed, self.source, verdict), told)

    def _given_up(self, verdict: str) -> Asked:
        self.face.tell(f"A solution:\n\n```python\n{self.task.solution.strip()}\n```")
        showing = showing_of(self.task, self.seed, self.source, "incorrect" if verdict == "given_up" else verdict)
        return Asked(Grade.AGAIN, showing, "The solution was shown.")
