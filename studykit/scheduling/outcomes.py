"""What a verdict on an exercise counts as, by its name in the log: grade, points, whether it was right at once."""

from studykit.scheduling.recall_grade import Grade

RIGHT, CLOSE = "correct", "close"
INCORRECT, TIMED_OUT, CRASHED, REFUSED = "incorrect", "timed_out", "crashed", "refused"
WRONG = frozenset({INCORRECT, TIMED_OUT, CRASHED, REFUSED})
"""The rest, `malformed` and `not_scored`, judge nothing."""
JUDGED = frozenset({RIGHT, CLOSE, *WRONG})
WORDS = {RIGHT: "right", CLOSE: "close"}
"""What a learner is told of a judged answer; of any other that it is wrong."""
_LAST_TRY = 2  # that still counts


def suggested_grade(verdict: str, tries: int = 1, hints: int = 0) -> Grade | None:
    """Right at once is good; with hints, close, or at the second try hard; else again; None: not graded.

    `tries` counts the graded attempts, this one included. Time never decides.
    """
    if verdict == RIGHT and tries == 1 and not hints:
        return Grade.GOOD
    if verdict in {RIGHT, CLOSE} and tries <= _LAST_TRY:
        return Grade.HARD
    return Grade.AGAIN if verdict in JUDGED else None


def points(verdict: str) -> float:
    """A point for right, half a point for close."""
    return {RIGHT: 1.0, CLOSE: 0.5}.get(verdict, 0.0)


def right_at_once(verdict: str, grade: int | None) -> bool:
    """Whether an answer was right at the first try without a hint: judged right and graded good or easy.

    A card that its learner marks has no verdict; code graded from a file has no grade.
    """
    if grade is None:
        return verdict == RIGHT
    return verdict in {RIGHT, ""} and grade >= Grade.GOOD
