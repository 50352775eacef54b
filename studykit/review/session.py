"""Run a review session as a state machine: actions go in, and what to show comes out. No screens, no keys.

Each answer is in the log before the next card is drawn. Each state is a value, so undo restores the one before.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, Unpack

from studykit.cards.card import JUDGED, Card, CardId
from studykit.errors import StudyError
from studykit.review.keymap import Action, Press, Stage, word_of
from studykit.review.preview import day_name, span
from studykit.review.progress import SessionAnswer, Summary, summary
from studykit.scheduling.agenda import Agenda
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, EventDetails, RecordedEvent
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


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """Hold a session's limits and the learner's settings."""

    cards: int | None = None
    minutes: float | None = None
    space_grades: bool = True
    confirm_right: bool = True  # a right answer waits for its grade; else it is given, and undo brings it back
    guard_ms: int = GUARD_MS  # 0 where lines are typed, which no held key ends
    leech_lapses: int = 0  # that make a card a leech; 0: none is one
    drafts: "TypedDrafts | None" = None


class DrillCard(NamedTuple):
    """Hold a card to repeat today, and the turn since which it waits."""

    card: CardId
    since: int


@dataclass(frozen=True, slots=True)
class SessionState:
    """Hold the state of a session, all of which undo restores."""

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
        """Return the state with the answer shown."""
        return replace(self, stage=Stage.ANSWER, revealed_ms=now_ms, flash="")


class Session:
    """Run a review session. `state` is what to show, and `act` changes it."""

    def __init__(
        self,
        store: "Store",
        agenda: Agenda,
        options: SessionOptions,
        clock: Callable[[], int],
        today: Callable[[], date],
    ) -> None:
        """Draw the first card. `clock` counts nanoseconds, `today` returns the study day."""
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
        self.state = self._draw_next(SessionState(Stage.OVER, waiting, drill=drill))

    @property
    def over(self) -> bool:
        """Return whether the session is over."""
        return self.state.stage is Stage.OVER

    @property
    def remaining(self) -> int:
        """Count the cards still to be answered, including the current one."""
        state = self.state
        return len(state.waiting) - state.drawn + len(state.drill) + (state.card is not None)

    @property
    def suggested(self) -> Grade | None:
        """Return the grade that Enter or space would give, or None if nothing is graded."""
        return Grade.GOOD if self.state.asked is None else self.state.asked.grade

    @property
    def accepts(self) -> bool:
        """Return whether Enter and space give the suggested grade."""
        return self._options.space_grades or self.suggested is None

    @property
    def fsrs(self) -> "Fsrs | None":
        """Return the FSRS scheduler, or None under SM-2."""
        return self._store.schedule.fsrs

    def summary(self) -> Summary:
        """Return the numbers at the end of the session."""
        return summary(self.state.answers, (self._now_ms() - self._started_ms) // 1000, self.remaining)

    def history(self) -> tuple[Event, ...]:
        """Return the log of the current card."""
        return self._store.log.history(self.state.card.id) if self.state.card else ()

    @property
    def kept_text(self) -> str:
        """Return a sentence if typed text or tries at this card are saved, or ""."""
        card, history = self.state.card, self.history() if self.state.stage is Stage.EXERCISE else ()
        has_draft = self._drafts is not None and card is not None and self._drafts.unfinished
        has_open_try = bool(history) and history[-1].kind is EventKind.PRACTICE
        return "What you typed is kept." if has_draft or has_open_try else ""

    def act(self, press: Press) -> None:
        """Apply an action or grade. A press that does not fit the stage changes nothing."""
        if isinstance(press, Grade):
            self._apply_grade(press)
            return
        match press:
            case Action.REVEAL | Action.ACCEPT:
                self._reveal_or_accept()
            case Action.TYPE if self.state.stage is Stage.QUESTION:
                self.state = replace(self.state, stage=Stage.EXERCISE, is_typing=True)
            case Action.UNDO:
                self._undo_last()
            case Action.BURY:
                self._put_off(EventKind.BURY, "buried until tomorrow")
            case Action.SUSPEND:
                self._put_off(EventKind.SUSPEND, "suspended until you unsuspend it")
            case Action.FLAG if self.state.card is not None:
                state, is_flagged = self.state, self.state.flagged
                self._record(EventKind.UNFLAG if is_flagged else EventKind.FLAG, self.state.card)
                flash = "flag taken off" if is_flagged else "flagged"
                self.state = replace(state, flagged=not is_flagged, flash=flash)
            case Action.QUIT:
                self.state = replace(self.state, stage=Stage.OVER)

    def leave_typing(self) -> None:
        """Return from typing to the card, so that it can be revealed."""
        if self._drafts is not None and self.state.card is not None:
            self._drafts.keep(self.state.card.id, "")
        self.state = replace(self.state, stage=Stage.QUESTION, is_typing=False)

    def take_closed(self, asked: "Asked", message: str, *, goes_on: bool) -> None:
        """Take a closed question. Suggest its grade, or give it if `goes_on`."""
        if self.state.stage is Stage.EXERCISE:
            self._past.append((replace(self.state, asked=asked.reopened), None))
            self.state = replace(self.state, asked=asked, message=message).reveal(self._now_ms())
            if goes_on:
                self._grade_right_answer(message)

    def skip(self, why: str) -> None:
        """Skip a card that cannot be asked here. It stays due, and earlier messages stay visible."""
        flash = " ".join(filter(None, [self.state.flash, why]))
        self.state = replace(self._draw_next(self.state), flash=flash)

    def reread(self, card: Card | None, message: str) -> None:
        """Show an edited card at the same stage, or continue if it is gone."""
        if card is None:
            self.skip(message)
            return
        if self.state.card is not None and self.state.card.id != card.id:
            self._new_ids[self.state.card.id] = card.id
        self.state = replace(self.state, card=card, memory=self._store.schedule.memory(card.id), flash=message)

    def _now_ms(self) -> int:
        return self._clock() // 1_000_000

    def _reveal_or_accept(self) -> None:
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
                self._apply_grade(self.suggested)

    def _grade_right_answer(self, message: str) -> None:
        """Grade a right answer and continue, unless the learner confirms each. The message stays visible."""
        grade = self.suggested
        if self._options.confirm_right or grade is None:
            return
        self._apply_grade(grade)
        self._paused_until_ms = self._now_ms() + PAUSE_MS
        undo_hint = [] if self.over else ["u brings it back"]
        self.state = replace(self.state, flash="; ".join([message, self.state.flash, *undo_hint]))

    def _apply_grade(self, grade: Grade) -> None:
        state = self.state
        if state.stage is not Stage.ANSWER or state.card is None or self.suggested is None:
            return
        took_ms = max(0, self._now_ms() - state.shown_ms)
        card, asked = state.card, state.asked
        if self._past and self._past[-1][1] is None:
            self._past.pop()  # from now on the grade is what is undone, so that a chain goes from card to card
        recorded = self._record(
            EventKind.ANSWER,
            card,
            grade=grade,
            took_ms=took_ms,
            showing=asked.showing if asked else None,
            typed=asked.typed if asked else "",
            is_recalled=is_recalled(asked.verdict) if asked else None,
        )
        drill = (DrillCard(card.id, state.turn + 1),) if grade.drilled else ()
        lapses_before, lapses = (memory.lapses if memory else 0 for memory in (recorded.before, recorded.after))
        leech = lapses if becomes_leech(lapses_before, lapses, self._options.leech_lapses) else 0
        answer = SessionAnswer(card, grade, took_ms, recorded.before, recorded.answer_kind, leech, asked)
        answers = (*state.answers, answer)
        next_state = replace(state, drill=(*state.drill, *drill), turn=state.turn + 1, answers=answers)
        note = f"; lapse {leech}, a leech: more at the end of the session" if leech else ""
        self.state = replace(self._draw_next(next_state), flash=self._describe_effect(grade, recorded) + note)

    def _describe_effect(self, grade: Grade, recorded: RecordedEvent) -> str:
        """Describe briefly what a grade did to the schedule."""
        word, memory = word_of(grade), recorded.after
        if memory is None or recorded.answer_kind is not AnswerKind.REVIEW:
            return f"{word}, {'back today' if grade.drilled else 'done for today'}; the schedule stays"
        due = f"{day_name(memory.due, self.today())} ({span(memory.interval)})"
        return f"{word}, back today, then {due}" if grade.drilled else f"{word}, next {due}"

    def _put_off(self, kind: EventKind, flash: str) -> None:
        if self.state.card is not None:
            self._record(kind, self.state.card)
            self.state = replace(self._draw_next(self.state), flash=flash)

    def _record(
        self, kind: EventKind, card: Card, *, is_recalled: bool | None = None, **details: Unpack[EventDetails]
    ) -> RecordedEvent:
        """Log an event of a card, which undo takes back."""
        recorded = self._store.log.record(kind, card.id, is_recalled=is_recalled, **details)
        self._past.append((self.state, recorded.event.id))
        return recorded

    def _undo_last(self) -> None:
        if not self._past:
            self._undo_earlier()
            return
        previous_state, event = self._past.pop()
        try:
            if event is not None:
                self._store.log.undo(event)
        except StudyError as error:
            self.state = replace(self.state, flash=error.message)
            return
        now_ms, message = self._now_ms(), "answer taken back" if event is None else "undone"
        self.state = replace(previous_state, flash=message, revealed_ms=now_ms, shown_ms=now_ms)

    def _undo_earlier(self) -> None:
        """Undo the last event of an earlier session, and show its card."""
        undone_event = self._store.log.undo()
        if undone_event is None:
            self.state = replace(self.state, flash="nothing to undo")
            return
        state, card_id = self.state, undone_event.target.card
        shown_now = [state.card.id] if state.card is not None else []
        ahead = [card for card in (*shown_now, *state.waiting[state.drawn :]) if card != card_id]
        drill = tuple(each for each in state.drill if each.card != card_id)
        waiting = (*state.waiting[: state.drawn], card_id, *ahead)
        next_state = self._draw_next(replace(state, waiting=waiting, drill=drill), drill_first=False)
        if undone_event.target.kind is EventKind.ANSWER and next_state.stage is Stage.QUESTION:
            next_state = next_state.reveal(self._now_ms())
        self.state = replace(next_state, flash="undone, from before")

    def _draw_next(self, state: SessionState, *, drill_first: bool = True) -> SessionState:
        """Draw a failed card that has waited long enough, else the next waiting card, or end the session."""
        now_ms, minutes = self._now_ms(), self._options.minutes
        if self._drafts is not None and state.card is not None:
            self._drafts.keep(state.card.id, "")  # the card is done with
        if minutes is not None and now_ms - self._started_ms >= minutes * 60_000:
            return replace(state, stage=Stage.OVER, card=None)
        while True:
            has_waited = bool(state.drill) and state.turn - state.drill[0].since >= APART
            if state.drill and ((has_waited and drill_first) or state.drawn >= len(state.waiting)):
                card_id, state = state.drill[0].card, replace(state, drill=state.drill[1:])
            elif state.drawn < len(state.waiting):
                card_id, state = state.waiting[state.drawn], replace(state, drawn=state.drawn + 1)
            else:
                return replace(state, stage=Stage.OVER, card=None)
            # A card may leave the decks while the session runs, by an edit here or elsewhere.
            if (card := self._store.cards.present(self._new_ids.get(card_id, card_id))) is not None:
                return self._show_card(state, card, now_ms)

    def _show_card(self, state: SessionState, card: Card, now_ms: int) -> SessionState:
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
