"""A run of estimates outside the queue: asked one after another, scenarios step by step, logged, summed up."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from studykit.cards.card import CardId
from studykit.errors import StudyError
from studykit.exercise import catalog
from studykit.exercise.entry import Exercise
from studykit.exercise.numeric import dialogue, pins, selection
from studykit.exercise.numeric.dialogue import Dialogue, NumericOutcome
from studykit.exercise.numeric.scenario import Scenario
from studykit.exercise.numeric.slip_names import slip_names
from studykit.exercise.numeric.template import Judge, NumericJudgment, Template, Variant, draw
from studykit.graders import number
from studykit.practice import estimate_log
from studykit.practice.kind import Pinned, SetRequest
from studykit.practice.scenario_chain import ScenarioChain
from studykit.practice.services import Services
from studykit.scheduling.events import EventKind
from studykit.ui import RunPosition, Ui

if TYPE_CHECKING:
    from studykit.store.store import Store

NEXT = {
    "": "next",
    "s": "steps",
    "r": "again, new numbers",
    "i": "info",
    "q": "quit",
}  # single keys: nothing is typed
ROOMY = 60  # columns that have room for the exercise's name in the title


def practise(services: Services, request: SetRequest) -> int:
    """Practise a set; refused where it has no estimate or where the pins fit none of it. The exit code."""
    exercises = [one for one in catalog.of_set(request.name) if isinstance(one, Template | Scenario)]
    fitting = _fitting(exercises, request.pinned)
    first = services.seed() if request.seed is None else request.seed
    scenarios = fitting and all(isinstance(one, Scenario) for one in fitting)
    count = request.number
    if scenarios or all(set(one.grid) <= set(request.pinned) for one in fitting):
        count = min(count, len(fitting))  # every number is given: asked again it would be the same question
    plan = selection.interleaved(fitting, count, first)
    if not plan:
        raise StudyError(f"{request.name} has no exercise to practise here; see: study exercise list")
    with services.open_ui(plain=request.plain, asked=request.mode) as ui:
        rough = request.rough or services.rough
        run = EstimateRun(services, ui, services.store, rough, history=estimate_log.answers(services.store))
        run.through(plan, request, first)
    for row in summary([result for _, result in run.results]):  # stays when the screen has gone
        services.write(row)
    return 0


def _fitting(exercises: Sequence[Template | Scenario], pinned: Pinned) -> list[Template | Scenario]:
    """Those that have all the pinned parameters; refused where none has them or a value is not possible."""
    fitting = [one for one in exercises if set(pinned) <= set(one.grid)] or exercises[:1]
    for one in fitting if pinned else ():
        pins.pins(one if isinstance(one, Template) else one.templates()[0], pinned)
    return list(fitting)


@dataclass(slots=True)
class EstimateRun:
    """Estimates being asked, and how each ended."""

    services: Services
    ui: Ui
    store: "Store"
    rough: bool = False
    results: list[tuple[Template, NumericOutcome]] = field(default_factory=list)
    followed_up: set[str] = field(default_factory=set)  # families
    history: list[str] = field(default_factory=list)  # answers that the up key brings back, oldest first
    place: RunPosition | None = None

    @property
    def streak(self) -> int:
        """Right answers in a row without a hint."""
        count = 0
        for _, result in reversed(self.results):
            if not result.right or result.hints or result.tries > 1:
                break
            count += 1
        return count

    def through(self, plan: Sequence[Exercise], request: SetRequest, first: int) -> None:
        """Ask all of a plan, until the learner leaves; `first` seeds the first exercise."""
        for place, exercise in enumerate(plan):
            last = place + 1 == len(plan)
            self.place = RunPosition(place, len(plan))
            if isinstance(exercise, Scenario):
                if not self.scenario(exercise, first + place, request.pinned, last=last):
                    return
            elif isinstance(exercise, Template):
                heading = f"{request.name} {place + 1}/{len(plan)}"
                if not self.template(exercise, heading, first + place, request, last=last):
                    return

    def template(self, template: Template, heading: str, start: int, request: SetRequest, *, last: bool) -> bool:
        """Ask one template, with new numbers as often as wanted; whether to go on."""
        values = pins.pins(template, request.pinned)
        while True:
            if request.seed is not None:
                variant = draw(template, start, values)
            else:
                known = estimate_log.shown_variants(self.store, template)
                variant = selection.least_met(template, start, known, values)
            result = self.variant(variant, self.title(heading, variant))
            if result.left:
                return False
            match after(self.ui, variant, last=last, steps=result.right):
                case "quit":
                    return False
                case "again":
                    start = variant.seed + 1
                case _:
                    return True

    def scenario(self, story: Scenario, seed: int, pinned: Pinned, *, last: bool) -> bool:
        """Lead through a scenario; whether to go on after it."""
        templates = story.templates()
        chain = ScenarioChain(story, seed, pins.pins(templates[0], pinned), self.judge)
        for place, template in enumerate(templates, start=1):
            heading = f"{story.title} {place}/{len(templates)}"
            self.place = RunPosition(place - 1, len(templates))
            variant = chain.posed(template)
            result = self.variant(variant, self.title(heading, variant), chain.judge)
            if result.left:
                return False
            chain.keep(template, result)
            ended = place == len(templates)
            if ended and (table := chain.table()):
                self.ui.tell(table)
            if after(self.ui, variant, last=last and ended, again=False, steps=result.right) == "quit":
                return False
        return True

    def variant(self, variant: Variant, title: str, judge: Judge | None = None) -> NumericOutcome:
        """Ask one variant, log it, and say how it ended."""
        unanswered = estimate_log.showing_of(variant, "", "not_scored", ())
        began = time.monotonic()
        result = Dialogue(self.ui, variant, judge or self.judge, self.rough, self.history).ask(title, self.place)
        self.history.extend(result.answers)
        took = time.monotonic() - began
        answered = bool(result.answers) or result.gave_up
        if answered:
            shown = replace(unanswered, answer=result.answer, verdict=result.verdict.name, slips=result.slips)
            self.store.log.record(EventKind.PRACTICE, CardId(""), took_ms=round(took * 1000), showing=shown)
        if not result.left:
            dialogue.show_ending(self.ui, variant, result)
        if answered:
            self.results.append((variant.template, result))
            self._follow_up(variant.template, result)
        return result

    def judge(self, asked: Variant, text: str) -> NumericJudgment:
        """The verdict of the numeric grader."""
        return number.judge(asked, text, rough=self.rough)

    def title(self, heading: str, variant: Variant) -> str:
        """What stands above a question: where we are, which exercise, the streak; the seed is told by `:info`."""
        name = variant.template.id
        roomy = self.ui.width >= ROOMY and not heading.startswith(name)
        parts = [heading, name if roomy else ""]
        parts += [f"streak {self.streak}" if self.streak else ""]
        return " · ".join(part for part in parts if part)

    def _follow_up(self, template: Template, result: NumericOutcome) -> None:
        """One more of the family, once a run, where a slip keeps coming back."""
        family = template.id.partition(".")[0]
        if family in self.followed_up:
            return
        again = estimate_log.follow_up(self.services, template, result.slips, recorded=True)
        if again is not None:
            self.followed_up.add(family)
            why = f"once more, because you {slip_names([again[0]])[again[0]]}"
            if self.ui.choose("", [("", why)]) is not None:
                self.variant(again[1], why)


def after(ui: Ui, variant: Variant, *, last: bool, again: bool = True, steps: bool = True) -> str:
    """What the learner wants next: next, again or quit; the steps, unless they stand there."""
    words = {**NEXT, "": "done" if last else "next"}
    for key, offered in (("r", again), ("s", steps)):
        if not offered:
            del words[key]
    while True:
        match ui.choose("", [*words.items()]):
            case "s":
                dialogue.show_steps(ui, variant)
                words.pop("s", None)
            case "i":
                ui.tell(dialogue.told_of(variant))
            case "r":
                return "again"
            case None | "q":
                return "quit"
            case _:
                return "next"


def summary(results: Sequence[NumericOutcome]) -> list[str]:
    """How it went, with the slips that were made, the most frequent first."""
    if not results:
        return ["Nothing answered, nothing logged."]
    right = sum(result.right for result in results)
    at_once = sum(result.right and result.tries == 1 and not result.hints for result in results)
    lines = [f"{right} of {len(results)} right, {at_once} at once."]
    slips = Counter(slip for result in results for slip in result.slips)
    if slips:
        names = slip_names(slips)
        told = ", ".join(f"{names[slip]} ×{count}" for slip, count in slips.most_common(5))  # noqa: RUF001
        lines.append(f"Slips: {told}.")
    return lines
