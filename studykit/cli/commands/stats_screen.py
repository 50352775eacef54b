"""Show the views of `study stats` on a screen, and switch them by keys."""

from functools import cache

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
        show_views(context, screen, figures)


def show_views(context: Context, screen: Screen, figures: StatsFigures) -> None:
    """Show the views on a screen until the learner leaves. Each is drawn only once for a width."""

    @cache
    def lines(view: int, columns: int) -> list[StyledLine]:
        drawing = Drawing(context, columns=columns)
        return drawing.lines(*VIEWS[_NAMES[view]](drawing, figures))

    view = scroll = 0
    while True:
        columns = screen.columns
        foot = wrap(choices_line([*_KEYS.items()]), columns)
        content = ScreenContent(head=[_tabs(view, columns)], body=lines(view, columns), foot=foot, back="k")
        scroll = min(scroll, screen.draw(content, scroll).furthest)
        try:
            event = screen.terminal.keys.read()
        except HangupError:
            return
        key = "" if event is None else event.name
        if key in _QUIT:
            return
        if key in _NEXT or key in _BEFORE:
            view, scroll = (view + (1 if key in _NEXT else -1)) % len(VIEWS), 0
        elif key.isdecimal() and 1 <= int(key) <= len(VIEWS):
            view, scroll = int(key) - 1, 0
        else:
            scroll = max(0, scroll + SCROLL_ROWS.get(key, 0))


def _tabs(view: int, columns: int) -> StyledLine:
    """Return the names of all views with their keys, or only the current one if they do not fit."""
    tabs: list[Span] = []
    for place, name in enumerate(_NAMES):
        tabs += [Span(f"{place + 1} ", ACCENT if place == view else TextStyle.BOLD)]
        tabs += [Span(name, ACCENT if place == view else TextStyle.PLAIN), Span(" ")]
    if width(tabs[:-1]) <= columns:
        return tuple(tabs[:-1])
    return (Span(_NAMES[view], ACCENT), Span(f"  {view + 1} of {len(VIEWS)}"))
