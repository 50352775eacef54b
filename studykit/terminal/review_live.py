"""A review by single keys, on a screen of its own or below the prompt."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from studykit.cards.card import Card
from studykit.errors import StudyError
from studykit.review.keymap import Action, Keymap, Press, Stage
from studykit.review.session import Session
from studykit.terminal.inline_ui import InlineUi
from studykit.terminal.input.keys import Key
from studykit.terminal.input.line_editor import LineBuffer, read_line
from studykit.terminal.input.tty import Terminal
from studykit.terminal.review_layout import ReviewStyle, answer_row, body, foot, head
from studykit.terminal.screen import Screen, ScreenContent, Viewport
from studykit.terminal.screen_ui import ExercisePage, ScreenUi
from studykit.terminal.spans import Span, StyledLine, line
from studykit.ui import Asker, ExerciseOutcome, Ui

_PROMPT = "your answer> "


@dataclass(frozen=True, slots=True)
class ReviewServices:
    """What a review needs from outside while it runs."""

    edit: Callable[[Card], tuple[Card | None, str]]
    asker: Callable[[Card], Asker]
    seed: Callable[[], int]
    skipped: list[str] = field(default_factory=list)  # sentences about exercises that could not be asked


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


def review(session: Session, view: View, terminal: Terminal, keymap: Keymap, services: ReviewServices) -> None:
    """Run the session to its end."""
    while not session.over:
        state = session.state
        if state.stage is Stage.EXERCISE:
            ask(session, view.ui, services)
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
                act(session, press, terminal, services)


def ask(session: Session, ui: Ui, services: ReviewServices) -> None:
    """Put an exercise card to the learner; one that cannot be asked here is passed over with a sentence."""
    card = session.state.card
    if card is None:
        return
    try:
        asked = services.asker(card)(card, ui, services.seed())
    except StudyError as error:
        services.skipped.append(str(error))
        session.skip(str(error))
    else:
        session.asked(asked)


def act(session: Session, press: Press, terminal: Terminal, services: ReviewServices) -> None:
    """One action; the editor is opened here, since it needs the terminal."""
    if press is Action.EDIT and session.state.card is not None:
        with terminal.away():
            card, message = services.edit(session.state.card)
        session.reread(card, message)
    else:
        session.act(press)


class ScreenView:
    """The whole screen, drawn anew at each change."""

    def __init__(self, screen: Screen, ui: ScreenUi, style: ReviewStyle) -> None:
        self._screen = screen
        self._style = style
        self._ui = ui
        self._turned: tuple[object, ...] = ()
        self._kept: list[tuple[ExerciseOutcome, ExercisePage]] = []

    @property
    def ui(self) -> Ui:
        """For exercises."""
        return self._ui

    def show(self, session: Session) -> None:
        """Draw the session."""
        state, rows = session.state, foot(session, self._style, self._screen.columns)
        viewport = self._draw(session, rows)
        turned = (state.card, state.stage, state.revealed_ms)
        if state.stage is Stage.ANSWER and turned != self._turned and viewport.furthest:
            row = answer_row(session, self._style, self._screen.columns)
            session.scroll_to(viewport.furthest if row is None else row - 1)
            viewport = self._draw(session, rows)
        self._turned = turned
        if session.state.scroll > viewport.furthest:
            session.scroll_to(viewport.furthest)

    def type_in(self, session: Session) -> str | None:
        """A line typed at the foot."""

        def draw(draft: LineBuffer) -> None:
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

    def _page(self, asked: ExerciseOutcome | None) -> Sequence[StyledLine]:
        for kept, page in reversed(self._kept):
            if kept is asked:
                return page.lines(self._screen.columns - 4, self._style.notation)
        return []

    def _draw(
        self, session: Session, rows: list[StyledLine], *, cursor_after: StyledLine | None = None
    ) -> Viewport:
        columns = self._screen.columns
        asked = self._page(session.state.asked)
        content = ScreenContent(
            [head(session, self._style, columns)], body(session, self._style, columns, asked), rows
        )
        return self._screen.draw(content, session.state.scroll, cursor_after=cursor_after)


class InlineView:
    """Below the prompt: what is new is printed, nothing is taken away."""

    def __init__(self, terminal: Terminal, ui: InlineUi, style: ReviewStyle) -> None:
        self._terminal = terminal
        self._style = style
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
            rows = body(session, self._style, columns, [])
            self._ui.put([(), head(session, self._style, columns), *rows])
        self._ui.put(foot(session, self._style, columns))

    def type_in(self, session: Session) -> str | None:
        """A line typed below the question."""
        self.show(session)
        self._terminal.write("\r\n")

        def draw(draft: LineBuffer) -> None:
            self._terminal.write(f"\r\x1b[K{_PROMPT}{draft.text[-self._ui.width + len(_PROMPT) + 1 :]}")

        text = read_line(self._terminal.keys, draw)
        self._terminal.write("\r\n")
        return text
