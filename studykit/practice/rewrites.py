"""Rewrites as a kind of exercise: asked as a card or one after another, read from a file, logged."""

import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from studykit.cards.card import Card, CardId
from studykit.errors import BadDataError, NotFoundError, UsageError
from studykit.exercise import catalog
from studykit.exercise.entry import PageCard
from studykit.exercise.rewrite.rewrite import Rewrite, as_source
from studykit.exercise.verdict import Correct, Malformed, suggested_grade
from studykit.practice.kind import ExerciseKind, Pinned, SetRequest, read_on_page
from studykit.practice.services import Services
from studykit.scheduling.events import EventKind, Showing
from studykit.scheduling.memory import Grade
from studykit.store.store import Store
from studykit.ui import Command, ExerciseOutcome, Line, Quit, Ui

if TYPE_CHECKING:  # a quiz and a page ask this kind and grade nothing
    from studykit.graders.host.grade import Graded
    from studykit.graders.host.place import Place

PREFIX = "rewrite."
SET = "einops"
TRIES = 3
"""Graded answers before the solution is shown."""

MOST_BYTES = 1 << 20
"""Of an answer's file; an answer has 4,000 characters at most."""

_NAMED = re.compile(r"\brewrite\.\w+")


def rewrite_named(name: str) -> Rewrite:
    """The rewrite of this name, with or without its prefix; NotFoundError where there is none."""
    exercise = catalog.find(name if "." in name else PREFIX + name)
    if not isinstance(exercise, Rewrite):
        raise NotFoundError(f"{name} is a {exercise.kind}, not a rewrite; practise it with: study exercise {name}")
    return exercise


def named_in(exercise: str | None, file: Path | None) -> tuple[Rewrite, Path | None]:
    """The rewrite and the file of a command line, in either order, or of a file that names its rewrite."""
    if exercise is None:
        raise UsageError("name a rewrite and a file: study grade rewrite.split_heads mine.py")
    if file is not None:
        turned = exercise.endswith(".py") and file.suffix != ".py"
        return (rewrite_named(str(file)), Path(exercise)) if turned else (rewrite_named(exercise), file)
    if not exercise.endswith(".py") and "/" not in exercise:
        return rewrite_named(exercise), None
    return _answered_in(Path(exercise)), Path(exercise)


def _answered_in(file: Path) -> Rewrite:
    """The rewrite that a file answers, by an id in it or by its own name."""
    named = _NAMED.findall(read_answer(file)) if file.exists() else []
    for name in dict.fromkeys([*named, PREFIX + file.stem.removeprefix(PREFIX)]):
        with suppress(NotFoundError):
            return rewrite_named(name)
    if not file.exists():
        read_answer(file)
    raise UsageError(f"which rewrite does {file} answer? Say it: study grade rewrite.NAME {file}")


def read_answer(path: Path) -> str:
    """The text of an answer's file; refused where it is none."""
    try:
        with path.open("rb") as opened:
            data = opened.read(MOST_BYTES)
        return data.decode("utf-8-sig")
    except IsADirectoryError:
        raise UsageError(f"{path} is a folder; name a Python file, or grade the folder with --batch.") from None
    except FileNotFoundError:
        raise UsageError(f"there is no file {path}; write your answer there, or name another file.") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise BadDataError(f"{path} is not text; an answer is a Python file in UTF-8.") from None


def starting_text(task: Rewrite) -> str:
    """A file to start from: the question as comments, and an `f` to fill in."""
    question = "\n".join(f"# {line}".rstrip() for line in (task.id, "", *task.prompt.splitlines()))
    names = ", ".join(sorted(task.must))
    return f"{question}\n\nfrom einops import {names}\n\n\ndef {task.signature}:\n    return\n"


def start_file(task: Rewrite, file: Path, write: Callable[[str], None]) -> None:
    """Write a file with the question in it, where there is none."""
    if not file.exists():
        file.write_text(starting_text(task), encoding="utf-8")
        write(f"Wrote {file}, with the question in it.")


def showing_of(task: Rewrite, seed: int, answer: str, verdict: str) -> Showing:
    """What the log keeps of an answer."""
    return Showing(task.id, task.version, seed, "{}", answer, verdict)


