"""Check figures that several views share: weeks of activity, deck counts, answers."""

from datetime import date, timedelta

from studykit.scheduling.activity import LEVELS, activity
from studykit.scheduling.replay import Tally
from studykit.scheduling.stats import DeckCounts, known_cards

FRIDAY = date(2026, 11, 20)


def test_activity_has_whole_weeks_until_today() -> None:
    days = activity({}, FRIDAY, weeks=12)

    assert [len(week) for week in days.weeks] == [7] * 11 + [5]
    assert days.weeks[0][0].day == FRIDAY - timedelta(days=4 + 77)
    assert days.days[-1].day == FRIDAY


def test_activity_counts_all_answers_by_level() -> None:
    tallies = {
        FRIDAY.toordinal(): Tally(introduced=1, young=2, mature=3, drills=4, crams=5, practised=6, took_ms=99),
        FRIDAY.toordinal() - 1: Tally(young=1),
        FRIDAY.toordinal() - 2: Tally(young=11, young_passed=11),
        FRIDAY.toordinal() - 400: Tally(young=1000),
    }

    result = activity(tallies, FRIDAY)

    assert [(day.answers, day.level) for day in result.days[-4:]] == [(0, 0), (11, 3), (1, 1), (21, LEVELS)]
    assert (result.answers, result.studied, result.busiest.day) == (33, 3, FRIDAY)


def test_a_quiet_time_has_no_level() -> None:
    assert {day.level for day in activity({}, FRIDAY).days} == {0}


def test_deck_counts_new_known_and_suspended() -> None:
    deck, empty = DeckCounts("b", 10, known=6, set_aside=1, due=2), DeckCounts("empty", 0, 0, 0, 0)

    assert (deck.new, deck.share, empty.new, empty.share) == (3, 0.6, 0, 0.0)


def test_removed_cards_are_not_known() -> None:
    standings = [("a", "flops", 5, 10, 9, 1, 2), ("a", "", 2, 1, 1, 0, 1)]

    assert known_cards(standings, [("a", "flops", 3, 1), ("b", "", 9, 9)]) == {"a": 4}
