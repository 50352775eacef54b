"""Open stores of a learner whose clock a test sets."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from studykit.cards.card import Card
from studykit.store.card_table import DeckUpdate
from studykit.store.opening import open_store
from studykit.store.rows import DeckFile
from studykit.store.sqlite import SqliteDatabase
from studykit.store.store import Store

NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)
"""The morning of a Monday."""


class Clock:
    """Simulate a clock that only a test moves."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def days(self, count: int) -> None:
        self.now += timedelta(days=count)


def opened(address: str | Path, now: datetime | Callable[[], datetime] = NOW, /, **changes: str | None) -> Store:
    """Open the store at an address, in UTC. Its clock stands still at `now`, or is `now` if that is a function."""
    clock = (lambda: now) if isinstance(now, datetime) else now
    return open_store(address, clock=clock, zone_name="UTC", zone=UTC, **changes)


def opened_now(address: str | Path) -> Store:
    """Open the store at an address, in UTC, with the machine's own clock."""
    return opened(address, lambda: datetime.now(UTC))


def fill(store: Store, *cards: Card) -> None:
    """Put these cards into the store, with the decks and files that they name."""
    files = {card.path: DeckFile(card.path, 1, 2, "digest", card.deck, card.deck.title()) for card in cards}
    store.update_decks(DeckUpdate(list(files.values()), cards))


def steps(store: Store, work: Callable[[Store], object]) -> int:
    """Count the instructions of SQLite's virtual machine during some work, in tens."""
    database = store._database
    assert isinstance(database, SqliteDatabase)
    connections = [database._reader, *([database._writer] if database._writer else [])]
    calls = 0

    def count() -> int:
        nonlocal calls
        calls += 1
        return 0

    for connection in connections:
        connection.set_progress_handler(count, 10)
    work(store)
    for connection in connections:
        connection.set_progress_handler(None, 0)
    return calls
