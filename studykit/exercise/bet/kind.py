"""Timing bets as a kind of exercise: as a card of a review, or one after another."""

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from studykit.cards.card import NO_CARD, Card
from studykit.exercise import catalog
from studykit.exercise.bet.dialogue import bet_named, converse, draw_bet
from studykit.exercise.bet.snippet import CLASS, BetExercise, pinned_sizes
from studykit.exercise.entry import PageCard
from studykit.exercise.kind import ExerciseKind, Pinned, SetRequest, read_on_page
from studykit.exercise.run_ui import RunUi, set_run, undone_words
from studykit.exercise.services import Services
from studykit.review.run_report import RunAnswer
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.outcomes import right_at_once
from studykit.scheduling.recall_grade import Grade
from studykit.ui import ExerciseOutcome, RunPosition, Ui

if TYPE_CHECKING:  # a quiz and a page ask this kind and measure nothing
    from studykit.graders.host.device_worker import DeviceWorker

SET = "timing"
AGAIN = (("", "next snippet"), ("r", "this one with fresh sizes"), ("q", "quit"))


def any_bet(device: str, seed: int) -> BetExercise:
    """One of the bets that a device can run, drawn by a seed."""
    able = [exercise for exercise in catalog.of_set(SET) if isinstance(exercise, BetExercise)]
    able = [exercise for exercise in able if ("gpu" if device == "cuda" else "cpu") in exercise.sizes]
    return random.Random(f"timing:{seed}").choice(able)


def ask(services: Services, exercise: BetExercise, card: Card, ui: Ui, seed: int) -> ExerciseOutcome:
    """Ask the bet of a card, with the sizes that it pins."""
    pinned = pinned_sizes(card.task.pinned if card.task else ())
    from studykit.graders.host.device_worker import device_worker

    with device_worker(services.open_worker, "auto", services.typed_permission(), ui) as worker:
        begun = ui.begun(exercise.id)
        seed = seed if begun is None else begun
        return converse(services, worker, draw_bet(exercise, worker.device, seed, pinned), ui, card.id)


def practise(services: Services, request: SetRequest) -> int:
    """Ask bets until the learner leaves, the named one first. The exit code."""
    seed = services.seed() if request.seed is None else request.seed
    first = None if request.name in {"", SET, "bet"} else bet_named(request.name)
    from studykit.graders.host.device_worker import device_worker

    with (
        set_run(services, "bet.", again=False) as run,
        device_worker(services.open_worker, "auto", services.typed_permission(), run.ui) as worker,
    ):
        exercise = first or any_bet(worker.device, seed)
        bets = BetRun(services, worker, run.ui, request.number if first is None else 1)
        while (key := bets.ask(exercise, seed)) is not None:
            seed += key != "u"
            if key == "":
                exercise = any_bet(worker.device, seed)
        run.answers = bets.answers
    return 0


@dataclass(slots=True)
class BetRun:
    """Bets being asked, and how each ended."""

    services: Services
    worker: "DeviceWorker"
    ui: RunUi
    count: int
    answers: list[RunAnswer] = field(default_factory=list)

    def ask(self, exercise: BetExercise, seed: int) -> str | None:
        """One bet, logged; the key of what is wanted next, `u` where something was undone, None to leave."""
        begun, done = self.ui.begun(exercise.id), len(self.answers)
        variant = draw_bet(exercise, self.worker.device, seed if begun is None else begun)
        place = RunPosition(done, max(self.count, done + 1))  # it goes on as long as the learner likes
        again = f"study time {exercise.id} --seed {seed}"
        self.ui.told = f"{exercise.id}, seed {seed}. The same sizes again: `{again}`"
        outcome = converse(self.services, self.worker, variant, self.ui, at=place)
        key = None
        if outcome.showing is not None:
            log = self.services.store.log
            log.record(EventKind.PRACTICE, NO_CARD, grade=outcome.grade, showing=outcome.showing)
            self.answers.append(_report(exercise, outcome))
        if outcome.showing is not None or outcome.message:
            key = self.ui.choose("What next?", AGAIN)
        if self.ui.undone:
            return self._take_back()
        return key if key in {"", "r"} else None

    def _take_back(self) -> str | None:
        """Undo what was done last, as often as wanted: a measured bet, then that it was made."""
        self.ui.undone = True
        while self.ui.undone:
            self.ui.undone = self.ui.left = False
            undone = self.services.store.log.undo()
            if undone is not None and undone.target.kind is EventKind.PRACTICE and self.answers:
                self.answers.pop()
            self.ui.tell(undone_words(undone))
            self.ui.choose("", [("", "go on")])
        return None if self.ui.left else "u"


def _report(exercise: BetExercise, outcome: ExerciseOutcome) -> RunAnswer:
    grade, verdict = outcome.grade or Grade.AGAIN, outcome.showing.verdict if outcome.showing else ""
    return RunAnswer(f"`{exercise.id}`", outcome.message, grade.passed, right_at_once(verdict, grade))


def page(exercise: BetExercise, pinned: Pinned) -> PageCard:
    """Snippet and lesson to read."""
    card = read_on_page(exercise, pinned)
    question = "How long does this take, and what binds it?"
    return PageCard(f"{question}\n\n{card.prompt}", card.solution, card.command)


def _refuse_pins(exercise: BetExercise, pinned: Pinned) -> None:
    device = next(name for name, of_class in CLASS.items() if of_class in exercise.sizes)
    exercise.draw(0, device, pinned_sizes([*pinned.items()]))


BET = ExerciseKind(
    ask=ask,
    practise=practise,
    answered_by="study time {id} --bet TIME",
    page=page,
    refuse_pins=_refuse_pins,
)
