"""Ctrl-C in the middle of a practice or a quiz: what is kept, and how to go on."""

from collections.abc import Iterator
from contextlib import contextmanager

from studykit.cli.context import Context
from studykit.cli.exit import INTERRUPTED
from studykit.scheduling.events import EventKind
from studykit.text import counted


@contextmanager
def resumable(context: Context, again: str) -> Iterator[None]:
    """End the run with one line and the code of an interruption, once the terminal has been given back."""
    try:
        yield
    except KeyboardInterrupt:
        recorded = context.store.log.recorded
        saved = recorded[EventKind.PRACTICE] + recorded[EventKind.QUIZ]
        context.tell(f"{counted(saved, 'answer')} saved. Go on with: {again}")
        raise SystemExit(INTERRUPTED) from None
