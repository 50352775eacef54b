"""One question as a state machine: an event goes in, the next state and what the caller has to do come out.

Every kind of question is asked by these rules: typed cards, choices, estimates, rewrites, bets and quiz questions.
Events are named tuples, since each dataclass takes half a millisecond of the first prompt.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from studykit.scheduling import outcomes
from studykit.scheduling.outcomes import CLOSE, INCORRECT, LATE, MALFORMED, NOT_SCORED, RIGHT, SKIPPED
from studykit.scheduling.recall_grade import Grade
from studykit.text import counted, sentence

if TYPE_CHECKING:
    from studykit.picture import Picture
    from studykit.scheduling.events import Showing

    Part = str | Picture
    """A piece of the page below the question: Markdown or a picture."""

UNMARKED = ""
"""The verdict of an answer that its learner compares with the right one."""

_STEPS_WARNING = "The steps give the answer away and end this question. `:steps` again shows them."
_NO_ANSWER = "No answer yet. `:skip` shows the solution."
_NO_HELP = "A quiz gives no hints and no steps."
_COMMAND_WORDS = {"hint", "steps", "skip", "undo", "why", "quit", "exit", "editor", "info", "help", "?"}
_COMMAND_LETTERS = {"h": "hint", "s": "steps", "k": "skip", "q": "quit", "u": "undo", "e": "editor"}


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
    reserves_letters: bool = False  # h, s, k, q, u and e alone are never an answer
    field_error: Callable[[int, str], str] = _no_field_error  # why a field cannot be read; empty where it can
    optional: frozenset[int] = frozenset()  # fields that may stay empty
    history: tuple[str, ...] = ()
    text: str = ""  # in one line, for a list of what was missed; else the Markdown

    @property
    def has_steps(self) -> bool:
        """Whether there is a way to the answer that may be looked at."""
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
    edited: str = ""  # what came back from the editor last
    previous: "Asked | None" = field(default=None, repr=False)

    @property
    def is_closed(self) -> bool:
        """Whether the answer is out."""
        return self.phase is Phase.CLOSED

    @property
    def is_unmarked(self) -> bool:
        """Whether an answer waits for its learner to compare it."""
        return bool(self.tries) and self.last.verdict == UNMARKED

    @property
    def label(self) -> str:
        """What stands before the place of the answer."""
        if self.aside is not None:
            return self.aside.label
        return self.question.fields[len(self.given)] if len(self.given) < len(self.question.fields) else ""

    @property
    def last(self) -> Reply:
        """The newest judged answer; that of no answer before the first."""
        return self.tries[-1] if self.tries else Reply(NOT_SCORED)

    @property
    def right(self) -> str:
        """The right answer in short."""
        return self.last.right or self.question.right

    @property
    def slips(self) -> tuple[str, ...]:
        """The slips of all tries, each once."""
        return tuple(dict.fromkeys(slip for reply in self.tries for slip in reply.slips))

    @property
    def values(self) -> tuple[float, ...]:
        """The numbers of all tries."""
        return tuple(reply.value for reply in self.tries if reply.value is not None)

    @property
    def answer(self) -> str:
        """The newest judged answer as the log keeps it."""
        return self.last.answer or (self.answers[-1] if self.answers else "")

    @property
    def grade(self) -> Grade | None:
        """The suggested grade; None where nothing is graded."""
        if self.last.grade is not None and self.verdict in outcomes.JUDGED:
            return self.last.grade
        return outcomes.suggested_grade(self.verdict, max(1, len(self.tries)), self.hints)

    @property
    def showing(self) -> "Showing | None":
        """What the log keeps of the question: the newest answer and the verdict."""
        if self.last.showing is not None:
            return self.last.showing
        return self.question.showing(self.answer, self.verdict or self.last.verdict, self.slips)

    @property
    def line(self) -> str:
        """The verdict in a line, as it stands beside the next question."""
        return f"{outcomes.sign_of(self.verdict)} {_verdict_words(self)}{_colon(self.right)}"

    @property
    def waits(self) -> bool:
        """Whether there is something to read before the next question."""
        return self.verdict != RIGHT or self.last.has_remark or bool(self.last.pictures)

    def say(self, *parts: "Part") -> "Asked":
        """Return the state with more on its page; what stands at its end is not repeated."""
        return replace(self, page=(*self.page, *(part for part in parts if part and part not in self.page[-1:])))

    def commands(self, policy: Policy, others: Mapping[str, str]) -> dict[str, str]:
        """Return the commands that work now with their words, in one order; those without a word are not shown."""
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


class Command(NamedTuple):
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


Event = Typed | Edited | Command | Judged | Broken | Marked | TimeUp
Step = tuple[Asked, Effect]


def step(asked: Asked, event: Event, policy: Policy) -> Step:
    """Return the state after an event, and what the caller has to do; what makes no sense now changes nothing."""
    after: Asked | Step = asked
    is_open = asked.phase in {Phase.ASKING, Phase.ASIDE}
    match event:
        case Typed(text) if is_open:
            after = _typed(asked, text)
        case Edited(text=None, why=why) if is_open:
            after = asked.say(why or "Nothing was changed.")
        case Edited(text=str(text)) if is_open:
            after = _judging(replace(asked, edited=text), (text,))
        case Judged(reply) if asked.phase is Phase.JUDGING:
            after = _judged(asked, reply, policy)
        case Broken(why) if asked.phase is Phase.JUDGING:
            back = Phase.ASIDE if asked.aside else Phase.ASKING
            after = replace(asked, phase=back, given=()).say(why)
        case Marked(is_right) if asked.phase is Phase.MARKING:
            marked = replace(asked.last, verdict=RIGHT if is_right else INCORRECT)
            after = _closed(replace(asked, tries=(*asked.tries[:-1], marked)), policy)
        case TimeUp(text) if not asked.is_closed:
            answers = (*asked.answers, text) if text else asked.answers
            after = replace(asked, answers=answers, tries=(*asked.tries, Reply(NOT_SCORED, text)))
            after = replace(after, phase=Phase.CLOSED, verdict=NOT_SCORED, given=(), aside=None)
        case Command(name) if is_open and name in _COMMANDS:
            after = _COMMANDS[name](asked, policy)
    return (after, Effect.NONE) if isinstance(after, Asked) else after


def _typed(asked: Asked, text: str) -> Asked | Step:
    question, bare, number = asked.question, text.strip(), len(asked.given)
    if not bare:
        is_optional = asked.phase is Phase.ASKING and number in question.optional
        return _field(asked, "") if is_optional else asked.say(_NO_ANSWER)
    if question.reserves_letters and (command := _command_meant(bare.lower())):
        if command == "help":
            return asked.say(question.help)
        return asked.say(f"Here letters are letters. A command begins with a colon: `:{command}`.")
    if asked.phase is Phase.ASIDE:
        return _judging(asked, (text,))
    why = question.field_error(number, text)
    return asked.say(_not_read(why)) if why else _field(asked, text)


def _command_meant(word: str) -> str:
    """Return the command whose letter or word was typed as an answer; empty for an answer."""
    named = {"?": "help", "exit": "quit"}.get(word, word)
    return _COMMAND_LETTERS.get(word, named if word in _COMMAND_WORDS else "")


def _field(asked: Asked, text: str) -> Asked | Step:
    given = (*asked.given, text)
    return replace(asked, given=given) if len(given) < len(asked.question.fields) else _judging(asked, given)


def _judging(asked: Asked, given: tuple[str, ...]) -> Step:
    return replace(asked, given=given, phase=Phase.JUDGING), Effect.JUDGE


def _judged(asked: Asked, reply: Reply, policy: Policy) -> Asked:
    promises = asked.promises if reply.promise is None else (*asked.promises, reply.promise)
    back = Phase.ASIDE if asked.aside is not None else Phase.ASKING
    still_open = replace(asked, phase=back, given=(), promises=promises)
    if reply.verdict == MALFORMED:
        return still_open.say(_not_read(reply.while_open), reply.details)
    if asked.aside is not None and reply.verdict not in {RIGHT, CLOSE}:
        last = replace(asked.last, slips=reply.slips)
        after = replace(still_open, phase=Phase.ASKING, aside=None, tries=(*asked.tries[:-1], last))
        return replace(after, ruled_out=asked.ruled_out | reply.ruled_out).say(reply.while_open)
    text = reply.answer or "\n".join(asked.given).strip()
    tried = replace(
        still_open,
        phase=Phase.ASKING,
        aside=None,
        answers=(*asked.answers, text),
        tries=(*asked.tries, reply),
        edited=asked.edited if asked.given == (asked.edited,) else "",
        previous=replace(still_open, phase=Phase.ASKING, aside=None, promises=asked.promises),
    )
    return _after_try(tried, reply, policy)


def _after_try(tried: Asked, reply: Reply, policy: Policy) -> Asked:
    """Close the question after a try, ask for another one, or for an intermediate value."""
    if reply.verdict == UNMARKED:
        if policy.is_silent:
            return replace(tried, phase=Phase.CLOSED)
        return replace(tried, phase=Phase.MARKING).say(f"The answer: {tried.question.right}")
    left = (policy.tries or tried.question.tries) - len(tried.tries)
    if reply.verdict in {RIGHT, CLOSE, NOT_SCORED} or left <= 0:
        return _closed(tried, policy)
    words = f"✗ **not yet**, {left} {'try' if left == 1 else 'tries'} left."
    read_as = f"Read as {reply.read_as}: " if reply.read_as else ""
    after = tried.say(f"{words} {read_as}{reply.while_open}".rstrip(" :"), reply.details)
    if reply.aside is None:
        return after
    return replace(after, phase=Phase.ASIDE, aside=reply.aside).say(reply.aside.markdown)


def _hint(asked: Asked, policy: Policy) -> Asked:
    hints, count = asked.question.hints, asked.hints
    if not policy.has_help:
        return asked.say(_NO_HELP)
    if count < len(hints):
        return replace(asked, hints=count + 1).say(f"Hint: {hints[count]}")
    return asked.say("That was the last hint." if hints else "There are no hints here.")


def _steps(asked: Asked, policy: Policy) -> Asked:
    if not policy.has_help:
        return asked.say(_NO_HELP)
    if not asked.question.has_steps:
        return asked.say("There are no steps here.")
    return (
        _closed(asked, policy, skipped=True) if asked.warned else replace(asked, warned=True).say(_STEPS_WARNING)
    )


def _skip(asked: Asked, policy: Policy) -> Asked:
    return _back(asked, policy) if asked.phase is Phase.ASIDE else _closed(asked, policy, skipped=True)


def _back(asked: Asked, _: Policy) -> Asked:
    if asked.phase is Phase.ASIDE:
        return replace(asked, phase=Phase.ASKING, aside=None).say("Back to the question.")
    return replace(asked, given=asked.given[:-1])


def _editor(asked: Asked, _: Policy) -> Asked | Step:
    if asked.question.edited is None:
        return asked.say("`:editor` is for rewrites.")
    return asked, Effect.EDIT


_COMMANDS: Mapping[str, Callable[[Asked, Policy], Asked | Step]] = {
    "hint": _hint,
    "steps": _steps,
    "skip": _skip,
    "back": _back,
    "editor": _editor,
    "help": lambda asked, _: asked.say(asked.question.help),
}


def _closed(asked: Asked, policy: Policy, *, skipped: bool = False) -> Asked:
    """Close a question with its verdict, answer, slips and solution; without a word where the policy is silent."""
    verdict = asked.last.verdict
    if skipped:
        verdict = verdict if asked.tries else SKIPPED
    elif verdict == RIGHT and (len(asked.tries) > 1 or asked.hints or asked.answer_seen):
        verdict = LATE
    closed = replace(asked, phase=Phase.CLOSED, verdict=verdict, given=(), aside=None)
    if skipped:
        closed = replace(closed, previous=replace(asked, aside=None, phase=Phase.ASKING))
    return closed if policy.is_silent else closed.say(*_closing_parts(closed))


def _closing_parts(asked: Asked) -> "Sequence[Part]":
    """Return what is said at the end: verdict, how the answer was read, why, steps, pictures."""
    last, answered = asked.last, bool(asked.tries)
    first = f"{outcomes.sign_of(asked.verdict)} **{_verdict_words(asked)}**{_colon(asked.right)}"
    if asked.verdict == NOT_SCORED:
        first = f"· **not scored**: {sentence(last.when_closed)}"
        return [first, last.details, *last.pictures]
    earlier = [
        f"Try {number}: {reply.slip_text}"
        for number, reply in enumerate(asked.tries[:-1], start=1)
        if reply.slip_text and reply.slip_text not in last.when_closed
    ]
    words = [_read_as(last), last.when_closed] if answered else []
    is_found = outcomes.is_right(asked.verdict) or last.is_explained
    solution = "" if is_found else asked.question.solution
    text = "\n".join([*filter(None, words), *earlier])
    return [first, text, last.details, solution, *last.pictures]


def _verdict_words(asked: Asked) -> str:
    if asked.verdict == LATE:
        tries = f" at try {len(asked.tries)}" if len(asked.tries) > 1 else ""
        hints = counted(asked.hints, "hint") if asked.hints else ""
        joint = ", " if tries and hints else " with " if hints else ""
        return f"right{tries}{joint}{hints}" if tries or hints else "right, with the answer seen"
    return outcomes.WORDS.get(asked.verdict, "wrong")


def _colon(right: str) -> str:
    return f": {right}" if right else ""


def _read_as(reply: Reply) -> str:
    return f"Read as {reply.read_as}." if reply.read_as else ""


def _not_read(why: str) -> str:
    return f"Not read: {sentence(why.rstrip('.'))} This costs no try." if why else ""
