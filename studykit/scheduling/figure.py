"""Define a figure of statistics, which a terminal and a page draw."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ListingColumn:
    """Hold a column of a table, and how to show its cells."""

    name: str = ""
    right: bool = False
    cut: bool = False  # the text may be cut, as it is shown in full elsewhere
    alone: bool = False  # the text is clear without its column's name


def right(*names: str) -> list[ListingColumn]:
    """Return columns of numbers."""
    return [ListingColumn(name, right=True) for name in names]


@dataclass(frozen=True, slots=True)
class Figure:
    """Hold a title, columns, rows and a sentence. Texts are not yet escaped."""

    title: str
    columns: Sequence[ListingColumn] = ()
    rows: Sequence[Sequence[str]] = ()
    bars: Sequence[tuple[float, float, float]] = ()
    """For each row the start, mark and end of its bar, as shares. A terminal draws a bar up to the mark."""
    sentence: str = ""


def lengths(counts: Sequence[int]) -> list[tuple[float, float, float]]:
    """Return a bar for each count, scaled to the highest."""
    highest = max(counts, default=0) or 1
    return [(0, count / highest, count / highest) for count in counts]
