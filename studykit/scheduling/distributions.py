"""Count answers by hour, grade, month and week, and known cards by interval, ease and stability."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from studykit.scheduling.activity import Activity, activity
from studykit.scheduling.estimated_share import EstimatedShare, counted_share
from studykit.scheduling.replay import Tally
from studykit.scheduling.stats import Retention, sum_tallies, window_of

BUTTONS = {"again": (0, 1, 2), "hard": (3,), "good": (4,), "easy": (5,)}
"""The grades of SM-2 behind each of the four buttons."""
_HOURS, _GRADES = 24, 6
_YEAR_WEEKS = 53  # as a year begins within a week
_MONTHS, _WEEKS = 13, 12
_MONTHS_A_YEAR = 12

SpreadRow = tuple[int, int, float | None, int]
"""Interval in days, ease in hundredths, stability in days or None under SM-2, how many cards have these."""
DAYS = (0, 2, 4, 8, 15, 31, 61, 121, 366)
"""Where each range of days begins."""
EASES = (130, 150, 170, 190, 210, 230, 250, 270, 290, 310)
"""Where each range of eases begins, in hundredths."""


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
    answers = list(rows)
    return AnswerCounts(
        tuple(window_of(tally for at, _, tally in answers if at == hour).total for hour in range(_HOURS)),
        tuple(sum_tallies(tally for _, by, tally in answers if by == grade) for grade in range(_GRADES)),
    )


@dataclass(frozen=True, slots=True)
class SpreadRange:
    """Hold the number of cards from `first` up to but excluding `after`, which is None for the last range."""

    first: int
    after: int | None
    cards: int


@dataclass(frozen=True, slots=True)
class CardSpread:
    """Hold the numbers of cards by interval, ease and stability. `stabilities` is empty under SM-2."""

    intervals: tuple[SpreadRange, ...]
    eases: tuple[SpreadRange, ...]
    stabilities: tuple[SpreadRange, ...]


def card_spread(rows: Iterable[SpreadRow]) -> CardSpread:
    """Count cards in ranges of interval, ease and stability."""
    spread_rows = list(rows)
    stable = [(row[2], row[3]) for row in spread_rows if row[2] is not None]
    return CardSpread(
        _count_in_ranges(DAYS, [(row[0], row[3]) for row in spread_rows]),
        _count_in_ranges(EASES, [(row[1], row[3]) for row in spread_rows]),
        _count_in_ranges(DAYS, stable) if stable else (),
    )


def _count_in_ranges(firsts: Sequence[int], values: Iterable[tuple[float, int]]) -> tuple[SpreadRange, ...]:
    cards = [0] * len(firsts)
    for value, count in values:
        cards[max(0, bisect_right(firsts, value) - 1)] += count
    return tuple(SpreadRange(*each) for each in zip(firsts, [*firsts[1:], None], cards, strict=True))


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


@dataclass(frozen=True, slots=True)
class StudyYear:
    """Hold the activity of the year up to a study day."""

    activity: Activity
    months: tuple[Period, ...]  # the current calendar month last
    weeks: tuple[Period, ...]  # only the last ones, each from Monday


def study_year(tallies: Mapping[int, Tally], today: date) -> StudyYear:
    """Sum up the year that ends on a study day. `tallies` are by ordinal days."""
    this_month, monday = _MONTHS_A_YEAR * today.year + today.month - 1, today - timedelta(days=today.weekday())
    months = [divmod(this_month - back, _MONTHS_A_YEAR) for back in reversed(range(_MONTHS))]
    return StudyYear(
        activity(tallies, today, _YEAR_WEEKS),
        _periods(tallies, [date(year, month + 1, 1) for year, month in months], today),
        _periods(tallies, [monday - timedelta(weeks=back) for back in reversed(range(_WEEKS))], today),
    )


def _periods(tallies: Mapping[int, Tally], firsts: Iterable[date], today: date) -> tuple[Period, ...]:
    """Return the period from each first day to the next one, and the last period up to today."""
    periods = []
    for first, end in pairwise([*firsts, today + timedelta(days=1)]):
        inside = [tally for day in range(first.toordinal(), end.toordinal()) if (tally := tallies.get(day))]
        periods.append(Period(first, window_of(inside).total, sum(tally.answers for tally in inside)))
    return tuple(periods)
