"""Define all budgets, and format measurements of them as a table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

HEAD = ("what", "budget", "measured", "ratio", "verdict", "remarks")


@dataclass(frozen=True, slots=True)
class Budget:
    """Hold a limit in a unit such as "ms" or "x Anki": the most that is allowed, or the least if `least`."""

    area: str
    what: str
    limit: float
    unit: str
    least: bool = False


BUDGETS = (
    Budget("start", "study due --short", 35, "ms"),
    Budget("start", "study --help", 90, "ms"),
    Budget("start", "study review, first question", 130, "ms"),
    Budget("start", "study review beside Anki's library", 0.55, "x Anki"),
    Budget("start", "study due --json", 170, "ms"),
    Budget("start", "study show", 170, "ms"),
    Budget("start", "study answer", 170, "ms"),
    Budget("start", "study exercise, first prompt", 170, "ms"),
    Budget("review", "one review, p50", 1.1, "x Anki"),
    Budget("review", "one review, p99", 1, "x Anki"),
    Budget("bulk", "9,900 cards of text into a new database", 0.5, "s"),
    Budget("bulk", "scan, nothing changed in 100 files", 10, "ms"),
    Budget("bulk", "99,000 cards of text into a new database", 5, "s"),
    Budget("bulk", "scan, nothing changed in 1,000 files", 100, "ms"),
    Budget("bulk", "relink after typos in half of 9,900 cards", 0.5, "s"),
    Budget("replay", "verify 1,000,000 reviews", 6, "s"),
    Budget("replay", "memory of it", 170, "MB"),
    Budget("daily", "study stats of 1,000,000 reviews, its queries", 70, "ms"),
    Budget("daily", "agenda of 100,000 cards", 50, "ms"),
    Budget("daily", "find a rare word in 100,000 cards", 100, "ms"),
    Budget("daily", "find two words in 100,000 cards", 100, "ms"),
    Budget("export", "export 200 cards as a page", 0.5, "s"),
    Budget("export", "export 1,000 cards as a page", 1, "s"),
    Budget("answers", "read an answer, the slowest of five kinds", 40, "us"),
    Budget("answers", "import of studykit.quantity", 20, "ms"),
    Budget("grade", "warm verdict on a rewrite, CPU", 0.12, "s"),
    Budget("grade", "batch of rewrites", 1000, "a minute", least=True),
)
AREAS = tuple(dict.fromkeys(budget.area for budget in BUDGETS))


@dataclass(frozen=True, slots=True)
class Row:
    """Hold a budget and its measurement, or None if nothing was measured."""

    budget: Budget
    measured: float | None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Return the measurement divided by the limit."""
        return None if self.measured is None else self.measured / self.budget.limit

    @property
    def verdict(self) -> str:
        """Return the word for the table: "met", "missed" or "not measured"."""
        if self.ratio is None:
            return "not measured"
        return "met" if (self.ratio >= 1 if self.budget.least else self.ratio <= 1) else "missed"

    def cells(self) -> tuple[str, ...]:
        """Return the row as text, in the order of `HEAD`."""
        budget = self.budget
        limit = f"{'≥' if budget.least else '≤'} {number(budget.limit)} {budget.unit}"
        measured = "-" if self.measured is None else f"{number(self.measured)} {budget.unit}"
        ratio = "-" if self.ratio is None else f"{self.ratio:.2f}"
        return budget.what, limit, measured, ratio, self.verdict, self.note


def number(value: float) -> str:
    """Format a number with up to three significant digits below 1,000, and with separated thousands above."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table with aligned columns."""
    cells = [list(head), *map(list, rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in cells
    ]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]
