"""A practice of numeric exercises outside the queue: asked one after another, logged, summed up."""

import importlib
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from studykit.cards.card import CardId
from studykit.cli.context import Context
from studykit.cli.display import open_ui
from studykit.errors import StudyError
from studykit.exercise import catalog
from studykit.exercise.numeric import dialogue, pins, selection
from studykit.exercise.numeric.dialogue import Dialogue, NumericOutcome
from studykit.exercise.numeric.feedback import Judge, NumericJudgment
from studykit.exercise.numeric.scenario import Scenario
from studykit.exercise.numeric.template import Exercise, Template, Variant, draw
from studykit.exercise.numeric.values import plain
from studykit.exercise.verdict import NotScored, spelled, suggested_grade
from studykit.graders import number
from studykit.practice.followups import due_again
from studykit.scheduling.events import EventKind, Showing
from studykit.terminal.pictures.answer_picture import after_answer
from studykit.ui import Command, Quit, Ui

NEXT = {"": "next", "s": "steps", "r": "again, new numbers", "q": "quit"}
ROOMY = 60  # columns that have room for the exercise's name in the title
RECALLED = 50
REMEMBERED = 500  # showings that are looked back on for variants already met


@dataclass(slots=True)
class Practice:
    """A run of exercises and what came of them."""

    context: Context
    ui: Ui
    rough: bool = False
    outcomes: list[tuple[Template, NumericOutcome]] = field(default_factory=list)
    followed: set[str] = field(default_factory=set)
    history: list[str] = field(default_factory=list)  # answers that the up key brings back, oldest first

    @property
    def streak(self) -> int:
        """Right answers in a row without a hint."""
        count = 0
        for _, outcome in reversed(self.outcomes):
            if not outcome.right or outcome.hints or outcome.tries > 1:
                break
            count += 1
        return count

    def judge(self, asked: Variant, text: str) -> NumericJudgment:
        """The verdict of the numeric grader."""
        return number.judge(asked, text, rough=self.rough)

    def one(self, variant: Variant, title: str, judge: Judge | None = None) -> NumericOutcome:
        """Ask one variant, say how it ended, and log it."""
        judge = judge or self.judge
        began = time.monotonic()
        outcome = Dialogue(self.ui, variant, judge, self.rough, self.history).ask(title)
        self.history.extend(outcome.answers)
        took = time.monotonic() - began
        if not outcome.left:
            dialogue.show_ending(self.ui, variant, outcome, judge, after_answer)
        if outcome.answers or outcome.gave_up:
            self.context.store.log.record(
                EventKind.PRACTICE, CardId(""), took_ms=round(took * 1000), showing=showing(variant, outcome)
            )
            self.outcomes.append((variant.template, outcome))
            self._follow_up(variant.template, outcome)
        return outcome

    def _follow_up(self, template: Template, outcome: NumericOutcome) -> None:
        """One more of the family, once a practice, where a slip keeps coming back."""
        family = template.id.partition(".")[0]
        if family in self.followed:
            return
        again = due_again(self.context, template, outcome.slips, recorded=True)
        if again is not None:
            self.followed.add(family)
            self.ui.read("", {"": f"once more, because of: {again[0].replace('_', ' ')}"})
            self.one(again[1], f"once more, because of: {again[0].replace('_', ' ')}")


def run(
    context: Context,
    name: str,
    number: int,
    seed: int | None,
    pinned: Mapping[str, str],
    *,
    rough: bool,
    plain: bool,
    mode: str | None,
) -> None:
    """Practise a set; refused where it has no numeric exercise or where the pins fit none of it."""
    found = _fitting([one for one in catalog.of_set(name) if isinstance(one, Template | Scenario)], pinned)
    first = context.seed() if seed is None else seed
    chains = found and all(isinstance(one, Scenario) for one in found)
    if chains or all(set(one.grid) <= set(pinned) for one in found):
        number = min(number, len(found))  # every number is given: asked again it would be the same question
    plan = selection.interleaved(found, number, first)
    if not plan:
        raise StudyError(f"{name} has no exercise to practise here; see: study exercise list")
    with open_ui(context, plain=plain, asked=mode) as ui:
        practice = Practice(context, ui, rough or context.section("exercise").get("rough") is True)
        practice.history.extend(answers(context))
        _through(practice, name, plan, first, pinned, fixed=seed is not None)
    for row in summary([outcome for _, outcome in practice.outcomes]):  # stays when the screen has gone
        context.write(row)


def _fitting(found: Sequence[Template | Scenario], pinned: Mapping[str, str]) -> list[Template | Scenario]:
    """Those that have all the pinned parameters; refused where none has them or a value is not possible."""
    fitting = [one for one in found if set(pinned) <= set(one.grid)] or found[:1]
    for one in fitting if pinned else ():
        pins.pins(one if isinstance(one, Template) else one.templates()[0], pinned)
    return list(fitting)


