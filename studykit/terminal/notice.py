"""A word that the program is at work, shown only where that takes a moment, and taken away again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from studykit.terminal.input.keys import HangupError

LATE_S = 0.3


@contextmanager
def late_notice(draw: Callable[[], None], clear: Callable[[], None]) -> Iterator[None]:
    """Draw a notice where the body takes long, and clear it at its end; nobody else draws meanwhile."""
    import threading

    drawn = threading.Event()

    def draw_late() -> None:
        with suppress(HangupError):  # the body finds out by itself
            drawn.set()
            draw()

    timer = threading.Timer(LATE_S, draw_late)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if drawn.is_set():
            clear()
