"""The agenda read from a database, by whatever runs the queries: SQLAlchemy, or `sqlite3` alone."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date
from typing import Any
from uuid import UUID

from studykit.agenda import NEW_A_DAY, Agenda, NewRow, Today, arrange, drilled, today
from studykit.log import EventKind
from studykit.store import sql
from studykit.studyday import ROLLOVER_HOURS

Query = Callable[[str, Mapping[str, object]], Iterable[tuple[Any, ...]]]
"""Runs one of `sql`'s texts with its parameters, and gives the rows as tuples."""

_DAY_US = 86_400_000_000
_EPOCH = date(1970, 1, 1).toordinal()
_FIRST_ZONE_US = (14 - ROLLOVER_HOURS) * 3_600_000_000  # no zone is further than 14 hours ahead of UTC


def read_agenda(
    query: Query, learner: str, day: date, *, new: int = NEW_A_DAY, decks: Collection[str] = ()
) -> Agenda:
    """The agenda of a study day; `new` is how many new cards a day may bring in all."""
    on = day.toordinal()
    who = {"learner": learner, "day": on}
    so_far = _so_far(query, who, on)
    introduced = sum(row[0] for row in query(sql.INTRODUCED, who))
    due = list(query(sql.DUE, who))
    limit = max(0, new - introduced)
    fresh = _new(query, learner, on, limit) if limit else iter(())
    return arrange(day, due, fresh, so_far, limit=limit, decks=decks)


def count_due(query: Query, learner: str, day: date) -> int:
    """How many cards the agenda of a day has to ask again, due ones and drill, without putting them in order."""
    on = day.toordinal()
    who = {"learner": learner, "day": on}
    so_far = _so_far(query, who, on)
    waiting = {row[0] for row in query(sql.DUE_NOTES, who)}
    return len(waiting - so_far.notes) + len(drilled(so_far))


def _so_far(query: Query, who: Mapping[str, object], on: int) -> Today:
    rows = list(query(sql.TODAY, {**who, "since": (on - _EPOCH) * _DAY_US - _FIRST_ZONE_US}))
    undone = {UUID(row[5]).bytes for row in rows if row[1] == EventKind.UNDO}
    return today(rows, undone, on, [row[0] for row in query(sql.BURIED, who)])


def _new(query: Query, learner: str, day: int, limit: int) -> Iterator[NewRow]:
    """New cards in order, fetched a few at a time: siblings and other decks are passed over by the reader."""
    alone = not any(row[0] for row in query(sql.OTHERS, {"learner": learner}))
    text = sql.NEW if alone else sql.NEW_AMONG_OTHERS
    size, seen = 8 * limit + 32, 0
    while True:
        rows = list(query(text, {"learner": learner, "day": day, "limit": size}))
        yield from rows[seen:]
        if len(rows) < size:
            return
        seen, size = len(rows), 8 * size
