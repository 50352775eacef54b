"""Ask questions of each kind from a script, on a card, in a set and in a quiz, with fakes for slow graders."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from random import Random
from types import SimpleNamespace

import pytest
from devices import ceilings
from scripted_ui import ScriptedUi

from studykit.cards.card import Card
from studykit.cli.context import Context
from studykit.cli.display import services
from studykit.exercise import registry
from studykit.exercise.bet.bounds import Count, Kernel
from studykit.exercise.bet.score import Bet, BetOutcome, Measurement, settle
from studykit.exercise.card_turn import turn_of
from studykit.exercise.kind import SetRequest
from studykit.exercise.quiz.quiz import Quiz, QuizQuestion, QuizResult
from studykit.exercise.review_run import ReviewRun, ReviewServices
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.run import RunState
from studykit.exercise.tries import begun
from studykit.exercise.turn import Asking
from studykit.exercise.verdict import Correct, Incorrect, Malformed, Verdict
from studykit.graders.host.grade import Graded
from studykit.graders.host.place import Place
from studykit.graders.rewrite.judge import Judgment
from studykit.review.keymap import keymap
from studykit.review.progress import RunReport
from studykit.review.question import Asked
from studykit.scheduling.events import Showing
from studykit.ui import Ui

HEADS, WRONG_HEADS = "b s (h d) -> b h s d", "b s (d h) -> b h s d"
RELU = Count((Kernel("relu.default", 10**8, 8 * 10**8, "float32"),), 8 * 10**8)  # at least 16 ms
STEADY = Measurement(0.020, 0.020, 0.020, samples=30, calls=1, cold=True)


def graded(_place: Place, task: Rewrite, source: str, _random: Random, *, again: bool) -> Graded:
    """Grade without a worker: a pattern is right or wrong, anything else is unreadable."""
    verdict: Verdict = Correct() if HEADS in source else Incorrect()
    if "->" not in source:
        verdict = Malformed("no pattern")
    return Graded(task, Judgment(verdict, (), "again" if again else "first"), 0.0, "cpu", "torch")


def measured(_services: object, _worker: object, _variant: object, bet: Bet, _ui: object) -> BetOutcome:
    """Settle a bet as if its snippet were a ReLU that took 20 ms."""
    return settle(bet, STEADY, RELU, ceilings("cpu"))


def without_workers(patch: pytest.MonkeyPatch) -> None:
    """Judge rewrites and measure bets by the fakes of this file."""
    place, device = SimpleNamespace(notice=""), SimpleNamespace(device="cpu", notice="")
    patch.setattr("studykit.graders.host.place.place_for", lambda *_: nullcontext(place))
    patch.setattr("studykit.graders.host.grade.grade", graded)
    patch.setattr("studykit.graders.host.device_worker.device_worker", lambda *_: nullcontext(device))
    patch.setattr("studykit.exercise.bet.bench.chosen", lambda *_: "cpu")
    patch.setattr("studykit.exercise.bet.bench.measure", measured)


class UngradedRun(ReviewRun):
    """Run a review up to the grade of its first card, and keep what leaves the question."""

    def _choose_next(self, *_: object, **_named: object) -> bool:
        return False

    def undo(self) -> bool:
        self.message = "undone"
        return False


def ask_card(
    context: Context,
    card: Card,
    ui: ScriptedUi,
    seed: int = 1,
    *,
    reopened: Asked | None = None,
    macros: Mapping[str, str] | None = None,
) -> Asked | None:
    """Ask a card's question as a review does. Return None if it was left."""
    handed = services(context)
    turn = turn_of(handed, card, macros or {}, seed)
    around = ReviewServices(lambda each: (each, ""), lambda _card, _seed: turn, lambda: seed)
    with Asking(handed) as asking:
        asking.ui = ui
        asked = reopened or begun(handed, turn.pose(asking, ()), turn.tries)
        run = UngradedRun(asking, keymap(), RunState((turn,), asked=asked), around=around, today=context.today)
        run.through()
    return run.state.asked if run.state.asked is not None and run.state.asked.is_closed else None


def closed_card(context: Context, card: Card, ui: ScriptedUi, seed: int = 1) -> tuple[Asked, Showing]:
    """Ask a card's question until it is closed. Return it with what the log would show."""
    outcome = ask_card(context, card, ui, seed)
    assert outcome is not None
    assert outcome.showing is not None
    return outcome, outcome.showing


def practise(
    context: Context,
    name: str,
    ui: ScriptedUi,
    number: int = 1,
    *,
    seed: int | None = 3,
    pinned: Mapping[str, str] | None = None,
) -> list[RunReport]:
    """Practise a set or an exercise, and return the report of each run."""
    reports: list[RunReport] = []

    def end_run(report: RunReport) -> str:
        reports.append(report)
        return str(ui.script.pop(0)) if ui.script and ui.script[0] in {"m", "u"} else ""

    handed = replace(services(context), open_ui=lambda: nullcontext(ui), end_run=end_run)
    registry.practise(handed, name, SetRequest(name, number, seed, pinned or {}))
    return reports


def take(
    context: Context,
    plan: Sequence[QuizQuestion],
    ui: Ui,
    *,
    exam: bool = False,
    minutes: float | None = None,
    kept: list[QuizResult] | None = None,
) -> QuizResult:
    """Take a quiz, and return its result. `kept` collects the result after each answer."""
    handed = replace(services(context), open_ui=lambda: nullcontext(ui))
    results: list[QuizResult] = [] if kept is None else kept
    return Quiz(handed, plan, 1, exam, minutes, results.append).take()


def logged(context: Context) -> list[tuple[str, str, int | None]]:
    """Return the kind, verdict and grade of every entry in the log."""
    return [
        (event.kind.value, event.showing.verdict if event.showing else "", event.grade)
        for event in context.store.log.events()
    ]