@dataclass(frozen=True, slots=True)
class GradedFile:
    """An answer from a file, graded over the shapes of a seed, and not yet in the log."""

    graded: "Graded"
    seed: int
    answer: str
    began: float  # on the monotonic clock

    def log(self, store: Store) -> None:
        """Write it into the log as practice."""
        verdict = self.graded.judgment.verdict.name
        showing = showing_of(self.graded.exercise, self.seed, self.answer, verdict)
        took_ms = int((time.monotonic() - self.began) * 1000)
        store.log.record(EventKind.PRACTICE, CardId(""), took_ms=took_ms, showing=showing)


def grade_file(place: "Place", task: Rewrite, file: Path, seed: int) -> GradedFile:
    """The judgment on a file over the shapes of a seed; refused where the file cannot be read."""
    from studykit.graders.host.grade import grade

    began, answer = time.monotonic(), read_answer(file)
    graded = grade(place, task, answer, Random(seed))
    return GradedFile(graded, seed, answer, began)


def refuse_solution(task: Rewrite) -> None:
    """Refuse solutions where nothing was graded: they are shown after a pass."""
    raise UsageError(f"solutions are shown after a pass: study grade {task.id} FILE --show-solution")


def solution_after(text: str, *, passed: bool) -> str:
    """A solution's text after a pass; before it, the sentence that says when it is shown."""
    return text if passed else "The solution is shown after a pass."


def advice(graded: "Graded", hint: int = 0, *, show_solution: bool = False, watched: bool = False) -> list[str]:
    """The hints and solutions that were asked for, and how to get them, which a watched file has keys for."""
    task, passed = graded.exercise, isinstance(graded.judgment.verdict, Correct)
    told = [f"Hint: {text}" for text in task.hints[:hint]]
    if show_solution:
        every = "\n\n".join((task.solution.strip(), *(other.strip() for other in task.alternatives)))
        told.append(solution_after(f"\n{every}", passed=passed))
    elif passed and not watched:
        told.append("Solutions to compare with: add --show-solution.")
    if not passed and hint < len(task.hints) and not watched:
        told.append(f"{'Another' if hint else 'A'} hint: add --hint{' --hint' * hint}.")
    return told


@dataclass(slots=True)
class WatchedFile:
    """A file that is graded at each save; `report` puts a grade to the learner."""

    services: Services
    place: "Place"
    task: Rewrite
    file: Path
    report: "Callable[[Graded], None]"
    hints: int = 0
    graded: "Graded | None" = None
    passed: bool = False

    def run(self, typed: Callable[[], str | None]) -> None:
        """Grade until the learner types q or `typed`, which waits a moment for a line, has no more."""
        try:
            seen = self._seen()
            self._grade()
            while (key := typed()) not in {None, "q"}:
                self._obey(key)
                if (now := self._seen()) not in {seen, 0}:
                    seen = now
                    self._grade()
        except KeyboardInterrupt:
            self.services.write("")

    def _seen(self) -> int:
        try:
            return self.file.stat().st_mtime_ns
        except OSError:  # between the two halves of an editor's save
            return 0

    def _grade(self) -> None:
        try:
            answer = grade_file(self.place, self.task, self.file, self.services.seed())
        except UsageError as error:
            self.services.write(str(error))
            return
        self.report(answer.graded)
        self.graded = answer.graded
        self.passed = self.passed or isinstance(answer.graded.judgment.verdict, Correct)
        answer.log(self.services.store)

    def _obey(self, key: str | None) -> None:
        if key == "h":
            self.services.write(f"Hint: {self.task.hints[min(self.hints, len(self.task.hints) - 1)]}")
            self.hints += 1
        elif key == "s":
            self.services.write(solution_after(self.task.solution, passed=self.passed))


def ask(services: Services, task: Rewrite, _card: Card, ui: Ui, seed: int) -> ExerciseOutcome:
    """Ask one rewrite from its question to a verdict."""
    return converse(services, task, ui, seed)


