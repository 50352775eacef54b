"""Parse an 80 % interval after an answer: `6.5 GB [5, 8]`."""

import re
from contextlib import suppress
from typing import NamedTuple

from studykit.exercise.estimate.template import Variant, distance
from studykit.quantity.formatting import show_amount
from studykit.quantity.reading import BadAnswerError, Reading, read
from studykit.quantity.units import TargetUnit

_BEHIND = re.compile(r"(?P<answer>.*\S)\s*\[(?P<ends>[^\[\]]*)\]\s*", re.DOTALL)
_SIGNS = (r"\s+(?:to|and)\s", r"\s*\.\.", ";", r",\s", ",", r"\s*(?<!e)[-\u2013]", r"\s")
_BETWEEN = [re.compile(rf"(?:between\s|from\s)?\s*\[?(.+?){sign}\s*([\d.][^\]]*)\]?") for sign in _SIGNS]
_UNIT = re.compile(r"(?<=[\d.])\s*(?!e[+-]?\d)[^\W\d].*")
NOT_READ = "write a number and then its interval in brackets, such as 6 [5, 8] or 1 GB [500 MB, 2 GB]"


class Interval(NamedTuple):
    """Hold an interval's lower and upper end, in SI base units."""

    low: float
    high: float

    def holds(self, answer: float) -> bool:
        """Return whether the interval contains the answer."""
        return self.low <= answer <= self.high

    def words(self, answer: float, target: TargetUnit) -> str:
        """Return a sentence that says whether the interval contains the answer."""
        verb = "holds" if self.holds(answer) else "does not hold"
        return f"Your interval, {show_amount(self.low, target)} to {show_amount(self.high, target)}, {verb} it."


def split_interval(text: str, variant: Variant) -> tuple[str, Interval | None]:
    """Split a typed answer from the interval after it, which is None if there is none.

    Only a question with `parts` takes one. Raise BadAnswerError for an interval that cannot be read.
    """
    target = variant.template.target
    if variant.template.parts is None or "[" not in text:  # else \[...\] is LaTeX
        return text, None
    found, readings = _BEHIND.fullmatch(text), list[Reading]()
    if found is not None:
        unit = _unit_of(found["answer"]) if _is_amount(found["answer"], target) else ""
        with suppress(BadAnswerError):
            readings = [read(end, target) for end in split_ends(found["ends"], unit) or ()]
    if found is None or not readings or any(reading.dimension != target.dimension for reading in readings):
        raise BadAnswerError(NOT_READ)
    low, high = sorted(reading.value for reading in readings)
    bare = [reading.value for reading in readings if not reading.unit_given]
    if any(distance(end / target.factor, variant.answer) < distance(end, variant.answer) for end in bare):
        raise BadAnswerError(f"the ends of the interval are in {target.unit} here; add a unit")
    return found["answer"], Interval(low, high)


def split_ends(text: str, unit: str = "") -> tuple[str, str] | None:
    """Return the two ends of an interval such as `2 to 5 us` as texts, or None for anything else.

    An end without a unit gets that of the other one, else `unit`.
    """
    both = next(filter(None, (between.fullmatch(text.strip()) for between in _BETWEEN)), None)
    if both is None:
        return None
    shared = _unit_of(both[2]) or _unit_of(both[1]) or unit
    first, last = (end if _unit_of(end) else end + shared for end in both.groups())
    return first, last


def _unit_of(amount: str) -> str:
    unit = _UNIT.search(amount)
    return "" if unit is None else unit[0]


def _is_amount(text: str, target: TargetUnit) -> bool:
    """Return whether a text is a number with a unit, and not a formula."""
    try:
        return read(text, target).unit_given
    except BadAnswerError:
        return False
