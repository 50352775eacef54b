"""Compile the terms of a search to SQL, and choose the table to start from.

SQLite's planner has no statistics of these files, so the search itself names the first table. A word is looked for
in the text of every card, which takes 50 ms for 100,000 cards.
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
from studykit.store import search_sql
from studykit.store.sql import DECK_NAMES, TAGS
from studykit.text import did_you_mean, meant

_STATES = {
    QueryState.DUE: (search_sql.MEMORIES, search_sql.IS_DUE),
    QueryState.NEW: (search_sql.CARDS_THEMSELVES, search_sql.IS_NEW),
    QueryState.LEECH: (search_sql.MEMORIES, search_sql.IS_LEECH),
    QueryState.SUSPENDED: (search_sql.MARKS, search_sql.IS_SUSPENDED),
    QueryState.FLAGGED: (search_sql.MARKS, search_sql.IS_FLAGGED),
    QueryState.BURIED: (search_sql.MARKS, search_sql.IS_BURIED),
}
_TABLES = (search_sql.MARKS, search_sql.TEXTS, search_sql.MEMORIES, search_sql.CARDS_THEMSELVES)
"""Tables to start from: the first that a term names. Few cards have marks, and reading every text is quicker than
looking up the texts of many cards one by one."""
_MAX_SHOWN_TAGS = 12


class SearchCondition:
    """Collect the terms of one alternative of a query as conditions on tables."""

    def __init__(self, connection: Connection, terms: Iterable[Term], values: Mapping[str, object]) -> None:
        self.values = dict(values)
        self._connection = connection
        self._conditions: dict[search_sql.SearchTable, list[str]] = {table: [] for table in _TABLES}
        self._negations: list[str] = []
        for term in terms:
            self._add(term)

    def places(self) -> str:
        """Return the SQL query for ids and places. Its parameters are `values`."""
        cards = search_sql.CARDS_THEMSELVES
        first_table = next((table for table in _TABLES if self._conditions[table]), cards)
        conditions = [
            condition if table in (first_table, cards) else search_sql.is_so(table, condition)
            for table in _TABLES
            for condition in self._conditions[table]
        ]
        return search_sql.places_found(first_table, [*conditions, *self._negations])

    def _add(self, term: Term) -> None:
        """Add a term's condition to its table. A search cannot start from a negation."""
        # Except "not new", which is simply a row in the table of memories.
        if term == Negation(StateTerm(QueryState.NEW)):
            self._conditions[search_sql.MEMORIES].append(search_sql.IS_REMEMBERED)
        elif isinstance(term, Negation):
            self._negations.append(f"NOT {self._of_card(term.term)}")
        else:
            table, condition = self._compile(term)
            self._conditions[table].append(condition)

    def _of_card(self, term: Term) -> str:
        """Compile a term to a condition on the current card."""
        if isinstance(term, Negation):
            return f"NOT {self._of_card(term.term)}"
        table, condition = self._compile(term)
        return condition if table is search_sql.CARDS_THEMSELVES else search_sql.is_so(table, condition)

    def _compile(
        self, term: Words | TagTerm | DeckTerm | StateTerm | NumberTerm
    ) -> tuple[search_sql.SearchTable, str]:
        match term:
            case Words(text):
                return search_sql.TEXTS, self._text(text)
            case TagTerm(tag):
                return search_sql.TEXTS, self._text(f"{EDGE}#{tag}{EDGE}")
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

    def _text(self, text: str) -> str:
        escaped = text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
        return search_sql.has_text(self._parameter(f"%{escaped}%"))

    def _decks(self, name: str) -> str:
        ids = list(_decks_named(self._connection, str(self.values["learner"]), name))
        if not ids:
            values = {"learner": self.values["learner"]}
            names = [text for row in self._connection.execute(DECK_NAMES, values) for text in row]
            hint = did_you_mean(name, names)
            raise NotFoundError(f"No deck has {name!r} in its name.{hint}", "study deck list")
        return search_sql.in_decks([self._parameter(id_) for id_ in ids])


def refuse_unknown_tags(connection: Connection, learner: str, query: Query) -> None:
    """Raise NotFoundError if the query names a tag that no card has."""
    query_tags = [term.tag for terms in query.alternatives for term in terms if isinstance(term, TagTerm)]
    rows = connection.execute(TAGS, {"learner": learner}) if query_tags else ()
    full_tags = {folded(tag) for row in rows for tag in str(row[0]).split("\n")}
    # `a.b.c` also has the tags `a` and `a.b`.
    tags = {".".join(tag.split(".")[:count]) for tag in full_tags for count in range(1, tag.count(".") + 2)}
    for tag in query_tags:
        if tag not in tags:
            hint = meant(
                tag,
                tags,
                f"Some tags are {', '.join(sorted(tags)[:_MAX_SHOWN_TAGS])}." if tags else "No card has any.",
            )
            raise NotFoundError(f"Unknown tag {tag!r}. {hint}")


def _decks_named(connection: Connection, learner: str, part: str) -> Iterator[str]:
    """Yield ids of the decks whose id or name contains `part`, but only exact matches if there are any."""
    names: Mapping[str, tuple[str, str]] = {
        row[0]: (folded(row[0]), folded(row[1])) for row in connection.execute(DECK_NAMES, {"learner": learner})
    }
    exact = [id_ for id_, texts in names.items() if part in texts or texts[1].startswith(f"{part}::")]
    yield from exact or (id_ for id_, texts in names.items() if any(part in text for text in texts))
