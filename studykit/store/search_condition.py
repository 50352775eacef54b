"""The terms of a search as one condition in SQL, and the table with which the search begins.

It begins where the fewest rows have to be looked at: with the cards of a word, with the few that are marked or
remembered so, or with those of a deck.
"""

from collections.abc import Iterable, Iterator, Mapping
from sqlite3 import Connection

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
from studykit.store import search_sql, trigram_index
from studykit.store.sql import DECK_NAMES, TAGS
from studykit.text import meant

_STATES = {
    QueryState.DUE: (search_sql.MEMORIES, search_sql.IS_DUE),
    QueryState.NEW: (search_sql.CARDS_THEMSELVES, search_sql.IS_NEW),
    QueryState.LEECH: (search_sql.MEMORIES, search_sql.IS_LEECH),
    QueryState.SUSPENDED: (search_sql.MARKS, search_sql.IS_SUSPENDED),
    QueryState.FLAGGED: (search_sql.MARKS, search_sql.IS_FLAGGED),
    QueryState.BURIED: (search_sql.MARKS, search_sql.IS_BURIED),
}
_TABLES = (search_sql.TEXTS, search_sql.MARKS, search_sql.MEMORIES, search_sql.CARDS_THEMSELVES)
"""From these a search begins; of two that have as many rows, with the first."""
_TAGS_SHOWN = 12
_PROBED = 5_000  # rows; a table in which so many are meant is no better a beginning than another


class SearchCondition:
    """What one alternative of a query asks, its terms all at once."""

    def __init__(self, connection: Connection, terms: Iterable[Term], values: Mapping[str, object]) -> None:
        self.values = dict(values)
        self._connection = connection
        self._indexed = trigram_index.has_index(connection)
        self._trigrams: list[str] = []
        self._asked: dict[search_sql.SearchTable, list[str]] = {table: [] for table in _TABLES}
        self._besides: list[str] = []
        for term in terms:
            self._take(term)

    def places(self) -> str:
        """Return the query for ids and places in SQL. Its parameters are `values`."""
        first_table = self._beginning()
        of_card = [] if first_table is search_sql.CARDS_THEMSELVES else self._asked[search_sql.CARDS_THEMSELVES]
        rest = [
            search_sql.is_so(table, condition)
            for table in (search_sql.TEXTS, search_sql.MARKS, search_sql.MEMORIES)
            if table is not first_table
            for condition in self._asked[table]
        ]
        conditions = [*self._asked[first_table], *of_card, *rest, *self._besides]
        by_index = first_table is search_sql.TEXTS and bool(self._trigrams)
        self.values["trigrams"] = " AND ".join(self._trigrams)
        return search_sql.places_found(search_sql.INDEXED_TEXTS if by_index else first_table, conditions)

    def _take(self, term: Term) -> None:
        """Note what a term asks of which table. A search cannot start from a negation."""
        if term == Negation(StateTerm(QueryState.NEW)):
            self._asked[search_sql.MEMORIES].append(search_sql.IS_REMEMBERED)
        elif isinstance(term, Negation):
            self._besides.append(f"NOT {self._of_card(term.term)}")
        else:
            table, condition = self._asking(term)
            self._asked[table].append(condition)

    def _of_card(self, term: Term) -> str:
        """Return a term as a condition on the current card."""
        if isinstance(term, Negation):
            return f"NOT {self._of_card(term.term)}"
        table, condition = self._asking(term, sought=False)
        return condition if table is search_sql.CARDS_THEMSELVES else search_sql.is_so(table, condition)

    def _asking(
        self, term: Words | TagTerm | DeckTerm | StateTerm | NumberTerm, *, sought: bool = True
    ) -> tuple[search_sql.SearchTable, str]:
        match term:
            case Words(text):
                return search_sql.TEXTS, self._text(text, sought=sought)
            case TagTerm(tag):
                return search_sql.TEXTS, self._text(f"{EDGE}#{tag}{EDGE}", sought=sought)
            case DeckTerm(name):
                return search_sql.CARDS_THEMSELVES, self._decks(name)
            case StateTerm(state):
                return _STATES[state]
            case NumberTerm(compared, sign, value):
                return search_sql.MEMORIES, search_sql.compared(compared, sign, self._parameter(value))

    def _parameter(self, value: object) -> str:
        name = f"p{len(self.values)}"
        self.values[name] = value
        return name

    def _text(self, text: str, *, sought: bool) -> str:
        if sought and self._indexed:
            self._trigrams += filter(None, [trigram_index.expression(text)])
        escaped = text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
        return search_sql.has_text(self._parameter(f"%{escaped}%"))

    def _decks(self, name: str) -> str:
        ids = list(_decks_named(self._connection, str(self.values["learner"]), name))
        if not ids:
            values = {"learner": self.values["learner"]}
            names = [text for row in self._connection.execute(DECK_NAMES, values) for text in row]
            hint = meant(name, names, "see: study deck list")
            raise NotFoundError(f"there is no deck with {name!r} in its name; {hint}")
        return search_sql.in_decks([self._parameter(id_) for id_ in ids])

    def _beginning(self) -> search_sql.SearchTable:
        """Return the table with the fewest rows to look at.

        The index takes all words at once if each is in too many cards to start from, otherwise the rarer ones.
        """
        tables = [table for table in _TABLES if self._asked[table]] or [search_sql.CARDS_THEMSELVES]
        return min(tables, key=self._rows) if len(tables) > 1 or len(self._trigrams) > 1 else tables[0]

    def _rows(self, table: search_sql.SearchTable) -> int:
        """Count the matching rows of a table, up to a limit. In texts without an index all are read."""
        if table is not search_sql.TEXTS:
            return self._counted(table, self._asked[table], {})
        rows = {each: self._counted(search_sql.TRIGRAMS, (), {"trigrams": each}) for each in self._trigrams}
        self._trigrams = [each for each in self._trigrams if rows[each] < _PROBED] or self._trigrams
        return min(rows.values(), default=_PROBED)

    def _counted(
        self, table: search_sql.SearchTable, conditions: Iterable[str], values: Mapping[str, object]
    ) -> int:
        parameters = {**self.values, **values, "limit": _PROBED}
        return int(next(iter(self._connection.execute(search_sql.some_rows(table, conditions), parameters)))[0])


def refuse_unknown_tags(connection: Connection, learner: str, query: Query) -> None:
    """Raise NotFoundError for a tag of a query that no card has."""
    wanted = [term.tag for terms in query.alternatives for term in terms if isinstance(term, TagTerm)]
    rows = connection.execute(TAGS, {"learner": learner}) if wanted else ()
    named = {folded(tag) for row in rows for tag in str(row[0]).split("\n")}
    tags = {".".join(tag.split(".")[:count]) for tag in named for count in range(1, tag.count(".") + 2)}
    for tag in wanted:
        if tag not in tags:
            hint = meant(
                tag,
                tags,
                f"some tags are {', '.join(sorted(tags)[:_TAGS_SHOWN])}." if tags else "no card has any.",
            )
            raise NotFoundError(f"there is no tag {tag!r}; {hint}")


def _decks_named(connection: Connection, learner: str, part: str) -> Iterator[str]:
    """Yield ids of the decks whose id or name has this part; only the exact ones, and those below, if any."""
    names: Mapping[str, tuple[str, str]] = {
        row[0]: (folded(row[0]), folded(row[1])) for row in connection.execute(DECK_NAMES, {"learner": learner})
    }
    whole = [id_ for id_, words in names.items() if part in words or words[1].startswith(f"{part}::")]
    yield from whole or (id_ for id_, folded_names in names.items() if any(part in text for text in folded_names))
