"""What the log keeps of rewrites, and tells the next one: tries left open, lines typed."""

from typing import TYPE_CHECKING

from studykit.exercise.rewrite.rewrite import Rewrite, as_line
from studykit.scheduling.events import Showing

if TYPE_CHECKING:
    from studykit.store.store import Store

RECALLED = 20
"""Answers to a rewrite that the up key brings back."""


def showing_of(task: Rewrite, seed: int, answer: str, verdict: str) -> Showing:
    """What the log keeps of an answer."""
    return Showing(task.id, task.version, seed, "{}", answer, verdict)


def lines(store: "Store", task: Rewrite) -> list[str]:
    """The learner's last answers of one line to a rewrite, oldest first, as they can be typed."""
    showings = [event.showing for event in store.log.showings(task.id, last=RECALLED) if event.showing is not None]
    return list(dict.fromkeys(line for one in reversed(showings) if (line := as_line(task, one.answer))))
