"""Find the cards that match a query.

Up to `MIN_COUNTED` matches are counted and sorted in deck order. Beyond that the search stops, and sorts the
matches that it met first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from sqlite3 import Connection

from studykit.cards.card import Card, CardId
from studykit.cards.query import Query
from studykit.scheduling.memory import Memory, memory_of
from studykit.scheduling.replay import CardMarks
from studykit.store import search_sql, sql
from studykit.store.database import Row
from studykit.store.rows import card_of
from studykit.store.search_condition import SearchCondition, refuse_unknown_tags
from studykit.store.sqlite import SqliteDatabase
from studykit.text import counted

MIN_COUNTED = 500
_ALL = 10**6  # more cards than a collection has
_CARDS_PER_QUERY = 500  # below SQLite's limit on parameters, which was 999 before version 3.32
_CARD = len(sql.CARD_COLUMNS.split(", "))
_MEMORY = _CARD + len(sql.MEMORY_COLUMNS.split(", "))


@dataclass(frozen=True, slots=True)
class FoundCard:
    """Hold a card that matches a query, with its memory and its marks."""

    card: Card
    memory: Memory | None
    marks: CardMarks

    def words(self, today: date, leech: int) -> list[str]:
        """Return the card's states today, most important first. Empty if it just waits for its due day."""
        memory, marks = self.memory, self.marks
        words = {
            "suspended": marks.suspended,
            "buried": marks.buried == today.toordinal(),
            "leech": memory is not None and memory.lapses >= leech,
            "due": memory is not None and memory.due <= today and not marks.suspended,
            "new": memory is None,
            "flagged": marks.flagged,
        }
        return [word for word, is_so in words.items() if is_so]


@dataclass(frozen=True, slots=True)
class FoundCards:
    """Hold the first matching cards, the number met, and whether there may be more."""

    cards: tuple[FoundCard, ...]
    count: int
    more: bool = False

    @property
    def total(self) -> str:
        """Format the number of matches, such as `500 or more cards`."""
        return f"{self.count:,} or more cards" if self.more else counted(self.count, "card")


class CardSearch:
    """Search the cards of one learner."""

    def __init__(self, database: SqliteDatabase, learner: str) -> None:
        self._database = database
        self._learner = learner

    def find(self, query: Query, day: date, *, leech: int, limit: int = 50) -> FoundCards:
        """Return the first matching cards. Raise NotFoundError for an unknown deck or tag."""
        max_rows = max(limit + 1, MIN_COUNTED)
        with self._database.reading() as connection:
            places, more = self._places(connection, query, day, leech=leech, max_rows=max_rows)
            first = sorted(places, key=places.__getitem__)[:limit]
            cards_by_id = {row[0]: _found_card(row) for row in _cards(connection, self._learner, first)}
        return FoundCards(tuple(cards_by_id[id_] for id_ in first), len(places), more)

    def ids(self, query: Query, day: date, *, leech: int) -> frozenset[CardId]:
        """Return the ids of all matching cards. Raise NotFoundError as `find` does."""
        with self._database.reading() as connection:
            places, _ = self._places(connection, query, day, leech=leech, max_rows=_ALL)
        return frozenset(map(CardId, places))

    def _places(
        self, connection: Connection, query: Query, day: date, *, leech: int, max_rows: int
    ) -> tuple[dict[str, tuple[object, ...]], bool]:
        """Return the places of matching cards by id, and whether there may be more."""
        values = {"learner": self._learner, "day": day.toordinal(), "leech": leech, "limit": max_rows}
        places: dict[str, tuple[object, ...]] = {}
        more = False
        for terms in query.alternatives or ((),):
            condition = SearchCondition(connection, terms, values)
            rows = list(connection.execute(condition.places(), condition.values))
            places |= {row[0]: tuple(row[1:]) for row in rows}
            more |= len(rows) == max_rows
        if not places:
            refuse_unknown_tags(connection, self._learner, query)
        return places, more


def _cards(connection: Connection, learner: str, ids: Sequence[str]) -> Iterator[Row]:
    for start in range(0, len(ids), _CARDS_PER_QUERY):
        names = {f"i{number}": id_ for number, id_ in enumerate(ids[start : start + _CARDS_PER_QUERY])}
        yield from connection.execute(search_sql.found_cards(names), {**names, "learner": learner})


def _found_card(row: Row) -> FoundCard:
    memory = memory_of(row[_CARD:_MEMORY]) if row[_CARD] is not None else None
    suspended, buried, flagged = row[_MEMORY:]
    return FoundCard(card_of(row[:_CARD]), memory, CardMarks(bool(suspended), buried or 0, bool(flagged)))
