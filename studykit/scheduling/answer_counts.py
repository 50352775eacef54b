"""Count when and how cards were answered: retention by hour, and each grade by the kind of card."""

from collections.abc import Iterable
from dataclasses import dataclass

from studykit.scheduling.replay import Tally
from studykit.scheduling.stats import Retention, sum_tallies, window_of

HOURS, GRADES = 24, 6
BUTTONS = {"again": (0, 1, 2), "hard": (3,), "good": (4,), "easy": (5,)}
"""The grades of SM-2 behind each of the four buttons."""


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """Hold the counts of all answers of a log that were not undone."""

    hours: tuple[Retention, ...]
    """Reviews of known cards by the local hour in which they were given, from midnight."""
    grades: tuple[Tally, ...]  # by SM-2's grade, 0 to 5

    def by_button(self) -> dict[str, Tally]:
        """Return the counts by button, each summed over its grades."""
        return {name: sum_tallies(self.grades[grade] for grade in of) for name, of in BUTTONS.items()}


def answer_counts(rows: Iterable[tuple[int, int, Tally]]) -> AnswerCounts:
    """Sum tallies of answers, each with its local hour and grade."""
    by_hour: list[list[Tally]] = [[] for _ in range(HOURS)]
    by_grade: list[list[Tally]] = [[] for _ in range(GRADES)]
    for hour, grade, tally in rows:
        by_hour[hour].append(tally)
        by_grade[grade].append(tally)
    return AnswerCounts(
        tuple(window_of(each).total for each in by_hour), tuple(sum_tallies(each) for each in by_grade)
    )
