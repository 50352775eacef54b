"""Test that a log's figures equal numbers worked out by hand."""

import pytest
from plain_replay import caches_of

from studykit.scheduling import log_figures
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.review_rule import EventRow

DAY = 739_000
FSRS = Fsrs()


def answered(card: str, day: int, grade: int, seconds: float = 10) -> EventRow:
    return f"{card}{day}{grade}".encode(), "answer", card, DAY + day, grade, int(1000 * seconds), "", "fsrs-6"


LOG = [
    answered("a", 0, 1, 30),
    answered("a", 0, 4, 20),  # drill of a new card
    answered("a", 1, 5, 8),
    answered("b", 1, 4, 40),
    answered("a", 90, 1, 12),
    answered("a", 90, 3, 6),  # drill of a known one
]


def test_pace_separates_new_and_known_cards() -> None:
    """Check that two new cards and two reviews move the usual pace, which counts as twenty cards."""
    figures = log_figures.read(LOG, (), FSRS, DAY + 60)

    assert figures.pace.new_s == pytest.approx((20 * 45 + 30 + 20 + 40) / 22)
    assert figures.pace.review_s == pytest.approx((20 * 20 + 8 + 12 + 6) / 22)
    assert figures.pace.passes == (0, 20, 1)


def test_only_the_last_days_tell_the_pace() -> None:
    figures = log_figures.read(LOG, (), FSRS, DAY + 160)

    assert figures.pace.new_s == 45
    assert figures.pace.review_s == pytest.approx((20 * 20 + 18) / 21)


def test_reviews_of_known_cards_give_recall() -> None:
    figures = log_figures.read(LOG, (), FSRS, DAY + 90)

    first = FSRS.first(1)[0]
    assert figures.seen == [(first, 1, True), (FSRS.review(*FSRS.first(1), 1, 5)[0], 89, False)]
    assert figures.memories == caches_of(LOG, fsrs=FSRS).memories


def test_what_was_undone_tells_nothing() -> None:
    figures = log_figures.read(LOG, {LOG[3][0], LOG[4][0], LOG[5][0]}, FSRS, DAY + 60)

    assert len(figures.seen) == 1
    assert figures.pace.new_s == pytest.approx((20 * 45 + 50) / 21)


def test_long_answer_is_capped() -> None:
    figures = log_figures.read([answered("a", 0, 4, 5000)], (), FSRS, DAY)

    assert figures.pace.new_s == pytest.approx((20 * 45 + 180) / 21)
