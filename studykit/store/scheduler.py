"""Which scheduler made the memories that a database keeps; another one makes them again from the log."""

from typing import TYPE_CHECKING

from studykit.store import sql
from studykit.store.database import Database

if TYPE_CHECKING:
    from studykit.scheduling.fsrs import Fsrs

NAME = "scheduler"


def last_scheduler(database: Database, learner: str) -> str:
    """The name of the scheduler that made them; empty for SM-2."""
    row = database.first(sql.SETTING, {"learner": learner, "name": NAME})
    return str(row[0]) if row else ""


def fsrs_named(name: str) -> "Fsrs | None":
    """The formulas of that name; None for SM-2."""
    if not name:
        return None
    from studykit.scheduling.fsrs import named

    return named(name)
