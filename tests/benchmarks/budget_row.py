"""A budget, what was measured of it, and the table of them all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

HEAD = ("what", "budget", "measured", "ratio", "verdict", "remarks")


class Floor(NamedTuple):
    """What no code of ours can be faster than, measured in the same run and in the unit of its row."""

    name: str  # such as "the same pages by fdatasync alone"
    measured: float


@dataclass(frozen=True)
class BudgetRow:
    """One thing that has a budget, in a unit such as "ms" or "x Anki"; nothing measured is None."""

    what: str
    budget: float
    measured: float | None
    unit: str
    note: str = ""
    least: bool = False  # the budget is a least, such as a rate, not a most
    floor: Floor | None = None

    @property
    def ratio(self) -> float | None:
        """What was measured as a part of the budget: at most 1 where the budget is a most."""
        return None if self.measured is None else self.measured / self.budget

    @property
    def verdict(self) -> str:
        """Whether the budget is met; "floor" where not, and the floor alone does not meet it either."""
        if self.measured is None:
            return "not measured"
        if self._within(self.measured):
            return "met"
        return "missed" if self.floor is None or self._within(self.floor.measured) else "floor"

    def _within(self, value: float) -> bool:
        return value >= self.budget if self.least else value <= self.budget

    def cells(self) -> tuple[str, ...]:
        """The row as text, in the order of `HEAD`."""
        sign = "≥" if self.least else "≤"
        measured = "-" if self.measured is None else f"{number(self.measured)} {self.unit}"
        ratio = "-" if self.ratio is None else f"{self.ratio:.2f}"
        floor = f"floor {number(self.floor.measured)} {self.unit}: {self.floor.name}" if self.floor else ""
        beside = "; ".join(filter(None, (self.note, floor)))
        return self.what, f"{sign} {number(self.budget)} {self.unit}", measured, ratio, self.verdict, beside

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
            "floor": self.floor._asdict() if self.floor else None,
        }

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Self:
        """The row of such a document."""
        floor = document["floor"]
        plain = {name: document[name] for name in ("what", "budget", "measured", "unit", "note", "least")}
        return cls(**plain, floor=Floor(**floor) if floor else None)


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
