"""Map each verdict's name in the log to its grade, its points and whether it was right at once."""

from studykit.scheduling.recall_grade import Grade

RIGHT, CLOSE = "correct", "close"
LATE = "late"  # right, but not at the first try, or with a hint or the answer seen
SKIPPED = "skipped"  # the answer was shown before any try
INCORRECT, TIMED_OUT, CRASHED, REFUSED = "incorrect", "timed_out", "crashed", "refused"
MALFORMED, NOT_SCORED = "malformed", "not_scored"
WRONG = frozenset({INCORRECT, TIMED_OUT, CRASHED, REFUSED})
"""Verdicts of a wrong answer. `malformed`, `not_scored` and `skipped` judge no answer."""
JUDGED = frozenset({RIGHT, LATE, CLOSE, *WRONG})
WORDS = {RIGHT: "right", LATE: "right", CLOSE: "close", SKIPPED: "skipped", NOT_SCORED: "not scored"}
"""The word for a verdict; any other judged answer is wrong."""
SIGNS = {RIGHT: "✓", LATE: "≈", CLOSE: "≈", SKIPPED: "·", NOT_SCORED: "·"}
_MAX_TRIES = 2  # for a grade better than again


def sign_of(verdict: str) -> str:
    """Return the sign of a finished question: a tick only if its first answer was right."""
    return SIGNS.get(verdict, "✗")


def is_right(verdict: str) -> bool:
    """Return whether the question ended with a right answer, at whichever try."""
    return verdict in {RIGHT, LATE}


def is_recalled(verdict: str) -> bool:
    """Return whether the first judged answer was right or close."""
    return verdict in {RIGHT, CLOSE}


def is_missed(verdict: str) -> bool:
    """Return whether the question ended without an answer that was right or close."""
    return verdict in WRONG or verdict == SKIPPED


def suggested_grade(verdict: str, tries: int = 1, hints: int = 0) -> Grade | None:
    """Suggest good if right at once, hard if right or close within two tries, and else again.

    Return None for a verdict that gets no grade. `tries` counts the graded attempts, this one included.
    Time never decides.
    """
    if verdict == RIGHT and tries == 1 and not hints:
        return Grade.GOOD
    if verdict in {RIGHT, LATE, CLOSE} and tries <= _MAX_TRIES:
        return Grade.HARD
    return Grade.AGAIN if verdict in {*JUDGED, SKIPPED} else None


def points(verdict: str) -> float:
    """Return one point for a right answer, half a point for a close one, and else none."""
    return {RIGHT: 1.0, LATE: 1.0, CLOSE: 0.5}.get(verdict, 0.0)


def right_at_once(verdict: str, grade: int | None) -> bool:
    """Return whether an answer was right at the first try without a hint: judged right and graded good or easy.

    A card that its learner marks has no verdict; code graded from a file has no grade.
    """
    if grade is None:
        return verdict == RIGHT
    return verdict in {RIGHT, ""} and grade >= Grade.GOOD
