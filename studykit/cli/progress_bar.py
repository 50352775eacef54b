"""Show the progress of long work as a bar on standard error, if that is a terminal.

A verb writes `with progress(context, "importing", total) as bar:` and `bar.advance()` for each part that is done.
Nothing is drawn, and Rich is not loaded, for work that ends soon.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from studykit.cli.console import Console
from studykit.text import duration, terminal_columns

_SOON_S = 0.7  # shorter work shows no bar
_REDRAW_S = 0.1
_PLAIN_S = 10.0  # between the lines of plain mode


class ProgressBar:
    """Hold how much of some work is done. The code that does the work sets it, and a thread shows it."""

    def __init__(self, what: str, total: int | None) -> None:
        self.what = what
        self.done = 0
        self.total = total  # None if unknown; then the elapsed time is shown

    def advance(self, parts: int = 1) -> None:
        """Count `parts` more as done."""
        self.done += parts

    def reach(self, done: int, total: int | None = None, what: str | None = None) -> None:
        """Set how many parts are done in all, and a new total or name if one is given."""
        self.done = done
        self.total = self.total if total is None else total
        self.what = what or self.what

    @property
    def sentence(self) -> str:
        """Return the state in words."""
        return f"{self.what}: {self.done:,} of {self.total:,}" if self.total else f"{self.what} ..."

    def amount(self, passed_s: float) -> str:
        """Return how much is done and the time left, such as `120 of 400, 12 s left`, or else the time passed."""
        if not self.total:
            return duration(passed_s)
        count = f"{self.done:,} of {self.total:,}"
        if not 0 < self.done < self.total:
            return count
        return f"{count}, {duration(passed_s * (self.total - self.done) / self.done)} left"


@contextmanager
def progress(context: Console, what: str, total: int | None = None) -> Iterator[ProgressBar]:
    """Show the progress of `what`, such as `importing`, until the block ends. `total` is its number of parts."""
    bar = ProgressBar(what, total)
    if not context.messages_on_terminal:
        yield bar
        return
    has_ended = Event()
    thread = Thread(target=_show, args=(context, bar, has_ended), daemon=True)
    thread.start()
    try:
        yield bar
    finally:
        has_ended.set()
        thread.join()


@contextmanager
def counting(context: Console, what: str, total: int) -> Iterator[Callable[[int], object]]:
    """Show progress, and yield a function that counts parts as done."""
    with progress(context, what, total) as bar:
        yield bar.advance


def _show(context: Console, bar: ProgressBar, has_ended: Event) -> None:
    if has_ended.wait(_SOON_S):
        return
    if context.plain:
        _write_lines(context, bar, has_ended)
    else:
        _draw(context, bar, has_ended)


def _draw(context: Console, bar: ProgressBar, has_ended: Event) -> None:
    """Draw one line on the terminal, which is removed when the work is done."""
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column

    from studykit.cli.drawing import TextConsole

    style, columns = context.style, terminal_columns(context.stderr)
    words = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis"))
    amount = TextColumn("{task.fields[amount]}", markup=False, table_column=Column(no_wrap=True))
    console = TextConsole(context.stderr, columns=columns, color=style.color, ascii_only=style.ascii)
    with Progress(
        words, BarColumn(bar_width=None), amount, console=console, auto_refresh=False, transient=True, expand=True
    ) as display:
        task = display.add_task("", total=None, amount="")
        start = time.monotonic()
        context.has_bar = True
        while True:
            amount_words = bar.amount(time.monotonic() - start)
            what = context.spelled(bar.what)
            display.update(
                task, description=what, completed=bar.done, total=bar.total, amount=amount_words, refresh=True
            )
            if has_ended.wait(_REDRAW_S):
                break
    context.has_bar = False


def _write_lines(context: Console, bar: ProgressBar, has_ended: Event) -> None:
    """Write the state now and every ten seconds, in lines that a screen reader can follow."""
    while True:
        context.tell(bar.sentence)
        if has_ended.wait(_PLAIN_S):
            return
