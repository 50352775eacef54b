"""A figure of statistics, which a terminal and a page draw: a title, columns, rows, and a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ListingColumn:
    """A column of a listing: its name, and how its cells lie."""

    name: str = ""
    right: bool = False
    cut: bool = False  # a text that stands in full elsewhere: it is cut where there is no room for it
    alone: bool = False  # a text that says without the column's name what it is


def right(*names: str) -> list[ListingColumn]:
    """Return columns of numbers."""
    return [ListingColumn(name, right=True) for name in names]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure. Texts are not yet escaped."""

    title: str
    columns: Sequence[ListingColumn]
    rows: Sequence[Sequence[str]]
    bars: Sequence[tuple[float, float, float]] = ()
    """Of each row, as shares: where its bar begins, its mark and its end. A terminal draws it up to the mark."""
    sentence: str = ""


def lengths(counts: Sequence[int]) -> list[tuple[float, float, float]]:
    """Return a bar for each count, the longest for the highest."""
    most = max(counts, default=0) or 1
    return [(0, count / most, count / most) for count in counts]
