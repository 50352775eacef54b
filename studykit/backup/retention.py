"""Which backups stay: all of two days, then one a day, a week, a month, for a year; never fewer than five."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

MOST_BYTES = 500_000_000
FEWEST = 5  # copies, whatever they weigh and however old they are
_KEEP_ALL_FOR = timedelta(days=2)
_TOO_OLD = -1, None
_PERIODS: tuple[tuple[timedelta, Callable[[datetime], object]], ...] = (
    (timedelta(days=14), lambda moment: moment.date()),
    (timedelta(days=60), lambda moment: moment.isocalendar()[:2]),
    (timedelta(days=366), lambda moment: (moment.year, moment.month)),
)


@dataclass(frozen=True, slots=True)
class Copy:
    """A backup as its folder lists it."""

    name: str
    made: datetime
    size: int  # bytes


def superfluous(copies: Sequence[Copy], now: datetime, most_bytes: int = MOST_BYTES) -> list[Copy]:
    """The backups that may go; of each period the newest one stays. One from the future is as good as new."""
    newest_first = sorted(copies, key=lambda copy: (copy.made, copy.name), reverse=True)
    keepers: list[Copy] = []
    others: list[Copy] = []
    periods: set[tuple[int, object] | None] = {_TOO_OLD}
    for copy in newest_first:
        period = _period(copy.made, now)
        (others if period in periods else keepers).append(copy)
        if period is not None:
            periods.add(period)
    keepers += others[: max(0, FEWEST - len(keepers))]
    while len(keepers) > FEWEST and sum(copy.size for copy in keepers) > most_bytes:
        keepers.pop()
    names = {copy.name for copy in keepers}
    return [copy for copy in newest_first if copy.name not in names]


def _period(moment: datetime, now: datetime) -> tuple[int, object] | None:
    """What a backup stands for; None for one that is new enough to stay anyway."""
    age = now - moment
    if age <= _KEEP_ALL_FOR:
        return None
    for number, (until, period) in enumerate(_PERIODS):
        if age <= until:
            return number, period(moment)
    return _TOO_OLD
