"""A budget, what was measured of it, and the table of them all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

HEAD = ("what", "budget", "measured", "ratio", "verdict", "beside it")


@dataclass(frozen=True)
class BudgetRow:
    """One thing that has a budget, in a unit such as "ms" or "x Anki"; nothing measured is None."""

    what: str
    budget: float
    measured: float | None
    unit: str
    note: str = ""
    least: bool = False  # the budget is a least, such as a rate, not a most

    @property
    def ratio(self) -> float | None:
        """What was measured as a part of the budget: at most 1 where the budget is a most."""
        return None if self.measured is None else self.measured / self.budget

    @property
    def verdict(self) -> str:
        """Whether the budget is met."""
        if self.ratio is None:
            return "not measured"
        return "met" if (self.ratio >= 1 if self.least else self.ratio <= 1) else "missed"

    def cells(self) -> tuple[str, ...]:
        """The row as text, in the order of `HEAD`."""
        sign = "≥" if self.least else "≤"
        measured = "-" if self.measured is None else f"{number(self.measured)} {self.unit}"
        ratio = "-" if self.ratio is None else f"{self.ratio:.2f}"
        return self.what, f"{sign} {number(self.budget)} {self.unit}", measured, ratio, self.verdict, self.note

    def document(self) -> dict[str, object]:
        """The row for JSON."""
        return {
            "what": self.what,
            "budget": self.budget,
            "unit": self.unit,
            "least": self.least,
            "measured": self.measured,
            "ratio": self.ratio,
            "verdict": self.verdict,
            "note": self.note,
        }


def number(value: float) -> str:
    """Three figures, thousands apart."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of a Markdown table whose columns stand below each other."""
    cells = [list(head), *map(list, rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in cells
    ]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]
