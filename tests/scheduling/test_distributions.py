"""Test days, weeks, months and the spread of cards against a small log added up by hand."""

from datetime import date

from studykit.scheduling.distributions import card_spread, study_year
from studykit.scheduling.estimated_share import counted_share
from studykit.scheduling.replay import Tally
from studykit.scheduling.stats import Retention

FRIDAY = date(2026, 11, 20)


def tallies(**days: Tally) -> dict[int, Tally]:
    """Return tallies by ordinal day, from keywords such as `nov_20`."""
    numbers = {"sep": 9, "oct": 10, "nov": 11}
    result = {}
    for name, tally in days.items():
        month, day = name.split("_")
        result[date(2026, numbers[month], int(day)).toordinal()] = tally
    return result


LOG = tallies(
    sep_30=Tally(young=1),
    oct_1=Tally(introduced=3, young=4, young_passed=3, drills=2),
    oct_31=Tally(mature=4, mature_passed=4),
    nov_16=Tally(young=2, young_passed=1, practised=5),
    nov_20=Tally(crams=7),
)


def test_month_adds_up_its_days() -> None:
    september, october, november = study_year(LOG, FRIDAY).months[-3:]

    assert [each.first for each in (september, october, november)] == [date(2026, n, 1) for n in (9, 10, 11)]
    assert (september.retention, september.answers) == (Retention(0, 1), 1)
    assert (october.retention, october.answers) == (Retention(7, 8), 13)
    assert (november.retention, november.answers) == (Retention(1, 2), 14)
    assert october.share == counted_share(7, 8)


def test_months_go_back_over_new_year() -> None:
    result = study_year({}, date(2026, 1, 3)).months

    assert [result[0].first, result[-1].first, len(result)] == [date(2025, 1, 1), date(2026, 1, 1), 13]
    assert {each.share for each in result} == {None}


def test_weeks_begin_on_monday() -> None:
    before, present = study_year(LOG, FRIDAY).weeks[-2:]

    assert (before.first, present.first) == (date(2026, 11, 9), date(2026, 11, 16))
    assert (present.retention, present.answers) == (Retention(1, 2), 14)


def test_year_begins_a_year_ago() -> None:
    days = study_year(LOG, FRIDAY).activity.days

    assert days[0].day <= date(2025, 11, 21)
    assert days[-1].day == FRIDAY
    assert sum(day.answers for day in days) == 1 + 13 + 14


def test_cards_fall_into_ranges_by_each_number() -> None:
    result = card_spread([(1, 250, None, 3), (2, 130, None, 1), (365, 310, None, 2), (366, 269, None, 1)])

    intervals = {(each.first, each.after): each.cards for each in result.intervals if each.cards}
    assert intervals == {(0, 2): 3, (2, 4): 1, (121, 366): 2, (366, None): 1}
    assert {each.first: each.cards for each in result.eases if each.cards} == {130: 1, 250: 4, 310: 2}
    assert result.stabilities == ()


def test_stabilities_have_the_ranges_of_intervals() -> None:
    result = card_spread([(1, 250, 0.4, 1), (9, 250, 7.99, 2), (9, 250, 8.0, 4)])

    assert [each.cards for each in result.stabilities] == [1, 0, 2, 4, 0, 0, 0, 0, 0]
