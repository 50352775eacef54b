"""Rewrites as a kind of exercise: asked as a card or one after another, or in a file that is watched."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from uuid import UUID

from studykit.cards.card import NO_CARD
from studykit.errors import NotFoundError
from studykit.exercise import catalog
from studykit.exercise.catalog import REWRITES, rewrite_named
from studykit.exercise.entry import PageCard
from studykit.exercise.kind import ExerciseKind, Pinned, SetRequest, read_on_page
from studykit.exercise.rewrite.dialogue import converse
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.run_ui import RunUi, set_run, undone_words
from studykit.exercise.services import Services
from studykit.review.run_report import RunAnswer
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.outcomes import RIGHT, right_at_once
from studykit.ui import ExerciseOutcome, RunPosition

SET = "einops"


def page(task: Rewrite, pinned: Pinned) -> PageCard:
    """Question and solution to read."""
    card = read_on_page(task, pinned)
    return PageCard(card.prompt, f"```python\n{card.solution}\n```", card.command)


def watch_set(services: Services, name: str, seed: int | None) -> int:
    """Watch the file that is named like the first rewrite of a set."""
    from studykit.exercise.rewrite.watched_file import watch

    task = chosen(name, services.seed() if seed is None else seed)[0]
    return watch(services, task, Path(task.id.removeprefix(REWRITES) + ".py"))


def practise(services: Services, request: SetRequest) -> int:
    """Ask rewrites until the learner leaves, an exercise or a family first where one is named. The exit code."""
    seed = services.seed() if request.seed is None else request.seed
    tasks = chosen(request.name, seed)
    count = request.number if _names_several(request.name) else 1
    while tasks:
        with set_run(services, REWRITES) as run:
            rewrites = RewriteRun(services, run.ui, seed, min(count, len(tasks)))
            rewrites.through(tasks)
            run.answers = [_report(one) for one in rewrites.answered]
        tasks = [one.task for one in rewrites.answered if not _passed(one)] if run.again else []
        count = len(tasks)
        seed += 1
    return 0


@dataclass(frozen=True, slots=True)
class AnsweredRewrite:
    """A rewrite of a run and what came of it."""

    task: Rewrite
    outcome: ExerciseOutcome
    event: UUID
    place: int  # in the run


@dataclass(slots=True)
class RewriteRun:
    """Rewrites being asked, and how each ended."""

    services: Services
    ui: RunUi
    seed: int
    count: int  # asked for; it goes on as long as the learner likes and there are more
    answered: list[AnsweredRewrite] = field(default_factory=list)
    said: str = ""  # of what was taken back

    def through(self, tasks: Sequence[Rewrite]) -> None:
        """Ask them in order until the learner leaves; one again where they want it."""
        place = 0
        while place < len(tasks):
            key = self._ask(tasks[place], RunPosition(place, max(self.count, place + 1), self.said))
            if self.ui.undone:
                place = self._take_back(place)
            elif key == "":
                place += 1
            elif key == "r":
                self.seed += 1
            else:
                return

    def _ask(self, task: Rewrite, place: RunPosition) -> str | None:
        """Ask one and log it; the key of what the learner wants next, None to leave."""
        outcome = converse(self.services, task, self.ui, self.seed, at=place)
        self.said = ""
        if self.ui.undone:
            return None
        if outcome.showing is not None:
            log = self.services.store.log
            recorded = log.record(EventKind.PRACTICE, NO_CARD, grade=outcome.grade, showing=outcome.showing)
            self.answered.append(AnsweredRewrite(task, outcome, recorded.event.id, place.done))
        if self.ui.left or not outcome.message:
            return None
        return self.ui.choose("What next?", (("", "next rewrite"), ("r", "this one again"), ("q", "quit")))

    def _take_back(self, place: int) -> int:
        """Undo the newest answer; the place of its rewrite, which is asked again.

        Graded lines of a rewrite that is still open are not in the log: leaving it is all that takes them back.
        """
        open_still = self.ui.tried and not (self.answered and self.answered[-1].place == place)
        self.ui.undone = self.ui.left = False
        if open_still:
            self.said = "undone: the answers to this rewrite"
            return place
        newest = self.answered.pop() if self.answered else None
        self.said = undone_words(self.services.store.log.undo(newest.event if newest is not None else None))
        return place if newest is None else newest.place


def _passed(one: AnsweredRewrite) -> bool:
    return one.outcome.showing is not None and one.outcome.showing.verdict == RIGHT


def _report(one: AnsweredRewrite) -> RunAnswer:
    showing = one.outcome.showing
    at_once = showing is not None and right_at_once(showing.verdict, one.outcome.grade)
    question = one.task.prompt.partition("\n\n")[0]  # in words; its code is long
    return RunAnswer(question, f"`{one.task.solution.strip().splitlines()[-1].strip()}`", _passed(one), at_once)


def chosen(name: str, seed: int) -> Sequence[Rewrite]:
    """The exercises in the order in which they are asked: the one that is named, then others of all families."""
    every, families = _every(), _families()
    if name in families:
        every = [task for task in every if task.family == name]
    order = Random(seed).sample(every, len(every))
    if _names_several(name):
        return order
    try:
        first = rewrite_named(name)
    except NotFoundError as error:
        raise NotFoundError(f"{error} The families are {', '.join(families)}.") from None
    return [first, *(task for task in order if task.id != first.id)]


def _every() -> list[Rewrite]:
    return [exercise for exercise in catalog.of_set(SET) if isinstance(exercise, Rewrite)]


def _families() -> list[str]:
    return sorted({task.family for task in _every()})


def _names_several(name: str) -> bool:
    """Whether a name is that of all rewrites or of a family."""
    return name in {"", SET, REWRITES.removesuffix("."), *_families()}


REWRITE: ExerciseKind[Rewrite] = ExerciseKind(
    ask=lambda services, task, card, ui, seed: converse(services, task, ui, seed, card=card.id),
    practise=practise,
    watch=watch_set,
    plural="einops rewrites",
    answered_by="study grade {id} FILE",
    page=page,
)
