"""Searching the cards: the tree of a query becomes one condition in SQL, whatever a learner typed a parameter.

Every text is looked at, some 3 million a second; where a file has an index of trigrams, it answers for words of
three signs or more that are in few cards.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from studykit.cards.card import Card
from studykit.cards.query import (
    EDGE,
    DeckTerm,
    Negation,
    NumberTerm,
    Query,
    QueryState,
    StateTerm,
    TagTerm,
    Term,
    Words,
    folded,
)
from studykit.errors import NotFoundError
from studykit.scheduling.memory import Memory, memory_of
from studykit.scheduling.replay import CardMarks
from studykit.store import sql, trigram_index
from studykit.store.database import Connection, Database, Row
from studykit.store.rows import card_of
from studykit.text import counted

_STATES = {
    QueryState.DUE: sql.IS_DUE,
    QueryState.NEW: sql.IS_NEW,
    QueryState.LEECH: sql.IS_LEECH,
    QueryState.SUSPENDED: sql.IS_SUSPENDED,
    QueryState.FLAGGED: sql.IS_FLAGGED,
    QueryState.BURIED: sql.IS_BURIED,
}
COUNTED = 1_000
"""Cards that are counted at most, beyond those that are wanted."""
_CARD = len(sql.CARD_COLUMNS.split(", "))
_MEMORY = _CARD + len(sql.MEMORY_COLUMNS.split(", "))


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card that a query is true of, what is known of it, and what is set on it by hand."""

    card: Card
    memory: Memory | None
    marks: CardMarks


@dataclass(frozen=True, slots=True)
class FoundCards:
    """The first cards that were found, and how many there are in all, `COUNTED` where there may be more."""

    cards: tuple[FoundCard, ...]
    count: int

    @property
    def total(self) -> str:
        """How many there are, in words."""
        more = self.count == COUNTED and self.count > len(self.cards)
        return f"{self.count:,} or more cards" if more else counted(self.count, "card")


class CardSearch:
    """The search of one learner."""

    def __init__(self, database: Database, learner: str) -> None:
        self._database = database
        self._learner = learner

    @property
    def wants_index(self) -> bool:
        """Whether an index is worth the seconds that it takes to make, and can be made."""
        if not self._database.is_file:
            return False
        with self._database.reading() as connection:
            return trigram_index.wants_index(connection) and trigram_index.can_index()

    def make_index(self) -> None:
        """Make the index; it follows the cards from now on."""
        with self._database.writing(self._learner) as connection:
            trigram_index.make_index(connection)

    def find(self, query: Query, day: date, *, leech: int, limit: int = 50) -> FoundCards:
        """Cards in deck order; NotFoundError for a deck that there is not."""
        with self._database.reading() as connection:
            indexed = self._database.is_file and trigram_index.has_index(connection)
            condition = _Condition(connection, self._learner, indexed=indexed)
            where = condition.of(query)
            values = {"learner": self._learner, "day": day.toordinal(), "leech": leech, **condition.values}
            rows = list(connection.execute(sql.found(where), {**values, "limit": limit}))
            count = len(rows)
            if count == limit:
                upto = {**values, "limit": max(limit, COUNTED)}
                count = next(iter(connection.execute(sql.found_count(where), upto)))[0]
        return FoundCards(tuple(map(_found, rows)), count)


def _found(row: Row) -> FoundCard:
    memory = memory_of(row[_CARD:_MEMORY]) if row[_CARD] is not None else None
    suspended, buried, flagged = row[_MEMORY:]
    return FoundCard(card_of(row[:_CARD]), memory, CardMarks(bool(suspended), buried or 0, bool(flagged)))


@dataclass(slots=True)
class _Condition:
    """A condition that is being written, and its parameters."""

    connection: Connection
    learner: str
    indexed: bool
    values: dict[str, object] = field(default_factory=dict)

    def of(self, query: Query) -> str:
        """The whole condition."""
        each = (f"({' AND '.join(map(self._term, terms))})" for terms in query.alternatives)
        return f"({' OR '.join(each)})" if query.alternatives else "1 = 1"

    def _term(self, term: Term) -> str:
        match term:
            case Negation(inner):
                return f"NOT {self._term(inner)}"
            case Words(text):
                return self._text(text)
            case TagTerm(tag):
                return self._text(f"{EDGE}#{tag}{EDGE}")
            case DeckTerm(name):
                return self._decks(name)
            case StateTerm(state):
                return _STATES[state]
            case NumberTerm(compared, sign, value):
                return sql.compared(compared, sign, self._parameter(value))

    def _parameter(self, value: object) -> str:
        name = f"p{len(self.values)}"
        self.values[name] = value
        return name

    def _text(self, text: str) -> str:
        escaped = text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
        name = self._parameter(f"%{escaped}%")
        if not self.indexed:
            return sql.has_text(name)
        if not trigram_index.is_rare(self.connection, text):
            return sql.has_common_text(name)
        self.values[f"{name}_raw"] = f"%{text}%"
        return sql.has_rare_text(name)

    def _decks(self, name: str) -> str:
        ids = list(_decks_named(self.connection, self.learner, name))
        if not ids:
            raise NotFoundError(f"there is no deck with {name!r} in its name; `study deck list` shows the decks.")
        return sql.in_decks([self._parameter(id_) for id_ in ids])


def _decks_named(connection: Connection, learner: str, part: str) -> Iterator[str]:
    """Ids of the decks whose id or name has this part; of a whole one that one alone."""
    names: Mapping[str, tuple[str, str]] = {
        row[0]: (folded(row[0]), folded(row[1]))
        for row in connection.execute(sql.DECK_NAMES, {"learner": learner})
    }
    whole = [id_ for id_, named in names.items() if part in named]
    yield from whole or (id_ for id_, named in names.items() if any(part in text for text in named))
