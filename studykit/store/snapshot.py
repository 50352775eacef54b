"""A look at an SQLite database without SQLAlchemy, whose import takes longer than the first question may.

The queries and the order are the store's own (`studykit.store.sql`, `agenda_query`); only the way to run them
differs, and a test holds both to the same answers. Whatever is not plain sailing is left to the store: then
there is no snapshot, and no message either.
"""

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from studykit.cards.card import Card, CardId
from studykit.scheduling.agenda import NEW_A_DAY, Agenda
from studykit.scheduling.memory import Memory, memory_of
from studykit.store import sql
from studykit.store.agenda_query import read_agenda
from studykit.store.readonly import connect
from studykit.store.rows import card_of


class Snapshot:
    """Questions to one state of a learner's database."""

    def __init__(self, connection: sqlite3.Connection, learner: str) -> None:
        self._connection = connection
        self._learner = learner

    def agenda(self, day: date, *, new: int = NEW_A_DAY, decks: Collection[str] = ()) -> Agenda:
        """As `Store.agenda`."""
        return read_agenda(self._query, self._learner, day, new=new, decks=decks)

    def card(self, card: CardId) -> Card | None:
        """As `Store.card`."""
        row = self._connection.execute(sql.CARD, {"card": card}).fetchone()
        return card_of(row) if row else None

    def memory(self, card: CardId) -> Memory | None:
        """As `Store.memories` of one card."""
        row = self._connection.execute(sql.MEMORY, {"learner": self._learner, "card": card}).fetchone()
        return memory_of(row[1:]) if row else None

    def _query(self, query: str, values: Mapping[str, object]) -> Iterator[tuple[Any, ...]]:
        return self._connection.execute(query, values)


@contextmanager
def snapshot(database: str | Path, learner: str = "me") -> Iterator[Snapshot | None]:
    """A look at the database at this path; None where it is no file of this version that can be read at once."""
    connection = _open(str(database))
    try:
        yield Snapshot(connection, learner) if connection else None
    finally:
        if connection is not None:
            connection.close()


def _open(database: str) -> sqlite3.Connection | None:
    if "://" in database:
        return None
    connection = connect(Path(database).expanduser(), waiting_seconds=1)
    if connection is not None:
        connection.execute("BEGIN")
    return connection
