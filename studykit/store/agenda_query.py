"""The agenda read from a database, by whatever runs the queries: SQLAlchemy, or `sqlite3` alone."""

from collections.abc import Collection, Iterator
from datetime import date
from typing import TYPE_CHECKING

from studykit.scheduling.agenda import NEW_A_DAY, Agenda, NewRow, arrange
from studykit.store import sql
from studykit.store.due_count import so_far

if TYPE_CHECKING:
    from studykit.store.due_count import Query


def read_agenda(
    query: "Query", learner: str, day: date, *, new: int = NEW_A_DAY, decks: Collection[str] = ()
) -> Agenda:
    """The agenda of a study day; `new` is how many new cards a day may bring in all."""
    on = day.toordinal()
    who = {"learner": learner, "day": on}
    introduced = sum(row[0] for row in query(sql.INTRODUCED, who))
    due = list(query(sql.DUE, who))
    limit = max(0, new - introduced)
    fresh = _new(query, learner, on, limit) if limit else iter(())
    return arrange(day, due, fresh, so_far(query, learner, on), limit=limit, decks=decks)


def _new(query: "Query", learner: str, day: int, limit: int) -> Iterator[NewRow]:
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
