"""What a day's work costs the database does not grow with the log: steps of SQLite's machine, not seconds."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.study_day import microseconds
from studykit.store.due_count import read_today
from studykit.store.opening import open_store
from studykit.store.sqlite import SqliteDatabase
from studykit.store.store import Store
from studykit.store.sync_table import Offer

NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)
TODAY = NOW.date()
CARDS = 20
FEW, MANY = 40, 4000  # answers
STEP = 10


def events(count: int) -> Iterator[Event]:
    """Answers to a few cards on days gone by, the last of them months ago."""
    for number in range(count):
        moment = NOW - timedelta(days=100 + (count - number) // CARDS, seconds=-number)
        yield Event(
            id=UUID(int=(microseconds(moment) // 1000) << 80 | 7 << 76 | 2 << 62 | number),
            learner="me",
            origin="here",
            kind=EventKind.ANSWER,
            card=CardId(f"card-{number % CARDS}"),
            moment=microseconds(moment),
            day=moment.date(),
            zone="UTC",
            grade=Grade.GOOD,
        )


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Store]]:
    """A store with a short log and one with a long one, of as many cards."""
    folder = tmp_path_factory.mktemp("logs")
    stores = []
    for count in (FEW, MANY):
        store = open_store(folder / f"{count}.db", clock=lambda: NOW, zone_name="UTC", zone=UTC, origin="here")
        store.log.merge(events(count))
        stores.append(store)
    few, many = stores
    with few, many:
        yield few, many


def steps(store: Store, work: Callable[[Store], object]) -> int:
    """Steps of SQLite's machine while some work is done, in tens."""
    database = store._database
    assert isinstance(database, SqliteDatabase)
    connections = [database._reader, *([database._writer] if database._writer else [])]
    calls = 0

    def count() -> int:
        nonlocal calls
        calls += 1
        return 0

    for connection in connections:
        connection.set_progress_handler(count, STEP)
    work(store)
    for connection in connections:
        connection.set_progress_handler(None, 0)
    return calls


def today(store: Store) -> object:
    with store._database.reading() as connection:
        return read_today(connection, "me", TODAY.toordinal())


def own_since_the_last(store: Store) -> object:
    last = str(store.log.record(EventKind.ANSWER, CardId("last"), grade=Grade.GOOD).event.id)
    with store._database.reading() as connection:
        return Offer(connection, "me").own_after("here", last)


@pytest.mark.parametrize(
    "work",
    [
        lambda store: store.log.ahead(),
        lambda store: store.schedule.agenda(TODAY),
        lambda store: store.log.graded(EventKind.BET, 10),
        lambda store: store.log.undoable(),
        lambda store: store.log.record(EventKind.ANSWER, CardId("undone"), grade=Grade.GOOD) and store.log.undo(),
        lambda store: store.log.showings("template"),
        lambda store: store.log.showings(),
        lambda store: store.schedule.moved(),
        own_since_the_last,
        lambda store: store.log.record(EventKind.FLAG, CardId("other")),
        lambda store: store.log.record(EventKind.ANSWER, CardId("new"), grade=Grade.GOOD),
        today,
    ],
    ids=[
        "ahead",
        "agenda",
        "graded",
        "undoable",
        "undo",
        "showings",
        "newest",
        "moved",
        "own",
        "flag",
        "answer",
        "today",
    ],
)
def test_day_costs_the_same_after_a_long_log(logs: tuple[Store, Store], work: Callable[[Store], object]) -> None:
    few, many = (steps(store, work) for store in logs)

    assert many <= few + MANY // (STEP * 10)
