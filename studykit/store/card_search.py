"""Find the cards that match a query, in deck order, and count at least the first `MIN_COUNTED` of them."""

from dataclasses import dataclass
from datetime import date
from sqlite3 import Connection

from studykit.cards.card import Card, CardId
from studykit.cards.query import Query
from studykit.scheduling.memory import Memory, memory_of
from studykit.scheduling.replay import CardMarks
from studykit.store import sql
from studykit.store.database import Row
from studykit.store.rows import card_of
from studykit.store.search_condition import SearchCondition, refuse_unknown_tags
from studykit.store.sqlite import LearnerRows
from studykit.text import counted

MIN_COUNTED = 500
_ALL = 10**6  # more cards than a collection has
_CARD = len(sql.CARD_COLUMNS.split(", "))
_MEMORY = _CARD + len(sql.MEMORY_COLUMNS.split(", "))


@dataclass(frozen=True, slots=True)
class FoundCard:
    """Hold a card that matches a query, with its memory and its marks."""

    card: Card
    memory: Memory | None
    marks: CardMarks

    def words(self, today: date, leech: int) -> list[str]:
        """Return the card's states today, such as `leech` and `due`, most important first, or none."""
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
    """Hold the first matching cards, the number counted, and whether there may be more."""

    cards: tuple[FoundCard, ...]
    count: int
    more: bool = False

    @property
    def total(self) -> str:
        """Format the number of matches, such as `500 or more cards`."""
        return f"{self.count:,} or more cards" if self.more else counted(self.count, "card")


class CardSearch(LearnerRows):
    """Search the cards of one learner."""

    def find(self, query: Query, day: date, *, leech: int, limit: int = 50) -> FoundCards:
        """Return the first matching cards. Raise NotFoundError for an unknown deck or tag."""
        max_counted = max(limit + 1, MIN_COUNTED)
        with self._database.reading() as connection:
            ids = self._ids(connection, query, day, leech=leech, limit=max_counted)
            cards = tuple(_found_card(self._rows(sql.FOUND_CARD, card=id_)[0]) for id_ in ids[:limit])
        return FoundCards(cards, len(ids), len(ids) == max_counted)

    def ids(self, query: Query, day: date, *, leech: int) -> frozenset[CardId]:
        """Return the ids of all matching cards. Raise NotFoundError as `find` does."""
        with self._database.reading() as connection:
            return frozenset(self._ids(connection, query, day, leech=leech, limit=_ALL))

    def _ids(self, connection: Connection, query: Query, day: date, *, leech: int, limit: int) -> list[CardId]:
        values = {"learner": self._learner, "day": day.toordinal(), "leech": leech, "limit": limit}
        condition = SearchCondition(connection, query, values)
        statement = sql.IDS_FOUND.format(
            condition=condition.text, plus="+" if condition.begins_with_lookup else ""
        )
        rows = connection.execute(statement, condition.values)
        ids = [CardId(row[0]) for row in rows]
        if not ids:
            refuse_unknown_tags(connection, self._learner, query)
        return ids


def _found_card(row: Row) -> FoundCard:
    memory = memory_of(row[_CARD:_MEMORY]) if row[_CARD] is not None else None
    suspended, buried, flagged = row[_MEMORY:]
    return FoundCard(card_of(row[:_CARD]), memory, CardMarks(bool(suspended), buried or 0, bool(flagged)))
