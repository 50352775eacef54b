"""Check that a day's work costs the same with a longer log, in steps of SQLite's virtual machine."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from stores import NOW, opened, steps

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event
from studykit.scheduling.recall_grade import Grade
from studykit.scheduling.study_day import microseconds
from studykit.store.due_count import read_today
from studykit.store.store import Store

TODAY = NOW.date()
CARDS = 20
FEW, MANY = 40, 4000  # answers


def events(count: int) -> Iterator[Event]:
    """Return answers to a few cards on past days, the last of them months ago."""
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
    """Return a store with a short log and one with a long log, both with the same number of cards."""
    folder = tmp_path_factory.mktemp("logs")
    stores = []
    for count in (FEW, MANY):
        store = opened(folder / f"{count}.db", origin="here")
        store.log.merge(events(count))
        stores.append(store)
    few, many = stores
    with few, many:
        yield few, many


def today(store: Store) -> object:
    with store._database.reading() as connection:
        return read_today(connection, "me", TODAY.toordinal())


def own_since_the_last(store: Store) -> object:
    last = str(store.log.record(EventKind.ANSWER, CardId("last"), grade=Grade.GOOD).event.id)
    return store.sync.own_after("here", last)


WORK: dict[str, Callable[[Store], object]] = {
    "ahead": lambda store: store.log.ahead(),
    "agenda": lambda store: store.schedule.agenda(TODAY),
    "undoable": lambda store: store.log.undoable(),
    "undo": lambda store: (
        store.log.record(EventKind.ANSWER, CardId("undone"), grade=Grade.GOOD) and store.log.undo()
    ),
    "showings": lambda store: store.log.showings("template"),
    "newest": lambda store: store.log.showings(),
    "moved": lambda store: store.schedule.moved(),
    "own": own_since_the_last,
    "flag": lambda store: store.log.record(EventKind.FLAG, CardId("other")),
    "answer": lambda store: store.log.record(EventKind.ANSWER, CardId("new"), grade=Grade.GOOD),
    "today": today,
}


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_day_costs_the_same_after_a_long_log(logs: tuple[Store, Store], work: Callable[[Store], object]) -> None:
    few, many = (steps(store, work) for store in logs)

    assert many <= few + MANY // 100
