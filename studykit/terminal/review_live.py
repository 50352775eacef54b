"""A review by single keys, on a screen of its own or below the prompt."""

from collections.abc import Sequence
from typing import Protocol

from studykit.review.keymap import Action, Keymap, Press, Stage
from studykit.review.session import Session
from studykit.terminal.inline_ui import InlineUi
from studykit.terminal.input.keys import Key
from studykit.terminal.input.line_editor import Draft
from studykit.terminal.input.prompts import read_line
from studykit.terminal.input.tty import Terminal
from studykit.terminal.review_hooks import Hooks, ask
from studykit.terminal.review_layout import Ways, answer_row, body, foot, head
from studykit.terminal.screen import Frame, Laid, Screen
from studykit.terminal.screen_ui import Page, ScreenUi
from studykit.terminal.spans import Line, Span, line
from studykit.ui import ExerciseOutcome, Ui

_PROMPT = "your answer> "


class View(Protocol):
    """One way to show a session."""

    @property
    def ui(self) -> Ui:
        """For exercises."""

    def show(self, session: Session) -> None:
        """Bring what is seen up to date."""

    def type_in(self, session: Session) -> str | None:
        """The answer that the learner types; None when they would rather not."""

    def keep(self, asked: ExerciseOutcome) -> None:
        """Remember the page of an exercise that was just asked, for when undo brings it back."""


def review(session: Session, view: View, terminal: Terminal, keymap: Keymap, hooks: Hooks) -> None:
    """Run the session to its end."""
    while not session.over:
        state = session.state
        if state.stage is Stage.EXERCISE:
            ask(session, view.ui, hooks)
            if session.state.asked is not None:
                view.keep(session.state.asked)
        elif state.stage is Stage.TYPING:
            text = view.type_in(session)
            if text is None:
                session.act(Action.CLOSE)
            else:
                session.typed(text)
        else:
            view.show(session)
            key = terminal.keys.read() or Key("unknown")
            press = keymap.press(key.name, state.stage, page=state.page is not None)
            if press is not None:
                act(session, press, terminal, hooks)


def act(session: Session, press: Press, terminal: Terminal, hooks: Hooks) -> None:
    """One action; the editor is opened here, since it needs the terminal."""
    if press is Action.EDIT and session.state.card is not None:
        with terminal.away():
            card, message = hooks.edit(session.state.card)
        session.reread(card, message)
    else:
        session.act(press)


class ScreenView:
    """The whole screen, drawn anew at each change."""

    def __init__(self, screen: Screen, ui: ScreenUi, ways: Ways) -> None:
        self._screen = screen
        self._ways = ways
        self._ui = ui
        self._turned: tuple[object, ...] = ()
        self._kept: list[tuple[ExerciseOutcome, Page]] = []

    @property
    def ui(self) -> Ui:
        """For exercises."""
        return self._ui

    def show(self, session: Session) -> None:
        """Draw the session."""
        state, rows = session.state, foot(session, self._ways, self._screen.columns)
        laid = self._draw(session, rows)
        turned = (state.card, state.stage, state.revealed_ms)
        if state.stage is Stage.ANSWER and turned != self._turned and laid.furthest:
            row = answer_row(session, self._ways, self._screen.columns)
            session.scroll_to(laid.furthest if row is None else row - 1)
            laid = self._draw(session, rows)
        self._turned = turned
        if session.state.scroll > laid.furthest:
            session.scroll_to(laid.furthest)

    def type_in(self, session: Session) -> str | None:
        """A line typed at the foot."""

        def draw(draft: Draft) -> None:
            room = max(4, self._screen.columns - len(_PROMPT) - 2)
            start = max(0, draft.cursor - room)
            before = _PROMPT + draft.text[start : draft.cursor]
            typing = (Span(before), Span(draft.text[draft.cursor : start + room]))
            hint = line("enter compare   esc without typing")
            self._draw(session, [typing, hint, line(session.state.flash)], cursor_after=line(before))

        return read_line(self._screen.terminal.keys, draw)

    def keep(self, asked: ExerciseOutcome) -> None:
        """Remember the page of an exercise."""
        self._kept.append((asked, self._ui.page))

    def _page(self, asked: ExerciseOutcome | None) -> Sequence[Line]:
        found = next((page for kept, page in reversed(self._kept) if kept is asked), None)
        return found.lines(self._screen.columns - 4, self._ways.manner) if found is not None else []

    def _draw(self, session: Session, rows: list[Line], *, cursor_after: Line | None = None) -> Laid:
        columns = self._screen.columns
        asked = self._page(session.state.asked)
        frame = Frame([head(session, self._ways, columns)], body(session, self._ways, columns, asked), rows)
        return self._screen.draw(frame, session.state.scroll, cursor_after=cursor_after)


class InlineView:
    """Below the prompt: what is new is printed, nothing is taken away."""

    def __init__(self, terminal: Terminal, ui: InlineUi, ways: Ways) -> None:
        self._terminal = terminal
        self._ways = ways
        self._ui = ui
        self._shown: tuple[object, ...] = ()

    @property
    def ui(self) -> Ui:
        """For exercises."""
        return self._ui

    def keep(self, asked: ExerciseOutcome) -> None:
        """Nothing to do: what was printed is still there."""

    def show(self, session: Session) -> None:
        """Print the card where it or its side changed, then the keys."""
        state, columns = session.state, self._ui.width
        now = (state.card, state.stage, state.page, state.turn, state.flash, state.flagged)
        if now == self._shown:
            return
        turned = self._shown[:3] != now[:3] or self._shown[3] != now[3]
        self._shown = now
        if turned:
            rows = body(session, self._ways, columns, [])
            self._ui.put([(), head(session, self._ways, columns), *rows])
        self._ui.put(foot(session, self._ways, columns))

    def type_in(self, session: Session) -> str | None:
        """A line typed below the question."""
        self.show(session)
        self._terminal.write("\r\n")

        def draw(draft: Draft) -> None:
            self._terminal.write(f"\r\x1b[K{_PROMPT}{draft.text[-self._ui.width + len(_PROMPT) + 1 :]}")

        text = read_line(self._terminal.keys, draw)
        self._terminal.write("\r\n")
        return text
