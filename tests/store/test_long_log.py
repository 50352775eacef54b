"""A long log by columns: the same caches as an event after another gives, whatever happened to its cards."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studykit.cards.card import CardId
from studykit.scheduling.answer_fold import AnswerColumns, fold
from studykit.scheduling.events import Event, EventKind
from studykit.scheduling.memory import Grade
from studykit.scheduling.replay import WHOLE_DAY, Caches, replay, row_of
from studykit.scheduling.study_day import LocalHours
from studykit.store import caches, sql
from studykit.store.caches import replay_all
from studykit.store.opening import open_store
from studykit.store.rows import event_values
from studykit.store.store import Store

FIRST = datetime(2026, 3, 20, 0, 10, tzinfo=UTC)
ZONES = ("UTC", "Europe/Berlin", "Asia/Kathmandu", "Nowhere/Known")  # clocks change in Berlin on 29 March 2026
LIKELY = ("answer",) * 20
OTHERS = ("undo", "relink", "reset", "adopt", "suspend", "unsuspend", "bury", "flag", "practice", "quiz", "bet")
PROFILES = ("sm2-text",) * 12 + ("fsrs-6", "fsrs-6 ahead", "of another program")


def an_answer(
    number: int, card: str, minute: int, grade: int = 4, *, zone: str = "UTC", took_ms: int = 1000
) -> Event:
    moment = FIRST + timedelta(minutes=minute)
    return Event(
        id=UUID(int=(7 << 76) + (0b10 << 62) + number),
        learner="me",
        origin="here",
        kind=EventKind.ANSWER,
        card=CardId(card),
        moment=int(moment.timestamp() * 1_000_000),
        day=moment.date(),
        zone=zone,
        grade=Grade(grade),
        took_ms=took_ms,
    )


@st.composite
def answers(draw: st.DrawFn) -> list[Event]:
    """Answers of a few cards in any order: drilled, crammed, forgotten, on time and years late."""
    drawn = st.tuples(
        st.integers(0, 4),
        st.integers(0, 5),
        st.sampled_from((0, 5, 700, 1440, 9000, 500_000)),
        st.sampled_from(ZONES),
    )
    minute, events = 0, []
    for number, (card, grade, gap, zone) in enumerate(draw(st.lists(drawn, min_size=1, max_size=60))):
        minute += gap
        early = 3000 if draw(st.integers(0, 9)) == 0 else 0  # a clock that stepped back
        events.append(
            an_answer(number, f"card {card}", max(0, minute - early), grade, zone=zone, took_ms=7 * number)
        )
    return events


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    """The same with everything else that a log may hold."""
    events = draw(answers())
    kinds = draw(st.lists(st.sampled_from(LIKELY + OTHERS), min_size=len(events), max_size=len(events)))
    found: list[Event] = []
    for event, kind in zip(events, kinds, strict=True):
        if kind == "answer":
            found.append(event._replace(profile=draw(st.sampled_from(PROFILES))))
            continue
        target = {
            "undo": str(draw(st.sampled_from(events)).id),
            "relink": f"card {draw(st.integers(0, 6))}",
            "adopt": f"{event.took_ms % 5} 40 230 1",
        }.get(kind, "")
        graded = event.grade if kind in {"practice", "quiz"} else None
        found.append(event._replace(kind=EventKind(kind), grade=graded, target=target))
    return found


def columns(events: list[Event]) -> AnswerColumns:
    import numpy as np

    ordered = sorted(events, key=lambda event: event.id)
    cards = sorted({event.card for event in events}, reverse=True)
    return AnswerColumns(
        cards,
        ZONES,
        card=np.array([cards.index(event.card) for event in ordered], np.int32),
        zone=np.array([ZONES.index(event.zone) for event in ordered], np.int32),
        moment=np.array([event.moment for event in ordered], np.int64),
        day=np.array([event.day.toordinal() for event in ordered], np.int32),
        grade=np.array([int(event.grade or 0) for event in ordered], np.int8),
        took_ms=np.array([event.took_ms for event in ordered], np.int32),
    )


@given(answers(), st.sampled_from((0, 2, 256)))
def test_answers_folded_are_answers_replayed(events: list[Event], together: int) -> None:
    ordered = sorted(events, key=lambda event: (event.moment, event.id))
    rows = [(*row_of(event), event.moment, event.zone) for event in ordered]

    folded = fold(columns(events), LocalHours(caches.zone_of), together)

    assert folded == replay(rows, hours=LocalHours(caches.zone_of))


def test_intervals_end_with_the_calendar_and_at_a_century() -> None:
    days = [date(2100, 1, 1).toordinal() + 70 * number**3 for number in range(24)]
    events = [
        an_answer(number, "a", 0, 5)._replace(day=date.fromordinal(min(day, date.max.toordinal() - 1)))
        for number, day in enumerate(days)
    ]
    rows = [(*row_of(event), event.moment, event.zone) for event in events]

    folded = fold(columns(events), LocalHours(caches.zone_of), together=0)

    assert folded == replay(rows, hours=LocalHours(caches.zone_of))
    assert max(memory[1] for memory in folded.memories.values()) > 300


@given(logs())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_long_log_is_replayed_by_columns_as_a_short_one_by_events(
    tmp_path_factory: pytest.TempPathFactory, events: list[Event]
) -> None:
    with opened(tmp_path_factory.mktemp("long") / "study.db") as store:
        store.log.merge(events)

        plain, by_columns = both(store)

    assert by_columns == plain


@pytest.mark.parametrize("zone", ["Mars\nVenus", ""])
def test_a_zone_may_have_any_name(tmp_path: Path, zone: str) -> None:
    with opened(tmp_path / "study.db") as store:
        usual = [an_answer(number, "a", 9000 * number, zone="Asia/Kathmandu") for number in (1, 3)]
        store.log.merge([*usual, an_answer(2, "a", 2000, zone=zone)])

        plain, by_columns = both(store)

    assert by_columns == plain


def test_where_much_was_taken_back_the_whole_log_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    monkeypatch.setattr(caches, "ONE_BY_ONE", 1)
    events = [an_answer(number, f"card {number % 4}", 900 * number, number % 6) for number in range(20)]
    resets = [event._replace(kind=EventKind.RESET, grade=None) for event in events[10:13]]
    with opened(tmp_path / "study.db") as store:
        store.log.merge([*events[:10], *resets, *events[13:]], one_by_one=9)
        with store._database.reading() as connection:
            by_columns = replay_all(connection, "me", None, told.append, few=0)
        plain, _ = both(store)

    assert by_columns == plain
    assert sum(told) == 20  # each event once, though it was read twice


def test_answers_that_do_not_fit_a_column_are_replayed(tmp_path: Path) -> None:
    with opened(tmp_path / "study.db") as store:
        store.log.merge([an_answer(1, "a", 0), an_answer(2, "b", 0)])
        with store._database.writing("me") as connection:
            connection.execute(sql.INSERT_EVENT, event_values(an_answer(3, "b", 9000, took_ms=1 << 30)))

        plain, by_columns = both(store)

    assert by_columns == plain
    assert sum(tally.took_ms for key, tally in plain.tallies.items() if key[1:] == WHOLE_DAY) == 2000 + (1 << 30)


def both(store: Store) -> tuple[Caches, Caches]:
    """The caches as events make them, and as columns do."""
    with store._database.reading() as connection:
        return replay_all(connection, "me", None), replay_all(connection, "me", None, few=0)


def opened(path: Path) -> Store:
    return open_store(path, clock=lambda: FIRST, zone_name="UTC", zone=UTC, origin="here")
