"""Define the kinds of events and the profiles of answers. A shell prompt loads this file, so it imports little."""

from enum import StrEnum


class EventKind(StrEnum):
    """Name what a learner did."""

    ANSWER = "answer"
    PRACTICE = "practice"  # an exercise outside the queue
    QUIZ = "quiz"
    BET = "bet"
    UNDO = "undo"
    SUSPEND = "suspend"
    UNSUSPEND = "unsuspend"
    BURY = "bury"
    UNBURY = "unbury"
    FLAG = "flag"
    UNFLAG = "unflag"
    RELINK = "relink"
    IMPORT = "import"
    ADOPT = "adopt"  # the state of a card in another program, which its schedule goes on from
    RESET = "reset"


UNDOABLE = frozenset(EventKind) - {EventKind.UNDO, EventKind.RELINK, EventKind.IMPORT}
"""What a learner did with a card, which can be taken back; the rest is bookkeeping."""

FSRS = "fsrs-6"
FSRS_AHEAD = f"{FSRS} ahead"
"""Profiles of an answer that FSRS scheduled, and of one that is not a review: early, or again on the due day."""

RECALLED, MISSED = " recalled", " missed"
"""Added to the profile of an answer whose first judged try says otherwise than its grade.

Retention goes by the try, the schedule by the grade."""


def undone_id(target: str) -> bytes:
    """Return the bytes of the event id that an undo names, or b"" if its target is not an id."""
    try:
        return bytes.fromhex(target.replace("-", ""))
    except ValueError:
        return b""
