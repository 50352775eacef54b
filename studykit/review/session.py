"""A review session as a state machine: named actions go in, what to show comes out. No screen and no key in here.

Each answer is in the log before the next card is drawn. Each state is a value, so that undo is the state before.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from studykit.cards.card import JUDGED, Card, CardId
from studykit.errors import StudyError
from studykit.review.keymap import Action, Press, Stage, word_of
from studykit.review.preview import day_name, span
from studykit.review.progress import Progress, SessionAnswer, Summary, progress, summary
from studykit.scheduling.agenda import Agenda
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, RecordedEvent
from studykit.scheduling.memory import AnswerKind, Memory
from studykit.scheduling.outcomes import is_recalled
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.review_rule import becomes_leech

if TYPE_CHECKING:
    from uuid import UUID

    from studykit.review.question import Asked
    from studykit.scheduling.fsrs import Fsrs
    from studykit.store.store import Store
    from studykit.store.typed_drafts import TypedDrafts

GUARD_MS = 250
"""A held space bar repeats: within this time of a reveal, space and enter do not grade."""
APART = 3
"""Other cards between a failed card and its return, as long as there are others."""
PAUSE_MS = 800
"""For this long after a card that came by itself, an Enter that was meant for the one before it does nothing."""

KEPT = "What you tried at the question is kept."
DRAFT_KEPT = "What you typed is kept."


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """How a session goes: its limits, and what its learner wants."""

    cards: int | None = None
    minutes: float | None = None
    space_grades: bool = True
    confirm_right: bool = True  # a right answer waits for its grade; else it is given, and undo brings it back
    guard_ms: int = GUARD_MS  # 0 where lines are typed, which no held key ends
    leech_lapses: int = 0  # that make a card a leech; 0: none is one
    drafts: "TypedDrafts | None" = None


@dataclass(frozen=True, slots=True)
class DrillCard:
    """A card that comes again today, and the turn after which it waits."""

    card: CardId
    since: int


@dataclass(frozen=True, slots=True)
class SessionState:
    """Everything that undo brings back."""

    stage: Stage
    waiting: tuple[CardId, ...]
    drawn: int = 0  # cards taken from `waiting`
    drill: tuple[DrillCard, ...] = ()
    turn: int = 0
    card: Card | None = None
    memory: Memory | None = None
    answers: tuple[SessionAnswer, ...] = ()
    shown_ms: int = 0
    revealed_ms: int = 0
    asked: "Asked | None" = None  # its question: closed, or as it is asked again after an undo
    message: str = ""  # the verdict of the closed question in a line
    is_typing: bool = False  # the answer of a card that may be marked unseen
    flagged: bool = False
    flash: str = ""

    def reveal(self, now_ms: int) -> "SessionState":
        """Return the state with its answer side up."""
        return replace(self, stage=Stage.ANSWER, revealed_ms=now_ms, flash="")


class Session:
    """One review session; `state` says what to show, `act` moves on."""

    def __init__(
        self,
        store: "Store",
        agenda: Agenda,
        options: SessionOptions,
        clock: Callable[[], int],
        today: Callable[[], date],
    ) -> None:
        """`clock` counts nanoseconds, `today` is the study day."""
        self._store = store
        self._drafts = options.drafts
        self._options = options
        self._clock = clock
        self.today = today
        self._past: list[tuple[SessionState, UUID | None]] = []  # None: an answer without a grade, not in the log
        self._new_ids: dict[CardId, CardId] = {}  # of cards that an edit gave another one
        self._started_ms = self._now_ms()
        self._paused_until_ms = 0
        waiting = (*agenda.due, *agenda.new)[: options.cards]
        drill = tuple(DrillCard(card, -APART) for card in agenda.drill)
        self.state = self._next(SessionState(Stage.OVER, waiting, drill=drill))

    @property
    def over(self) -> bool:
        """Return whether nothing more will be asked."""
        return self.state.stage is Stage.OVER

    @property
    def left(self) -> int:
        """Count the cards still to be answered, the current one included."""
        state = self.state
        return len(state.waiting) - state.drawn + len(state.drill) + (state.card is not None)

    @property
    def progress(self) -> Progress:
        """Return where the session stands."""
        return progress(self.state.answers, self.left)

    @property
    def suggested(self) -> Grade | None:
        """Return the grade that accepting gives, or None if nothing is graded."""
        return Grade.GOOD if self.state.asked is None else self.state.asked.grade

    @property
    def accepts(self) -> bool:
        """Return whether Enter and space give the suggested grade."""
        return self._options.space_grades or self.suggested is None

    @property
    def fsrs(self) -> "Fsrs | None":
        """Return what schedules the reviews, None for SM-2."""
        return self._store.schedule.fsrs

    def summary(self) -> Summary:
        """Return the numbers at the end of the session."""
        return summary(self.state.answers, (self._now_ms() - self._started_ms) // 1000, self.left)

    def history(self) -> tuple[Event, ...]:
        """Return the log of the current card."""
        return self._store.log.history(self.state.card.id) if self.state.card else ()

    @property
    def tried(self) -> bool:
        """Return whether the current exercise was tried and is still open."""
        history = self.history() if self.state.stage is Stage.EXERCISE else ()
        return bool(history) and history[-1].kind is EventKind.PRACTICE

    @property
    def kept(self) -> str:
        """Say what was typed at this card and waits for it, or return ""."""
        card = self.state.card
        drafted = self._drafts is not None and card is not None and self._drafts.unfinished
        return DRAFT_KEPT if drafted else KEPT if self.tried else ""

    def act(self, press: Press) -> None:
        """Apply one action or grade. What makes no sense at this stage changes nothing."""
        if isinstance(press, Grade):
            self._grade(press)
            return
        match press:
            case Action.REVEAL | Action.ACCEPT:
                self._forward()
            case Action.TYPE if self.state.stage is Stage.QUESTION:
                self.state = replace(self.state, stage=Stage.EXERCISE, is_typing=True)
            case Action.UNDO:
                self._undo()
            case Action.BURY | Action.SUSPEND:
                self._put_aside(press)
            case Action.FLAG:
                self._flag()
            case Action.QUIT:
                self.state = replace(self.state, stage=Stage.OVER)
            case _:
                pass

    def leave_typing(self) -> None:
        """Go back from the line to the card, which may be revealed."""
        if self._drafts is not None and self.state.card is not None:
            self._drafts.keep(self.state.card.id, "")
        self.state = replace(self.state, stage=Stage.QUESTION, is_typing=False)

    def asked(self, asked: "Asked", message: str, *, goes_on: bool) -> None:
        """Take a closed question. Its grade is suggested, or given if there is nothing to read."""
        if self.state.stage is Stage.EXERCISE:
            self._past.append((replace(self.state, asked=asked.reopened), None))
            self.state = replace(self.state, asked=asked, message=message).reveal(self._now_ms())
            if goes_on:
                self._give(message)

    def skip(self, why: str) -> None:
        """Pass over a card that cannot be asked here. It stays due, and earlier messages stay too."""
        flash = " ".join(filter(None, [self.state.flash, why]))
        self.state = replace(self._next(self.state), flash=flash)

    def reread(self, card: Card | None, message: str) -> None:
        """Show an edited card at the same stage, or go on if it is gone."""
        if card is None:
            self.skip(message)
            return
        if self.state.card is not None and self.state.card.id != card.id:
            self._new_ids[self.state.card.id] = card.id
        self.state = replace(self.state, card=card, memory=self._store.schedule.memory(card.id), flash=message)

    def _now_ms(self) -> int:
        return self._clock() // 1_000_000

    def _forward(self) -> None:
        state, now_ms = self.state, self._now_ms()
        if state.stage is Stage.QUESTION:
            if now_ms >= self._paused_until_ms:
                self.state = state.reveal(now_ms)
        elif state.stage is Stage.ANSWER:
            if now_ms - state.revealed_ms < self._options.guard_ms:
                self.state = replace(state, revealed_ms=now_ms)  # the bar is still held
            elif self.suggested is None:
                self.skip(state.message)
            elif self._options.space_grades:
                self._grade(self.suggested)

    def _give(self, said: str) -> None:
        """Grade a right answer and go on, if the learner wants that. The message stays in sight."""
        grade = self.suggested
        if self._options.confirm_right or grade is None:
            return
        self._grade(grade)
        self._paused_until_ms = self._now_ms() + PAUSE_MS
        back = [] if self.over else ["u brings it back"]
        self.state = replace(self.state, flash="; ".join([said, self.state.flash, *back]))

    def _grade(self, grade: Grade) -> None:
        state = self.state
        if state.stage is not Stage.ANSWER or state.card is None or self.suggested is None:
            return
        took_ms = max(0, self._now_ms() - state.shown_ms)
        card, asked = state.card, state.asked
        recorded = self._store.log.record(
            EventKind.ANSWER,
            card.id,
            grade=grade,
            took_ms=took_ms,
            showing=asked.showing if asked else None,
            typed=asked.typed if asked else "",
            is_recalled=is_recalled(asked.verdict) if asked else None,
        )
        if self._past and self._past[-1][1] is None:
            self._past.pop()  # from now on the grade is what is undone, so that a chain goes from card to card
        self._past.append((state, recorded.event.id))
        drill = state.drill
        if grade.drilled:
            drill = (*drill, DrillCard(card.id, state.turn + 1))
        leech = self._leech(recorded)
        kind = recorded.answer_kind
        answer = SessionAnswer(card, grade, took_ms, recorded.before, kind, leech, asked)
        after = replace(state, drill=drill, turn=state.turn + 1, answers=(*state.answers, answer))
        note = f"; lapse {leech}, a leech: more at the end of the session" if leech else ""
        self.state = replace(self._next(after), flash=self._effect(grade, recorded) + note)

    def _leech(self, recorded: RecordedEvent) -> int:
        """Return the card's lapses if this answer made it a leech, else 0."""
        before = recorded.before.lapses if recorded.before else 0
        after = recorded.after.lapses if recorded.after else 0
        return after if becomes_leech(before, after, self._options.leech_lapses) else 0

    def _effect(self, grade: Grade, recorded: RecordedEvent) -> str:
        """Say in a few words what a grade did to the schedule."""
        word, memory = word_of(grade), recorded.after
        if memory is None or recorded.answer_kind is not AnswerKind.REVIEW:
            return f"{word}, {'back today' if grade.drilled else 'done for today'}; the schedule stays"
        due = f"{day_name(memory.due, self.today())} ({span(memory.interval)})"
        return f"{word}, back today, then {due}" if grade.drilled else f"{word}, next {due}"

    def _put_aside(self, action: Action) -> None:
        state = self.state
        if state.card is None:
            return
        kind = EventKind.BURY if action is Action.BURY else EventKind.SUSPEND
        recorded = self._store.log.record(kind, state.card.id)
        self._past.append((state, recorded.event.id))
        until = "buried until tomorrow" if kind is EventKind.BURY else "suspended until you unsuspend it"
        self.state = replace(self._next(state), flash=until)

    def _flag(self) -> None:
        state = self.state
        if state.card is None:
            return
        recorded = self._store.log.record(EventKind.UNFLAG if state.flagged else EventKind.FLAG, state.card.id)
        self._past.append((state, recorded.event.id))
        word = "flag taken off" if state.flagged else "flagged"
        self.state = replace(state, flagged=not state.flagged, flash=word)

    def _undo(self) -> None:
        if not self._past:
            self._undo_earlier()
            return
        before, event = self._past.pop()
        try:
            if event is not None:
                self._store.log.undo(event)
        except StudyError as error:
            self.state = replace(self.state, flash=error.message)
            return
        now_ms, said = self._now_ms(), "answer taken back" if event is None else "undone"
        self.state = replace(before, flash=said, revealed_ms=now_ms, shown_ms=now_ms)

    def _undo_earlier(self) -> None:
        """Take back what an earlier session did, and show its card."""
        undone = self._store.log.undo()
        if undone is None:
            self.state = replace(self.state, flash="nothing to undo")
            return
        state, back = self.state, undone.target.card
        shown_now = (state.card.id,) if state.card is not None else ()
        ahead = [card for card in (*shown_now, *state.waiting[state.drawn :]) if card != back]
        drill = tuple(each for each in state.drill if each.card != back)
        waiting = (*state.waiting[: state.drawn], back, *ahead)
        after = self._next(replace(state, waiting=waiting, drill=drill), drill_first=False)
        if undone.target.kind is EventKind.ANSWER and after.stage is Stage.QUESTION:
            after = after.reveal(self._now_ms())
        self.state = replace(after, flash="undone, from before")

    def _next(self, state: SessionState, *, drill_first: bool = True) -> SessionState:
        """Draw the next card: a failed one that has waited long enough, else the next in line."""
        now_ms, minutes = self._now_ms(), self._options.minutes
        if self._drafts is not None and state.card is not None:
            self._drafts.keep(state.card.id, "")  # the card is done with
        if minutes is not None and now_ms - self._started_ms >= minutes * 60_000:
            return replace(state, stage=Stage.OVER, card=None)
        while True:
            waited = bool(state.drill) and state.turn - state.drill[0].since >= APART
            if state.drill and ((waited and drill_first) or state.drawn >= len(state.waiting)):
                chosen, state = state.drill[0].card, replace(state, drill=state.drill[1:])
            elif state.drawn < len(state.waiting):
                chosen, state = state.waiting[state.drawn], replace(state, drawn=state.drawn + 1)
            else:
                return replace(state, stage=Stage.OVER, card=None)
            if (card := self._store.cards.present(self._new_ids.get(chosen, chosen))) is not None:
                return self._show(state, card, now_ms)

    def _show(self, state: SessionState, card: Card, now_ms: int) -> SessionState:
        is_asked = card.kind in JUDGED or card.typed
        is_typing = not is_asked and self._drafts is not None and bool(self._drafts.of(card.id))
        stage = Stage.EXERCISE if is_asked or is_typing else Stage.QUESTION
        return replace(
            state,
            stage=stage,
            card=card,
            memory=self._store.schedule.memory(card.id),
            flagged=self._store.schedule.flagged(card.id),
            shown_ms=now_ms,
            asked=None,
            message="",
            is_typing=is_typing,
        )
