"""Score timing bets by how near they are to the measurement.

Distances are factors, so they are compared in log space, and measurement noise is forgiven.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from studykit.exercise.bet.bounds import Binds, Bounds, Ceilings, Count, bounds, floor
from studykit.exercise.verdict import Close, Correct, Incorrect, NotScored, Refused, Verdict
from studykit.quantity.formatting import seconds
from studykit.scheduling.recall_grade import Grade

EASY, GOOD, HARD = 1.25, 2.0, 4.0  # factors
TOO_NOISY = 1.5
FREE_SHARE = 0.8  # of the threads' time, which a free machine gives
DRIFT = 1.25
TRUSTED = 1.25  # how far under the floor a measurement may lie before it is refused
_CANARIES = {
    Binds.COMPUTE: ("canary_s", "seconds", DRIFT, "matrix products run"),
    Binds.MEMORY: ("stream_s", "stream_s", 1.2, "memory runs"),
    Binds.OVERHEAD: ("tiny_s", "tiny_s", 1.2, "small operations run"),
}
"""What tells how each reason does: a ceiling's name and a canary's, the drift allowed so that repeats agree within
1.25, and what runs in words."""


@dataclass(frozen=True, slots=True)
class Bet:
    """Hold a learner's bet, made before anything runs. A script may leave out what binds."""

    seconds: float
    binds: Binds | None = None
    low: float | None = None  # 80 % interval, seconds
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Canary:
    """Hold the times of work with a known cost, run around a measurement to check the machine."""

    seconds: float  # of one matmul
    cpu_per_wall: float  # processor time by the clock; about the number of threads when the machine is free
    threads: int  # that torch uses; 0 where the processor does not do the work
    stream_s: float = 0.0  # of one pass over memory; 0 where none was made
    tiny_s: float = 0.0  # of the smallest operation; 0 where none was tried


@dataclass(frozen=True, slots=True)
class Measurement:
    """Hold a measurement, in seconds per call."""

    median: float
    p20: float
    p80: float
    samples: int
    calls: int
    cold: bool
    canaries: tuple[Canary, ...] = ()
    least: bool = False  # the median is the least of several batches, as the host binds it; p80 is of the batches


@dataclass(frozen=True, slots=True)
class BetOutcome:
    """Hold a settled bet with its measurement, bounds and verdict."""

    bet: Bet
    measured: Measurement
    count: Count
    ceilings: Ceilings
    limits: Bounds
    verdict: Verdict

    @property
    def factor(self) -> float:
        """Return the bet divided by the measurement."""
        return self.bet.seconds / self.measured.median

    @property
    def error(self) -> float:
        """Return the powers of ten between bet and measurement, less the noise."""
        noise = noise_of(self.measured, self.ceilings, self.limits.binds)
        return max(0.0, abs(math.log10(self.factor)) - math.log10(noise))

    @property
    def covered(self) -> bool | None:
        """Return whether the interval contains the measurement, or None without an interval."""
        bet = self.bet
        return None if bet.low is None or bet.high is None else bet.low <= self.measured.median <= bet.high

    @property
    def right_reason(self) -> bool:
        """Return whether the bet names a right reason, or leaves it out."""
        return self.bet.binds is None or self.bet.binds in self.limits.binds

    @property
    def grade(self) -> Grade | None:
        """Return easy within 1.25x, good within 2x, hard within 4x, again beyond, or None if not scored.

        With the wrong reason the grade is at most hard.
        """
        match self.verdict:
            case Correct():
                return Grade.EASY if self.error <= math.log10(EASY) else Grade.GOOD
            case Close():
                return Grade.HARD
            case Incorrect():
                return Grade.AGAIN
        return None

    @property
    def slips(self) -> tuple[str, ...]:
        """Return the ids of slips that explain a wrong bet."""
        if not isinstance(self.verdict, Incorrect):
            return ()
        below = ("below_physics",) if self.bet.seconds * TRUSTED < self.limits.fused else ()
        return below if self.right_reason else (*below, "wrong_reason")


def settle(bet: Bet, measured: Measurement, count: Count, ceilings: Ceilings) -> BetOutcome:
    """Judge a bet. A busy machine or an impossible time is not scored."""
    outcome = BetOutcome(bet, measured, count, ceilings, bounds(count, ceilings), Correct())
    return replace(outcome, verdict=unfit(measured, count, ceilings) or _verdict_of(outcome))


