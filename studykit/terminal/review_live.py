"""A review by single keys on a screen of its own."""

from collections.abc import Sequence

from studykit.review.keymap import Keymap, Stage
from studykit.review.session import Session
from studykit.terminal.input.keys import Key
from studykit.terminal.input.tty import Terminal
from studykit.terminal.review_actions import ReviewServices, act, ask
from studykit.terminal.review_layout import ReviewStyle, body, flash_rows, foot, head, pinned
from studykit.terminal.screen import Screen, ScreenContent, Viewport
from studykit.terminal.screen_ui import ExercisePage, ScreenUi, verdict_row
from studykit.terminal.spans import StyledLine
from studykit.ui import ExerciseOutcome, Ui

_DOTS, _FEW_ROWS = 2, 6  # rows between question and answer, which a low screen needs for the answer


def review(
    session: Session, view: "ScreenView", terminal: Terminal, keymap: Keymap, services: ReviewServices
) -> None:
    """Run the session to its end."""
    view.begin(session)
    while not session.over:
        state = session.state
        if state.stage is Stage.EXERCISE:
            outcome = ask(session, view.ui, view.style, terminal.away, services)
            if outcome is not None:
                view.keep(outcome)
        else:
            view.show(session)
            session.pause()
            key = terminal.keys.read() or Key("unknown")
            press = keymap.press(key.name, state.stage, page=state.page is not None)
            if press is not None:
                act(session, press, terminal.away, services)


class ScreenView:
    """The whole screen, drawn anew at each change."""

    def __init__(self, screen: Screen, ui: ScreenUi, style: ReviewStyle) -> None:
        self._screen = screen
        self.style = style
        self._ui = ui
        self._turned: tuple[object, ...] = ()
        self._kept: list[tuple[ExerciseOutcome, ExercisePage]] = []

    @property
    def ui(self) -> Ui:
        """For exercises."""
        return self._ui

    def begin(self, session: Session) -> None:
        """Let exercises stand under the session's header."""
        self._ui.heading = lambda columns: head(session, self.style, columns)
        self._ui.news = lambda columns: flash_rows(session, columns)

    def show(self, session: Session) -> None:
        """Draw the session; what has turned up is shown from its start."""
        state = session.state
        content = self._content(session, foot(session, self.style, self._screen.columns))
        turned = (state.card, state.stage, state.revealed_ms)
        if state.stage is Stage.ANSWER and turned != self._turned:
            session.scroll_to(self._row_of_answer(session, self._screen.viewport(content)))
        self._turned = turned
        self._draw(session, content)

    def keep(self, outcome: ExerciseOutcome) -> None:
        """Remember the page of an exercise."""
        self._kept.append((outcome, self._ui.page))

    def _page(self, outcome: ExerciseOutcome | None) -> ExercisePage:
        return next((page for other, page in reversed(self._kept) if other is outcome), ExercisePage())

    def _row_of_answer(self, session: Session, viewport: Viewport) -> int:
        columns, notation = self._screen.columns, self.style.notation
        page = self._page(session.state.asked)
        question = page.question(columns - 4, notation)
        above = 0 if viewport.pinned else len(pinned(session, self.style, columns, question))
        if session.state.asked is None:
            return above + (_DOTS if viewport.room - viewport.pinned <= _FEW_ROWS else 0)
        before = page.dialogue(columns - 4, notation, until=page.fresh) if page.fresh else []
        fresh = len(before) + 1 if before else 0
        return above + fresh + verdict_row(page.dialogue(columns - 4, notation)[fresh:])

    def _draw(self, session: Session, content: ScreenContent, *, cursor_after: StyledLine | None = None) -> None:
        viewport = self._screen.draw(content, session.state.scroll, cursor_after=cursor_after)
        if session.state.scroll > viewport.furthest:
            session.scroll_to(viewport.furthest)

    def _content(self, session: Session, rows: Sequence[StyledLine]) -> ScreenContent:
        columns, notation = self._screen.columns, self.style.notation
        page = self._page(session.state.asked)
        return ScreenContent(
            [head(session, self.style, columns)],
            body(session, self.style, columns, page.dialogue(columns - 4, notation)),
            rows,
            pinned=pinned(session, self.style, columns, page.question(columns - 4, notation)),
            back="k",
        )
