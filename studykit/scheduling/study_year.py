"""Sum up a year of study by day, week and month, with retention."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from studykit.scheduling.activity import Activity, activity
from studykit.scheduling.estimated_share import EstimatedShare, counted_share
from studykit.scheduling.replay import Tally
from studykit.scheduling.stats import Retention, window_of

WEEKS = 53
"""Weeks that a year needs, as it begins within one."""
_MONTHS, _WEEKS = 13, 12
_A_YEAR = 12


@dataclass(frozen=True, slots=True)
class Period:
    """Hold the true retention and the number of answers of consecutive days."""

    first: date
    retention: Retention
    answers: int

    @property
    def share(self) -> EstimatedShare | None:
        """Return the retention with its interval, or None if no known card was reviewed."""
        return counted_share(self.retention.passed, self.retention.reviews)


def months(tallies: Mapping[int, Tally], today: date, number: int = _MONTHS) -> tuple[Period, ...]:
    """Sum up the current calendar month and those before it, oldest first. `tallies` are by ordinal days."""
    last_month = _A_YEAR * today.year + today.month - 1
    firsts = [
        date(month // _A_YEAR, month % _A_YEAR + 1, 1) for month in range(last_month - number + 1, last_month + 1)
    ]
    return _periods(tallies, firsts, today)


def weeks(tallies: Mapping[int, Tally], today: date, number: int = _WEEKS) -> tuple[Period, ...]:
    """Sum up the current week, from Monday, and those before it, oldest first."""
    monday = today - timedelta(days=today.weekday())
    return _periods(tallies, [monday - timedelta(weeks=back) for back in reversed(range(number))], today)


def _periods(tallies: Mapping[int, Tally], firsts: Iterable[date], today: date) -> tuple[Period, ...]:
    """Return the period from each first day to the next one, and the last period up to today."""
    periods = []
    for first, end in pairwise([*firsts, today + timedelta(days=1)]):
        inside = [tally for day in range(first.toordinal(), end.toordinal()) if (tally := tallies.get(day))]
        periods.append(Period(first, window_of(inside).total, sum(tally.answers for tally in inside)))
    return tuple(periods)


@dataclass(frozen=True, slots=True)
class StudyYear:
    """Hold the activity of the year up to a study day."""

    activity: Activity
    months: tuple[Period, ...]
    weeks: tuple[Period, ...]  # only the last ones


def study_year(tallies: Mapping[int, Tally], today: date) -> StudyYear:
    """Sum up the year that ends on a study day. `tallies` are by ordinal days."""
    return StudyYear(activity(tallies, today, WEEKS), months(tallies, today), weeks(tallies, today))
