"""A question, all that has happened at it, and the events that move it on by the rules of `question_rules.py`.

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
    """Where a question stands."""

    ASKING = "asking"
    ASIDE = "aside"  # an intermediate value is asked
    JUDGING = "judging"
    MARKING = "marking"  # the learner compares
    CLOSED = "closed"


class Effect(StrEnum):
    """What the caller does next, and brings back as an event."""

    NONE = "none"
    JUDGE = "judge"
    EDIT = "edit"


class Aside(NamedTuple):
    """A question for an intermediate value that tells apart what may have gone wrong."""

    markdown: str
    label: str
    slips: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a kind of question says of one answer; texts are Markdown."""

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


def _no_field_error(_number: int, _text: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with all that its kind knows of it."""

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
    tries: int = 3
    opening: str = ""
    info: str = ""
    command: str = ""  # asks it again
    help: str = ""  # how an answer is written
    doing: str = "checking"
    edited: str | None = None  # what an editor begins with; None: it is answered on a line
    is_bet: bool = False  # the log keeps its first answer
    reserves_letters: bool = False  # h, s, k, q, u and e alone are never an answer
    field_error: Callable[[int, str], str] = _no_field_error  # why a field cannot be read; empty where it can
    optional: frozenset[int] = frozenset()  # fields that may stay empty
    history: tuple[str, ...] = ()
    text: str = ""  # in one line, for a list of what was missed; else the Markdown

    @property
    def has_steps(self) -> bool:
        """Return whether there are steps that may be looked at."""
        return bool(self.hints or self.steps)


class Policy(NamedTuple):
    """The rules of the place that asks: a set, a review, a quiz, an exam."""

    tries: int | None = None  # None: the question's own
    has_help: bool = True
    is_silent: bool = False  # nothing is said until the end
    can_undo: bool = True
    goes_on: bool = True  # a right answer goes on by itself


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and everything that has happened at it; `previous` is the state before the last try."""

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
        """Return whether the answer is out."""
        return self.phase is Phase.CLOSED

    @property
    def is_unmarked(self) -> bool:
        """Return whether an answer waits for its learner to compare it."""
        return bool(self.tries) and self.last.verdict == UNMARKED

    @property
    def label(self) -> str:
        """Return the label of the answer's line."""
        if self.aside is not None:
            return self.aside.label
        return self.question.fields[len(self.given)] if len(self.given) < len(self.question.fields) else ""

    @property
    def last(self) -> Reply:
        """Return the newest judged answer, or an empty one."""
        return self.tries[-1] if self.tries else Reply(NOT_SCORED)

    @property
    def right(self) -> str:
        """Return the right answer in short."""
        return self.last.right or self.question.right

    @property
    def slips(self) -> tuple[str, ...]:
        """Return the slips of all tries, each once."""
        return tuple(dict.fromkeys(slip for reply in self.tries for slip in reply.slips))

    @property
    def values(self) -> tuple[float, ...]:
        """Return the numbers of all tries."""
        return tuple(reply.value for reply in self.tries if reply.value is not None)

    @property
    def answer(self) -> str:
        """Return the newest judged answer as the log keeps it."""
        return self.last.answer or (self.answers[-1] if self.answers else "")

    @property
    def grade(self) -> Grade | None:
        """Return the suggested grade, or None if nothing is graded."""
        if self.last.grade is not None and self.verdict in outcomes.JUDGED:
            return self.last.grade
        return outcomes.suggested_grade(self.verdict, max(1, len(self.tries)), self.hints)

    @property
    def showing(self) -> "Showing | None":
        """Return what the log keeps of the question: its bet or the newest answer, and the verdict."""
        if self.last.showing is not None:
            return self.last.showing
        answer = self.answers[0] if self.question.is_bet and self.answers else self.answer
        return self.question.showing(answer, self.verdict or self.last.verdict, self.slips)

    @property
    def line(self) -> str:
        """Return the verdict in a line, as it stands beside the next question."""
        right = f": {self.right}" if self.right else ""
        return f"{outcomes.sign_of(self.verdict)} {self.verdict_words}{right}"

    @property
    def verdict_words(self) -> str:
        """Return the verdict in words, with the tries and hints that it took."""
        if self.verdict == LATE:
            tries = f" at try {len(self.tries)}" if len(self.tries) > 1 else ""
            hints = counted(self.hints, "hint") if self.hints else ""
            joint = ", " if tries and hints else " with " if hints else ""
            return f"right{tries}{joint}{hints}" if tries or hints else "right, with the answer seen"
        return outcomes.WORDS.get(self.verdict, "wrong")

    @property
    def typed(self) -> str:
        """Return the wrong answer, if the log keeps nothing else of the question."""
        return "" if outcomes.is_right(self.verdict) or self.showing is not None else self.answer

    @property
    def reopened(self) -> "Asked":
        """Reopen the question after its end was taken back: the answer was seen."""
        return replace(self.previous or Asked(self.question), answer_seen=True, promises=self.promises)

    @property
    def waits(self) -> bool:
        """Return whether there is something to read before the next question."""
        if self.is_marked:
            return False  # its answer has been read
        return self.verdict != RIGHT or self.last.has_remark or bool(self.last.pictures)

    def say(self, *parts: "Part") -> "Asked":
        """Add a message to the page, unless it stands at its end already."""
        return replace(self, page=(*self.page, *(part for part in parts if part and part not in self.page[-1:])))

    def commands(self, policy: Policy, others: Mapping[str, str]) -> dict[str, str]:
        """Return the commands that work now with their words, in one order. Those without a word are hidden."""
        count, hints = self.hints, len(self.question.hints)
        own = {"hint": f"hint {count + 1} of {hints}" if count < hints and policy.has_help else ""}
        own["steps"] = "steps" if policy.has_help and self.question.has_steps else ""
        own["skip"] = "skip"
        own["undo"] = others.get("undo", "undo") if policy.can_undo else ""
        editor = {"editor": "editor"} if self.question.edited is not None else {"editor": ""}
        rest = {key: word for key, word in others.items() if key not in {"undo", "why"}}
        return {**own, "why": others.get("why", ""), "q": "quit", **editor, "back": "", "help": "", **rest}


class Typed(NamedTuple):
    """A line was ended."""

    text: str


class Edited(NamedTuple):
    """The editor was closed; None where nothing was changed, with the reason."""

    text: str | None
    why: str = ""


class Commanded(NamedTuple):
    """A command was given, by its name."""

    name: str


class Judged(NamedTuple):
    """Judging has ended."""

    reply: Reply


class Broken(NamedTuple):
    """Judging failed through no fault of the answer, or was interrupted."""

    why: str


class Marked(NamedTuple):
    """The learner has compared the answer with the right one."""

    is_right: bool


class TimeUp(NamedTuple):
    """The time was over before the line was ended."""

    text: str = ""


Event = Typed | Edited | Commanded | Judged | Broken | Marked | TimeUp
