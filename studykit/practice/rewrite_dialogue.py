"""One rewrite asked of a learner: lines and files are graded until one is right, or the solution is shown."""

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from studykit.cards.card import CardId
from studykit.exercise.numeric.dialogue import GIVING_UP
from studykit.exercise.rewrite.rewrite import Rewrite, as_source
from studykit.exercise.verdict import Correct, Malformed, suggested_grade
from studykit.practice.services import Services
from studykit.scheduling.events import EventKind, Showing
from studykit.scheduling.memory import Grade
from studykit.ui import Command, ExerciseOutcome, Line, Quit, RunPosition, Ui

if TYPE_CHECKING:  # a quiz and a page ask this kind and grade nothing
    from studykit.graders.host.place import Place

TRIES = 3
"""Graded answers before the solution is shown."""
SKIPPED = ExerciseOutcome(None, None, "skipped")
_HABITS = frozenset({*"hsekq?", "hint", "steps", "skip", "quit", "help"})  # no answer is one of these


def starting_text(task: Rewrite) -> str:
    """A file to start from: the question as comments, and an `f` to fill in."""
    question = "\n".join(f"# {line}".rstrip() for line in (task.id, "", *task.prompt.splitlines()))
    names = ", ".join(sorted(task.must))
    return f"{question}\n\nfrom einops import {names}\n\n\ndef {task.signature}:\n    return\n"


def showing_of(task: Rewrite, seed: int, answer: str, verdict: str) -> Showing:
    """What the log keeps of an answer."""
    return Showing(task.id, task.version, seed, "{}", answer, verdict)


def converse(
    services: Services, task: Rewrite, ui: Ui, seed: int, at: RunPosition | None = None
) -> ExerciseOutcome:
    """One rewrite from its question to a verdict."""
    from studykit.graders.host.place import place_for

    with place_for(services.open_worker) as place:  # it imports torch while the learner reads
        ui.show(task.prompt, title=task.id, place=at)
        dialogue = RewriteDialogue(place, task, ui, seed)
        try:
            return dialogue.run()
        except KeyboardInterrupt:
            if (tried := dialogue.left()).showing is not None:
                services.store.log.record(EventKind.PRACTICE, CardId(""), grade=tried.grade, showing=tried.showing)
            raise


@dataclass(slots=True)
class RewriteDialogue:
    """One rewrite being asked; `run` leads it to its end."""

    place: "Place"
    task: Rewrite
    ui: Ui
    seed: int
    tries: int = 0
    hints: int = 0
    source: str = ""
    typed: list[str] = field(default_factory=list)
    warned: bool = False  # that the steps end the attempt

    def run(self) -> ExerciseOutcome:
        """Ask until it is right, given up, or out of tries."""
        commands = {"h": "hint", "s": "steps", "k": "skip", "e": "editor"}
        pattern = "a pattern such as a b -> b a, " if self.task.call else ""
        self.ui.tell(f"Type {pattern}an expression, or `:editor`.")
        while True:
            said = self.ui.read("f =", commands, history=self.typed)
            if isinstance(said, Quit):
                return self.left()
            outcome = self._command(said.key) if isinstance(said, Command) else self._line(said)
            if outcome is not None:
                return outcome

    def _command(self, key: str) -> ExerciseOutcome | None:
        match key:
            case "h":
                self._hint()
            case "s" if self.warned:
                return self._given_up("given_up")
            case "s":
                self.warned = True
                self.ui.tell(GIVING_UP)
            case "k":
                return SKIPPED
            case "e":
                text = self.ui.edit(self.source or starting_text(self.task))
                if text is not None:
                    return self._answer(text)
                self.ui.tell("Nothing was changed.")
        return None

    def _line(self, said: Line) -> ExerciseOutcome | None:
        text = said.text.strip()
        if text in _HABITS:
            self.ui.tell(
                "While you type, letters are letters: commands begin with a colon, as in `:hint` or `:h`."
            )
        if not text or text in _HABITS:
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
        from studykit.graders.host.grade import grade, markdown

        self.source = as_source(self.task, text)
        random = Random(self.seed + self.tries)
        graded = grade(self.place, self.task, self.source, random, again=self.tries > 0)
        self.ui.tell(markdown(graded))
        verdict = graded.judgment.verdict
        if isinstance(verdict, Malformed):
            return None
        self.tries += 1
        if isinstance(verdict, Correct):
            self.ui.tell(f"One way to write it:\n\n```python\n{self.task.solution.strip()}\n```")
            return self._right(suggested_grade(verdict, self.tries, self.hints))
        if self.tries < TRIES:
            left = TRIES - self.tries
            self.ui.tell(f"Try again: {left} {'try' if left == 1 else 'tries'} left.")
            return None
        return self._given_up(verdict.name)

    def left(self) -> ExerciseOutcome:
        """What came of it where it is left open: its newest graded answer, which was wrong."""
        if not self.tries:
            return ExerciseOutcome(None, None)
        return ExerciseOutcome(Grade.AGAIN, showing_of(self.task, self.seed, self.source, "incorrect"))

    def _right(self, suggested: Grade | None) -> ExerciseOutcome:
        hints = f", {self.hints} {'hint' if self.hints == 1 else 'hints'}" if self.hints else ""
        message = f"Right {'at once' if self.tries == 1 else f'at try {self.tries}'}{hints}."
        return ExerciseOutcome(suggested, showing_of(self.task, self.seed, self.source, "correct"), message)

    def _given_up(self, verdict: str) -> ExerciseOutcome:
        self.ui.tell(f"A solution:\n\n```python\n{self.task.solution.strip()}\n```")
        showing = showing_of(self.task, self.seed, self.source, "incorrect" if verdict == "given_up" else verdict)
        return ExerciseOutcome(Grade.AGAIN, showing, "The solution was shown.")
