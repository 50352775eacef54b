"""Show a notice while the program works, but only if that takes a moment."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from studykit.terminal.input.keys import HangupError

LATE_S = 0.3


@contextmanager
def late_notice(
    draw: Callable[[], None], clear: Callable[[], None], changes: Callable[[], int] = lambda: 0
) -> Iterator[None]:
    """Draw a notice if the body takes long, and clear it at the end. The body must not draw.

    The notice is drawn again when `changes` returns another number, as after a resize or Ctrl-Z.
    """
    import threading

    is_drawn, has_ended = threading.Event(), threading.Event()

    def draw_late() -> None:
        last_change: int | None = None
        with suppress(HangupError):  # the body finds out by itself
            while not has_ended.wait(LATE_S):
                if last_change != (now := changes()):
                    last_change = now
                    is_drawn.set()
                    draw()

    thread = threading.Thread(target=draw_late, daemon=True)
    thread.start()
    try:
        yield
    finally:
        has_ended.set()
        thread.join()  # first, or the thread could draw the notice after it was cleared
        if is_drawn.is_set():
            clear()