def _through(
    practice: Practice, name: str, plan: Sequence[Exercise], first: int, pinned: Mapping[str, str], *, fixed: bool
) -> None:
    for place, exercise in enumerate(plan):
        last = place + 1 == len(plan)
        if isinstance(exercise, Scenario):
            chain = importlib.import_module("studykit.practice.scenario_run")
            if not chain.run(practice, exercise, first + place, pinned, last=last):
                return
        elif isinstance(exercise, Template):
            heading = f"{name} {place + 1}/{len(plan)}"
            if not _single(practice, heading, exercise, first + place, pinned, fixed=fixed, last=last):
                return


def _single(
    practice: Practice,
    heading: str,
    template: Template,
    start: int,
    pinned: Mapping[str, str],
    *,
    fixed: bool,
    last: bool,
) -> bool:
    """Ask one template, with new numbers as often as wanted; whether to go on."""
    values = pins.pins(template, pinned)
    while True:
        if fixed:
            variant = draw(template, start, values)
        else:
            variant = selection.least_met(template, start, met(practice.context, template), values)
        outcome = practice.one(variant, title(practice, heading, variant))
        if outcome.left:
            return False
        match after(practice.ui, variant, last=last, steps=outcome.right):
            case "quit":
                return False
            case "again":
                start = variant.seed + 1
            case _:
                return True


def after(ui: Ui, variant: Variant, *, last: bool, again: bool = True, steps: bool = True) -> str:
    """What the learner wants next: next, again or quit; the steps as often as asked, unless they stand there."""
    words = {**NEXT, "": "done" if last else "next"}
    for key, offered in (("r", again), ("s", steps)):
        if not offered:
            del words[key]
    while True:
        match ui.read("", words):
            case Command(key="s"):
                dialogue.show_steps(ui, variant)
            case Command(key="r"):
                return "again"
            case Quit() | Command(key="q"):
                return "quit"
            case _:
                return "next"


def title(practice: Practice, heading: str, variant: Variant) -> str:
    """What stands above a question: where we are, the seed to repeat it by, which exercise, the streak."""
    name = variant.template.id
    roomy = practice.ui.width >= ROOMY and not heading.startswith(name)
    parts = [heading, f"seed {variant.seed}", name if roomy else ""]
    parts += [f"streak {practice.streak}" if practice.streak else ""]
    return " · ".join(part for part in parts if part)


def met(context: Context, template: Template) -> list[str]:
    """The variants of a template that the learner has been shown, newest first."""
    found = []
    for event in context.store.log.showings(template.id, last=REMEMBERED):
        if event.showing is None or event.showing.version != template.version:
            continue
        try:
            found.append(selection.identity(again(template, event.showing)))
        except StudyError:
            continue  # pinned to what the hardware table no longer has
    return found


def answers(context: Context) -> list[str]:
    """The learner's last numeric answers, oldest first."""
    shown = [event.showing for event in context.store.log.showings(last=RECALLED) if event.showing is not None]
    return [one.answer for one in reversed(shown) if one.answer and "\n" not in one.answer]


def again(template: Template, shown: Showing) -> Variant:
    """The variant of a showing in the log."""
    texts = {name: str(value) for name, value in json.loads(shown.parameters or "{}").items()}
    return draw(template, shown.seed, pins.pins(template, texts))


def showing(variant: Variant, outcome: NumericOutcome) -> Showing:
    """What the log keeps of an exercise."""
    return Showing(
        template=variant.template.id,
        version=variant.template.version,
        seed=variant.seed,
        parameters=json.dumps({name: plain(value) for name, value in variant.pinned.items()}),
        answer=outcome.answer,
        verdict=spelled(outcome.verdict),
        slips=outcome.slips,
    )


def summary(outcomes: Sequence[NumericOutcome]) -> list[str]:
    """How it went, with the slips that were made, the most frequent first."""
    if not outcomes:
        return ["Nothing answered, nothing logged."]
    right = sum(outcome.right for outcome in outcomes)
    at_once = sum(outcome.right and outcome.tries == 1 and not outcome.hints for outcome in outcomes)
    lines = [f"{right} of {len(outcomes)} right, {at_once} at once."]
    slips = Counter(slip for outcome in outcomes for slip in outcome.slips)
    if slips:
        told = ", ".join(f"{slip.replace('_', ' ')} ×{count}" for slip, count in slips.most_common(5))  # noqa: RUF001
        lines.append(f"Slips: {told}.")
    return lines


def grade_of(outcome: NumericOutcome) -> int | None:
    """The grade that an outcome suggests; giving up is a failure, an unanswered one is not graded."""
    if outcome.gave_up and isinstance(outcome.verdict, NotScored):
        return 1
    return suggested_grade(outcome.verdict, max(outcome.tries, 1), outcome.hints)
