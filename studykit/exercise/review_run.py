"""A review: each card asked by the one conversation, graded by a key, and what its commands do."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from studykit.cards.card import GAP, Card, CardId, Kind
from studykit.errors import StudyError
from studykit.exercise.conversation import QUIT, Conversation
from studykit.review.keymap import BESIDE, COMMANDS, OFFERED, SCALES, Action, Button, Keymap, Press, Stage, word_of
from studykit.review.preview import buttons_line
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
    """What a review needs from outside while it runs, and how it is shown."""

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
    """A session asked in a Ui."""

    session: Session
    ui: Ui
    keymap: Keymap
    around: ReviewServices
    skipped: list[str] = field(default_factory=list)  # sentences about questions that were not asked to their end
    _begun: dict[CardId, int] = field(default_factory=dict)  # seeds of exercises that were left for a while
    _turn: "CardTurn | None" = None
    _asked: Asked | None = None  # the question on the page
    _is_shown: bool = False  # the page shows the card as it is now
    _saw_steps: bool = False  # of the closed question, or one more that was asked behind it

    def through(self) -> None:
        """Ask until the session is over or left."""
        talk = Conversation(self.ui, Policy(), self, self.keymap)
        while not self.session.over:
            if self.session.state.stage is Stage.EXERCISE:
                self._ask(talk)
            else:
                self._choose(talk)

    # The place that asks, for a conversation

    @property
    def commands(self) -> Mapping[str, str]:
        """Return the review's commands, for a card that may be revealed also the way back."""
        return {**OFFERED, **({"back": ""} if self.session.state.is_typing else {})}

    @property
    def keys(self) -> Mapping[str, tuple[str, str]]:
        """Return the same by single keys, where nothing is typed; after a miss the lesson first."""
        asked = self.session.state.asked
        first = ["o"] if asked is not None and outcomes.is_missed(asked.verdict) else []
        return {key: (_NAMES[BESIDE[key]],) * 2 for key in [*first, *BESIDE]}

    def obey(self, name: str, asked: Asked) -> bool:
        """Run a command, and return whether it leaves the question."""
        session, before = self.session, self.session.state
        action = COMMANDS.get(name)
        if action in {Action.WHY, Action.INFO, Action.HELP}:
            self.ui.page(self._page(action, asked))
            return False
        if action is Action.LESSON:
            from studykit.exercise.lesson import lesson

            self.ui.tell(lesson(self.around.services, asked.question.name))
            return False
        if action is Action.EDIT and before.card is not None:
            with self.ui.away():
                card, message = self.around.edit(before.card)
            session.reread(card, message)
        elif action is not None:
            session.act(action)
            after = session.state
            if (after.card, after.stage, after.asked) == (before.card, before.stage, before.asked):
                self.ui.tell(f"{after.flash}.".capitalize())
                return False
        return True

    def take_back(self, event: UUID) -> str:
        """Undo what was logged while the question was open."""
        from studykit.exercise.run import undone_words

        return undone_words(self.around.services.store.log.undo(event)).capitalize() + "."

    def keep(self, asked: Asked) -> None:
        """Keep the tries of an open question. The session logs a closed one by its grade."""
        if self._turn is not None:
            self._turn.keep(asked)

    def keep_edited(self, asked: Asked) -> None:
        """Keep what came back from the editor."""
        from studykit.exercise.tries import keep_edited

        keep_edited(self.around.services, asked)

    # A card

    def _ask(self, talk: Conversation) -> None:
        """Ask the question of a card. One that cannot be asked here is passed over with a sentence.

        One that is left for an undo or an edit comes back with the numbers it had.
        """
        session, around, state = self.session, self.around, self.session.state
        if state.card is None:
            return
        seed = self._begun.pop(state.card.id, None)
        turn = self._turn = around.turn(state.card)
        self._is_shown = False
        try:
            place = self._title(state.card), self._place()
            asked = turn.ask(talk, around.seed() if seed is None else seed, state.asked, *place)
        except StudyError as error:
            self.skipped.append(str(error))
            session.skip(f"Passed over: {error.message}")
            return
        if asked.is_closed:
            goes_on = not asked.waits and not turn.has_followed
            session.take_closed(asked, around.services.in_a_line(asked.line), goes_on=goes_on)
            self._asked, self._is_shown = asked, session.state.stage is Stage.ANSWER
            self._saw_steps = turn.has_followed
            return
        if asked.question.seed is not None:
            self._begun[state.card.id] = asked.question.seed
        if talk.left == "back":
            session.leave_typing()
        elif talk.left == QUIT:
            if session.kept_text:
                self.skipped.append(session.kept_text)
            session.act(Action.QUIT)

    def _choose(self, talk: Conversation) -> None:
        """Let the learner turn a card, grade it, or give a command."""
        session, before = self.session, self.session.state
        asked = self._asked if self._is_shown and self._asked is not None else self._show(talk)
        self._is_shown = False
        key = talk.choose(self._words(), self._options(), asked)
        if key is None:
            if talk.left == QUIT:
                session.act(Action.QUIT)
        elif key == _STEPS:
            self.ui.tell(asked.question.steps)
            self._is_shown = self._saw_steps = True
        else:
            grades = {button.key: button.grade for button in self.keymap.buttons}
            session.act(grades[key] if key in grades else _PRESSES[key])
            after = session.state
            self._is_shown = (after.card, after.turn) == (before.card, before.turn)
            if self._is_shown and before.stage is not after.stage is Stage.ANSWER:
                self._tell_answer()

    def _show(self, talk: Conversation) -> Asked:
        """Show a card as it is now, from its question on."""
        state = self.session.state
        if state.card is None:
            raise AssertionError("a session that is not over has a card")
        asked = self._asked = state.asked or Asked(_face(state.card, self.around.macros(state.card)))
        self._saw_steps = False
        talk.show(asked, self._title(state.card), self._place())
        if state.stage is Stage.ANSWER and state.asked is None:
            self._tell_answer()
        return asked

    def _tell_answer(self) -> None:
        card = self.session.state.card
        if card is None:
            return
        from studykit.review.typed_answer import shown

        macros, is_cloze = self.around.macros(card), card.kind is Kind.CLOZE and bool(card.full)
        self.ui.tell(f"**{card.answer}**" if is_cloze else _filled(shown(card), macros), label="Answer")
        if is_cloze:
            self.ui.tell(_filled(card.prompt.replace(GAP, f"**{card.answer}**"), macros), label="In full")

    def _title(self, card: Card) -> str:
        deck = self.around.decks.get(card.deck, card.deck)
        return f"{deck}, flagged" if self.session.state.flagged else deck

    def _place(self) -> RunPosition:
        progress = self.session.progress
        minutes = "" if progress.minutes is None else f" ~{progress.minutes} min"
        return RunPosition(
            progress.done, progress.done + progress.remaining, self.session.state.flash, (), minutes, "Card"
        )

    def _words(self) -> str:
        state = self.session.state
        is_timed = self.around.timer and state.stage is Stage.ANSWER
        return f"{(state.revealed_ms - state.shown_ms) // 1000} s" if is_timed else ""

    def _options(self) -> Sequence[tuple[str, str]]:
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
        asked = session.state.asked
        has_steps = asked is not None and outcomes.is_right(asked.verdict) and bool(asked.question.steps)
        return [*pairs, *accept, *([(_STEPS, "steps")] if has_steps and not self._saw_steps else [])]

    def _page(self, action: Action, asked: Asked) -> list[str]:
        session, state = self.session, self.session.state
        if action is Action.HELP or state.card is None:
            return [f"{key:<8} {does}" for key, does in keys_of(self.keymap.buttons).items()]
        if action is Action.WHY:
            from studykit.review.why import why

            return why(state.memory, session.today(), session.history(), session.fsrs)
        from studykit.review.why import facts

        card = state.card
        rows = [
            asked.question.info,
            f"card {card.id}   deck {self.around.decks.get(card.deck, card.deck)}",
            f"{card.path}:{card.line}",
            f"tags {' '.join(card.tags)}" if card.tags else "",
            f"lesson {card.url}" if card.url else "",
            f"source {card.source}" if card.source else "",
            "flagged" if state.flagged else "",
        ]
        numbers = facts(state.memory, session.today(), session.fsrs, self.keymap.buttons)
        return [*filter(None, rows), "", *numbers]


def _face(card: Card, macros: Mapping[str, str]) -> Question:
    """Return a card that its learner marks as a question of which nothing is typed."""
    return Question(
        name=str(card.id),
        seed=None,
        markdown=_filled(card.prompt, macros),
        fields=(),
        judge=lambda _: Reply(""),
        showing=lambda _answer, _verdict, _slips: None,
    )


def _filled(text: str, macros: Mapping[str, str]) -> str:
    """Return the text with the macros of its deck written out."""
    if not macros:
        return text
    from studykit.cards.front_matter import filled_in

    return filled_in(text, macros)


def keys_of(buttons: Sequence[Button]) -> dict[str, str]:
    """Return the keys of a session and what they do, as in `study help keys`, with this learner's grades."""
    from studykit.help_pages import tables

    keys_and_uses = tables("keys")["Keys of a review"]
    if buttons == SCALES["4"]:
        return keys_and_uses
    keys, words = f"{buttons[0].key} to {buttons[-1].key}", "; ".join(button.word for button in buttons)
    return {
        keys if key == _GRADES else key: words if key == _GRADES else does for key, does in keys_and_uses.items()
    }
