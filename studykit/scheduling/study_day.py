"""The study day, a local date that rolls over in the small hours, and the local hour, where the learner is."""

from datetime import UTC, date, datetime, timedelta, tzinfo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ROLLOVER_HOURS = 4
EARLIEST, LATEST = date(1970, 1, 2), date(2255, 1, 1)  # of what is recorded; a page counts no later microseconds
QUARTER_US = 900_000_000
"""Microseconds; zones differ by whole quarters of an hour."""
_QUARTERS = 96  # of a day
_QUARTER = timedelta(minutes=15)
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


def study_day(moment: datetime, zone: tzinfo, rollover_hours: int = ROLLOVER_HOURS) -> date:
    """The study day that an aware moment belongs to: 03:59 local is still yesterday.

    The wall clock decides, so a day has 23 or 25 hours where the zone changes its offset.
    """
    local = moment.astimezone(zone)
    return (local.replace(tzinfo=None) - timedelta(hours=rollover_hours)).date()


def microseconds(moment: datetime) -> int:
    """An aware moment as whole microseconds since 1970 in UTC, exactly."""
    return (moment - _EPOCH) // _MICROSECOND


def moment_of(microseconds_utc: int) -> datetime:
    """The aware UTC moment of a count of microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=microseconds_utc)


def local_hour(moment: int, zone: tzinfo) -> int:
    """The hour, 0 to 23, that a clock of the zone shows in the quarter of a moment in microseconds UTC."""
    return moment_of(moment // QUARTER_US * QUARTER_US).astimezone(zone).hour


class LocalHours:
    """The local hour of each quarter of an hour, with the offset of each day in a zone looked up once."""

    __slots__ = ("_offsets", "_zone_of")

    def __init__(self, zone_of: "Callable[[str], tzinfo]") -> None:
        """`zone_of` gives the zone of a name."""
        self._zone_of = zone_of
        self._offsets: dict[tuple[int, str], int | None] = {}

    def span(self, moment: int, zone: str) -> tuple[int, int]:
        """The local hour of a moment as `local_hour` tells it, and a later moment up to which it stays so."""
        quarter = moment // QUARTER_US
        day = quarter // _QUARTERS
        offset = self._offset(day, zone)
        if offset is None:
            return self._local(quarter, zone).hour, (quarter + 1) * QUARTER_US
        local = quarter + offset
        after = min(quarter + 4 - local % 4, (day + 1) * _QUARTERS)
        return local % _QUARTERS // 4, after * QUARTER_US

    def _offset(self, day: int, zone: str) -> int | None:
        """Quarters that a zone is ahead of UTC on a day since 1970; None where that changes or is not a number."""
        key = day, zone
        if key not in self._offsets:
            moments = (_QUARTERS * day, _QUARTERS * (day + 1))
            offsets = {self._local(quarter, zone).utcoffset() for quarter in moments}
            offset = offsets.pop()
            is_whole = not offsets and offset is not None and not offset % _QUARTER
            self._offsets[key] = offset // _QUARTER if offset is not None and is_whole else None
        return self._offsets[key]

    def _local(self, quarter: int, zone: str) -> datetime:
        return moment_of(quarter * QUARTER_US).astimezone(self._zone_of(zone))
