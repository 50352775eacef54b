"""A year of study at a glance: its days, and its weeks and months in a row."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from studykit.scheduling.activity import Activity, activity
from studykit.scheduling.periods import Period, months, weeks
from studykit.scheduling.replay import Tally

WEEKS = 53
"""Weeks that a year needs, as it begins within one."""


@dataclass(frozen=True, slots=True)
class StudyYear:
    """What was done in a year up to a study day."""

    activity: Activity
    months: tuple[Period, ...]
    weeks: tuple[Period, ...]  # the last ones alone


def study_year(tallies: Mapping[int, Tally], today: date) -> StudyYear:
    """The year; `tallies` are by ordinal days."""
    return StudyYear(activity(tallies, today, WEEKS), months(tallies, today), weeks(tallies, today))
