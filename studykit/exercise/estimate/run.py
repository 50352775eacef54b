"""A run of estimates outside the queue: asked one after another, scenarios step by step, logged, summed up."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from uuid import UUID

from studykit.cards.card import NO_CARD
from studykit.errors import StudyError
from studykit.exercise import catalog
from studykit.exercise.entry import Exercise
from studykit.exercise.estimate import dialogue, feedback, log, pins, selection
from studykit.exercise.estimate.dialogue import Dialogue, NumericOutcome
from studykit.exercise.estimate.scenario import Scenario
from studykit.exercise.estimate.scenario_chain import OpenScenario, ScenarioChain, open_scenario
from studykit.exercise.estimate.template import Judge, NumericJudgment, Template, Variant, draw
from studykit.exercise.estimate.values import Value
from studykit.exercise.kind import Pinned, SetRequest
from studykit.exercise.run_ui import RunUi, set_run, undone_words
from studykit.exercise.services import Services
from studykit.exercise.tries import KeptTries, KeptTry, log_lost
from studykit.graders import number
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.ui import RunPosition, Ui

if TYPE_CHECKING:
    from studykit.review.run_report import RunAnswer
    from studykit.store.store import Store

NEXT = {"": "next", "s": "steps", "r": "again, new numbers", "i": "info", "q": "quit"}
"""Single keys: nothing is typed."""
Questions = Mapping[str, Pinned]  # pins by exercise
ROOMY = 60  # columns that have room for the exercise's name in the title


def practise(services: Services, request: SetRequest) -> int:
    """Practise a set; refused where it has no estimate or where the pins fit none of it. The exit code."""
    exercises = [one for one in catalog.of_set(request.name) if isinstance(one, Template | Scenario)]
    fitting = _fitting(exercises, request.pinned)
    first = services.seed() if request.seed is None else request.seed
    scenarios = fitting and all(isinstance(one, Scenario) for one in fitting)
    count = request.number
    if scenarios or all(set(one.grid) <= set(_read_pins(one, request.pinned)) for one in fitting):
        count = min(count, len(fitting))  # every number is given: asked again it would be the same question
    log_lost(services)
    plan: Sequence[Exercise] = selection.interleaved(fitting, count, f"mixed:{first}")
    first_questions: Questions = {}
    if scenarios and request.seed is None and not request.pinned:
        plan = _begun_first(services.store, fitting, plan)
    elif request.seed is None and not request.pinned:
        first_questions = log.first_questions(services.store, fitting)
        begin = [one for name in first_questions for one in fitting if one.id == name]
        plan = (*begin, *(one for one in plan if one.id not in first_questions))[:count]
    if not plan:
        raise StudyError(f"{request.name} has no exercise to practise here; see: study exercise list")
    return _through(services, request, plan, first, first_questions)


def _begun_first(store: "Store", fitting: Sequence[Exercise], plan: Sequence[Exercise]) -> tuple[Exercise, ...]:
    """The plan with the scenario that was left last before its end at its beginning."""
    stories = [one for one in fitting if isinstance(one, Scenario)]
    moments = [(begun.left, story) for story in stories if (begun := open_scenario(store, story)) is not None]
    newest = max(moments, key=lambda one: one[0])[1] if moments else None
    others = [one for one in plan if newest is None or one.id != newest.id]
    return (*([] if newest is None else [newest]), *others)[: len(plan)]


def _through(services: Services, request: SetRequest, plan: Sequence[Exercise], first: int, new: Questions) -> int:
    """Ask a plan and end the run, then what was missed as often as the learner wants it. The exit code."""
    resumes = True
    while plan:
        with set_run(services, *{f"{one.id.partition('.')[0]}." for one in plan}) as run:
            rough, history = request.rough or services.rough, log.answers(services.store)
            asker = EstimateRun(
                services, run.ui, services.store, rough, history, resumes, first_questions=dict(new)
            )
            asker.through(plan, request, first)
            run.answers = [_report(one) for one in asker.results]
        first += len(plan)
        wrong = [one.exercise.id for one in asker.results if not one.outcome.right]
        missed = dict.fromkeys(wrong if run.again else ())
        plan = [exercise for name in missed for exercise in plan if exercise.id == name]
        request, resumes, new = replace(request, seed=None), False, {}
    return 0


def _entry(variant: Variant, result: NumericOutcome, began: float) -> KeptTry:
    """What the log keeps of a question, which may be open still."""
    took_ms = round(1000 * (time.monotonic() - began))
    return KeptTry("", log.showing(variant, result), result.grade or Grade.AGAIN, took_ms)


def _report(one: "AskedEstimate") -> "RunAnswer":
    from studykit.review.run_report import RunAnswer

    right, question = feedback.right_answer(one.variant), one.variant.prompt
    if isinstance(one.exercise, Scenario):  # all its steps begin with its story
        question = f"{one.exercise.title}, step " + question.rpartition("\n\n")[2]
    return RunAnswer(question, right, one.outcome.right, one.outcome.at_once, one.outcome.slips)


def _fitting(exercises: Sequence[Template | Scenario], pinned: Pinned) -> list[Template | Scenario]:
    """Those that have all the pinned parameters; refused where none has them or a value is not possible."""
    fitting = [one for one in exercises if set(pinned) <= set(one.grid)] or exercises[:1]
    for one in fitting if pinned else ():
        _read_pins(one, pinned)
    return list(fitting)


def _read_pins(exercise: Template | Scenario, pinned: Pinned) -> Mapping[str, Value]:
    return pins.pins(exercise if isinstance(exercise, Template) else exercise.templates()[0], pinned)


@dataclass(frozen=True, slots=True)
class AskedEstimate:
    """A question of a run and how it ended."""

    exercise: Template | Scenario  # of the plan; a step belongs to its scenario
    variant: Variant
    outcome: NumericOutcome
    event: UUID
    place: int  # in the plan


@dataclass(slots=True)
class EstimateRun:
    """Estimates being asked, and how each ended."""

    services: Services
    ui: RunUi
    store: "Store"
    rough: bool
    history: list[str]  # answers that the up key brings back, oldest first
    resumes: bool = True  # whether a scenario that was left is gone on with
    results: list[AskedEstimate] = field(default_factory=list)
    followed_up: set[str] = field(default_factory=set)  # families
    first_questions: dict[str, Pinned] = field(default_factory=dict)
    """The pins of those that are still to be asked, by exercise."""
    place: RunPosition | None = None
    at: int = 0  # in the plan
    said: str = ""  # of what was taken back, beside the next question
    again: Variant | None = None  # whose answer was taken back

    @property
    def streak(self) -> int:
        """Right answers in a row without a hint."""
        count = 0
        for one in reversed(self.results):
            if not one.outcome.at_once:
                break
            count += 1
        return count

    def through(self, plan: Sequence[Exercise], request: SetRequest, first: int) -> None:
        """Ask all of a plan, until the learner leaves; `first` seeds the first exercise."""
        while self.at < len(plan):
            exercise, last = plan[self.at], self.at + 1 == len(plan)
            self.place = RunPosition(self.at, len(plan), self.said)
            self.said, goes_on = "", False
            if isinstance(exercise, Scenario):
                goes_on = self._begin(exercise, first + self.at, request, last=last)
            elif isinstance(exercise, Template):
                heading = f"{request.name} {self.at + 1}/{len(plan)}"
                goes_on = self.template(exercise, heading, first + self.at, request, last=last)
            if self.ui.undone:
                self._take_back()
            elif goes_on:
                self.at += 1
            else:
                return

    def template(self, template: Template, heading: str, start: int, request: SetRequest, *, last: bool) -> bool:
        """Ask one template, with new numbers as often as wanted; whether to go on."""
        while True:
            values = pins.pins(template, self.first_questions.pop(template.id, request.pinned))
            variant, self.again = self.again, None
            if variant is None and request.seed is not None:
                variant = draw(template, start, values)
            elif variant is None:
                begun = self.ui.begun(template.id)
                variant = log.unmet(self.store, template, start, values, begun=begun)
            result = self.variant(template, variant, self.title(heading, variant))
            if result.left or self.ui.undone:
                return False
            match after(self.ui, variant, last=last, steps=result.right):
                case "quit":
                    return False
                case "again":
                    start = variant.seed + 1
                    self.place = self.place and replace(self.place, said="")  # it was of the question before
                case _:
                    return True

    def _begin(self, story: Scenario, seed: int, request: SetRequest, *, last: bool) -> bool:
        """Begin a scenario, or go on with the one that was left before its end; whether to go on after it."""
        is_given = request.seed is not None or request.pinned or not self.resumes
        begun = None if is_given else open_scenario(self.store, story)
        if begun is None:
            left_at = None if is_given else self.ui.begun(story.templates()[0].id)
            seed = seed if left_at is None else left_at
            return self.scenario(story, seed, request.pinned, last=last)
        step, steps = len(begun.answers) + 1, len(story.steps)
        self.ui.show(f"You began this before: step {step} of {steps} comes next.", title=story.title)
        others = [] if last else [("k", "another scenario")]
        match self.ui.choose("", [("", "go on"), ("n", "begin anew"), *others]):
            case None:
                return False
            case "k":
                return True
            case "n":
                return self.scenario(story, seed, request.pinned, last=last)
            case _:
                return self.scenario(story, begun.seed, request.pinned, last=last, begun=begun)

    def scenario(
        self, story: Scenario, seed: int, pinned: Pinned, *, last: bool, begun: OpenScenario | None = None
    ) -> bool:
        """Lead through a scenario, from where it was left; whether to go on after it."""
        templates = story.templates()
        chain = ScenarioChain(story, seed, pins.pins(templates[0], pinned), self.judge)
        if begun is not None:
            begun.replay(chain, story)
        before, step, message = len(self.results), chain.done, self.place.said if self.place is not None else ""
        while step < len(templates):
            template, ended = templates[step], step + 1 == len(templates)
            self.place = RunPosition(step, len(templates), message, chain.values)
            goes_on, message = self._step(story, chain, template, last=last and ended, ended=ended), ""
            if self.ui.undone and len(self.results) > before:
                step = chain.forget(self.results[-1].variant.template)
                message = self._take_back()
            elif goes_on:
                step += 1
            else:
                return False
        return True

    def _step(self, story: Scenario, chain: ScenarioChain, template: Template, *, last: bool, ended: bool) -> bool:
        """One step of a scenario; whether to go on."""
        variant = chain.posed(template)
        heading = f"{story.title} {chain.done + 1}/{len(story.steps)}"
        result = self.variant(story, variant, self.title(heading, variant), chain.judge)
        if result.answers or result.gave_up or not result.left:
            chain.keep(template, result)
        if result.left or self.ui.undone:
            return False
        if ended and (table := chain.comparison()):
            self.ui.tell(table)
        return after(self.ui, variant, last=last, again=False, steps=result.right) != "quit"

    def variant(
        self,
        exercise: Template | Scenario,
        variant: Variant,
        title: str,
        judge: Judge | None = None,
    ) -> NumericOutcome:
        """Ask one variant, log it, and say how it ended."""
        began = time.monotonic()
        judge, tries = judge or self.judge, KeptTries(self.services, exercise.id)

        def keep(outcome: NumericOutcome) -> None:
            tries.keep([_entry(variant, outcome, began)])

        asked = Dialogue(self.ui, variant, judge, rough=self.rough, history=self.history, keep=keep)
        try:
            result = asked.ask(title, self.place)
        except BaseException:  # Ctrl-C, a signal, a terminal that is gone
            tries.log()
            raise
        self.history.extend(result.answers)
        answered = self._log(exercise, variant, result, began)
        tries.drop()
        if not result.left:
            dialogue.show_ending(self.ui, variant, result)
        if answered and not result.left:
            self._follow_up(variant.template, result)
        return result

    def _log(self, exercise: Template | Scenario, variant: Variant, result: NumericOutcome, began: float) -> bool:
        """Log what was answered, also where the question was left open; whether there was anything."""
        if not result.answers and not result.gave_up:
            return False
        entry = _entry(variant, result, began)
        recorded = self.store.log.record(
            EventKind.PRACTICE, NO_CARD, grade=entry.grade, took_ms=entry.took_ms, showing=entry.showing
        )
        self.results.append(AskedEstimate(exercise, variant, result, recorded.event.id, self.at))
        return True

    def judge(self, variant: Variant, text: str) -> NumericJudgment:
        """The verdict of the numeric grader."""
        return number.judge(variant, text, rough=self.rough)

    def title(self, heading: str, variant: Variant) -> str:
        """What stands above a question: where we are, which exercise, the streak; the seed is told by `:info`."""
        name = variant.template.id
        roomy = self.ui.width >= ROOMY and not heading.startswith(name)
        parts = [heading, name if roomy else ""]
        parts += [f"{self.streak} right in a row" if self.streak > 1 else ""]
        return " · ".join(part for part in parts if part)

    def _take_back(self) -> str:
        """Undo the newest answer, so that its question is asked again; else what was done before the run."""
        self.ui.undone = self.ui.left = False
        newest = self.results.pop() if self.results else None
        self.said = undone_words(self.store.log.undo(newest.event if newest is not None else None))
        if newest is not None:
            self.at = newest.place
            self.again = newest.variant if isinstance(newest.exercise, Template) else None
        return self.said

    def _follow_up(self, template: Template, result: NumericOutcome) -> None:
        """One more of the family, once a run, where a slip keeps coming back."""
        family = template.id.partition(".")[0]
        if family in self.followed_up:
            return
        again = log.follow_up(self.services, template, result.slips, recorded=True)
        if again is not None:
            self.followed_up.add(family)
            why, variant = again
            if self.ui.choose("", [("", why)]) is not None:
                self.variant(variant.template, variant, why)


def after(ui: Ui, variant: Variant, *, last: bool, again: bool = True, steps: bool = True) -> str:
    """What the learner wants next: next, again or quit; the steps, unless they stand there."""
    words = {**NEXT, "": "done" if last else "next"}
    for key, offered in (("r", again), ("s", steps)):
        if not offered:
            del words[key]
    while True:
        match ui.choose("", [*words.items()]):
            case "s":
                ui.tell(dialogue.steps(variant))
                words.pop("s", None)
            case "i":
                ui.tell(dialogue.told_of(variant))
            case "r":
                return "again"
            case None | "q":
                return "quit"
            case _:
                return "next"
