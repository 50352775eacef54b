"""An interval that a learner is 80 % sure of, behind an answer: `6.5 GB [5, 8]`."""

import re
from typing import NamedTuple

from studykit.exercise.estimate.template import Variant
from studykit.quantity.formatting import show_amount
from studykit.quantity.reading import BadAnswerError, read
from studykit.quantity.units import Want

_BEHIND = re.compile(r"(?P<answer>.*\S)\s*\[(?P<ends>[^\[\]]*)\]\s*", re.DOTALL)
_BETWEEN = [rf"(.+?){sign}\s*([\d.]+.*)" for sign in (r"\s+to\s", r"\.\.", ";", r",\s", ",", r"\s")]
_UNIT = re.compile(r"(?<=[\d.])\s*[^\W\d].*")
NOT_READ = "write both ends of the interval in brackets, such as [5, 8] or [500 MB, 2 GB]"


class Interval(NamedTuple):
    """Both ends in SI base units, the lower one first."""

    low: float
    high: float

    def holds(self, answer: float) -> bool:
        """Return whether the answer lies in it."""
        return self.low <= answer <= self.high

    def words(self, answer: float, wanted: Want) -> str:
        """Return whether it holds the answer, in a sentence."""
        held = "holds" if self.holds(answer) else "does not hold"
        return f"Your interval, {show_amount(self.low, wanted)} to {show_amount(self.high, wanted)}, {held} it."


def split_interval(text: str, variant: Variant) -> tuple[str, Interval | None]:
    """Return the answer to a bet and the interval behind it, or None. BadAnswerError for what is not two ends."""
    wanted = variant.template.wanted
    found = _BEHIND.fullmatch(text) if variant.template.parts is not None else None  # else \[...\] is LaTeX
    if found is None:
        return text, None
    both = next(filter(None, (re.fullmatch(between, found["ends"].strip()) for between in _BETWEEN)), None)
    if both is None:
        raise BadAnswerError(NOT_READ)
    ends = both.groups()
    unit = _UNIT.search(ends[1])
    first = ends[0] if unit is None or _UNIT.search(ends[0]) else ends[0] + unit[0]
    readings = [read(end, wanted) for end in (first, ends[1])]
    if any(reading.dimension != wanted.dimension for reading in readings):
        raise BadAnswerError(NOT_READ)
    return found["answer"], Interval(*sorted(reading.value for reading in readings))
