"""The conversation about one numeric exercise: question, answers, hints, steps, until it is closed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from studykit.exercise.estimate import feedback
from studykit.exercise.estimate.pins import words
from studykit.exercise.estimate.template import Judge, NumericJudgment, Variant
from studykit.exercise.typed_commands import GIVING_UP, habits, letters_are_letters
from studykit.exercise.verdict import Close, Correct, Malformed, NotScored, Verdict
from studykit.quantity.units import NUMBER
from studykit.scheduling.outcomes import right_at_once, suggested_grade
from studykit.scheduling.recall_grade import Grade
from studykit.text import sentence
from studykit.ui import Command, Line, Quit, RunPosition, Seeded, Ui

if TYPE_CHECKING:
    from studykit.picture import Picture

_HELP = frozenset({"?", "help", ":help"})
_HABITS = {**habits("hskqu"), "exit": "quit"}


@dataclass(frozen=True, slots=True)
class NumericOutcome:
    """What came of one exercise."""

    judged: NumericJudgment  # the last answer that could be read
    tries: int = 0  # graded attempts
    hints: int = 0
    answers: tuple[str, ...] = ()
    values: tuple[float, ...] = ()
    slips: tuple[str, ...] = ()
    gave_up: bool = False  # looked at the steps before it was right
    left: bool = False

    @property
    def verdict(self) -> Verdict:
        """The verdict on the last answer."""
        return self.judged.verdict

    @property
    def right(self) -> bool:
        """Whether the last answer was right."""
        return isinstance(self.verdict, Correct)

    @property
    def at_once(self) -> bool:
        """Whether it was right at the first try and without a hint."""
        return right_at_once(self.verdict.name, self.grade)

    @property
    def grade(self) -> Grade | None:
        """The suggested grade; giving up is a failure, and an unanswered question is not graded."""
        if self.gave_up and isinstance(self.verdict, NotScored):
            return Grade.AGAIN
        return suggested_grade(self.verdict.name, max(self.tries, 1), self.hints)

    @property
    def answer(self) -> str:
        """The last answer, as it was typed."""
        return self.answers[-1] if self.answers else ""


UNANSWERED = NumericOutcome(NumericJudgment(NotScored("not answered")))


@dataclass(slots=True)
class Dialogue:
    """One exercise being asked; `ask` runs it to its end."""

    ui: Ui
    variant: Variant
    judge: Judge
    rough: bool = False
    history: Sequence[str] = ()
    outcome: NumericOutcome = UNANSWERED
    keep: Callable[[NumericOutcome], None] = lambda _: None  # called with the tries after each wrong answer
    ruled_out: frozenset[str] = frozenset()  # slips that a step between has shown not to be made
    warned: bool = False  # that the steps end the attempt

    def ask(self, title: str, place: RunPosition | None = None) -> NumericOutcome:
        """Put the question and take answers until it is closed or left."""
        accepted = feedback.tolerance(self.variant, rough=self.rough).capitalize()
        seeded = Seeded(self.variant.template.id, self.variant.seed)
        self.ui.show(f"{self.variant.prompt}\n\n{accepted}.", title=title, place=place, seeded=seeded)
        if self.outcome.answers:
            self.ui.tell(f"You began this before; your last answer was `{self.outcome.answer}`.")
        for text in self._lines(feedback.unit_label(self.variant)):
            if self._take_answer(text):
                break
        return self.outcome

    def _lines(self, label: str) -> Iterator[str]:
        """The lines that the learner types, until they leave, give up for the steps or skip."""
        while True:
            match self.ui.read(label, self._commands(), history=(*self.history, *self.outcome.answers)):
                case Quit():
                    self.outcome = replace(self.outcome, left=True)
                    return
                case Command(key="s"):
                    if self._gives_up():
                        self.outcome = replace(self.outcome, gave_up=True)
                        return
                case Command(key="k"):
                    return
                case Command(key=key):
                    self._help(key)
                case Line(text=text):
                    yield text.strip()

    def _gives_up(self) -> bool:
        """Whether the attempt is given up for its steps: the first time it is only asked."""
        if not self.warned:
            self.ui.tell(GIVING_UP)
        asked, self.warned = self.warned, True
        return asked

    def _commands(self) -> dict[str, str]:
        used, hints = self.outcome.hints, len(self.variant.hints)
        hint = {"h": f"hint {used + 1} of {hints}"} if used < hints else {"hint": ""}
        return {**hint, "s": "steps", "k": "skip", "info": ""}

    def _help(self, key: str) -> None:
        """Show a hint, or name the exercise; this spends no attempt."""
        hints = self.variant.hints
        if key == "info":
            self.ui.tell(told_of(self.variant))
        elif self.outcome.hints < len(hints):
            self.ui.tell(f"Hint: {hints[self.outcome.hints]}")
            self.outcome = replace(self.outcome, hints=self.outcome.hints + 1)
        else:
            self.ui.tell("That was the last hint. `:steps` shows the steps.")

    def _take_answer(self, text: str) -> bool:
        """Take one answer; whether it closes the exercise. Behind a wrong one an empty line says nothing."""
        if not text and self.outcome.answers:
            return False
        if message := self._no_answer(text):
            self.ui.tell(message)
            return False
        judged = self.judge(self.variant, text)
        judged = replace(judged, slips=tuple(slip for slip in judged.slips if slip.id not in self.ruled_out))
        if isinstance(judged.verdict, Malformed):
            self.ui.tell(f"Not read: {sentence(judged.verdict.why)} This costs no attempt.")
            return False
        earlier = self.outcome.slips
        self._record(text, judged)
        if isinstance(judged.verdict, Correct | Close):
            return True
        self.keep(self.outcome)
        message = feedback.while_open(judged.posed or self.variant, judged.verdict, judged.value, judged.slips)
        self.ui.tell(f"{echo(judged)}\n\n✗ **not yet**: {message}")
        self._ask_between(judged, earlier)
        return self.outcome.left or self.outcome.gave_up or self.outcome.right

    def _no_answer(self, text: str) -> str:
        """What to say to a line that asks for help, or that is a key of old; empty for an answer."""
        if text in _HELP:
            in_unit = f"A bare number is in {feedback.unit_label(self.variant)}. "
            bare = "" if self.variant.template.wanted.dimension == NUMBER else in_unit
            return (
                f"Type {feedback.asked_for(self.variant)} and press Enter: `8.4e22`, `6*7e9*2e12`, `112 GB`, "
                f"`2.1 days`. {bare}Commands begin with a colon: `:hint`, `:steps`, `:skip`, `:quit`."
            )
        command = command_meant(text)
        return letters_are_letters(command) if command else ""

    def _record(self, text: str, judged: NumericJudgment) -> None:
        values = self.outcome.values
        if judged.value is not None and judged.comparable:
            values = (*values, judged.value)
        slips = tuple(dict.fromkeys((*self.outcome.slips, *(slip.id for slip in judged.slips))))
        self.outcome = replace(
            self.outcome,
            judged=judged,
            tries=self.outcome.tries + 1,
            answers=(*self.outcome.answers, text),
            values=values,
            slips=slips,
        )

    def _ask_between(self, judged: NumericJudgment, earlier: Sequence[str]) -> None:
        """Ask for the intermediate value where slips tie, and keep only the slips that it leaves.

        Of slips that still tie only those that showed `earlier` stay.
        """
        question = feedback.between_question(self.variant, judged.slips)
        between = self.variant.template.between
        if not question or between is None:
            self._drop({slip.id for slip in judged.slips} - {*earlier, *feedback.blamed(judged.slips)})
            return
        self.ui.tell(question)
        tied = {slip.id for slip in judged.slips}
        judgment = self._judged_between(between.unit)
        if judgment is None:
            self._drop(tied - set(earlier))
            return
        good = isinstance(judgment.verdict, Correct)
        dropped = tied & set(between.shows) if good else tied - set(between.shows)
        self.ruled_out |= dropped
        left = [slip for slip in judged.slips if slip.id not in dropped]
        self._drop(tied - {*earlier, *feedback.blamed(left)} | dropped)
        where = "That step is right: look at what comes after it." if good else "Look at that step first."
        self.ui.tell(where)

    def _judged_between(self, unit: str) -> NumericJudgment | None:
        """The judgment on the intermediate value; None where the learner passes over it or ends the exercise.

        A right answer to the question itself ends it too.
        """
        for text in self._lines(unit):
            if (judgment := self._read_between(text)) is not None:
                return None if self._answers_question(text, judgment) else judgment
        if not self.outcome.left and not self.outcome.gave_up:
            self.ui.tell("Passed over. Back to the question.")
        return None

    def _read_between(self, text: str) -> NumericJudgment | None:
        if message := self._no_answer(text):
            self.ui.tell(message)
            return None
        judgment = self.judge(self.variant.between, text)
        if not isinstance(judgment.verdict, Malformed):
            return judgment
        self.ui.tell(f"Not read: {sentence(judgment.verdict.why)} Give that value, or `:skip` it.")
        return None

    def _answers_question(self, text: str, between: NumericJudgment) -> bool:
        """Whether a text that is not the intermediate value is the right answer; it is then recorded."""
        judged = self.judge(self.variant, text)
        if isinstance(between.verdict, Correct) or not isinstance(judged.verdict, Correct):
            return False
        self._record(text, judged)
        return True

    def _drop(self, slips: set[str]) -> None:
        others = tuple(slip for slip in self.outcome.slips if slip not in slips)
        self.outcome = replace(self.outcome, slips=others)


def command_meant(text: str) -> str:
    """The command whose letter or word was typed as an answer; empty for an answer."""
    return "help" if text in _HELP else _HABITS.get(text.lower(), "")


def told_of(variant: Variant) -> str:
    """Which exercise it is, and how to have the same numbers again."""
    name, seed = variant.template.id, variant.seed
    again = f"study exercise {variant.drawn_by or ' '.join([name, *words(variant.pinned)])} --seed {seed}"
    return f"{name}, seed {seed}. The same numbers again: `{again}`"


def echo(judged: NumericJudgment) -> str:
    """How an answer was read, with what there is to say of that."""
    return f"read as {judged.read_as}" + "".join(f" ({note})" for note in judged.notes)


def show_ending(ui: Ui, variant: Variant, outcome: NumericOutcome) -> None:
    """Say how it ended: what was read, verdict, answer, ruler; the steps too unless it was right."""
    judged = outcome.judged
    if isinstance(judged.verdict, Correct | Close):
        ui.tell(echo(judged))
    value = outcome.values[-1] if outcome.values and judged.comparable else None
    text = feedback.when_closed(judged.posed or variant, value, judged.slips)
    if judged.posed is not None:
        text += f"\nOn the right numbers it is {feedback.right_answer(variant)}."
    ui.tell(f"{ending(outcome)}\n\n{text}")
    if not outcome.right:
        ui.tell(steps(variant))
    for picture in pictures(variant, outcome.values):
        ui.draw(picture)


def pictures(variant: Variant, tries: Sequence[float]) -> Iterator["Picture"]:
    """How far the tries were from the answer, and where the kernel lies under its roof."""
    from studykit.picture import Roofline, RooflinePoint, Ruler

    positive = [value for value in tries if value > 0]
    if positive and variant.answer > 0 and variant.tolerance > 0:
        size = variant.template.wanted.factor
        yield Ruler(variant.answer / size, [value / size for value in positive])
    if variant.template.roof is not None:
        at = variant.template.roof(variant.values)
        peak, bandwidth = at.device.peak(at.dtype), at.device.bandwidth
        top = min(peak, bandwidth * at.intensity)
        yield Roofline(peak, bandwidth, [RooflinePoint(at.intensity, top, f"on {at.device.name}")])


def steps(variant: Variant) -> str:
    """The worked solution, in Markdown."""
    return "\n".join(f"{number}. {step}" for number, step in enumerate(variant.solution, start=1))


def ending(outcome: NumericOutcome) -> str:
    """How it ended, in a few words of Markdown."""
    ordinal = {1: "first", 2: "second", 3: "third"}
    match outcome.verdict:
        case Correct():
            hints = f", with {outcome.hints} hint{'s' if outcome.hints > 1 else ''}" if outcome.hints else ""
            return f"✓ **right**, {ordinal.get(outcome.tries, f'{outcome.tries}th')} try{hints}"
        case Close():
            return "✓ **close**: the method is right, the rounding is not"
        case NotScored():
            return "**skipped**"
        case _:
            return "✗ **not this time**"
