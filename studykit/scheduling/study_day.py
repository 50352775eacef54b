"""The study day: a local date that rolls over in the small hours, in the learner's own zone."""

from datetime import UTC, date, datetime, timedelta, tzinfo

ROLLOVER_HOURS = 4
EARLIEST, LATEST = date(1970, 1, 2), date(2255, 1, 1)  # of what is recorded; a page counts no later microseconds


def study_day(moment: datetime, zone: tzinfo, rollover_hours: int = ROLLOVER_HOURS) -> date:
    """The study day that an aware moment belongs to: 03:59 local is still yesterday.

    The wall clock decides, so a day has 23 or 25 hours where the zone changes its offset.
    """
    local = moment.astimezone(zone)
    return (local.replace(tzinfo=None) - timedelta(hours=rollover_hours)).date()


def microseconds(moment: datetime) -> int:
    """An aware moment as whole microseconds since 1970 in UTC, exactly."""
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def moment_of(microseconds_utc: int) -> datetime:
    """The aware UTC moment of a count of microseconds since 1970."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds_utc)
