"""Finding cards: few of them come in deck order, of a great many the first that are met, in deck order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from sqlite3 import Connection

from studykit.cards.card import Card, CardId
from studykit.cards.query import Query
from studykit.scheduling.memory import Memory, memory_of
from studykit.scheduling.replay import CardMarks
from studykit.store import search_sql, sql, trigram_index
from studykit.store.database import Row
from studykit.store.rows import card_of
from studykit.store.search_condition import SearchCondition, refuse_unknown_tags
from studykit.store.sqlite import SqliteDatabase
from studykit.text import counted

COUNTED = 500
"""Cards that are looked for at least: up to these they are counted."""
_ALL = 10**6  # more cards than a collection has
_CARDS_PER_QUERY = 500  # cards that are read by one question
_CARD = len(sql.CARD_COLUMNS.split(", "))
_MEMORY = _CARD + len(sql.MEMORY_COLUMNS.split(", "))


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card that a query is true of, what is known of it, and what is set on it by hand."""

    card: Card
    memory: Memory | None
    marks: CardMarks

    def words(self, today: date, leech: int) -> list[str]:
        """Return what matters about the card today, most important first, or nothing if it waits for its day."""
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
    """The first cards that were found, how many were met in all, and whether there may be more than these."""

    cards: tuple[FoundCard, ...]
    count: int
    more: bool = False

    @property
    def total(self) -> str:
        """Say how many there are."""
        return f"{self.count:,} or more cards" if self.more else counted(self.count, "card")


class CardSearch:
    """The search of one learner."""

    def __init__(self, database: SqliteDatabase, learner: str) -> None:
        self._database = database
        self._learner = learner

    @property
    def wants_index(self) -> bool:
        """Return whether an index can be made and is worth the seconds it takes."""
        with self._database.reading() as connection:
            return trigram_index.wants_index(connection) and trigram_index.can_index()

    def make_index(self) -> None:
        """Make the index, which follows the cards from now on."""
        with self._database.writing() as connection:
            trigram_index.make_index(connection)

    def find(self, query: Query, day: date, *, leech: int, limit: int = 50) -> FoundCards:
        """Return the first cards, or raise NotFoundError for an unknown deck or tag."""
        most = max(limit + 1, COUNTED)
        with self._database.reading() as connection:
            places, more = self._places(connection, query, day, leech=leech, most=most)
            first = sorted(places, key=places.__getitem__)[:limit]
            cards_by_id = {row[0]: _found_card(row) for row in _cards(connection, self._learner, first)}
        return FoundCards(tuple(cards_by_id[id_] for id_ in first), len(places), more)

    def ids(self, query: Query, day: date, *, leech: int) -> frozenset[CardId]:
        """Return the ids of all cards that a query finds. NotFoundError as for `find`."""
        with self._database.reading() as connection:
            places, _ = self._places(connection, query, day, leech=leech, most=_ALL)
        return frozenset(map(CardId, places))

    def _places(
        self, connection: Connection, query: Query, day: date, *, leech: int, most: int
    ) -> tuple[dict[str, tuple[object, ...]], bool]:
        """Return the places of the cards that a query finds, by id, and whether there may be more."""
        values = {"learner": self._learner, "day": day.toordinal(), "leech": leech, "limit": most}
        places: dict[str, tuple[object, ...]] = {}
        more = False
        for terms in query.alternatives or ((),):
            condition = SearchCondition(connection, terms, values)
            rows = list(connection.execute(condition.places(), condition.values))
            places |= {row[0]: tuple(row[1:]) for row in rows}
            more |= len(rows) == most
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
