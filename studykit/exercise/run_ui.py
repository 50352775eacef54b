"""The learner's side of a run of questions outside the queue: its Ui, and a set practised once with its report."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studykit.exercise.services import Services
from studykit.review.keymap import Keymap, keymap, word_of
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import UndoneEvent
from studykit.scheduling.outcomes import right_at_once
from studykit.ui import Command, ForwardingUi, Line, Quit, Reply, Ui

if TYPE_CHECKING:
    from studykit.review.run_report import RunAnswer
    from studykit.store.store import Store

FINAL = "In an exam nothing that was submitted can be taken back."
LOOKED_BACK = 200
"""Answers of earlier runs that a run is compared with."""


class RunUi(ForwardingUi):
    """Passes everything on; `undone` says that the learner left a question to take back what was done last."""

    def __init__(self, ui: Ui, keys: Keymap, *, told: str = "", final: bool = False) -> None:
        """`told` is for `:info` where the exercise has none; where answers are `final` nothing is taken back."""
        super().__init__(ui)
        self._keys = keys
        self.told = told  # of the question that is shown
        self._final = final
        self.undone = False
        self.left = False
        self.replied = 0.0  # when a line was ended last, by the monotonic clock

    def read(
        self, label: str, commands: Mapping[str, str], *, history: Sequence[str] = (), lines: bool = False
    ) -> Reply:
        """A typed line, or a command of the exercise; leaving where something is taken back."""
        own = {"undo": "" if self._final else "undo", **({"info": ""} if self.told else {})}
        while True:
            reply = self._ui.read(label, {**own, **commands}, history=history, lines=lines)
            self.replied = time.monotonic()
            self.tried = self.tried or isinstance(reply, Line)
            self.left = self.left or isinstance(reply, Quit)
            if not isinstance(reply, Command) or reply.key in commands:
                return reply
            if reply.key == "info":
                self._ui.tell(self.told)
            elif self._takes_back():
                return Quit()

    def choose(self, question: str, options: Sequence[tuple[str, str]]) -> str | None:
        """The key of an option, by the learner's own keys; None where they leave or take something back."""
        offered = {key for key, _ in options}
        info = [("i", "")] if self.told and "i" not in offered else []
        undo = [("u", "" if self._final else "undo")] if "u" not in offered else []
        leave = [("q", "quit")] if "q" not in offered else []
        choices = self._keys.choices([*options, *undo, *info, *leave])
        while True:
            key = self._ui.choose(question, [(key, word) for key, (_, word) in choices.items()])
            choice = None if key is None else choices.get(key, (key, ""))[0]
            if choice in offered:
                return choice
            if choice in {None, "q"}:
                self.left = True
                return None
            if choice == "i":
                self._ui.tell(self.told)
            elif self._takes_back():
                return None

    def _takes_back(self) -> bool:
        if self._final:
            self._ui.tell(FINAL)
        else:
            self.undone = True
        return not self._final


def undone_words(undone: UndoneEvent | None) -> str:
    """What was taken back, in a few words."""
    if undone is None:
        return "there is nothing to undo"
    event = undone.target
    what = event.card or (event.showing.template if event.showing is not None else "")
    if event.kind is EventKind.BET:
        return f"undone: your bet on {what}" if what else "undone: your bet"
    if event.kind in {EventKind.PRACTICE, EventKind.QUIZ}:
        return f"undone: your answer to {what}" if what else "undone: your answer"
    grade = f" {word_of(event.grade)}" if event.grade is not None else ""
    return f"undone: {event.kind.value}{grade} {what}".rstrip()


def right_at_once_before(store: "Store", *families: str, kind: EventKind = EventKind.PRACTICE) -> float | None:
    """The share of recent answers that were right at once; None before the first.

    Those of exercises whose names begin with one of the families, such as `rewrite.`; of all without one.
    """
    events = store.log.graded(kind, LOOKED_BACK)
    matching = [
        one for one in events if not families or (one.showing and one.showing.template.startswith(families))
    ]
    right = sum(right_at_once(one.showing.verdict if one.showing else "", one.grade) for one in matching)
    return right / len(matching) if matching else None


@dataclass(slots=True)
class SetRun:
    """What is asked in a Ui, and what came of it."""

    ui: RunUi
    answers: "Sequence[RunAnswer]" = ()
    again: bool = False  # known at its end: whether the learner wants what was missed once more


@contextmanager
def set_run(services: Services, *families: str, again: bool = True) -> Iterator[SetRun]:
    """Open the Ui, and report the answers at the end; what was missed is offered once more only if `again`.

    The report compares with earlier answers to exercises whose ids begin with one of `families`.
    """
    began, before = time.monotonic(), right_at_once_before(services.store, *families)
    with services.open_ui() as ui:
        run = SetRun(RunUi(ui, keymap(keys=services.settings("keys"))))
        yield run
    from studykit.review.run_report import RunReport

    report = RunReport(tuple(run.answers), time.monotonic() - began, before, again=again)
    run.again = services.end_run(report)
