"""Count when and how cards were answered: retention by hour, and each grade by the kind of card."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from operator import add

from studykit.scheduling.replay import Tally
from studykit.scheduling.stats import Retention, window_of

HOURS, GRADES = 24, 6
BUTTONS = {"again": (0, 1, 2), "hard": (3,), "good": (4,), "easy": (5,)}
"""The grades of SM-2 behind each of the four answers."""


@dataclass(slots=True)
class GradeCount:
    """Count how often a grade was given, by kind of card, and the time of these answers."""

    new: int = 0
    young: int = 0
    mature: int = 0
    drill: int = 0  # answers that changed no memory, those ahead of time too
    took_ms: int = 0

    @property
    def total(self) -> int:
        """Count all answers of the grade."""
        return self.new + self.young + self.mature + self.drill

    def __add__(self, other: "GradeCount") -> "GradeCount":
        return GradeCount(*map(add, astuple(self), astuple(other)))


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """Hold the counts of all answers of a log that were not undone."""

    hours: tuple[Retention, ...]
    """Reviews of known cards by the local hour in which they were given, from midnight."""
    grades: tuple[GradeCount, ...]  # by SM-2's grade, 0 to 5

    def by_button(self) -> dict[str, GradeCount]:
        """Return the counts of each of the four answers."""
        return {name: sum((self.grades[grade] for grade in of), GradeCount()) for name, of in BUTTONS.items()}


def answer_counts(rows: Iterable[tuple[int, int, Tally]]) -> AnswerCounts:
    """Sum tallies of answers, each with its local hour and grade."""
    hours, grades = [Retention()] * HOURS, [GradeCount()] * GRADES
    for hour, grade, tally in rows:
        hours[hour] += window_of([tally]).total
        grades[grade] += GradeCount(
            tally.introduced, tally.young, tally.mature, tally.drills + tally.crams, tally.took_ms
        )
    return AnswerCounts(tuple(hours), tuple(grades))
