"""Check statistics: what counts as retention, a streak or a slip."""

from datetime import date, timedelta

import pytest

from studykit.scheduling.replay import Tally
from studykit.scheduling.stats import Part, Retention, SlipCount, Stats, Streak, stats, streak

TODAY = date(2026, 11, 23)


def of(tallies: dict[int, Tally]) -> Stats:
    """Return the statistics of tallies, which are keyed by how many days ago they happened."""
    ordinals = {TODAY.toordinal() - ago: tally for ago, tally in tallies.items()}
    return stats(TODAY, tallies=ordinals, standings=[], due=[], outcomes=[])


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ([], Streak(0, 0)),
        ([100], Streak(1, 1)),
        ([98, 99], Streak(2, 2)),
        ([97, 98], Streak(0, 2)),
        ([90, 91, 92, 99, 100], Streak(2, 3)),
        ([100, 101], Streak(1, 1)),
    ],
    ids=["none", "today", "not yet today", "broken", "longer before", "a clock ahead"],
)
def test_a_streak_runs_to_today_or_to_yesterday(days: list[int], expected: Streak) -> None:
    assert streak(days, today=100) == expected


def test_retention_counts_known_cards_in_the_window() -> None:
    result = of(
        {0: Tally(introduced=9, young=4, young_passed=3), 6: Tally(mature=2, mature_passed=1), 7: Tally(young=8)}
    )

    assert result.windows["week"].total == Retention(4, 6)
    assert result.windows["month"].young == Retention(3, 12)
    assert result.windows["all"].mature == Retention(1, 2)
    assert result.windows["week"].mature.share == 0.5


def test_counts_of_all_days_add_up() -> None:
    one, other = Tally(1, 2, 3, 4, 5, 6, 7, 8, 9), Tally(10, 20, 30, 40, 50, 60, 70, 80, 90)

    result = of({1: one, 2: other})

    assert (result.day, result.today, result.streak) == (TODAY, Tally(), Streak(2, 2))
    assert result.total == Tally(11, 22, 33, 44, 55, 66, 77, 88, 99)


def test_there_is_no_retention_before_the_first_review() -> None:
    assert of({0: Tally(introduced=3)}).windows["all"].total.share is None


def test_forecast_counts_overdue_cards_today() -> None:
    today = TODAY.toordinal()

    result = stats(TODAY, tallies={}, standings=[], due=[(today - 9, 2), (today, 3), (today + 2, 5)], outcomes=[])

    assert result.overdue == 2
    assert result.forecast[:3] == ((TODAY, 5), (TODAY + timedelta(days=1), 0), (TODAY + timedelta(days=2), 5))


def test_decks_and_objectives_keep_lesson_order() -> None:
    rows = [("one", "memory\nflops", 4, 10, 9, 1, 2), ("two", "flops", 1, 5, 5, 0, 0), ("one", "", 1, 1, 0, 1, 0)]

    result = stats(TODAY, tallies={}, standings=rows, due=[], outcomes=[])

    assert result.decks == {"one": Part(5, 2, 2, Retention(9, 11)), "two": Part(1, 0, 0, Retention(5, 5))}
    assert list(result.objectives) == ["flops", "memory"]
    assert result.objectives["flops"] == Part(5, 2, 1, Retention(14, 15))


def test_outcomes_add_up_by_family() -> None:
    outcomes = [
        ("bet.matmul", "", "", 1),  # promised, not yet run
        ("flops.matmul.square", "correct", "", 3),
        ("flops.bmm", "correct", "", 1),
        ("flops.bmm", "incorrect", "z slip\na slip\nforward-only", 1),
        ("flops.bmm", "incorrect", "forward-only", 1),
        ("bytes.bf16", "correct", "gone", 1),
        ("bytes.bf16", "correct", "gone", -1),
    ]

    result = stats(TODAY, tallies={}, standings=[], due=[], outcomes=outcomes)

    assert result.exercises == {"bytes": {}, "flops": {"correct": 4, "incorrect": 2}}
    assert list(result.exercises) == ["bytes", "flops"]
    assert result.slips == (
        SlipCount("forward-only", 2, "flops.bmm"),
        SlipCount("a slip", 1, "flops.bmm"),
        SlipCount("z slip", 1, "flops.bmm"),
    )
