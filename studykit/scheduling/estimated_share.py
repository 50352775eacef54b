"""Estimate a share from a number of tries, with its 95 percent interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

SURE = 1.96
"""Standard errors within which 95 percent lie."""
_TAIL = 0.025
_STEPS = 1_000  # parts that the range of a share is cut into


@dataclass(frozen=True, slots=True)
class EstimatedShare:
    """Hold a share, its 95 percent interval, and the number of tries it is based on."""

    mean: float
    low: float
    high: float
    of: int

    def __str__(self) -> str:
        return f"{self.mean:.0%} ({self.low:.0%}-{self.high:.0%})"


def counted_share(passed: int, of: int) -> EstimatedShare | None:
    """Return the share that passed with Wilson's interval, or None without tries."""
    if not of:
        return None
    mean, square = passed / of, SURE * SURE
    middle = (mean + square / (2 * of)) / (1 + square / of)
    half = SURE / (1 + square / of) * math.sqrt(mean * (1 - mean) / of + square / (4 * of * of))
    return EstimatedShare(mean, max(0.0, middle - half), min(1.0, middle + half), of)


def shrunk_share(passed: int, of: int, towards: float, weight: float) -> EstimatedShare:
    """Estimate a share and its 95 percent interval as if `weight` more tries had passed at the rate `towards`."""
    first, second = passed + weight * towards, of - passed + weight * (1 - towards)
    places = [(step + 0.5) / _STEPS for step in range(_STEPS)]
    logs = [(first - 1) * math.log(place) + (second - 1) * math.log1p(-place) for place in places]
    # Exponents are relative to the highest, since a density of many tries underflows.
    highest = max(logs)
    sums = list(accumulate(math.exp(each - highest) for each in logs))
    return EstimatedShare(first / (first + second), _quantile(sums, _TAIL), _quantile(sums, 1 - _TAIL), of)


def _quantile(sums: Sequence[float], part: float) -> float:
    """Return the share below which `part` of a density lies. `sums` are its cumulative sums at equal steps."""
    target = part * sums[-1]
    step = next(step for step, total in enumerate(sums) if total >= target)
    below = sums[step - 1] if step else 0.0
    return (step + (target - below) / (sums[step] - below)) / len(sums)
