"""Count known cards by interval, ease and stability."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SpreadRow = tuple[int, int, float | None, int]
"""Interval in days, ease in hundredths, stability in days or None under SM-2, how many cards have these."""

DAYS = (0, 2, 4, 8, 15, 31, 61, 121, 366)
"""Where each range of days begins."""
EASES = (130, 150, 170, 190, 210, 230, 250, 270, 290, 310)
"""Where each range of eases begins, in hundredths."""


@dataclass(frozen=True, slots=True)
class SpreadRange:
    """Hold the number of cards from `first` up to but excluding `after`, which is None for the last range."""

    first: int
    after: int | None
    cards: int


@dataclass(frozen=True, slots=True)
class CardSpread:
    """Hold the numbers of cards by interval, ease and stability. `stabilities` is empty under SM-2."""

    intervals: tuple[SpreadRange, ...]
    eases: tuple[SpreadRange, ...]
    stabilities: tuple[SpreadRange, ...]


def card_spread(rows: Iterable[SpreadRow]) -> CardSpread:
    """Count cards in ranges of interval, ease and stability."""
    spread_rows = list(rows)
    stable = [(row[2], row[3]) for row in spread_rows if row[2] is not None]
    return CardSpread(
        _count_in_ranges(DAYS, [(row[0], row[3]) for row in spread_rows]),
        _count_in_ranges(EASES, [(row[1], row[3]) for row in spread_rows]),
        _count_in_ranges(DAYS, stable) if stable else (),
    )


def _count_in_ranges(firsts: Sequence[int], values: Iterable[tuple[float, int]]) -> tuple[SpreadRange, ...]:
    cards = [0] * len(firsts)
    for value, count in values:
        cards[max(0, bisect_right(firsts, value) - 1)] += count
    afters = [*firsts[1:], None]
    return tuple(SpreadRange(*each) for each in zip(firsts, afters, cards, strict=True))
