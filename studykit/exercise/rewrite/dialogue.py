"""One rewrite asked of a learner: lines and files are graded until one is right, or the solution is shown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING

from studykit.cards.card import NO_CARD, CardId
from studykit.errors import MissingError
from studykit.exercise.rewrite.answer_file import showing_of
from studykit.exercise.rewrite.rewrite import Rewrite, as_line, as_source
from studykit.exercise.services import Services
from studykit.exercise.tries import KeptTries, KeptTry, log_lost, open_tries
from studykit.exercise.typed_commands import GIVING_UP, habits, letters_are_letters
from studykit.exercise.verdict import Correct, Malformed, Verdict
from studykit.scheduling.events import Showing
from studykit.scheduling.outcomes import WRONG, suggested_grade
from studykit.scheduling.recall_grade import Grade
from studykit.ui import Command, ExerciseOutcome, Line, Quit, RunPosition, Ui

if TYPE_CHECKING:  # a quiz and a page ask this kind and grade nothing
    from studykit.graders.host.place import Place
    from studykit.store.store import Store

TRIES = 3
"""Graded answers before the solution is shown."""
RECALLED = 20
"""Answers to a rewrite that the up key brings back."""
_HABITS = {**habits("hsekq"), "?": "hint", "help": "hint"}


def starting_text(task: Rewrite) -> str:
    """A file to start from: the question as comments, and an `f` to fill in."""
    question = "\n".join(f"# {line}".rstrip() for line in (task.id, "", *task.prompt.splitlines()))
    names = ", ".join(sorted(task.must))
    return f"{question}\n\nfrom einops import {names}\n\n\ndef {task.signature}:\n    return\n"


def converse(
    services: Services,
    task: Rewrite,
    ui: Ui,
    seed: int,
    *,
    at: RunPosition | None = None,
    card: CardId = NO_CARD,
) -> ExerciseOutcome:
    """One rewrite from its question to a verdict; tries at one that is left open are kept, however it is left.

    Each try of a card's rewrite is, and they are offered again with it; of another one the newest.
    """
    from studykit.graders.host.place import place_for

    log_lost(services)
    before = open_tries(services.store, card, task, WRONG) if card else []
    permission = services.typed_permission()
    # The worker imports torch while the learner reads.
    with place_for(services.open_worker, None, permission, ui) as place:
        ui.show(task.prompt, title=task.id, place=at)
        if place.notice:
            ui.tell(place.notice)
        typed = _recalled(services.store, task)
        stored_tries = KeptTries(services, card or task.id)

        def keep(tried: Sequence[Showing]) -> None:
            new = [KeptTry(card, shown) for shown in tried[len(before) :]]
            stored_tries.keep(new if card else [replace(new[-1], grade=Grade.AGAIN)])

        first = before[-1].seed if before else seed
        drafts, draft = services.open_drafts(), f"editor {task.id}"
        dialogue = RewriteDialogue(
            place,
            task,
            ui,
            first,
            list(before),
            edited=drafts.of(draft),
            typed=typed,
            keep=keep,
            keep_edited=lambda text: drafts.keep(draft, text),
        )
        try:
            outcome = dialogue.run()
        except BaseException:  # Ctrl-C, a signal, a terminal that is gone
            stored_tries.log()
            if dialogue.edited:
                drafts.keep(draft, dialogue.edited)  # the newest that is kept, of which the last line tells
            raise
        if dialogue.closed:
            drafts.keep(draft, "")
        if not card or dialogue.closed:
            stored_tries.drop()
            return outcome
        stored_tries.log()
        return ExerciseOutcome(None, None, outcome.message)


def _recalled(store: "Store", task: Rewrite) -> list[str]:
    """The learner's last answers of one line to a rewrite, oldest first, as they can be typed."""
    showings = [event.showing for event in store.log.showings(task.id, last=RECALLED) if event.showing is not None]
    return list(dict.fromkeys(line for one in reversed(showings) if (line := as_line(task, one.answer))))


