"""The conversation about one numeric exercise: question, answers, hints, steps, until it is closed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from studykit.exercise.numeric import feedback
from studykit.exercise.numeric.template import NumericJudgment, Variant
from studykit.exercise.verdict import Close, Correct, Incorrect, Malformed, NotScored, Verdict
from studykit.text import sentence
from studykit.ui import Command, Line, Quit, Ui

if TYPE_CHECKING:
    from studykit.picture import Picture


_REVIEW_KEYS = frozenset("u-@*eiw")
Judge = Callable[[Variant, str], NumericJudgment]


@dataclass(frozen=True, slots=True)
class DialogueResult:
    """How a dialogue about one exercise ended."""

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
    def answer(self) -> str:
        """The last answer, as it was typed."""
        return self.answers[-1] if self.answers else ""


@dataclass(slots=True)
class Dialogue:
    """One exercise being asked; `ask` runs it to its end."""

    ui: Ui
    variant: Variant
    judge: Judge
    rough: bool = False
    history: Sequence[str] = ()
    reviewing: bool = False  # a review stands around it, with keys of its own
    so_far: DialogueResult = DialogueResult(NumericJudgment(NotScored("not answered")))

    def ask(self, title: str) -> DialogueResult:
        """Put the question and take answers until it is closed or left."""
        near = feedback.tolerance(self.variant, rough=self.rough)
        self.ui.show(f"{self.variant.prompt}\n\nRight: {near}.", title=title)
        while True:
            said = self.ui.read(self._label(), self._commands(), history=(*self.history, *self.so_far.answers))
            match said:
                case Quit():
                    return replace(self.so_far, left=True)
                case Command(key="h"):
                    self._hint()
                case Command(key="s"):
                    return replace(self.so_far, gave_up=True)
                case Command():
                    return self.so_far
                case Line(text=text):
                    if self._answered(text.strip()):
                        return self.so_far

    def _label(self) -> str:
        return feedback.unit_label(self.variant)

    def _commands(self) -> dict[str, str]:
        hints = self.variant.hints
        commands = {"s": "steps", "k": "skip", **({"q": "leave"} if self.reviewing else {})}
        if self.so_far.hints < len(hints):
            commands = {"h": f"hint {self.so_far.hints + 1} of {len(hints)}", **commands}
        return commands

    def _hint(self) -> None:
        hints = self.variant.hints
        if self.so_far.hints < len(hints):
            self.ui.tell(f"Hint: {hints[self.so_far.hints]}")
            self.so_far = replace(self.so_far, hints=self.so_far.hints + 1)

    def _answered(self, text: str) -> bool:
        """Take one answer; whether it closes the exercise."""
        if (said := self._commanded(text)) is not None:
            self.ui.tell(said)
            return False
        judged = self.judge(self.variant, text)
        if isinstance(judged.verdict, Malformed):
            self.ui.tell(f"Not read: {sentence(judged.verdict.why)} No attempt is spent.")
            return False
        self._count(text, judged)
        if isinstance(judged.verdict, Correct | Close):
            return True
        said = feedback.while_open(self.variant, judged.verdict, judged.value, judged.slips)
        self.ui.tell(f"{_echo(judged)}\n\n✗ **not yet**: {said}")
        self._between(judged)
        return False

    def _commanded(self, text: str) -> str | None:
        """What to say to a command that is none here; None for an answer."""
        if text in {"?", "help"}:
            return (
                f"Type an answer and press Enter: `8.4e22`, `6*7e9*2e12`, `112 GB`, `2.1 days`. A bare number is "
                f"read as {self._label()}. Or one of the keys below."
            )
        if text in {"h", "hint"}:
            return "There is no further hint; s shows the steps."
        if self.reviewing and text in _REVIEW_KEYS:
            return f"That key is for cards; q leaves this question, and then {text} works."
        return None

    def _count(self, text: str, judged: NumericJudgment) -> None:
        values = self.so_far.values
        if judged.value is not None and judged.comparable:
            values = (*values, judged.value)
        slips = tuple(dict.fromkeys((*self.so_far.slips, *(slip.id for slip in judged.slips))))
        self.so_far = replace(
            self.so_far,
            judged=judged,
            tries=self.so_far.tries + 1,
            answers=(*self.so_far.answers, text),
            values=values,
            slips=slips,
        )

    def _between(self, judged: NumericJudgment) -> None:
        """Ask for the intermediate value where slips tie, and keep only the slips that it leaves."""
        question = feedback.asking_between(self.variant, judged.slips)
        between = self.variant.template.between
        if not question or between is None:
            return
        self.ui.tell(question)
        said = self.ui.read(between.unit, {"k": "skip"})
        if not isinstance(said, Line):
            return
        step = self.variant.between
        found = self.judge(step, said.text.strip())
        if isinstance(found.verdict, Malformed):
            return
        good = isinstance(found.verdict, Correct)
        tied = {slip.id for slip in judged.slips}
        dropped = tied & set(between.shows) if good else tied - set(between.shows)
        self.so_far = replace(self.so_far, slips=tuple(slip for slip in self.so_far.slips if slip not in dropped))
        where = "That step is right: look at what comes after it." if good else "Look at that step first."
        self.ui.tell(where)


def _echo(judged: NumericJudgment) -> str:
    return f"read as {judged.read_as}" + "".join(f" ({note})" for note in judged.notes)


def closed(ui: Ui, variant: Variant, result: DialogueResult) -> None:
    """Say how it ended: what was read, verdict, answer, ruler; the steps too unless it was right."""
    judged = result.judged
    if isinstance(judged.verdict, Correct | Close):
        ui.tell(_echo(judged))
    value = result.values[-1] if result.values and judged.comparable else None
    slips = judged.slips if isinstance(judged.verdict, Incorrect) else ()
    ui.tell(f"{ending(result)}\n\n{feedback.when_closed(variant, value, slips)}")
    if not result.right:
        steps(ui, variant)
    for picture in pictures(variant, result.values):
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


def steps(ui: Ui, variant: Variant) -> None:
    """The worked solution, step by step."""
    ui.tell("\n".join(f"{number}. {step}" for number, step in enumerate(variant.solution, start=1)))


def ending(result: DialogueResult) -> str:
    """How it ended, in a few words of Markdown."""
    ordinal = {1: "first", 2: "second", 3: "third"}
    match result.verdict:
        case Correct():
            hints = f", with {result.hints} hint{'s' if result.hints > 1 else ''}" if result.hints else ""
            return f"✓ **right**, {ordinal.get(result.tries, f'{result.tries}th')} try{hints}"
        case Close():
            return "✓ **close**: the method is right, the rounding is not"
        case NotScored():
            return "**skipped**"
        case _:
            return "✗ **not this time**"
