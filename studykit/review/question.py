"""Define a question, its state, and the events to which `question_rules.py` reacts.

Events are named tuples, since each dataclass takes half a millisecond of the first prompt.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from studykit.scheduling import outcomes
from studykit.scheduling.outcomes import LATE, NOT_SCORED, RIGHT
from studykit.scheduling.recall_grade import Grade
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.picture import Picture
    from studykit.scheduling.events import Showing

    Part = str | Picture
    """A piece of the page below the question: Markdown or a picture."""

UNMARKED = ""
"""The verdict of an answer that its learner compares with the right one."""


class Phase(StrEnum):
    """Name the phases of a question."""

    FACE = "face"  # of a card, whose answer may be revealed without typing
    ASKING = "asking"
    ASIDE = "aside"  # an intermediate value is asked
    JUDGING = "judging"
    MARKING = "marking"  # the learner compares
    CLOSED = "closed"


class Effect(StrEnum):
    """Name what the caller must do next, and report as an event."""

    NONE = "none"
    JUDGE = "judge"
    EDIT = "edit"


class Aside(NamedTuple):
    """Hold a question for an intermediate value that shows which mistake was made."""

    markdown: str
    label: str
    slips: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """Hold the judgment of one answer. Texts are Markdown."""

    verdict: str
    answer: str = ""  # as the log keeps it; empty: as it was typed
    read_as: str = ""
    while_open: str = ""  # why it is wrong, as long as a try is left; why it cannot be read
    when_closed: str = ""
    slips: tuple[str, ...] = ()
    slip_text: str = ""  # the slips in words, for the end of the question
    value: float | None = None
    details: str = ""  # checks and tables, below the words in either case
    pictures: "tuple[Picture, ...]" = ()
    aside: Aside | None = None
    ruled_out: frozenset[str] = frozenset()  # slips that an intermediate value has excluded
    right: str = ""  # the right answer where only judging brings it out
    grade: Grade | None = None  # instead of the one that the verdict suggests
    showing: "Showing | None" = None  # instead of the question's own
    promise: UUID | None = None  # the event that was logged before judging
    is_explained: bool = False  # the details are the solution
    has_remark: bool = False  # a right answer waits, for there is something to read


@dataclass(frozen=True, slots=True)
class Question:
    """Hold a question: its text, the fields to type, its judge, hints and solution."""

    name: str  # of the exercise, else of the card
    seed: int | None
    markdown: str
    fields: tuple[str, ...]  # labels of what is typed, one after another
    judge: "Callable[[Asked], Reply]"
    showing: "Callable[[str, str, tuple[str, ...]], Showing | None]"  # from answer, verdict and slips
    right: str = ""  # the right answer in short
    hints: tuple[str, ...] = ()
    solution: str = ""
    steps: str = ""  # how it is worked out, offered after a right answer
    pictures: "Callable[[], tuple[Picture, ...]]" = tuple  # of the answer, where it was skipped
    tries: int = 3
    opening: str = ""
    info: str = ""
    command: str = ""  # asks it again
    help: str = ""  # how an answer is written
    doing: str = ""  # shown while a slow answer is judged
    edited: str | None = None  # what an editor begins with; None: it is answered on a line
    is_bet: bool = False  # the log keeps its first answer
    can_reveal: bool = False  # its learner may reveal the answer and grade it
    reserves_letters: bool = False  # the bare letters h, s, k, q, u and e are never an answer
    field_error: Callable[[int, str], str] = lambda _number, _text: ""  # why a field cannot be read
    optional: frozenset[int] = frozenset()  # fields that may stay empty
    history: tuple[str, ...] = ()
    text: str = ""  # in one line, for a list of what was missed; else the Markdown

    @property
    def has_steps(self) -> bool:
        """Return whether the question has steps to show."""
        return bool(self.hints or self.steps)


class Policy(NamedTuple):
    """Hold the rules by which a set, review, quiz or exam asks its questions."""

    tries: int | None = None  # None: the question's own
    has_help: bool = True
    is_silent: bool = False  # shows nothing until the end
    can_undo: bool = True
    goes_on: bool = True  # a right answer goes on by itself


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold a question and everything that happened to it. `previous` is the state before the last try."""

    question: Question
    phase: Phase = Phase.ASKING
    given: tuple[str, ...] = ()  # the fields of the answer that is being typed
    answers: tuple[str, ...] = ()
    tries: tuple[Reply, ...] = ()
    hints: int = 0
    answer_seen: bool = False
    warned: bool = False  # that the steps end the question
    aside: Aside | None = None
    ruled_out: frozenset[str] = frozenset()
    page: "tuple[Part, ...]" = ()
    verdict: str = ""
    promises: tuple[UUID, ...] = ()
    is_marked: bool = False  # by its learner, who has seen the answer
    edited: str = ""  # what came back from the editor last
    previous: "Asked | None" = field(default=None, repr=False)

    @property
    def is_closed(self) -> bool:
        """Return whether the question is finished."""
        return self.phase is Phase.CLOSED

    def tries_left(self, policy: Policy) -> int:
        """Count the tries that remain."""
        return (policy.tries or self.question.tries) - len(self.tries)

    @property
    def is_unmarked(self) -> bool:
        """Return whether an answer waits for the learner to mark it."""
        return bool(self.tries) and self.last.verdict == UNMARKED

    @property
    def label(self) -> str:
        """Return the label of the line being typed."""
        if self.aside is not None:
            return self.aside.label
        return self.question.fields[len(self.given)] if len(self.given) < len(self.question.fields) else ""

    @property
    def last(self) -> Reply:
        """Return the last judged answer, or an empty one."""
        return self.tries[-1] if self.tries else Reply(NOT_SCORED)

    @property
    def right(self) -> str:
        """Return the right answer in short form."""
        return self.last.right or self.question.right

    @property
    def slips(self) -> tuple[str, ...]:
        """Return the slips of all tries, each once."""
        return tuple(dict.fromkeys(slip for reply in self.tries for slip in reply.slips))

    @property
    def slip_text(self) -> str:
        """Return the last slip in words, or ""."""
        return next((reply.slip_text for reply in reversed(self.tries) if reply.slip_text), "")

    @property
    def values(self) -> tuple[float, ...]:
        """Return the numbers that were read from the tries."""
        return tuple(reply.value for reply in self.tries if reply.value is not None)

    @property
    def answer(self) -> str:
        """Return the last judged answer as the log records it."""
        return self.last.answer or (self.answers[-1] if self.answers else "")

    @property
    def grade(self) -> Grade | None:
        """Return the suggested grade, or None if nothing is graded."""
        if self.last.grade is not None and self.verdict in outcomes.JUDGED:
            return self.last.grade
        return outcomes.suggested_grade(self.verdict, max(1, len(self.tries)), self.hints)

    @property
    def showing(self) -> "Showing | None":
        """Return what the log records: the bet or the last answer, and the verdict."""
        if self.last.showing is not None:
            return self.last.showing
        answer = self.answers[0] if self.question.is_bet and self.answers else self.answer
        return self.question.showing(answer, self.verdict or self.last.verdict, self.slips)

    @property
    def line(self) -> str:
        """Return the verdict in a line, to show with the next question."""
        right = f": {self.right}" if self.right and not self.is_marked else ""  # which has been read
        return f"{outcomes.sign_of(self.verdict)} {self.verdict_words}{right}"

    @property
    def verdict_words(self) -> str:
        """Return the verdict in words, with the number of tries and hints."""
        if self.verdict == LATE:
            tries = f" at try {len(self.tries)}" if len(self.tries) > 1 else ""
            hints = counted(self.hints, "hint") if self.hints else ""
            joint = ", " if tries and hints else " with " if hints else ""
            return f"right{tries}{joint}{hints}" if tries or hints else "right, with the answer seen"
        return outcomes.WORDS.get(self.verdict, "wrong")

    @property
    def typed(self) -> str:
        """Return the answer if it is wrong and the log records nothing else about the question, or ""."""
        return "" if outcomes.is_right(self.verdict) or self.showing is not None else self.answer

    @property
    def reopened(self) -> "Asked":
        """Return the question before its last try, to ask again after an undo. Its answer has been seen."""
        return replace(self.previous or Asked(self.question), answer_seen=True, promises=self.promises)

    @property
    def waits(self) -> bool:
        """Return whether the learner has something to read before the next question."""
        if self.is_marked:
            return False  # its answer has been read
        return self.verdict != RIGHT or self.last.has_remark or bool(self.last.pictures)

    def say(self, *parts: "Part") -> "Asked":
        """Add messages to the page, except one that already ends it."""
        return replace(self, page=(*self.page, *(part for part in parts if part and part not in self.page[-1:])))

    def commands(self, policy: Policy, others: Mapping[str, str]) -> dict[str, str]:
        """Return the available commands with their words, in display order. Commands without a word are hidden."""
        count, hints = self.hints, len(self.question.hints)
        own = {"hint": f"hint {count + 1} of {hints}" if count < hints and policy.has_help else ""}
        own["steps"] = "steps" if policy.has_help and self.question.has_steps else ""
        own["skip"] = "skip"
        own["undo"] = others.get("undo", "undo") if policy.can_undo else ""
        editor = {"editor": "editor"} if self.question.edited is not None else {"editor": ""}
        rest = {key: word for key, word in others.items() if key not in {"undo", "why"}}
        return {**own, "why": others.get("why", ""), "q": "quit", **editor, "back": "", "help": "", **rest}


def tries_left_words(count: int) -> str:
    """Format how many tries are left."""
    return "1 try left" if count == 1 else f"{count} tries left"


class Typed(NamedTuple):
    """Report that the learner entered a line."""

    text: str


class Edited(NamedTuple):
    """Report that the editor was closed. `text` is None if nothing was changed, with the reason in `why`."""

    text: str | None
    why: str = ""


class Commanded(NamedTuple):
    """Report that the learner gave a command."""

    name: str


class Judged(NamedTuple):
    """Report that judging has finished."""

    reply: Reply


class Broken(NamedTuple):
    """Report that judging was interrupted, or failed through no fault of the answer."""

    why: str


class Marked(NamedTuple):
    """Report that the learner has marked the answer."""

    is_right: bool


class TimeUp(NamedTuple):
    """Report that time ran out before the line was entered."""

    text: str = ""


Event = Typed | Edited | Commanded | Judged | Broken | Marked | TimeUp
