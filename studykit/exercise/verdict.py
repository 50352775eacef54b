"""What a grader can say of an answer; `scheduling.outcomes` says what it counts as."""

from dataclasses import dataclass, field
from typing import ClassVar

from studykit.scheduling import outcomes


@dataclass(frozen=True, slots=True)
class _Reasoned:
    """A verdict that is nothing but its reason."""

    why: str


@dataclass(frozen=True, slots=True)
class Correct:
    """Right, within the tolerance that the question stated."""

    name: ClassVar[str] = outcomes.RIGHT


@dataclass(frozen=True, slots=True)
class Close:
    """Within twice the tolerance: right in its method, careless in its rounding."""

    name: ClassVar[str] = outcomes.CLOSE
    factor: float  # answer / right value


@dataclass(frozen=True, slots=True)
class Incorrect:
    """Wrong, and by what factor or why; the slips that explain it are the judgment's."""

    name: ClassVar[str] = outcomes.INCORRECT
    factor: float | None = None  # None where no number was compared: wrong dimension, code
    why: str = ""


class Malformed(_Reasoned):
    """The answer cannot be read; it is asked again and no attempt is spent."""

    name: ClassVar[str] = "malformed"
    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A snippet used up its time."""

    name: ClassVar[str] = outcomes.TIMED_OUT
    seconds: float
    of_cpu: bool = field(default=False, compare=False)  # its processor's time, not the clock's; the same verdict


@dataclass(frozen=True, slots=True)
class Crashed:
    """A snippet ended without an answer."""

    name: ClassVar[str] = outcomes.CRASHED
    why: str
    killed: bool = False  # by a signal that may be no doing of the snippet's


class Refused(_Reasoned):
    """A snippet tried what it may not, or claims what cannot be."""

    name: ClassVar[str] = outcomes.REFUSED
    __slots__ = ()


class NotScored(_Reasoned):
    """Nothing was judged, through no fault of the learner: the machine is busy, a tool is missing."""

    name: ClassVar[str] = "not_scored"
    __slots__ = ()


Verdict = Correct | Close | Incorrect | Malformed | TimedOut | Crashed | Refused | NotScored
Ending = TimedOut | Crashed | Refused
"""How a snippet ended that gave no answer."""
