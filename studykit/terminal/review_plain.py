"""A review in plain lines: for screen readers, dumb terminals, pipes and CI."""

from contextlib import nullcontext

from studykit.cards.card import Card, Kind
from studykit.review.keymap import BESIDE, COMMANDS, Action, Keymap, Press, Stage, word_of
from studykit.review.preview import buttons_line
from studykit.review.session import Session
from studykit.terminal.plain_ui import PlainUi
from studykit.terminal.review_actions import ReviewServices, ask
from studykit.terminal.review_layout import ReviewStyle, keys_of, page_lines

_WORDS = {"": "enter", "quit": "q", "help": "?", "h": "?", "steps": "s"} | {
    name: next(key for key, does in BESIDE.items() if does is action) for name, action in COMMANDS.items()
}


class PlainReview:
    """Says each thing once, on a labeled line, and reads lines."""

    def __init__(
        self, session: Session, ui: PlainUi, style: ReviewStyle, keymap: Keymap, services: ReviewServices
    ) -> None:
        self._session = session
        self._ui = ui
        self._style = style
        self._keymap = keymap
        self._services = services
        self._number = 0
        self._shown: Card | None = None
        self._flashed: tuple[int, str] = (0, "")

    def run(self) -> None:
        """Run the session to its end."""
        session = self._session
        self._ui.say(f"Session: {session.left} card{'' if session.left == 1 else 's'}. Type help for commands.")
        while not session.over:
            state = session.state
            if state.card is not self._shown:
                self._number += 1
                self._introduce()
            if state.stage is Stage.EXERCISE:
                ask(session, self._ui, self._style, nullcontext, self._services)
                if session.state.card is not self._shown:
                    self._say_flash()
                    self._show_undone()
            else:
                self._one_line()

    def _introduce(self) -> None:
        session, card = self._session, self._session.state.card
        self._shown = card
        if card is None:
            return
        flag = " Flagged." if session.state.flagged else ""
        self._ui.say(f"Card {self._number}. {session.left} left. Deck: {self._style.deck_of(card)}.{flag}")
        if self._session.state.stage is not Stage.EXERCISE:
            self._ui.words("Question", card.prompt)

    def _one_line(self) -> None:
        session = self._session
        if session.state.stage is Stage.QUESTION:
            self._ui.say("Press Enter for the answer.")
        else:
            self._ui.say(self._grades())
        session.pause()
        text = self._ui.ask()
        if text is None:
            session.act(Action.QUIT)
            return
        word = text.strip().lower().removeprefix(":")
        press = self._keymap.press(_WORDS.get(word, word), session.state.stage)
        if press is None:
            self._ui.say(f"{text.strip()} is not a command. Type help for commands.")
        else:
            self._act(press)

    def _act(self, press: Press) -> None:
        session = self._session
        before = session.state
        match press:
            case Action.HELP:
                for key, does in keys_of(self._style).items():
                    self._ui.say(f"{key.replace('space', 'Enter')}: {does}.")
                return
            case Action.INFO | Action.WHY:
                self._page(press)
                return
            case Action.STEPS if before.asked is not None and before.asked.steps:
                self._ui.tell(before.asked.steps)
                return
            case Action.EDIT if before.card is not None:
                session.reread(*self._services.edit(before.card))
            case Action.ACCEPT if session.suggested is not None:
                session.act(session.suggested)  # a line is typed on purpose: no guard
            case Action.ACCEPT:
                session.skip("")
            case _:
                session.act(press)
        self._say_flash()
        if session.state.stage is Stage.ANSWER and before.stage is Stage.QUESTION:
            self._answer()
        elif press is Action.UNDO:
            self._show_undone()

    def _show_undone(self) -> None:
        if self._session.state.stage is Stage.ANSWER:
            self._introduce()
            self._answer()

    def _page(self, which: Action) -> None:
        for words in filter(None, page_lines(self._session, self._style, which)):
            self._ui.say(words.strip())

    def _say_flash(self) -> None:
        flash = self._session.state.flash
        now = (self._session.state.turn, flash)
        if flash and now != self._flashed:
            is_saved = now[0] > self._flashed[0]
            self._ui.say(f"Saved: {flash}. Type u to undo." if is_saved else f"{flash}.")
        self._flashed = now

    def _answer(self) -> None:
        card = self._session.state.card
        if card is None or self._session.state.asked is not None:
            return
        from studykit.review.typed_answer import shown

        self._ui.words("Answer", shown(card))
        if card.kind is Kind.CLOZE and card.full:
            self._ui.words("In full", card.full)

    def _grades(self) -> str:
        session, buttons = self._session, self._style.buttons
        outcome = session.state.asked
        if session.suggested is None:
            message = f"{outcome.message}. " if outcome and outcome.message else ""
            return f"{message}It stays due. Press Enter to go on."
        pairs = [(button.key, f"{button.word}.") for button in buttons]
        if self._style.intervals:
            pairs = buttons_line(session.state.memory, session.today(), buttons, session.fsrs)
        grades = " ".join(f"{key} {word}" if word[-1] in ",." else f"{key} {word}." for key, word in pairs)
        suggested = next((button.key for button in buttons if button.grade is session.suggested), "")
        return f"Grade. {grades} Enter means {suggested or word_of(session.suggested)}."
