"""Count the answers of each recent day, in weeks, as a heatmap shows them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil

from studykit.scheduling.replay import Tally
from studykit.text import counted

WEEKS = 12
LEVELS = 4  # of a day on which something was done, by its share of the busiest day
_WEEK_DAYS = 7


@dataclass(frozen=True, slots=True)
class ActiveDay:
    """Hold a study day, its number of answers, and its level in a heatmap."""

    day: date
    answers: int
    level: int  # 0 for nothing, up to LEVELS


@dataclass(frozen=True, slots=True)
class Activity:
    """Hold the weeks up to today, oldest first. Each starts on Monday."""

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
        """Return the day with the most answers, the latest one if several tie."""
        return max(self.days, key=lambda day: (day.answers, day.day))

    @property
    def sentence(self) -> str:
        """Describe the activity of these weeks."""
        if not self.answers:
            return "nothing was answered"
        peak = self.busiest
        days = f"{self.studied} of {counted(self.span, 'day')}"
        return (
            f"{days}, {counted(self.answers, 'answer')}, most on {peak.day.day} {peak.day:%b} ({peak.answers:,})"
        )


def activity(tallies: Mapping[int, Tally], today: date, weeks: int = WEEKS) -> Activity:
    """Count the answers of each day in the weeks up to today. `tallies` are by ordinal days."""
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(weeks=weeks - 1)
    days = [first + timedelta(days=passed) for passed in range((today - first).days + 1)]
    nothing = Tally()
    counts = [tallies.get(day.toordinal(), nothing).answers for day in days]
    busiest = max(counts) or 1
    active_days = [
        ActiveDay(day, count, ceil(count * LEVELS / busiest)) for day, count in zip(days, counts, strict=True)
    ]
    weeks_shown = tuple(tuple(active_days[at : at + _WEEK_DAYS]) for at in range(0, len(active_days), _WEEK_DAYS))
    begun = max(first.toordinal(), min(tallies, default=0))
    return Activity(weeks_shown, max(1, today.toordinal() - begun + 1))
