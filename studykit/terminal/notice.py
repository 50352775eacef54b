"""A word that the program is at work, shown only where that takes a moment, and taken away again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from studykit.terminal.input.keys import HangupError

LATE_S = 0.3


@contextmanager
def late_notice(
    draw: Callable[[], None], clear: Callable[[], None], changes: Callable[[], int] = lambda: 0
) -> Iterator[None]:
    """Draw a notice where the body takes long, and clear it at its end; nobody else draws meanwhile.

    It is drawn again where `changes` of the terminal have become more: resized, or taken again after Ctrl-Z.
    """
    import threading

    drawn, ended = threading.Event(), threading.Event()

    def draw_late() -> None:
        seen: int | None = None
        with suppress(HangupError):  # the body finds out by itself
            while not ended.wait(LATE_S):
                if seen != (now := changes()):
                    seen = now
                    drawn.set()
                    draw()

    thread = threading.Thread(target=draw_late, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        if drawn.is_set():
            clear()
