"""Rich as this program uses it: consoles of a run's width, colours and signs, and one theme.

It takes 40 ms to load, so it is imported where something is drawn, and never on the way to a first question, to a
shell prompt's words or to `--help`. What a deck or a learner wrote goes in as `Text`, never as markup.
"""

from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task
from rich.text import Text
from rich.theme import Theme

from studykit.text import terminal_columns

if TYPE_CHECKING:
    from studykit.cli.context import Context

THEME = Theme(
    {
        "title": "bold",
        "key": "bold cyan",
        "chrome": "dim",  # bright black is invisible on some palettes
        "right": "bold green",
        "wrong": "bold red",
        "close": "bold magenta",  # yellow cannot be read on white
        "bar.back": "dim",
        "bar.complete": "cyan",
        "bar.finished": "cyan",
        "bar.pulse": "cyan",
        "table.header": "dim",
    }
)
"""The 16 colours of the learner's terminal alone; each only repeats what a word or a sign says already."""

_ANYTHING = 1_000_000  # columns of a pipe: nothing is broken or cut there
_ROWS = 24
_MINUTE_S, _HOUR_S = 60, 3600


class TextConsole(Console):
    """A console that hides no cursor, and that draws in ASCII where the run may write nothing else."""

    def __init__(self, file: TextIO, *, columns: int | None, colour: bool, ascii_only: bool) -> None:
        """`columns` are those of the terminal; None for a pipe, which takes neither styles nor line breaks."""
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
            no_color=not colour,
            theme=THEME,
            markup=False,
            emoji=False,
            highlight=False,
        )

    @property
    def encoding(self) -> str:
        """What Rich chooses its boxes and bars by."""
        return "ascii" if self._ascii else "utf-8"

    def show_cursor(self, show: bool = True) -> bool:
        """Leave the cursor alone: a run that is killed could not bring it back."""
        return show


def message_console(context: "Context") -> TextConsole:
    """The console of standard error."""
    style = context.style
    columns = terminal_columns(context.stderr)
    return TextConsole(context.stderr, columns=columns, colour=style.colour, ascii_only=style.ascii)


class _CountColumn(ProgressColumn):
    """How much is done, and how long the rest will take: `120 of 400, 12 s left`."""

    def render(self, task: Task) -> Text:
        passed = task.elapsed or 0.0
        if not task.total:
            return Text(duration(passed), no_wrap=True)
        count = f"{task.completed:,.0f} of {task.total:,.0f}"
        if not 0 < task.completed < task.total:
            return Text(count, no_wrap=True)
        left = passed * (task.total - task.completed) / task.completed
        return Text(f"{count}, {duration(left)} left", no_wrap=True)


class _NameColumn(ProgressColumn):
    """What is going on."""

    def render(self, task: Task) -> Text:
        return Text(task.description, no_wrap=True, overflow="ellipsis")


def progress_display(console: Console) -> Progress:
    """A bar in one line of the console; it is drawn by `refresh` alone and leaves nothing behind."""
    return Progress(
        _NameColumn(),
        BarColumn(bar_width=None),
        _CountColumn(),
        console=console,
        auto_refresh=False,
        transient=True,
        expand=True,
    )


def duration(seconds: float) -> str:
    """Seconds in words of one unit: `12 s`, `3 min`, `2 h`."""
    if seconds < 2 * _MINUTE_S:
        return f"{seconds:.0f} s"
    if seconds < 2 * _HOUR_S:
        return f"{seconds / _MINUTE_S:.0f} min"
    return f"{seconds / _HOUR_S:.0f} h"