def noise_of(measured: Measurement, ceilings: Ceilings, binds: Iterable[Binds] = ()) -> float:
    """Return the measurement's possible error as a factor, the largest of its spread and its canaries' drifts."""
    spread = measured.p80 / measured.p20
    drifts = [
        factor for reason in {Binds.COMPUTE, *binds} for factor in _drifts(reason, measured.canaries, ceilings)
    ]
    return max([1.0, spread, *(max(factor, 1 / factor) for factor in drifts)])


def _drifts(reason: Binds, canaries: Sequence[Canary], ceilings: Ceilings) -> list[float]:
    """Return the factors by which this reason's canary is slower than when the ceilings were measured."""
    ceiling, name, _, _ = _CANARIES[reason]
    usual, times = getattr(ceilings, ceiling), [getattr(each, name) for each in canaries]
    return [seconds / usual for seconds in times if seconds and usual]


def busy(canaries: Sequence[Canary]) -> str:
    """Return why the machine was too busy to time anything, or ""."""
    for canary in canaries:
        if canary.threads and canary.cpu_per_wall < FREE_SHARE * canary.threads:
            return (
                f"the machine is busy: {canary.threads} threads got {canary.cpu_per_wall:.2g} cores; "
                "close other programs and bet again"
            )
    return ""


def drifted(binds: Iterable[Binds], canaries: Sequence[Canary], ceilings: Ceilings) -> bool:
    """Return whether the ceilings are outdated: the machine is idle, but its speed has changed since."""
    for reason in {Binds.COMPUTE, *binds}:
        drifts, max_drift = _drifts(reason, canaries, ceilings) or [1.0], _CANARIES[reason][2]
        is_steady = max(drifts) <= max_drift * min(drifts)  # slower, but alike
        if min(drifts) * max_drift < 1 or (is_steady and min(drifts) > max_drift):
            return not busy(canaries)
    return False


def unfit(measured: Measurement, count: Count, ceilings: Ceilings) -> Refused | NotScored | None:
    """Return why a measurement cannot be scored, or None."""
    binds = bounds(count, ceilings).binds
    # Before the floor: memory that is faster now explains a short time.
    if why := busy(measured.canaries) or _changed_reason(binds, measured.canaries, ceilings):
        return NotScored(why)
    limit = floor(count, ceilings)
    if ceilings.quiet and measured.median * TRUSTED < limit:
        return Refused(
            f"measured {seconds(measured.median)}, but this device needs at least {seconds(limit)} for "
            "the work: it was not done, or was counted wrong"
        )
    if not ceilings.quiet:
        return NotScored("the machine was busy when its ceilings were measured; run: study device --measure")
    if (noise := noise_of(measured, ceilings, binds)) > TOO_NOISY:
        return NotScored(f"the measurement scatters by {noise:.2g}x; bet again when the machine is free")
    return None


def _changed_reason(binds: Iterable[Binds], canaries: Sequence[Canary], ceilings: Ceilings) -> str:
    """Return a sentence on how the machine's speed has changed since its ceilings were measured, or ""."""
    for reason in {Binds.COMPUTE: None, **dict.fromkeys(binds)}:
        drifts, (_, _, max_drift, runs) = _drifts(reason, canaries, ceilings) or [1.0], _CANARIES[reason]
        if (slower := max(drifts)) > max_drift:
            return f"{runs} {slower:.2g}x slower than when measured; bet again when the machine is free"
        if min(drifts) * max_drift < 1:
            return f"{runs} faster than when measured; run: study device --measure"
    return ""


def _verdict_of(outcome: BetOutcome) -> Verdict:
    if outcome.error <= math.log10(GOOD) and outcome.right_reason:
        return Correct()
    if outcome.error <= math.log10(HARD):
        return Close(outcome.factor)
    return Incorrect(outcome.factor)


def binding_words(limits: Bounds) -> str:
    """Format what binds a snippet, such as `compute or memory`."""
    if limits.binds == frozenset(Binds):
        return "something that could not be counted"
    return " or ".join(reason for reason in Binds if reason in limits.binds)
