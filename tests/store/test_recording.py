"""Test that events are recorded, undone in order, and exported and imported without loss."""

import json
import shutil
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stores import NOW, Clock, opened

from studykit.cards.card import CardId
from studykit.errors import StudyError, UsageError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import MAX_ANSWER_MS, MAX_TEXT_CHARACTERS, Event, Showing
from studykit.scheduling.progress_file import progress_json, read_progress
from studykit.scheduling.recall_grade import Grade
from studykit.store.store import Store

CARD = CardId("six-nd")


def answered(store: Store, grade: Grade, *, took_ms: int = 0) -> Event:
    return store.log.record(EventKind.ANSWER, CARD, grade=grade, took_ms=took_ms).event


def taken_back(store: Store) -> UUID | None:
    undone = store.log.undo()
    return None if undone is None else undone.target.id


def test_ids_count_up_whatever_the_clock_does(store: Store, clock: Clock) -> None:
    random, events = Random(1), []
    for _ in range(50):
        clock.now = NOW + timedelta(days=random.uniform(-500, 500))
        events.append(answered(store, Grade.GOOD).id)

    assert events == sorted(events)
    assert {event.version for event in events} == {7}


@pytest.mark.parametrize(
    "step", [timedelta(days=-30), timedelta(seconds=-1), timedelta(), timedelta(days=3)], ids=str
)
def test_undo_follows_recording_after_clock_steps(store: Store, clock: Clock, step: timedelta) -> None:
    first = answered(store, Grade.GOOD)
    clock.now += step
    second = answered(store, Grade.AGAIN)

    assert [taken_back(store), taken_back(store), taken_back(store)] == [second.id, first.id, None]
    assert store.schedule.disagreements() == ()


def test_undo_leaves_what_another_machine_did_alone(store: Store, clock: Clock, tmp_path: Path) -> None:
    answer = answered(store, Grade.GOOD)
    clock.now += timedelta(days=2)
    with opened(tmp_path / "other.db", clock, origin="there") as other:
        answered(other, Grade.EASY)
        store.log.merge(list(other.log.events()))
    clock.now -= timedelta(days=1)

    assert [taken_back(store), taken_back(store)] == [answer.id, None]


def test_event_of_another_machine_is_undone_by_id(store: Store, clock: Clock, tmp_path: Path) -> None:
    with opened(tmp_path / "other.db", clock, origin="there") as other:
        event = answered(other, Grade.EASY)
        store.log.merge(list(other.log.events()))

    assert store.log.undo(event.id) is not None


def test_far_future_ids_block_nothing(store: Store, clock: Clock) -> None:
    alien = answered(store, Grade.GOOD)
    far = [
        replace(alien, id=UUID(int=(2**128 - 1 - number) & ~(0xF << 76) | 7 << 76), origin="there")
        for number in range(3)
    ]
    store.log.merge(far)

    later = answered(store, Grade.HARD)

    assert later.id < min(event.id for event in far)
    assert taken_back(store) == later.id


def test_early_undo_counts_on_its_targets_day(store: Store, clock: Clock) -> None:
    clock.now += timedelta(days=1)
    answered(store, Grade.AGAIN)
    clock.now -= timedelta(days=1)
    store.log.undo()
    clock.now += timedelta(days=1)

    assert store.schedule.agenda(clock.now.date()).drill == ()


def test_future_event_is_listed_until_undone(store: Store, clock: Clock) -> None:
    before = answered(store, Grade.GOOD)
    clock.now += timedelta(days=400)
    future = answered(store, Grade.EASY)
    clock.now = NOW + timedelta(minutes=10)

    ahead = store.log.ahead()
    store.log.undo(ahead[0].id)

    assert (ahead, store.log.ahead()) == ((future,), ())
    assert [memory.reviewed for memory in store.schedule.memories().values()] == [before.day]


def test_long_time_is_cut_to_a_day(store: Store) -> None:
    assert answered(store, Grade.GOOD, took_ms=318_388_510).took_ms == MAX_ANSWER_MS


@pytest.mark.parametrize("year", [1969, 2255, 2300, 9999])
def test_moment_out_of_range_is_refused(store: Store, clock: Clock, year: int) -> None:
    clock.now = datetime(year, 6, 1, tzinfo=UTC)

    with pytest.raises(UsageError, match="not a valid study day"):
        answered(store, Grade.GOOD)
    assert store.log.count() == 0


ODD_TEXT = (
    st.text(max_size=30) | st.just("x" * (MAX_TEXT_CHARACTERS + 1)) | st.just("\x1b[2J") | st.just("\ud800\0")
)
SHOWINGS = st.builds(
    Showing,
    template=st.just("flops.x") | ODD_TEXT,
    version=st.integers(-1, 2**40),
    seed=st.integers(-(2**64), 2**64),
    parameters=st.sampled_from(["", "{}", '{"n": "7e9"}']),
    answer=ODD_TEXT,
    verdict=st.just("correct") | ODD_TEXT,
    slips=st.lists(st.just("forward_only") | ODD_TEXT, max_size=2).map(tuple),
)


@given(
    answers=st.lists(
        st.tuples(
            st.just(CARD) | ODD_TEXT.map(CardId),
            st.sampled_from(sorted(set(EventKind) - {EventKind.UNDO})),
            st.sampled_from(Grade) | st.none(),
            st.integers(-(2**70), 2**70),
            st.none() | SHOWINGS,
            st.datetimes(datetime(1969, 12, 30), datetime(2256, 1, 3), timezones=st.just(UTC)),  # noqa: DTZ001
            st.booleans(),
        ),
        max_size=4,
    )
)
def test_every_recorded_log_survives_export(
    tmp_path_factory: pytest.TempPathFactory,
    empty: Path,
    answers: list[tuple[CardId, EventKind, Grade, int, Showing, datetime, bool]],
) -> None:
    folder, clock = tmp_path_factory.mktemp("log"), Clock()
    with opened(shutil.copy(empty, folder / "one.db"), clock, origin="here") as store:
        for card, kind, grade, took_ms, showing, at, undone in answers:
            try:
                store.log.record(kind, card, grade=grade, took_ms=took_ms, showing=showing, at=at)
            except StudyError:
                continue
            if undone:
                store.log.undo()
        recorded = list(store.log.events())
        memories = store.schedule.memories()

    read = read_progress(json.loads(progress_json(recorded)), "x.json")
    with opened(shutil.copy(empty, folder / "two.db"), clock, origin="there") as other:
        other.log.merge(read.events)
        assert (read.aside, list(other.log.events())) == ((), recorded)
        assert other.schedule.memories() == memories


def test_day_before_the_first_is_refused(store: Store, clock: Clock) -> None:
    clock.now = datetime(1970, 1, 2, 2, tzinfo=UTC)  # before the rollover: still the first of January

    with pytest.raises(UsageError, match=str(date(1970, 1, 1))):
        answered(store, Grade.GOOD)
