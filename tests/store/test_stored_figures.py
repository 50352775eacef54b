"""Test that the figures of a small log equal figures computed by hand."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from stores import fill

from decks import basic_card
from studykit.cards.card import Card, CardId, DeckId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Showing
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.replay import Tally
from studykit.scheduling.stats import Retention
from studykit.store.opening import open_store
from studykit.store.store import Store

MONDAY = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")  # an hour ahead in November
AGAIN, GOOD, EASY = Grade.AGAIN, Grade.GOOD, Grade.EASY
FSRS = Fsrs()


def opened(address: Path, origin: str = "here", scheduler: str | None = None) -> Store:
    return open_store(
        address, clock=lambda: MONDAY, zone_name="Europe/Berlin", zone=BERLIN, origin=origin, scheduler=scheduler
    )


def answer(store: Store, card: str, days_ago: int, grade: Grade, *, hours: int = 0) -> None:
    at = MONDAY - timedelta(days=days_ago) + timedelta(hours=hours)
    store.log.record(EventKind.ANSWER, CardId(card), grade=grade, took_ms=2000, at=at)


def a_card(name: str, place: int) -> Card:
    return basic_card(name, deck=DeckId("d"), path="d.md", position=place, objectives=("flops",))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return a log in which `a` is recalled after 1 and 6 days, `b` is forgotten after 2, and more."""
    with opened(tmp_path / "figures.db") as store:
        fill(store, *(a_card(name, place) for place, name in enumerate("abc")))
        answer(store, "a", 12, GOOD)
        answer(store, "a", 12, GOOD, hours=1)  # drill
        answer(store, "a", 11, GOOD)
        answer(store, "b", 10, GOOD)
        answer(store, "a", 9, AGAIN)  # ahead of time
        answer(store, "b", 8, AGAIN)
        answer(store, "a", 5, EASY, hours=3)
        answer_shown = Showing("flops.mm", 1, 7, "{}", "1", "incorrect", ("factor-2",))
        for grade in (GOOD, AGAIN, GOOD):
            store.log.record(EventKind.PRACTICE, CardId(""), grade=grade, showing=answer_shown)
        store.log.undo()
        yield store


def counts_of(store: Store) -> tuple[dict[int, Retention], dict[int, Tally]]:
    """Return the counts of answers by hour and by grade, without empty hours and grades."""
    counts = store.schedule.answer_counts()
    hours = {hour: retention for hour, retention in enumerate(counts.hours) if retention.reviews}
    return hours, {grade: count for grade, count in enumerate(counts.grades) if count.answers}


HOURS = {10: Retention(1, 2), 13: Retention(1, 1)}
GRADES = {
    1: Tally(young=1, crams=1, took_ms=4000),
    4: Tally(introduced=2, young=1, young_passed=1, drills=1, took_ms=8000),
    5: Tally(young=1, young_passed=1, took_ms=2000),
}


def test_answers_are_counted_by_hour_and_grade(store: Store) -> None:
    assert counts_of(store) == (HOURS, GRADES)
    assert store.schedule.disagreements() == ()


def test_what_changes_the_log_changes_the_counts(store: Store, tmp_path: Path) -> None:
    answer(store, "c", 3, GOOD)
    answer(store, "c", 2, GOOD)
    store.log.undo()
    store.log.undo()
    assert counts_of(store) == (HOURS, GRADES)

    answer(store, "b", 9, GOOD)  # synced late: the answer a day later is then not a review of a due card
    _, grades = counts_of(store)
    assert grades[1] == Tally(crams=2, took_ms=4000)
    assert grades[4] == Tally(introduced=2, young=2, young_passed=2, drills=1, took_ms=10_000)

    with opened(tmp_path / "other.db", "there") as other:
        other.log.merge(list(store.log.events()))
        assert counts_of(other) == counts_of(store)
        other.schedule.rebuild()
        assert counts_of(other) == counts_of(store)
        assert other.schedule.disagreements() == ()


def test_wrong_month_is_reported_and_rebuilt(store: Store) -> None:
    with store._database.writing() as connection:
        connection.execute("UPDATE tally SET young = young + 1 WHERE hour = 13")

    disagreements = store.schedule.disagreements()
    store.schedule.rebuild()

    assert disagreements == ("tally of 2026-11-01",)
    assert counts_of(store) == (HOURS, GRADES)


def test_statistics_of_a_small_log(store: Store) -> None:
    statistics = store.schedule.stats(MONDAY.date())

    assert (
        statistics.total.reviews,
        statistics.total.drills,
        statistics.total.crams,
        statistics.total.practised,
    ) == (5, 1, 1, 2)
    assert statistics.windows["week"].total == Retention(1, 1)
    assert statistics.windows["month"].total == Retention(2, 3)
    assert [(hard.card, hard.lapses) for hard in statistics.hardest] == [("b", 1)]
    assert statistics.decks["d"].known == 2
    assert statistics.overdue == 1  # b since a week; a comes back after 15 days of 6 and ease 2.5, in ten
    assert [count for _, count in statistics.forecast][:11] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert [(slip.slip, slip.count) for slip in statistics.slips] == [("factor-2", 2)]
    assert [week.answers for week in store.schedule.year(MONDAY.date()).weeks[-3:]] == [6, 1, 2]


def test_a_plan_and_mastery_read_the_whole_log(store: Store) -> None:
    figures = store.schedule.log_figures(FSRS, MONDAY.date())
    (mastery,) = store.schedule.mastery(MONDAY.date(), FSRS, {"flops.mm": "flops"}.get)

    first = FSRS.first(4)
    assert figures.seen == [(first[0], 1, True), (first[0], 2, False), (FSRS.review(*first, 1, 4)[0], 6, True)]
    assert (mastery.cards, mastery.seen, mastery.tries, mastery.right) == (
        3,
        2,
        2,
        0,
    )  # judged wrong, whatever its grade


def test_schedulers_are_compared_on_the_whole_log(store: Store) -> None:
    comparison, loads = store.schedule.comparison(FSRS, MONDAY.date(), 60)

    text = {each.name: each for each in comparison.predictions}["sm2-text"]
    assert comparison.reviews == 3
    assert text.mean == pytest.approx((0.9 + 0.81 + 0.9) / 3)
    assert loads["sm2-text"][:11] == [1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1]


def test_scheduler_is_changed_without_loss(store: Store, tmp_path: Path) -> None:
    before = store.schedule.memories()

    with opened(tmp_path / "figures.db", scheduler=FSRS.name) as other:
        assert other.schedule.memories() != before
        assert other.schedule.spread().stabilities
        assert counts_of(other) == (HOURS, GRADES)
    with opened(tmp_path / "figures.db", scheduler="") as again:
        assert again.schedule.memories() == before


@pytest.mark.parametrize("zone", ["Nowhere/Town", "Mars\nVenus", ""])
def test_answers_from_an_unknown_zone_count_in_utc(tmp_path: Path, zone: str) -> None:
    with opened(tmp_path / "one.db") as one, opened(tmp_path / "two.db", "there") as two:
        answer(one, "a", 2, GOOD)
        answer(one, "a", 1, GOOD)

        two.log.merge([replace(event, zone=zone) for event in one.log.events()])

        assert two.schedule.disagreements() == ()
        assert counts_of(two)[0] == {9: Retention(1, 1)}
