"""Check FSRS-6 against two libraries, and what counts as a review under it."""

from datetime import UTC, date, datetime
from random import Random

import fsrs_rs_python
import pytest
from fsrs import Card, Rating, Scheduler
from hypothesis import given
from hypothesis import strategies as st
from plain_replay import caches_of

from studykit.scheduling import fsrs, review_rule
from studykit.scheduling.fsrs import Fsrs
from studykit.scheduling.review_rule import CRAM, DRILL, INTRODUCTION, EventRow, answer
from studykit.scheduling.sm2 import MAX_INTERVAL

DAY = date(2026, 11, 23).toordinal()
PUBLISHED = Fsrs()
LIBRARY = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
HISTORIES = 1000


def answered(day: int, grade: int, profile: str = "fsrs-6", card: str = "a") -> EventRow:
    return b"", "answer", card, day, grade, 1000, "", profile


def test_a_thousand_histories_are_those_of_the_library() -> None:
    random = Random(20261123)
    for _ in range(HISTORIES):
        card, moment = Card(card_id=1), datetime(2026, 1, 1, tzinfo=UTC)
        memory, day = None, moment.toordinal()
        for _ in range(random.randint(1, 12)):
            grade = random.choice([0, 1, 2, 3, 4, 4, 4, 5])
            card, _ = LIBRARY.review_card(card, Rating(fsrs.rating_of(grade)), moment)
            _, memory = answer(memory, grade, day, "fsrs-6", fsrs=PUBLISHED)
            assert memory[8:10] == pytest.approx((card.stability, card.difficulty))
            assert memory[5] == card.due.toordinal()
            late = random.choice([0, 0, 0, 1, 7, 100]) - random.choice([0, 0, 0, 1, 2])
            day = max(day + 1, memory[5] + late)
            if day > date(2300, 1, 1).toordinal():
                break
            moment = datetime.fromordinal(day).replace(tzinfo=UTC)


@given(st.floats(0.7, 0.97), st.floats(0.01, 30000))
def test_interval_ends_at_the_wanted_recall(retention: float, stability: float) -> None:
    scheduler = Fsrs(retention)

    days = scheduler.interval(stability)

    if 1 < days < MAX_INTERVAL:
        assert scheduler.recall(stability, days - 0.5) >= retention - 1e-9 >= 0
        assert scheduler.recall(stability, days + 0.5) <= retention + 1e-9


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4000)), max_size=60), st.sampled_from([0.7, 0.9, 0.99])
)
def test_history_stays_within_days_and_numbers(history: list[tuple[int, int]], retention: float) -> None:
    memory, day, scheduler = None, DAY, Fsrs(retention)
    for grade, later in history:
        day = min(review_rule.LAST_DAY, day + later)
        _, memory = answer(memory, grade, day, fsrs=scheduler)
        assert memory[4] <= memory[5] <= review_rule.LAST_DAY
        assert (memory[8] or 0) >= fsrs.MIN_STABILITY
        assert 1 <= (memory[9] or 0) <= 10


@pytest.mark.parametrize(("interval", "ease"), [(1, 250), (6, 250), (20, 250), (400, 180), (30, 130), (15, 340)])
def test_sm2_numbers_convert_as_in_the_library(interval: int, ease: int) -> None:
    theirs = fsrs_rs_python.FSRS(list(fsrs.PUBLISHED)).memory_state_from_sm2(ease / 100, interval, 0.9)

    mine = PUBLISHED.adopted(interval, ease)

    assert mine == pytest.approx((theirs.stability, theirs.difficulty), rel=1e-5)


def test_drills_and_crams_do_not_count() -> None:
    counted, first = answer(None, 4, DAY, fsrs=PUBLISHED)
    drilled = answer(first, 1, DAY, fsrs=PUBLISHED)
    crammed = answer(first, 1, DAY + 1, fsrs=PUBLISHED)

    assert (counted, first[5]) == (INTRODUCTION, DAY + 2)
    assert (drilled, crammed) == ((DRILL, first), (CRAM, first))


def test_sm2_review_counts_under_fsrs() -> None:
    """Check good answers on days 0 and 1, after which SM-2 asks on day 7 but FSRS on day 8."""
    text = [answered(DAY + day, 4, "sm2-text") for day in (0, 1, 7)]

    _, _, _, _, reviewed, due, reviews, passed, *_ = caches_of(text, fsrs=PUBLISHED).memories["a"]

    assert (reviewed, reviews, passed) == (DAY + 7, 2, 2)
    assert due > DAY + 30


def test_fsrs_review_counts_under_sm2() -> None:
    """Check a hard card, which FSRS asks on days 1 and 4, while SM-2 would wait until day 7."""
    rows = [answered(DAY, 3), answered(DAY + 1, 3), answered(DAY + 4, 4)]

    memory = caches_of(rows).memories["a"]

    assert (memory[0], memory[4], memory[6]) == (3, DAY + 4, 2)


def test_early_answer_stays_early_on_replay() -> None:
    log = [answered(DAY, 4), answered(DAY + 900, 1, "fsrs-6 ahead")]

    for scheduler in (None, PUBLISHED):
        caches = caches_of(log, fsrs=scheduler)
        assert caches.memories["a"][4] == DAY
        assert caches.tallies[DAY + 900, -1, -1].crams == 1


def test_under_fsrs_the_numbers_of_sm2_go_on() -> None:
    log = [answered(DAY + day, grade, "sm2-text") for day, grade in ((0, 4), (1, 4), (7, 5), (23, 1), (24, 4))]

    text, other = caches_of(log).memories["a"], caches_of(log, fsrs=PUBLISHED).memories["a"]

    assert (other[0], other[10], other[2:5]) == (*text[:2], text[2:5])


def test_own_parameters_and_retention_name_the_scheduler() -> None:
    own = Fsrs(0.85, (*fsrs.PUBLISHED[:20], 0.2))

    assert PUBLISHED.name == "fsrs-6 0.9"
    assert own.name.startswith("fsrs-6 0.85 0.212 ")
    assert own.name.endswith(" 0.0658 0.2")
    assert own.interval(10) > PUBLISHED.interval(10)
