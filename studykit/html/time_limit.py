"""Ends what an author's template computes without end."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_REPEAT_S = 0.2  # in case something on the way caught the first one


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError inside once this process has computed for `seconds`; only in the main thread."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _end)  # of computing: a busy machine is not to blame
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _REPEAT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _end(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError
