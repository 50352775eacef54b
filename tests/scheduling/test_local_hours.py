"""The local hour of a moment, where clocks change and zones differ by quarters."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studykit.scheduling.study_day import QUARTER_US, LocalHours, local_hour, microseconds, moment_of

HOURS = LocalHours(ZoneInfo)


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
def test_the_hour_is_that_of_the_clock_on_the_wall(utc: str, zone: str, hour: int) -> None:
    moment = microseconds(datetime.fromisoformat(utc).replace(tzinfo=UTC))

    assert HOURS.span(moment, zone)[0] == local_hour(moment, ZoneInfo(zone)) == hour


@given(
    st.integers(946_684_800, 2_208_988_800),
    st.sampled_from(["UTC", "Europe/London", "Asia/Kolkata", "Australia/Lord_Howe", "America/St_Johns"]),
)
def test_each_quarter_has_the_hour_in_which_it_begins(second: int, zone: str) -> None:
    moment = second * 1_000_000
    began = moment_of(moment - moment % QUARTER_US).astimezone(ZoneInfo(zone))

    hour, until = HOURS.span(moment, zone)

    assert HOURS.span(moment, zone)[0] == local_hour(moment, ZoneInfo(zone)) == hour == began.hour
    assert moment < until <= moment + 4 * QUARTER_US
    assert HOURS.span(until - 1, zone)[0] == hour
