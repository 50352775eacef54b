"""How far a long piece of work is: a bar with what is left on standard error, on a terminal only.

A verb says `with progress(context, "importing", total) as bar:` and `bar.advance()` for each part that is done.
Nothing is drawn, and Rich is not loaded, for work that ends soon.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from studykit.terminal.mode import Style

_SOON_S = 0.7  # what ends sooner shows no bar
_REDRAW_S = 0.1
_PLAIN_S = 10.0  # between the lines of plain mode


class MessageStream(Protocol):
    """Standard error as a run has it: the part of its context that a bar needs."""

    stderr: TextIO
    bar_shown: bool  # a message takes the place of the bar's line

    @property
    def messages_on_terminal(self) -> bool:
        """Whether somebody watches it."""

    @property
    def plain(self) -> bool:
        """Whether sentences are wanted in the place of drawings."""

    @property
    def style(self) -> "Style":
        """The colours and signs that may be written."""

    def tell(self, text: str, /) -> None:
        """Write a message."""

    def spelled(self, text: str, /) -> str:
        """The text as it may be written."""


class ProgressBar:
    """The state of some work, told by whoever does it and read by whoever shows it."""

    def __init__(self, what: str, total: int | None) -> None:
        self.what = what
        self.done = 0
        self.total = total  # None: nobody knows; the time passed is shown

    def advance(self, parts: int = 1) -> None:
        """So many parts more are done."""
        self.done += parts

    def reach(self, done: int, total: int | None = None, what: str | None = None) -> None:
        """So many parts are done in all; a total or a name that is given takes the place of the old one."""
        self.done = done
        self.total = self.total if total is None else total
        self.what = what or self.what

    @property
    def sentence(self) -> str:
        """The state in words."""
        return f"{self.what}: {self.done:,} of {self.total:,}" if self.total else f"{self.what} ..."


@contextmanager
def progress(context: MessageStream, what: str, total: int | None = None) -> Iterator[ProgressBar]:
    """Show how far `what` is, such as `importing`, until the block ends; `total` is how many parts it has."""
    bar = ProgressBar(what, total)
    if not context.messages_on_terminal:
        yield bar
        return
    ended = Event()
    shown = Thread(target=_show, args=(context, bar, ended), daemon=True)
    shown.start()
    try:
        yield bar
    finally:
        ended.set()
        shown.join()


@contextmanager
def counting(context: MessageStream, what: str, total: int) -> Iterator[Callable[[int], object]]:
    """The same for rooms that know no bar: what is to be told how many parts more are done."""
    with progress(context, what, total) as bar:
        yield bar.advance


def _show(context: MessageStream, bar: ProgressBar, ended: Event) -> None:
    if ended.wait(_SOON_S):
        return
    if context.plain:
        _tell(context, bar, ended)
    else:
        _draw(context, bar, ended)


def _draw(context: MessageStream, bar: ProgressBar, ended: Event) -> None:
    from studykit.cli.rich_progress import progress_display

    style = context.style
    with progress_display(context.stderr, colour=style.colour, ascii_only=style.ascii) as display:
        task = display.add_task("", total=None)
        context.bar_shown = True
        while True:
            what = context.spelled(bar.what)
            display.update(task, description=what, completed=bar.done, total=bar.total, refresh=True)
            if ended.wait(_REDRAW_S):
                break
    context.bar_shown = False


def _tell(context: MessageStream, bar: ProgressBar, ended: Event) -> None:
    """Lines that a screen reader can follow."""
    while True:
        context.tell(bar.sentence)
        if ended.wait(_PLAIN_S):
            return
