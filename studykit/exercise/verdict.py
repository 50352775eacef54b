"""Define the verdicts of graders. `scheduling.outcomes` defines what each one counts as."""

from dataclasses import dataclass, field
from typing import ClassVar

from studykit.scheduling import outcomes


@dataclass(frozen=True, slots=True)
class _Reasoned:
    """Hold the reason of a verdict that consists of nothing else."""

    why: str


@dataclass(frozen=True, slots=True)
class Correct:
    """Say that an answer is right, or near enough to count as right."""

    name: ClassVar[str] = outcomes.RIGHT


@dataclass(frozen=True, slots=True)
class Close:
    """Say that an answer is nearly right: an estimate within twice its tolerance, a bet within a factor of 4."""

    name: ClassVar[str] = outcomes.CLOSE
    factor: float  # answer / right value


@dataclass(frozen=True, slots=True)
class Incorrect:
    """Say that an answer is wrong, by a factor or for a reason. The judgment holds the slips that explain it."""

    name: ClassVar[str] = outcomes.INCORRECT
    factor: float | None = None  # None where no number was compared: wrong dimension, code
    why: str = ""


class Malformed(_Reasoned):
    """Say that an answer is unreadable. The question is asked again without using up a try."""

    name: ClassVar[str] = "malformed"
    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TimedOut:
    """Say that a snippet exceeded its time limit."""

    name: ClassVar[str] = outcomes.TIMED_OUT
    seconds: float
    of_cpu: bool = field(default=False, compare=False)  # its processor's time, not the clock's; the same verdict


@dataclass(frozen=True, slots=True)
class Crashed:
    """Say that a snippet ended without an answer."""

    name: ClassVar[str] = outcomes.CRASHED
    why: str
    killed: bool = False  # by a signal that may be no doing of the snippet's


class Refused(_Reasoned):
    """Say that a snippet did something forbidden, or claims something impossible."""

    name: ClassVar[str] = outcomes.REFUSED
    __slots__ = ()


class NotScored(_Reasoned):
    """Say that nothing was judged, for instance because the machine was busy."""

    name: ClassVar[str] = "not_scored"
    __slots__ = ()


Verdict = Correct | Close | Incorrect | Malformed | TimedOut | Crashed | Refused | NotScored
Ending = TimedOut | Crashed | Refused
"""How a snippet ended that gave no answer."""
