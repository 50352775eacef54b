"""Show the views of `study stats` on a screen, and switch them by keys."""

from studykit.cli.commands.stats_views import VIEWS, StatsFigures
from studykit.cli.context import Context
from studykit.cli.display import open_screen
from studykit.cli.drawing import Drawing
from studykit.terminal.input.keys import HangupError
from studykit.terminal.screen import SCROLL_ROWS, Screen, ScreenContent
from studykit.terminal.screen_ui import choices_line
from studykit.terminal.spans import ACCENT, Span, StyledLine, TextStyle, width, wrap

_QUIT = frozenset(("q", "Q", "esc", "ctrl-d"))
_NEXT = frozenset(("right", "l", "tab", "space", "n", "enter"))
_BEFORE = frozenset(("left", "h", "p", "backspace"))
_NAMES = [*VIEWS]
_KEYS = {f"1-{len(VIEWS)}": "view", "j\u00a0k": "scroll", "q": "quit"}


def show(context: Context, figures: StatsFigures) -> None:
    """Show the views on this terminal until the learner leaves."""
    with open_screen(context) as screen:
        StatsScreen(context, screen, figures).run()


class StatsScreen:
    """Show the views on a screen, and draw each only once for a width."""

    def __init__(self, context: Context, screen: Screen, figures: StatsFigures) -> None:
        self._context = context
        self._screen = screen
        self._figures = figures
        self._view = 0
        self._scroll = 0
        self._cache: dict[tuple[int, int], list[StyledLine]] = {}

    def run(self) -> None:
        """Show views until the learner leaves."""
        while True:
            furthest = self._screen.draw(self._content(), self._scroll).furthest
            self._scroll = min(self._scroll, furthest)
            try:
                key = self._screen.terminal.keys.read()
            except HangupError:
                return
            if key is not None and key.name in _QUIT:
                return
            self._follow(key.name if key is not None else "")

    def _follow(self, key: str) -> None:
        if key in _NEXT or key in _BEFORE:
            self._view, self._scroll = (self._view + (1 if key in _NEXT else -1)) % len(VIEWS), 0
        elif key.isdecimal() and 1 <= int(key) <= len(VIEWS):
            self._view, self._scroll = int(key) - 1, 0
        else:
            self._scroll = max(0, self._scroll + SCROLL_ROWS.get(key, 0))

    def _content(self) -> ScreenContent:
        columns = self._screen.columns
        foot = wrap(choices_line([*_KEYS.items()]), columns)
        return ScreenContent(head=[self._tabs(columns)], body=self._body(columns), foot=foot, back="k")

    def _body(self, columns: int) -> list[StyledLine]:
        if (self._view, columns) not in self._cache:
            drawing = Drawing(self._context, columns=columns)
            self._cache[self._view, columns] = drawing.lines(*VIEWS[_NAMES[self._view]](drawing, self._figures))
        return self._cache[self._view, columns]

    def _tabs(self, columns: int) -> StyledLine:
        """Return the names of all views with their keys, or only the current one if room lacks."""
        tabs: list[Span] = []
        for place, name in enumerate(_NAMES):
            here = place == self._view
            tabs += [Span(f"{place + 1} ", ACCENT if here else TextStyle.BOLD)]
            tabs += [Span(name, ACCENT if here else TextStyle.PLAIN), Span(" ")]
        if width(tabs[:-1]) <= columns:
            return tuple(tabs[:-1])
        return (Span(_NAMES[self._view], ACCENT), Span(f"  {self._view + 1} of {len(VIEWS)}"))
