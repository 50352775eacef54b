"""A run of questions: asked one after another, logged, taken back, and what was missed asked again."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from uuid import UUID

from studykit.cards.card import NO_CARD
from studykit.cards.markdown import as_code
from studykit.exercise.conversation import UNDO, Conversation
from studykit.exercise.tries import KeptTries, KeptTry, begun, drop_edited, keep_edited
from studykit.exercise.turn import Asking, Done, Turn
from studykit.review.keymap import Keymap, word_of
from studykit.review.question import Asked, Phase, Policy
from studykit.scheduling import outcomes
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import UndoneEvent
from studykit.scheduling.outcomes import NOT_SCORED, is_missed
from studykit.scheduling.recall_grade import Grade
from studykit.ui import RunPosition

if TYPE_CHECKING:
    from studykit.review.run_report import RunReport
    from studykit.store.store import Store

FINAL = "In an exam nothing that was submitted can be taken back."
SEALED = "Lessons open after the exam."
_ROOMY_COLUMNS = 60  # that have room for the exercise's name in the title


@dataclass(slots=True)
class Run:
    """Questions being asked; `through` asks until their end or until the learner leaves."""

    asking: Asking
    keymap: Keymap
    turns: list[Turn]
    policy: Policy = field(default_factory=Policy)
    why: str = ""  # what asks these questions
    record: "Callable[[Run, Done], UUID | None]" = lambda run, done: run.log_practice(done)
    kept: Callable[[Sequence[Done]], None] = lambda _: None  # called with each closed question
    done: list[Done] = field(default_factory=list)
    deadline: float | None = None
    time_up: bool = False
    is_over: bool = False  # what is not marked by now is logged as it is
    started: float = field(default_factory=time.monotonic)
    _at: int = 0
    _flash: str = ""  # of what was done before, beside the next question
    _open: Asked | None = None  # the question that is asked now, or was left
    _began: float = 0.0
    _tries: KeptTries | None = None
    _followed: set[str] = field(default_factory=set)

    @property
    def store(self) -> "Store":
        """Return the learner's store."""
        return self.asking.services.store

    @property
    def left(self) -> int:
        """Count the questions that are not answered."""
        return len(self.turns) - self._at

    # The place that asks, for a conversation

    @property
    def commands(self) -> Mapping[str, str]:
        """Return the commands while an answer is typed."""
        return {"undo": "undo", "why": "why", "info": "", "lesson": ""}

    @property
    def keys(self) -> Mapping[str, tuple[str, str]]:
        """Return the keys where nothing is typed."""
        undo = "undo" if self.policy.can_undo else ""
        closed = [one for one in self.done if one.place == self._at]  # the question on the page
        lesson = "lesson" if closed and is_missed(closed[-1].asked.verdict) else ""
        return {"u": (UNDO, undo), "i": ("info", ""), "w": ("why", ""), "o": ("lesson", lesson)}

    def obey(self, name: str, asked: Asked) -> bool:
        """Run a command of the run, and return whether it leaves the question."""
        if name == UNDO:
            if not self.policy.can_undo:
                self.asking.ui.tell(FINAL)
            return self.policy.can_undo
        if name == "lesson":
            from studykit.exercise.lesson import lesson

            text = SEALED if self.policy.is_silent else lesson(self.asking.services, asked.question.name)
            self.asking.ui.tell(text)
            return False
        text = asked.question.info if name == "info" else self._why()
        self.asking.ui.tell(text)
        return False

    def _why(self) -> str:
        return f"Question {self._at + 1} of {len(self.turns)} of {self.why}."

    def take_back(self, event: UUID) -> str:
        """Undo what was logged while the question was open."""
        return undone_words(self.store.log.undo(event)).capitalize() + "."

    def keep(self, asked: Asked) -> None:
        """Log a closed question. Of an open one keep the newest try, to be logged when it is left."""
        if self._tries is None:  # what is being marked is logged with its mark
            return
        if not asked.is_closed:
            self._tries.keep(self._left_entries(asked))
            return
        took_ms = round(1000 * (time.monotonic() - self._began))
        done = Done(self.turns[self._at], self._at, asked, took_ms)
        self.done.append(replace(done, event=self.record(self, done)))
        self._tries.drop()
        drop_edited(self.asking.services, asked)
        self._open = None
        self.kept(self.done)

    def keep_edited(self, asked: Asked) -> None:
        """Keep what came back from the editor."""
        keep_edited(self.asking.services, asked)

    # The run

    def through(self) -> None:
        """Ask the turns that are left, until their end, until time is up or until the learner leaves."""
        talk = Conversation(self.asking.ui, self.policy, self, self.keymap, self.deadline)
        while self._at < len(self.turns) and not self.time_up:
            if self.deadline is not None and time.monotonic() >= self.deadline:
                self.time_up = True
                return
            if not self._ask(talk):
                return

    def _ask(self, talk: Conversation) -> bool:
        """Ask the current turn, and return whether the run goes on."""
        turn = self.turns[self._at]
        if self._open is None and turn.reason and talk.ui.choose("", [("", turn.reason)]) is None:
            del self.turns[self._at]
            return True
        asked = self._open or begun(self.asking.services, turn.pose(self.asking, self.done))
        self._open, self._began = asked, time.monotonic()
        self._tries = KeptTries(self.asking.services, turn.name)
        values = turn.values(self.done) if turn.values is not None else ()
        place = RunPosition(self._at, len(self.turns), self._flash, values)
        self._flash = ""
        try:
            asked = talk.ask(asked, self._title(turn), place)
        except BaseException:  # Ctrl-C, a signal, a terminal that is gone
            self._open = talk.current if talk.current is not None and not talk.current.is_closed else None
            self._tries.log()
            raise
        if asked.is_closed:
            return self._close(talk, turn, asked)
        if talk.left == UNDO:
            self._tries.drop()
            self._undo(asked)
            return True
        self._open = asked
        self._tries.log()
        return False

    def _title(self, turn: Turn) -> str:
        is_exercise = bool(turn.family) or turn.is_step  # the id of a card may give its answer away
        roomy = self.asking.ui.width >= _ROOMY_COLUMNS and turn.name not in turn.heading
        streak = self._streak()
        parts = [turn.heading, turn.name if roomy and is_exercise else ""]
        parts += [f"{streak} right in a row" if streak > 1 else ""]
        if self.deadline is not None:
            parts.append("{}:{:02} to go".format(*divmod(max(0, round(self.deadline - time.monotonic())), 60)))
        return " · ".join(part for part in parts if part)

    def _streak(self) -> int:
        count = 0
        for one in reversed(self.done):
            if self.policy.is_silent or one.asked.verdict != outcomes.RIGHT:
                break
            count += 1
        return count

    def _close(self, talk: Conversation, turn: Turn, asked: Asked) -> bool:
        """Offer what comes after a closed question, and return whether the run goes on."""
        if asked.verdict == NOT_SCORED and self.deadline is not None and time.monotonic() >= self.deadline:
            self.time_up = True
            self._at += 1
            return False
        addition = turn.closing(self.done) if turn.closing is not None else ""
        if addition:
            talk.ui.tell(addition)
        self._follow_up(turn, asked)
        if self.policy.is_silent:
            self._at += 1
            return True
        if self.policy.goes_on and not asked.waits and not addition:
            self._flash = self.asking.services.in_a_line(asked.line)
            self._at += 1
            return True
        return self._next(talk, turn, asked)

    def _follow_up(self, turn: Turn, asked: Asked) -> None:
        if turn.follow is None or turn.family in self._followed:
            return
        more = turn.follow(asked)
        if more is not None:
            self._followed.add(turn.family)
            self.turns.insert(self._at + 1, more)

    def _next(self, talk: Conversation, turn: Turn, asked: Asked) -> bool:
        """Offer what comes next by keys, and return whether the run goes on."""
        is_last = self._at + 1 == len(self.turns)
        words = {"": "done" if is_last else "next"}
        if outcomes.is_right(asked.verdict) and asked.question.steps:
            words["s"] = "steps"
        if turn.again is not None:
            words["r"] = "again"
        while True:
            match talk.choose("", [*words.items()], asked):
                case "s":
                    talk.ui.tell(asked.question.steps)
                    words.pop("s")
                case "r" if turn.again is not None:
                    self.turns[self._at] = turn.again()
                    return True
                case "":
                    self._at += 1
                    return True
                case _:
                    if talk.left == UNDO:
                        self._undo(None)
                        return True
                    self._at += 1
                    return False

    def mark(self, policy: Policy) -> None:
        """Let the learner mark the answers that only they can judge, both side by side, and log them."""
        talk = Conversation(self.asking.ui, policy, self, self.keymap)
        self._tries = None
        places = [place for place, one in enumerate(self.done) if one.asked.is_unmarked]
        for count, place in enumerate(places):
            one, began = self.done[place], time.monotonic()
            yours = f"yours: {as_code(one.asked.answer) or 'none'}"
            asked = replace(one.asked, phase=Phase.MARKING).say(yours, f"The answer: {one.asked.question.right}")
            position = RunPosition(count, len(places), self._flash)
            asked = talk.ask(asked, f"marking {count + 1}/{len(places)}", position)
            if talk.left:
                return
            line = self.asking.services.in_a_line(asked.line)
            self._flash = line if asked.verdict == outcomes.RIGHT else ""
            marked = replace(one, asked=asked, took_ms=round(1000 * (time.monotonic() - began)))
            self.done[place] = replace(marked, event=self.record(self, marked))

    def log_unmarked(self) -> None:
        """Log the answers that were not marked, without a grade."""
        self.is_over = True
        if self._open is not None and self._open.phase is Phase.MARKING:
            self.done.append(Done(self.turns[self._at], self._at, self._open, 0))
        for place, one in enumerate(self.done):
            if one.event is None and one.asked.is_unmarked:
                self.done[place] = replace(one, event=self.record(self, one))
        if self.done:
            self.kept(self.done)

    def go_on(self, place: int, message: str) -> None:
        """Begin at a later question, with a message beside it."""
        self._at, self._flash = place, message

    def undo(self) -> None:
        """Take back the newest answer, so that its question is asked again."""
        self._undo(None)

    def _undo(self, shown: Asked | None) -> None:
        """Undo the newest closed question, else what was done before the run. `shown` is on the screen now."""
        if not self.done:
            self._flash = undone_words(self.store.log.undo())
            self._open = shown
            return
        newest = self.done.pop()
        self._flash = undone_words(self.store.log.undo(newest.event)) if newest.event else "undone: your answer"
        self._at = newest.place
        self.turns[self._at] = newest.turn
        self._open = newest.asked.reopened

    def log_practice(self, done: Done) -> UUID | None:
        """Log a closed question as practice. One that could not be scored is not, except a bet."""
        if done.asked.verdict == NOT_SCORED and not done.asked.promises:
            return None
        recorded = self.store.log.record(
            EventKind.PRACTICE,
            NO_CARD,
            grade=done.asked.grade,
            took_ms=done.took_ms,
            showing=done.asked.showing,
        )
        return recorded.event.id

    def _left_entries(self, asked: Asked) -> Sequence[KeptTry]:
        """Return what the log keeps of a question that is left after a try."""
        showing = asked.question.showing(asked.answer, asked.last.verdict, asked.slips) if asked.tries else None
        if showing is None:
            return ()
        took_ms = round(1000 * (time.monotonic() - self._began))
        return [KeptTry("", showing, None if self.turns[self._at].is_step else Grade.AGAIN, took_ms)]

    def report(self, before: float | None) -> "RunReport":
        """Return how the run went. `before` is the share that was right at once in earlier runs."""
        from studykit.review.run_report import RunReport, answer_of

        seconds = time.monotonic() - self.started
        has_tries = self._open is not None and bool(self._open.tries)
        answers = tuple(answer_of(one.asked) for one in self.done)
        return RunReport(answers, seconds, before, has_open_tries=has_tries, message=self._flash)

    @property
    def missed(self) -> list[Turn]:
        """Return what was not right in the end, each once, with fresh numbers if it has any."""
        turns = {one.turn.name: one.turn for one in self.done if is_missed(one.asked.verdict)}
        return [turn.again() if turn.again is not None else turn for turn in turns.values()]


def undone_words(undone: UndoneEvent | None) -> str:
    """Return what was taken back, in a few words."""
    if undone is None:
        return "there is nothing to undo"
    event = undone.target
    what = event.card or (event.showing.template if event.showing is not None else "")
    if event.kind is EventKind.BET:
        return f"undone: your bet on {what}" if what else "undone: your bet"
    if event.kind in {EventKind.PRACTICE, EventKind.QUIZ}:
        return f"undone: your answer to {what}" if what else "undone: your answer"
    grade = f" {word_of(event.grade)}" if event.grade is not None else ""
    return f"undone: {event.kind.value}{grade} {what}".rstrip()
