"""What a grader can say of an answer, and the grade that it suggests."""

from dataclasses import dataclass, field
from typing import assert_never

from studykit.scheduling.sm2 import Grade


@dataclass(frozen=True, slots=True)
class Slip:
    """A known way to go wrong that explains an answer: a stable id and what to tell the learner."""

    id: str
    message: str


@dataclass(frozen=True, slots=True)
class Correct:
    """Right, within the tolerance that the question stated."""


@dataclass(frozen=True, slots=True)
class Close:
    """Within twice the tolerance: right in its method, careless in its rounding."""

    factor: float  # answer / right value


@dataclass(frozen=True, slots=True)
class Incorrect:
    """Wrong, with the slips that explain it; two when they tie for these numbers."""

    factor: float | None = None  # None where no number was compared: wrong dimension, code
    slips: tuple[Slip, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Malformed:
    """The answer cannot be read; it is asked again and no attempt is spent."""

    why: str


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A snippet used up its time."""

    seconds: float
    of_cpu: bool = field(default=False, compare=False)  # its processor's time, not that of the clock


@dataclass(frozen=True, slots=True)
class Crashed:
    """A snippet ended without an answer."""

    why: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A snippet tried what it may not, or claims what cannot be."""

    why: str


@dataclass(frozen=True, slots=True)
class NotScored:
    """Nothing was judged, through no fault of the learner: the machine is busy, a tool is missing."""

    why: str


_LAST_TRY = 2  # that still counts
Verdict = Correct | Close | Incorrect | Malformed | TimedOut | Crashed | Refused | NotScored

SPELLED: dict[type, str] = {
    Correct: "correct",
    Close: "close",
    Incorrect: "incorrect",
    Malformed: "malformed",
    TimedOut: "timed_out",
    Crashed: "crashed",
    Refused: "refused",
    NotScored: "not_scored",
}


def spelled(verdict: Verdict) -> str:
    """The verdict's name in the log and in JSON."""
    return SPELLED[type(verdict)]


def suggested_grade(verdict: Verdict, tries: int = 1, hints: int = 0) -> Grade | None:
    """Right at once is good; with hints, close, or at the second try hard; else again; None: not graded.

    `tries` counts the graded attempts, this one included. Time never decides.
    """
    match verdict:
        case Correct():
            if tries == 1 and hints == 0:
                return Grade.GOOD
            return Grade.HARD if tries <= _LAST_TRY else Grade.AGAIN
        case Close():
            return Grade.HARD if tries <= _LAST_TRY else Grade.AGAIN
        case Incorrect() | TimedOut() | Crashed() | Refused():
            return Grade.AGAIN
        case Malformed() | NotScored():
            return None
        case _:
            assert_never(verdict)
