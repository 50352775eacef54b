"""A review session as a state machine: named actions and the clock go in, what to show comes out.

No screen and no key in here; everything that lasts goes through a `Desk`. Each answer is recorded before the next
card is drawn, and each state is a value, so that undo is the state before.
"""

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from studykit.cards.card import Card, Kind
from studykit.errors import StudyError
from studykit.review.keymap import Action, Press, Stage, word_of
from studykit.review.preview import day_name, span
from studykit.review.progress import Given, Progress, Summary, progress, summary
from studykit.review.state import Again, Desk, Options, State, Written, looked, revealed
from studykit.review.typed_answer import compare
from studykit.scheduling.agenda import Agenda
from studykit.scheduling.events import Became, Event, EventKind
from studykit.scheduling.sm2 import Grade
from studykit.ui import ExerciseOutcome

if TYPE_CHECKING:
    from uuid import UUID

GUARD_MS = 250
"""A held space bar repeats: within this time of a reveal, space and enter do not grade."""
APART = 3
"""Other cards between a failed card and its return, as long as there are others."""


class Session:
    """One sitting; `state` says what to show, `act` moves on."""

    def __init__(self, refreshed_store: Desk, agenda: Agenda, options: Options, now_ms: int) -> None:
        self._desk = refreshed_store
        self._options = options
        self._started_ms = now_ms
        self._past: list[tuple[State, UUID]] = []
        waiting = (*agenda.due, *agenda.new)[: options.cards]
        drill = tuple(Again(card, -APART) for card in agenda.drill)
        self.state = State(Stage.OVER, waiting, drill=drill)
        self.start(now_ms)

    def start(self, now_ms: int) -> None:
        """Draw the first card."""
        self.state = self._next(self.state, now_ms)

    @property
    def over(self) -> bool:
        """Whether nothing more will be asked."""
        return self.state.stage is Stage.OVER

    @property
    def left(self) -> int:
        """Cards that are still to be answered, the one that is shown included."""
        state = self.state
        return len(state.waiting) - state.drawn + len(state.drill) + (state.card is not None)

    @property
    def progress(self) -> Progress:
        """Where the session stands."""
        return progress(self.state.answers, self.left)

    @property
    def suggested(self) -> Grade | None:
        """The grade that accepting gives; None where nothing is graded."""
        state = self.state
        if state.asked is not None:
            return state.asked.grade
        if state.comparison is not None:
            return Grade.GOOD if state.comparison.same else Grade.AGAIN
        return Grade.GOOD

    def summary(self, now_ms: int) -> Summary:
        """What the session came to."""
        return summary(self.state.answers, (now_ms - self._started_ms) // 1000, self.left)

    def history(self) -> tuple[Event, ...]:
        """The log of the card that is shown."""
        return self._desk.history(self.state.card.id) if self.state.card else ()

    def today(self) -> date:
        """The study day."""
        return self._desk.today()

    def act(self, press: Press, now_ms: int) -> None:
        """Move on by one action or grade; what makes no sense at this stage changes nothing."""
        if isinstance(press, Grade):
            self._grade(press, now_ms)
            return
        match press:
            case Action.REVEAL | Action.ACCEPT:
                self._forward(now_ms)
            case Action.TYPE if self.state.stage is Stage.QUESTION:
                self.state = replace(self.state, stage=Stage.TYPING, page=None, scroll=0)
            case Action.CLOSE if self.state.stage is Stage.TYPING:
                self.state = replace(self.state, stage=Stage.QUESTION)
            case Action.UNDO:
                self._undo(now_ms)
            case Action.BURY | Action.SUSPEND:
                self._put_aside(press, now_ms)
            case Action.FLAG:
                self._flag()
            case Action.QUIT:
                self.state = replace(self.state, stage=Stage.OVER)
            case _:
                self.state = looked(self.state, press)

    def typed(self, text: str | None, now_ms: int) -> None:
        """Take the answer that was typed; an empty one, or None, only reveals."""
        if self.state.stage is not Stage.TYPING or self.state.card is None:
            return
        comparison = compare(text, self.state.card.answer) if text and text.strip() else None
        self.state = revealed(replace(self.state, comparison=comparison), now_ms)

    def asked(self, asked: ExerciseOutcome, now_ms: int) -> None:
        """Take what came of an exercise; its grade is suggested, not yet given."""
        if self.state.stage is Stage.EXERCISE:
            self.state = revealed(replace(self.state, asked=asked), now_ms)

    def skip(self, why: str, now_ms: int) -> None:
        """Pass over a card that cannot be asked here; it stays due."""
        self.state = replace(self._next(self.state, now_ms), flash=why)

    def reread(self, card: Card | None, message: str, now_ms: int) -> None:
        """Show a card that was edited as it is now, at the same stage; go on where it is gone."""
        if card is None:
            self.skip(message, now_ms)
            return
        self.state = replace(self.state, card=card, memory=self._desk.memory(card.id), flash=message)

    def scroll_to(self, row: int) -> None:
        """Show the card from a row on."""
        self.state = replace(self.state, scroll=max(0, row))

    def _forward(self, now_ms: int) -> None:
        state = self.state
        if state.stage is Stage.QUESTION:
            self.state = revealed(state, now_ms)
        elif state.stage is Stage.ANSWER:
            if now_ms - state.revealed_ms < GUARD_MS:
                self.state = replace(state, revealed_ms=now_ms)  # the bar is still held
            elif self.suggested is None:
                self.skip(state.asked.message if state.asked else "", now_ms)
            elif self._options.space_grades:
                self._grade(self.suggested, now_ms)

    def _grade(self, grade: Grade, now_ms: int) -> None:
        state = self.state
        if state.stage is not Stage.ANSWER or state.card is None or self.suggested is None:
            return
        took_ms = max(0, now_ms - state.shown_ms)
        showing = state.asked.showing if state.asked else None
        card = state.card
        written = self._desk.record(EventKind.ANSWER, card.id, grade=grade, took_ms=took_ms, showing=showing)
        self._past.append((state, written.event))
        drill = state.drill
        if grade.drilled:
            drill = (*drill, Again(card.id, state.turn + 1))
        given = Given(card, grade, took_ms, written.before, written.became)
        after = replace(state, drill=drill, turn=state.turn + 1, answers=(*state.answers, given))
        self.state = replace(self._next(after, now_ms), flash=self._said(grade, written))

    def _said(self, grade: Grade, written: Written) -> str:
        word = word_of(grade)
        if written.after is None or written.became is not Became.REVIEW:
            return f"{word}, {'back today' if grade.drilled else 'done for today'}; the schedule stays"
        today = self._desk.today()
        due = f"{day_name(written.after.due, today)} ({span(written.after.interval)})"
        return f"{word}, back today, then {due}" if grade.drilled else f"{word}, next {due}"

    def _put_aside(self, action: Action, now_ms: int) -> None:
        state = self.state
        if state.card is None:
            return
        kind = EventKind.BURY if action is Action.BURY else EventKind.SUSPEND
        written = self._desk.record(kind, state.card.id)
        self._past.append((state, written.event))
        done = "buried until tomorrow" if kind is EventKind.BURY else "suspended until you unsuspend it"
        self.state = replace(self._next(state, now_ms), flash=done)

    def _flag(self) -> None:
        state = self.state
        if state.card is None:
            return
        written = self._desk.record(EventKind.UNFLAG if state.flagged else EventKind.FLAG, state.card.id)
        self._past.append((state, written.event))
        word = "flag taken off" if state.flagged else "flagged"
        self.state = replace(state, flagged=not state.flagged, flash=word)

    def _undo(self, now_ms: int) -> None:
        if not self._past:
            self._undo_earlier(now_ms)
            return
        before, event = self._past.pop()
        try:
            self._desk.undo(event)
        except StudyError as error:
            self.state = replace(self.state, flash=str(error))
            return
        self.state = replace(before, flash="undone", revealed_ms=now_ms, shown_ms=now_ms, page=None)

    def _undo_earlier(self, now_ms: int) -> None:
        """Take back what an earlier session did, and show its card."""
        taken = self._desk.undo(None)
        if taken is None:
            self.state = replace(self.state, flash="nothing to undo")
            return
        state = self.state
        shown_now = (state.card.id,) if state.card is not None else ()
        ahead = [card for card in (*shown_now, *state.waiting[state.drawn :]) if card != taken.card]
        drill = tuple(again for again in state.drill if again.card != taken.card)
        back = (*state.waiting[: state.drawn], taken.card, *ahead)
        shown = self._next(replace(state, waiting=back, drill=drill), now_ms, drill_first=False)
        answered = taken.kind is EventKind.ANSWER and shown.stage is Stage.QUESTION
        self.state = replace(revealed(shown, now_ms) if answered else shown, flash="undone, from before")

    def _next(self, state: State, now_ms: int, *, drill_first: bool = True) -> State:
        """The state with the next card drawn: a failed one that has waited long enough, else the next in line."""
        if self._options.minutes is not None and now_ms - self._started_ms >= self._options.minutes * 60_000:
            return replace(state, stage=Stage.OVER, card=None)
        while True:
            waited = bool(state.drill) and state.turn - state.drill[0].since >= APART
            if state.drill and ((waited and drill_first) or state.drawn >= len(state.waiting)):
                chosen, state = state.drill[0].card, replace(state, drill=state.drill[1:])
            elif state.drawn < len(state.waiting):
                chosen, state = state.waiting[state.drawn], replace(state, drawn=state.drawn + 1)
            else:
                return replace(state, stage=Stage.OVER, card=None)
            if (card := self._desk.card(chosen)) is not None:
                return self._shown(state, card, now_ms)

    def _shown(self, state: State, card: Card, now_ms: int) -> State:
        stage = Stage.EXERCISE if card.kind is Kind.EXERCISE else Stage.TYPING if card.typed else Stage.QUESTION
        return replace(
            state,
            stage=stage,
            card=card,
            memory=self._desk.memory(card.id),
            flagged=self._desk.flagged(card.id),
            shown_ms=now_ms,
            comparison=None,
            asked=None,
            flash="",
            page=None,
            scroll=0,
        )
