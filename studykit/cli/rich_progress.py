"""A progress bar as Rich draws it, in one line; loaded by `progress_bar` once some work has lasted."""

from typing import TextIO

from rich.progress import BarColumn, Progress, ProgressColumn, Task
from rich.text import Text

from studykit.cli.rich_console import TextConsole
from studykit.text import terminal_columns

_NARROW, _SHORT_BAR = 60, 6
_MINUTE_S, _HOUR_S = 60, 3600


def progress_display(stream: TextIO, *, colour: bool, ascii_only: bool) -> Progress:
    """A bar on the stream's terminal; it is drawn by `refresh` alone and leaves nothing behind."""
    columns = terminal_columns(stream)
    console = TextConsole(stream, columns=columns, colour=colour, ascii_only=ascii_only)
    narrow = columns is not None and columns < _NARROW
    return Progress(
        _NameColumn(),
        BarColumn(bar_width=_SHORT_BAR if narrow else None),
        _CountColumn(short=narrow),
        console=console,
        auto_refresh=False,
        transient=True,
        expand=True,
    )


class _CountColumn(ProgressColumn):
    """How much is done, and how long the rest will take: `120 of 400, 12 s left`; a share where it is short."""

    def __init__(self, *, short: bool) -> None:
        super().__init__()
        self._short = short

    def render(self, task: Task) -> Text:
        passed = task.elapsed or 0.0
        if not task.total:
            return Text(duration(passed), no_wrap=True)
        count = f"{task.completed:,.0f} of {task.total:,.0f}"
        if self._short:
            count = f"{task.completed / task.total:.0%}"
        if not 0 < task.completed < task.total:
            return Text(count, no_wrap=True)
        left = passed * (task.total - task.completed) / task.completed
        return Text(f"{count}, {duration(left)} left", no_wrap=True)


class _NameColumn(ProgressColumn):
    """What is going on."""

    def render(self, task: Task) -> Text:
        return Text(task.description, no_wrap=True, overflow="ellipsis")


def duration(seconds: float) -> str:
    """Seconds in words of one unit: `12 s`, `3 min`, `2 h`."""
    if seconds < 2 * _MINUTE_S:
        return f"{seconds:.0f} s"
    if seconds < 2 * _HOUR_S:
        return f"{seconds / _MINUTE_S:.0f} min"
    return f"{seconds / _HOUR_S:.0f} h"
