"""Configure Rich: consoles with a run's width, colors and signs, and one theme.

Loading Rich takes 40 ms, so it is imported only where something is drawn, never before a first question, a shell
prompt's words or `--help`. Text of a deck or a learner goes in as `Text`, never as markup.
"""

from typing import TextIO

from rich.console import Console
from rich.theme import Theme

THEME = Theme(
    {
        "title": "bold",
        "key": "bold cyan",
        "chrome": "dim",  # rules and dots, never words: on Solarized faint words cannot be read
        "right": "bold green",
        "wrong": "bold red",
        "close": "bold magenta",  # yellow cannot be read on white
        "heat": "cyan",
        "bar.back": "dim",
        "bar.complete": "cyan",
        "bar.finished": "cyan",
        "bar.pulse": "cyan",
        "table.header": "none",
    }
)
"""Styles in the terminal's own 16 colors, which only repeat what a word or a sign says already."""

_ANYTHING = 1_000_000  # columns of a pipe: nothing is broken or cut there
_ROWS = 24


class TextConsole(Console):
    """Draw without hiding the cursor, and in ASCII if other characters cannot be shown."""

    def __init__(self, file: TextIO, *, columns: int | None, color: bool, ascii_only: bool) -> None:
        """Take the columns of the terminal, or None for a pipe, which gets neither styles nor line breaks."""
        self._ascii = ascii_only
        super().__init__(
            file=file,
            width=columns or _ANYTHING,
            height=_ROWS,
            force_terminal=columns is not None,
            force_interactive=columns is not None,
            force_jupyter=False,
            legacy_windows=False,
            color_system=None if columns is None else "standard",
            no_color=not color,
            theme=THEME,
            markup=False,
            emoji=False,
            highlight=False,
        )

    @property
    def encoding(self) -> str:
        """Return the encoding by which Rich chooses its boxes and bars."""
        return "ascii" if self._ascii else "utf-8"

    def show_cursor(self, show: bool = True) -> bool:
        """Do nothing, because a killed run could not show the cursor again."""
        return show
