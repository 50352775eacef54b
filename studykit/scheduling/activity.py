"""What was done on each of the last days, in weeks, as a heatmap shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from studykit.scheduling.replay import Tally
from studykit.text import counted

WEEKS = 12
LEVELS = 4  # of a day on which something was done, by its share of the busiest day
_WEEK_DAYS = 7


@dataclass(frozen=True, slots=True)
class ActiveDay:
    """A study day and how much was answered on it."""

    day: date
    answers: int
    level: int  # 0 for nothing, up to LEVELS


@dataclass(frozen=True, slots=True)
class Activity:
    """The last weeks, the oldest first, each from Monday; the present one ends today."""

    weeks: tuple[tuple[ActiveDay, ...], ...]
    span: int  # how many of their days have passed since the first answer of all, today counted in

    @property
    def days(self) -> tuple[ActiveDay, ...]:
        """Return all days, the oldest first."""
        return tuple(day for week in self.weeks for day in week)

    @property
    def answers(self) -> int:
        """Count all answers."""
        return sum(day.answers for day in self.days)

    @property
    def studied(self) -> int:
        """Count the days on which something was answered."""
        return sum(day.answers > 0 for day in self.days)

    @property
    def busiest(self) -> ActiveDay:
        """Return the day with most answers, the latest of several."""
        return max(self.days, key=lambda day: (day.answers, day.day))

    @property
    def sentence(self) -> str:
        """Say how much was done in these weeks."""
        if not self.answers:
            return "nothing was answered"
        most = self.busiest
        days = f"{self.studied} of {counted(self.span, 'day')}"
        return (
            f"{days}, {counted(self.answers, 'answer')}, most on {most.day.day} {most.day:%b} ({most.answers:,})"
        )


def activity(tallies: Mapping[int, Tally], today: date, weeks: int = WEEKS) -> Activity:
    """Return the present week and those before it. `tallies` are by ordinal days."""
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(weeks=weeks - 1)
    days = [first + timedelta(days=passed) for passed in range((today - first).days + 1)]
    nothing = Tally()
    counts = [tallies.get(day.toordinal(), nothing).answers for day in days]
    most = max(counts)
    active_days = [ActiveDay(day, count, _level(count, most)) for day, count in zip(days, counts, strict=True)]
    weeks_shown = tuple(tuple(active_days[at : at + _WEEK_DAYS]) for at in range(0, len(active_days), _WEEK_DAYS))
    begun = max(first.toordinal(), min(tallies, default=0))
    return Activity(weeks_shown, max(1, today.toordinal() - begun + 1))


def _level(count: int, most: int) -> int:
    return -(-count * LEVELS // most) if most else 0
