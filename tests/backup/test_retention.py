"""Test which backups stay: all of two days, then one a day, week or month; five at least, more within 500 MB."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from studykit.backup.backup_folder import MIN_COPIES, Copy, superfluous

NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)


def copies(*ages: timedelta, size: int = 1) -> list[Copy]:
    return [Copy(f"{number:04}", NOW - age, size) for number, age in enumerate(ages)]


def remaining_ages(all_copies: list[Copy], most_bytes: int = 500_000_000) -> list[timedelta]:
    gone = superfluous(all_copies, NOW, most_bytes)
    return sorted(NOW - copy.made for copy in all_copies if copy not in gone)


def test_all_of_two_days_stay() -> None:
    half_hours = [timedelta(minutes=30 * number) for number in range(97)]

    assert remaining_ages(copies(*half_hours)) == half_hours


def test_newest_of_a_day_stays_two_weeks() -> None:
    all_copies = copies(*(timedelta(days=days, hours=hours) for days in range(3, 14) for hours in (0, 1, 2)))

    assert remaining_ages(all_copies) == [timedelta(days=days) for days in range(3, 14)]


def test_weekly_and_monthly_backups_stay_a_year() -> None:
    all_copies = copies(*(timedelta(days=days) for days in range(500)))

    remaining = remaining_ages(all_copies)

    weeks = [NOW - age for age in remaining if timedelta(days=14) < age <= timedelta(days=60)]
    months = [NOW - age for age in remaining if age > timedelta(days=60)]
    assert len({moment.isocalendar()[:2] for moment in weeks}) == len(weeks) in range(6, 9)
    assert len({(moment.year, moment.month) for moment in months}) == len(months) in range(10, 13)
    assert max(remaining) <= timedelta(days=366)


def test_five_stay_however_old_and_large() -> None:
    years = copies(*(timedelta(days=400 * number) for number in range(1, 9)), size=400_000_000)

    assert len(remaining_ages(years)) == MIN_COPIES


def test_more_than_five_stay_only_within_500_mb() -> None:
    hours = [timedelta(hours=number) for number in range(20)]

    assert len(remaining_ages(copies(*hours, size=60_000_000))) == 8
    assert remaining_ages(copies(*hours, size=60_000_000)) == hours[:8]


def test_one_from_the_future_stays() -> None:
    assert timedelta(days=-900) in remaining_ages(copies(timedelta(days=-900), *[timedelta(days=1)] * 9))


@given(st.lists(st.integers(-10, 800), max_size=40), st.integers(0, 10))
def test_pruning_again_removes_nothing(days: list[int], size: int) -> None:
    all_copies = copies(*(timedelta(days=day) for day in days), size=size)
    gone = superfluous(all_copies, NOW, most_bytes=50)
    remaining = [copy for copy in all_copies if copy not in gone]

    assert superfluous(remaining, NOW, most_bytes=50) == []
    assert len(remaining) >= min(MIN_COPIES, len(all_copies))