def converse(services: Services, task: Rewrite, ui: Ui, seed: int) -> ExerciseOutcome:
    """One rewrite from its question to a verdict."""
    from studykit.graders.host.place import place_for

    with place_for(services.open_worker) as place:  # it imports torch while the learner reads
        ui.show(task.prompt, title=task.id)
        return RewriteDialogue(place, task, ui, seed).run()


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

    def run(self) -> ExerciseOutcome:
        """Ask until it is right, given up, or out of tries."""
        commands = {"h": "hint", "e": "editor", "s": "solution"}
        pattern = "a pattern such as a b -> b a, " if self.task.call else ""
        self.ui.tell(f"Type {pattern}an expression, or e for your editor.")
        while True:
            said = self.ui.read("f =", commands, history=self.typed)
            if isinstance(said, Quit):
                return ExerciseOutcome(None, None)
            outcome = self._command(said.key) if isinstance(said, Command) else self._line(said)
            if outcome is not None:
                return outcome

    def _command(self, key: str) -> ExerciseOutcome | None:
        match key:
            case "h":
                self._hint()
            case "s":
                return self._given_up("given_up")
            case "e":
                text = self.ui.edit(self.source or starting_text(self.task))
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
        from studykit.graders.host.grade import grade, markdown

        self.source = as_source(self.task, text)
        random = Random(self.seed + self.tries)
        graded = grade(self.place, self.task, self.source, random)
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

    def _right(self, suggested: Grade | None) -> ExerciseOutcome:
        hints = f", {self.hints} {'hint' if self.hints == 1 else 'hints'}" if self.hints else ""
        message = f"Right {'at once' if self.tries == 1 else f'at try {self.tries}'}{hints}."
        return ExerciseOutcome(suggested, showing_of(self.task, self.seed, self.source, "correct"), message)

    def _given_up(self, verdict: str) -> ExerciseOutcome:
        self.ui.tell(f"A solution:\n\n```python\n{self.task.solution.strip()}\n```")
        showing = showing_of(self.task, self.seed, self.source, "incorrect" if verdict == "given_up" else verdict)
        return ExerciseOutcome(Grade.AGAIN, showing, "The solution was shown.")


def practise(services: Services, request: SetRequest) -> int:
    """Ask rewrites until the learner leaves, an exercise or a family first where one is named. The exit code."""
    seed = services.seed() if request.seed is None else request.seed
    tasks = chosen(request.name, seed)
    with services.open_ui(plain=request.plain) as ui:
        for task in tasks:
            if not _practised(services, task, ui, seed):
                break
    return 0


def chosen(name: str, seed: int) -> Sequence[Rewrite]:
    """The exercises in the order in which they are asked: the one that is named, then others of all families."""
    every = [exercise for exercise in catalog.of_set(SET) if isinstance(exercise, Rewrite)]
    families = sorted({task.family for task in every})
    if name in families:
        every = [task for task in every if task.family == name]
    order = Random(seed).sample(every, len(every))
    if name in {"", SET, PREFIX.removesuffix("."), *families}:
        return order
    try:
        first = rewrite_named(name)
    except NotFoundError as error:
        raise NotFoundError(f"{error} The families are {', '.join(families)}.") from None
    return [first, *(task for task in order if task.id != first.id)]


def _practised(services: Services, task: Rewrite, ui: Ui, seed: int) -> bool:
    """Ask one and log it; whether the learner wants the next."""
    outcome = converse(services, task, ui, seed)
    if outcome.showing is None:
        return False
    services.store.log.record(EventKind.PRACTICE, CardId(""), grade=outcome.grade, showing=outcome.showing)
    key = ui.choose("What next?", (("n", "next rewrite"), ("r", "this one again"), ("q", "leave")))
    if key == "r":
        return _practised(services, task, ui, seed + 1)
    return key == "n"


def page(task: Rewrite, pinned: Pinned) -> PageCard:
    """Question and solution to read."""
    card = read_on_page(task, pinned)
    return PageCard(card.prompt, f"```python\n{card.solution}\n```", card.command)


def _watched(services: Services, name: str, seed: int | None) -> tuple[Rewrite, Path]:
    """The first rewrite of a set, and the file of its name here."""
    task = chosen(name, services.seed() if seed is None else seed)[0]
    return task, Path(task.id.removeprefix(PREFIX) + ".py")


REWRITE = ExerciseKind(
    ask=ask, practise=practise, watched=_watched, answered_by="study grade {id} FILE", page=page
)