@dataclass(slots=True)
class RewriteDialogue:
    """One rewrite being asked; `run` leads it to its end."""

    place: "Place"
    task: Rewrite
    ui: Ui
    seed: int
    tried: list[Showing] = field(default_factory=list)  # graded answers, those of an earlier time first
    hints: int = 0
    source: str = ""  # the newest answer, readable or not: the editor begins with it
    edited: str = ""  # or with this: what came back from it, until a line is graded
    typed: list[str] = field(default_factory=list)  # lines that the up key brings back
    keep: Callable[[Sequence[Showing]], None] = lambda _: None  # called with the tries after each wrong answer
    keep_edited: Callable[[str], None] = lambda _: None  # called with each text of the editor before it is judged
    warned: bool = False  # that the steps end the attempt
    closed: bool = False  # right, or its solution was shown

    def run(self) -> ExerciseOutcome:
        """Ask until it is right, given up, or out of tries."""
        pattern = "a pattern such as a b -> b a, " if self.task.call else ""
        self.ui.tell(f"Type {pattern}an expression, or `:editor`.")
        if self.tried:
            self.source = self.tried[-1].answer
            last = as_line(self.task, self.source)
            answer = f" `{last}`" if last else f"\n\n```python\n{self.source.strip()}\n```"
            self.ui.tell(f"You began this before: {_left(len(self.tried))}. Your last answer was{answer}")
        if self.edited:
            self.ui.tell("What you wrote in the editor is kept: `:editor` opens it.")
        while True:
            reply = self.ui.read("f =", self._commands(), history=self.typed, lines=True)
            if isinstance(reply, Quit):
                return self.open_outcome()
            outcome = self._command(reply.key) if isinstance(reply, Command) else self._line(reply)
            if outcome is not None:
                return outcome

    def _commands(self) -> dict[str, str]:
        count, hints = self.hints, len(self.task.hints)
        hint = {"h": f"hint {count + 1} of {hints}"} if count < hints else {"hint": ""}
        return {**hint, "s": "steps", "k": "skip", "e": "editor"}

    def _command(self, key: str) -> ExerciseOutcome | None:
        match key:
            case "h" | "hint":
                self._hint()
            case "s" if self.warned:
                return self._given_up("given_up")
            case "s":
                self.warned = True
                self.ui.tell(GIVING_UP)
            case "k":
                return replace(self.open_outcome(), message="skipped")
            case "e":
                return self._edited()
        return None

    def _edited(self) -> ExerciseOutcome | None:
        try:
            text = self.ui.edit(self.edited or self.source or starting_text(self.task))
        except MissingError as missing:
            self.ui.tell(f"Nothing was changed: {missing}")
            return None
        if text is not None:
            self._keep_edited(text)
            return self._answer(text)
        self.ui.tell("Nothing was changed.")
        return None

    def _line(self, said: Line) -> ExerciseOutcome | None:
        text = said.text.strip()
        if text in _HABITS:
            self.ui.tell(letters_are_letters(_HABITS[text]))
        if not text or text in _HABITS:
            return None
        self.typed.append(said.text)
        tries = len(self.tried)
        outcome = self._answer(said.text)
        if len(self.tried) > tries:
            self._keep_edited("")
        return outcome

    def _keep_edited(self, text: str) -> None:
        self.edited = text
        self.keep_edited(text)

    def _hint(self) -> None:
        if self.hints < len(self.task.hints):
            self.ui.tell(f"Hint: {self.task.hints[self.hints]}")
            self.hints += 1
        else:
            self.ui.tell("There is no further hint; `:steps` shows a solution.")

    def _answer(self, text: str) -> ExerciseOutcome | None:
        """Judge an answer; None where the learner may try again."""
        from studykit.graders.host.grade import grade, markdown

        self.source = as_source(self.task, text)
        random, tries = Random(self.seed + len(self.tried)), len(self.tried)
        with self.ui.busy("grading"):
            graded = grade(self.place, self.task, self.source, random, again=tries > 0)
        verdict = graded.judgment.verdict
        if not isinstance(verdict, Malformed):
            self.tried.append(showing_of(self.task, self.seed, self.source, verdict.name))
        if not isinstance(verdict, Malformed | Correct):
            self.keep(self.tried)
        self.ui.tell(markdown(graded, _word(verdict, tries + 1)))
        if isinstance(verdict, Malformed):
            return None
        if isinstance(verdict, Correct):
            self.ui.tell(f"One way to write it:\n\n```python\n{self.task.solution.strip()}\n```")
            self.closed = True
            hints = f", {self.hints} {'hint' if self.hints == 1 else 'hints'}" if self.hints else ""
            message = f"Right {f'at try {tries + 1}' if tries else 'at once'}{hints}."
            suggested = suggested_grade(verdict.name, tries + 1, self.hints)
            return ExerciseOutcome(suggested, self.tried[-1], message)
        return self._given_up(verdict.name) if tries + 1 == TRIES else None

    def open_outcome(self) -> ExerciseOutcome:
        """What came of it where it is left open: its newest graded answer, which was wrong."""
        if not self.tried:
            return ExerciseOutcome(None, None)
        return ExerciseOutcome(Grade.AGAIN, self.tried[-1])

    def _given_up(self, verdict: str) -> ExerciseOutcome:
        self.closed = True
        self.ui.tell(f"A solution:\n\n```python\n{self.task.solution.strip()}\n```")
        answer = self.tried[-1].answer if self.tried else self.source  # not a later one that could not be read
        showing = showing_of(self.task, self.seed, answer, "incorrect" if verdict == "given_up" else verdict)
        return ExerciseOutcome(Grade.AGAIN, showing, "The solution was shown.")


def _word(verdict: Verdict, tries: int) -> str:
    """What stands before the checks: right or not yet, and the tries that are left."""
    match verdict:
        case Malformed():
            return ""
        case Correct():
            return "✓ **right**"
        case _:
            return "✗ **wrong**" if tries == TRIES else f"✗ **not yet**, {_left(tries)}"


def _left(tries: int) -> str:
    count = TRIES - tries
    return f"{count} {'try' if count == 1 else 'tries'} left"
