"""Read and write the plan that a learner's reviews follow, in a side file."""

import json
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from studykit.errors import BadDataError
from studykit.store.address import write_side_file
from studykit.text import json_text

_MAX_PLAN = 100_000  # characters of the file


@dataclass(slots=True)
class StudyPlan:
    """Hold a learner's plan, and its new cards and reviews on the day that it was last computed for.

    A plan without an exam is for a backlog, and ends when the due cards fit into a day again.
    """

    exam: date | None
    minutes: int
    decks: tuple[str, ...] = ()
    objectives: tuple[str, ...] = ()
    day: date | None = None
    new: int = 0  # new cards of that day
    reviews: int = 0  # due cards of that day, at most
    order: tuple[str, ...] = ()  # objectives, the weakest first

    @property
    def request(self) -> tuple[date | None, int, tuple[str, ...], tuple[str, ...]]:
        """Return what the learner asked for: exam, minutes, decks and objectives."""
        return self.exam, self.minutes, self.decks, self.objectives

    def sentence(self) -> str:
        """Return what the plan means for new cards, and how to stop it."""
        if self.exam is None:
            text = "Backlog plan: no new cards for now."
        else:
            text = f"Exam plan: {self.new} new a day until {self.exam}."
        return f"{text} Stop it with: study plan --off"

    def document(self) -> dict[str, object]:
        """Return the plan as JSON."""
        exam, day = (None if date is None else str(date) for date in (self.exam, self.day))
        return {**asdict(self), "exam": exam, "day": day}


def read_plan(path: Path) -> StudyPlan:
    """Read the plan in a side file, or raise BadDataError."""
    try:
        with path.open(encoding="utf-8") as file:
            document = json.loads(file.read(_MAX_PLAN))
        values: dict[str, Any] = {name: int(document[name]) for name in ("minutes", "new", "reviews")}
        values |= {name: tuple(map(str, document[name])) for name in ("decks", "objectives", "order")}
        dates = {name: document[name] for name in ("exam", "day")}
        values |= {name: None if day is None else date.fromisoformat(day) for name, day in dates.items()}
        return StudyPlan(**values)
    except (OSError, ValueError, KeyError, TypeError):
        raise BadDataError(f"{path} cannot be read as a plan. Remove it", "study plan --off") from None


def write_plan(path: Path, plan: StudyPlan) -> None:
    """Write the plan that reviews follow from now on."""
    write_side_file(path, f"{json_text(plan.document())}\n".encode())


def remove_plan(path: Path) -> bool:
    """Remove the plan, and return whether there was one."""
    existed = path.exists()
    path.unlink(missing_ok=True)
    return existed
