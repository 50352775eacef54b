"""Run a review: ask each card in a conversation, grade it by key, and run commands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from studykit.cards.card import GAP, Card, CardId, Kind
from studykit.cards.front_matter import filled_in
from studykit.errors import StudyError
from studykit.exercise.conversation import QUIT, Conversation
from studykit.review.keymap import BESIDE, COMMANDS, OFFERED, SCALES, Action, Button, Keymap, Press, Stage, word_of
from studykit.review.preview import buttons_line
from studykit.review.progress import minutes_left
from studykit.review.question import Asked, Policy, Question, Reply
from studykit.review.session import Session
from studykit.scheduling import outcomes
from studykit.ui import RunPosition, Ui

if TYPE_CHECKING:
    from studykit.exercise.card_turn import CardTurn
    from studykit.exercise.services import Services

_NAMES = {action: name for name, action in COMMANDS.items()}
_REVEAL = (("space", "reveal"), ("", ""), ("t", "type"))
_PRESSES: Mapping[str, Press] = {"space": Action.REVEAL, "": Action.ACCEPT, "t": Action.TYPE}
_STEPS = "s"
_GRADES = "1 2 3 4"


class ReviewServices(NamedTuple):
    """Hold the functions that a running review calls, and the settings of its display."""

    services: "Services"
    edit: Callable[[Card], tuple[Card | None, str]]
    turn: "Callable[[Card], CardTurn]"
    seed: Callable[[], int]
    macros: Callable[[Card], Mapping[str, str]] = lambda _: {}  # TeX macros of the card's deck
    decks: Mapping[str, str] = {}  # names by id
    intervals: bool = True  # buttons say what they bring
    timer: bool = False


@dataclass(slots=True)
class ReviewRun:
    """Run a review session in a Ui."""

    session: Session
    ui: Ui
    keymap: Keymap
    around: ReviewServices
    skipped: list[str] = field(default_factory=list)  # sentences about questions that were not asked to their end
    _seeds: dict[CardId, int] = field(default_factory=dict)  # seeds of exercises that were left for a while
    _turn: "CardTurn | None" = None
    _page: Asked | None = None  # the question on the page, if that shows the card as it is now
    _saw_steps: bool = False  # of the closed question, or one more that was asked after it

    def through(self) -> None:
        """Ask until the session is over or left."""
        talk = Conversation(self.around.services, self.ui, Policy(), self, self.keymap)
        while not self.session.over:
            if self.session.state.stage is Stage.EXERCISE:
                self._ask_question(talk)
            else:
                self._choose_action(talk)

    # The place that asks, for a conversation

    @property
    def commands(self) -> Mapping[str, str]:
        """Return the review's commands, and `back` while the learner types to a card that can be revealed."""
        return {**OFFERED, **({"back": ""} if self.session.state.is_typing else {})}

    @property
    def keys(self) -> Mapping[str, tuple[str, str]]:
        """Return the commands by single key, for use when no line is typed. After a miss the lesson is first."""
        question_state = self.session.state.asked
        first = ["o"] if question_state is not None and outcomes.is_missed(question_state.verdict) else []
        return {key: (_NAMES[BESIDE[key]],) * 2 for key in [*first, *BESIDE]}

    def obey(self, name: str, question_state: Asked) -> bool:
        """Run a command, and return whether it leaves the question."""
        session, state_before = self.session, self.session.state
        action = COMMANDS.get(name)
        if action in {Action.WHY, Action.INFO, Action.HELP}:
            self.ui.page(self._info_page(action, question_state))
            return False
        if action is Action.EDIT and state_before.card is not None:
            with self.ui.away():
                card, message = self.around.edit(state_before.card)
            session.reread(card, message)
        elif action is not None:
            session.act(action)
            state_after = session.state
            if (state_after.card, state_after.stage, state_after.asked) == (
                state_before.card,
                state_before.stage,
                state_before.asked,
            ):
                self.ui.tell(f"{state_after.flash}.".capitalize())
                return False
        return True

    def keep(self, question_state: Asked) -> None:
        """Save the tries of an open question. The session logs a closed one when it is graded."""
        if self._turn is not None:
            self._turn.keep(question_state)

    # A card

    def _ask_question(self, talk: Conversation) -> None:
        """Ask a card's question, or skip it with a sentence if it cannot be asked here.

        A question that is left for an undo or an edit returns with the same numbers.
        """
        session, around, state = self.session, self.around, self.session.state
        if state.card is None:
            return
        seed = self._seeds.pop(state.card.id, None)
        turn = self._turn = around.turn(state.card)
        self._page = None
        try:
            place = self._title_of(state.card), self._position()
            question_state = turn.ask(talk, around.seed() if seed is None else seed, state.asked, *place)
        except StudyError as error:
            self.skipped.append(str(error))
            session.skip(f"Passed over: {error.in_one_line}")
            return
        if question_state.is_closed:
            goes_on = not question_state.waits and not turn.has_followed
            session.take_closed(question_state, around.services.in_a_line(question_state.line), goes_on=goes_on)
            self._page = question_state if session.state.stage is Stage.ANSWER else None
            self._saw_steps = turn.has_followed
            return
        if question_state.question.seed is not None:
            self._seeds[state.card.id] = question_state.question.seed
        if talk.exit_command == "back":
            session.leave_typing()
        elif talk.exit_command == QUIT:
            if session.kept_text:
                self.skipped.append(session.kept_text)
            session.act(Action.QUIT)

    def _choose_action(self, talk: Conversation) -> None:
        """Let the learner reveal a card, grade it, or give a command."""
        session, state_before = self.session, self.session.state
        question_state, self._page = self._page or self._show_card(talk), None
        key = talk.choose(self._time_text(), self._key_options(), question_state)
        if key is None:
            if talk.exit_command == QUIT:
                session.act(Action.QUIT)
        elif key == _STEPS:
            self.ui.tell(question_state.question.steps)
            self._page, self._saw_steps = question_state, True
        else:
            grades = {button.key: button.grade for button in self.keymap.buttons}
            session.act(grades[key] if key in grades else _PRESSES[key])
            state_after = session.state
            if (state_after.card, state_after.turn) == (state_before.card, state_before.turn):
                self._page = question_state
                if state_before.stage is not state_after.stage is Stage.ANSWER:
                    self._tell_answer()

    def _show_card(self, talk: Conversation) -> Asked:
        """Redraw the card in its current state, and return the state of the question on the screen."""
        state = self.session.state
        if state.card is None:
            raise AssertionError("The session is not over but has no card. Act on a session only through `act`.")
        question_state = state.asked or Asked(_question_of_face(state.card, self.around.macros(state.card)))
        self._saw_steps = False
        talk.show(question_state, self._title_of(state.card), self._position())
        if state.stage is Stage.ANSWER and state.asked is None:
            self._tell_answer()
        return question_state

    def _tell_answer(self) -> None:
        card = self.session.state.card
        if card is None:
            return
        from studykit.review.typed_answer import shown

        macros, is_cloze = self.around.macros(card), card.kind is Kind.CLOZE and bool(card.full)
        self.ui.tell(f"**{card.answer}**" if is_cloze else filled_in(shown(card), macros), label="Answer")
        if is_cloze:
            self.ui.tell(filled_in(card.prompt.replace(GAP, f"**{card.answer}**"), macros), label="In full")

    def _title_of(self, card: Card) -> str:
        deck = self.around.decks.get(card.deck, card.deck)
        return f"{deck}, flagged" if self.session.state.flagged else deck

    def _position(self) -> RunPosition:
        session, done = self.session, len(self.session.state.answers)
        minutes = minutes_left(session.state.answers, session.remaining)
        after = "" if minutes is None else f" ~{minutes} min"
        return RunPosition(done, done + session.remaining, session.state.flash, (), after, "Card")

    def _time_text(self) -> str:
        state = self.session.state
        is_timed = self.around.timer and state.stage is Stage.ANSWER
        return f"{(state.revealed_ms - state.shown_ms) // 1000} s" if is_timed else ""

    def _key_options(self) -> Sequence[tuple[str, str]]:
        session, buttons = self.session, self.keymap.buttons
        if session.state.stage is Stage.QUESTION:
            return _REVEAL
        if session.suggested is None:
            return [("", "go on, it stays due")]
        pairs = [(button.key, button.word) for button in buttons]
        if self.around.intervals:
            pairs = buttons_line(session.state.memory, session.today(), buttons, session.fsrs)
        own = next((each.word for each in buttons if each.grade is session.suggested), word_of(session.suggested))
        accept = [("", f"= {own}")] if session.accepts else []
        question_state = session.state.asked
        has_steps = (
            question_state is not None
            and outcomes.is_right(question_state.verdict)
            and bool(question_state.question.steps)
        )
        return [*pairs, *accept, *([(_STEPS, "steps")] if has_steps and not self._saw_steps else [])]

    def _info_page(self, action: Action, question_state: Asked) -> list[str]:
        session, state = self.session, self.session.state
        if action is Action.HELP or state.card is None:
            return [f"{key:<8} {does}" for key, does in keys_of(self.keymap.buttons).items()]
        if action is Action.WHY:
            from studykit.review.why import why

            return why(state.memory, session.today(), session.history(), session.fsrs)
        from studykit.review.why import facts

        card = state.card
        rows = [
            question_state.question.info,
            f"card {card.id}   deck {self.around.decks.get(card.deck, card.deck)}",
            f"{card.path}:{card.line}",
            f"tags {' '.join(card.tags)}" if card.tags else "",
            f"lesson {card.url}" if card.url else "",
            f"source {card.source}" if card.source else "",
            "flagged" if state.flagged else "",
        ]
        numbers = facts(state.memory, session.today(), session.fsrs)
        return [*filter(None, rows), "", *numbers]


def _question_of_face(card: Card, macros: Mapping[str, str]) -> Question:
    """Return a card that the learner grades as a question without fields."""
    return Question(
        name=str(card.id),
        seed=None,
        markdown=filled_in(card.prompt, macros),
        fields=(),
        judge=lambda _: Reply(""),
        showing=lambda _answer, _verdict, _slips: None,
    )


def keys_of(buttons: Sequence[Button]) -> dict[str, str]:
    """Return the keys of a session and their uses, as in `study help keys`, with this learner's buttons."""
    from studykit.help_pages import tables

    rows = tables("keys")["Keys of a review"]
    if buttons == SCALES["4"]:
        return rows
    keys, words = f"{buttons[0].key} to {buttons[-1].key}", "; ".join(button.word for button in buttons)
    return {keys if key == _GRADES else key: words if key == _GRADES else use for key, use in rows.items()}
