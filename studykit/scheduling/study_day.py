"""Convert moments to study days, local dates that roll over in the small hours, and to local hours."""

from datetime import UTC, date, datetime, timedelta, tzinfo

ROLLOVER_HOURS = 4
EARLIEST, LATEST = date(1970, 1, 2), date(2255, 1, 1)  # of what is recorded; a page counts no later microseconds
QUARTER_US = 900_000_000
"""Microseconds; zones differ by whole quarters of an hour."""
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


def study_day(moment: datetime, zone: tzinfo, rollover_hours: int = ROLLOVER_HOURS) -> date:
    """Return an aware moment's study day by the wall clock. 03:59 is yesterday; a day may have 23 or 25 hours."""
    local = moment.astimezone(zone)
    return (local.replace(tzinfo=None) - timedelta(hours=rollover_hours)).date()


def recorded_day(text: str) -> date:
    """Parse an ISO date as a study day. Raises ValueError for a date outside the recorded range."""
    day = date.fromisoformat(text)
    if not EARLIEST <= day <= LATEST:
        raise ValueError(f"{day} is not a valid study day")
    return day


def microseconds(moment: datetime) -> int:
    """Convert an aware moment to whole microseconds since 1970 in UTC, exactly."""
    return (moment - _EPOCH) // _MICROSECOND


def moment_of(microseconds_utc: int) -> datetime:
    """Convert microseconds since 1970 to an aware UTC moment."""
    return _EPOCH + timedelta(microseconds=microseconds_utc)


def local_hour(moment: int, zone: tzinfo) -> int:
    """Return the local hour, 0 to 23, in a zone at a moment in microseconds UTC."""
    return moment_of(moment // QUARTER_US * QUARTER_US).astimezone(zone).hour


def month_of(day: int) -> int:
    """Return the ordinal of the first day of an ordinal day's month."""
    return day - date.fromordinal(day).day + 1
