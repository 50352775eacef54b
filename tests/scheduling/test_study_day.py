"""Check which study day a moment belongs to, and moments as the log counts them."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studykit.scheduling.study_day import local_hour, microseconds, moment_of, study_day

LONDON, TOKYO, NEW_YORK = ZoneInfo("Europe/London"), ZoneInfo("Asia/Tokyo"), ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("utc", "zone", "rollover", "day"),
    [
        ("2026-11-24T03:59", LONDON, 4, "2026-11-23"),
        ("2026-11-24T04:00", LONDON, 4, "2026-11-24"),
        ("2026-11-24T23:59", LONDON, 4, "2026-11-24"),
        ("2026-11-23T18:59", TOKYO, 4, "2026-11-23"),
        ("2026-11-23T19:00", TOKYO, 4, "2026-11-24"),
        ("2026-11-24T08:59", NEW_YORK, 4, "2026-11-23"),
        ("2026-11-24T00:00", LONDON, 0, "2026-11-24"),
        ("2026-11-24T05:59", LONDON, 6, "2026-11-23"),
        ("2026-03-29T02:59", LONDON, 4, "2026-03-28"),  # 03:59 there: clocks went forward at one
        ("2026-03-29T03:00", LONDON, 4, "2026-03-29"),
        ("2026-10-25T03:59", LONDON, 4, "2026-10-24"),  # and back at two
        ("2026-10-25T04:00", LONDON, 4, "2026-10-25"),
    ],
)
def test_day_begins_at_four_local_time(utc: str, zone: ZoneInfo, rollover: int, day: str) -> None:
    moment = datetime.fromisoformat(utc).replace(tzinfo=UTC)

    assert study_day(moment, zone, rollover) == date.fromisoformat(day)


def test_the_log_counts_microseconds_since_1970() -> None:
    moment = datetime(2001, 9, 9, 1, 46, 40, 7, tzinfo=UTC)

    assert microseconds(moment) == 1_000_000_000_000_007
    assert moment_of(1_000_000_000_000_007) == moment


@given(st.integers(0, 2**57))
def test_a_moment_comes_back_exactly(count: int) -> None:
    assert microseconds(moment_of(count)) == count


@pytest.mark.parametrize(
    ("utc", "zone", "hour"),
    [
        ("2026-11-24T23:59", "UTC", 23),
        ("2026-11-24T23:59", "Asia/Kathmandu", 5),  # 5:45 ahead
        ("2026-11-24T00:10", "America/New_York", 19),
        ("2026-03-29T00:59", "Europe/London", 0),
        ("2026-03-29T01:00", "Europe/London", 2),  # clocks went forward
        ("2026-10-25T00:59", "Europe/London", 1),
        ("2026-10-25T01:00", "Europe/London", 1),  # and back
        ("2026-04-04T15:00", "Australia/Lord_Howe", 1),  # back by half an hour, from two
    ],
)
def test_hour_is_local(utc: str, zone: str, hour: int) -> None:
    moment = microseconds(datetime.fromisoformat(utc).replace(tzinfo=UTC))

    assert local_hour(moment, ZoneInfo(zone)) == hour
