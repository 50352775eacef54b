"""Compile a query to an SQL condition on a card `c`.

SQLite looks up the cards of a term in the table that has its columns, of memories, marks or texts. For words it
reads the text of every card, which takes 50 ms for 100,000 cards.
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
    TagTerm,
    Term,
    Words,
    folded,
)
from studykit.errors import NotFoundError
from studykit.store.sql import DECK_NAMES, TAGS
from studykit.text import did_you_mean, meant

_TEXT = "c.id IN (SELECT card FROM card_text WHERE learner = :learner AND {})"
_MEMORY = "c.id IN (SELECT card_id FROM memory WHERE learner = :learner AND {})"
_MARK = "c.id IN (SELECT card_id FROM mark WHERE learner = :learner AND {})"
_STATES = {
    QueryState.DUE: _MEMORY.format("live = 1 AND due <= :day"),
    QueryState.NEW: "c.fresh = 1",
    QueryState.LEECH: _MEMORY.format("lapses >= :leech"),
    QueryState.SUSPENDED: _MARK.format("suspended = 1"),
    QueryState.FLAGGED: _MARK.format("flagged = 1"),
    QueryState.BURIED: _MARK.format("buried = :day"),
}
_MAX_SHOWN_TAGS = 12


class SearchCondition:
    """Hold the condition of a query as `text`, with the `values` of its parameters."""

    def __init__(self, connection: Connection, query: Query, values: Mapping[str, object]) -> None:
        self.values = dict(values)
        self._connection = connection
        self.text = " OR ".join([self._all(terms) for terms in query.alternatives]) or "1"

    @property
    def begins_with_lookup(self) -> bool:
        """Return whether the first term looks its cards up in another table, where few may match."""
        return self.text.startswith("c.id IN")

    def _all(self, terms: Iterable[Term]) -> str:
        """Compile terms that must all hold. Words and tags share a condition, so that texts are read once."""
        texts = [self._has_text(term) for term in terms if isinstance(term, Words | TagTerm)]
        others = [self._compile(term) for term in terms if not isinstance(term, Words | TagTerm)]
        return " AND ".join([*([_TEXT.format(" AND ".join(texts))] if texts else []), *others])

    def _compile(self, term: Term) -> str:
        match term:
            case Negation(negated):
                return f"NOT {self._compile(negated)}"
            case DeckTerm(name):
                return f"c.deck IN ({', '.join(map(self._parameter, self._decks(name)))})"
            case QueryState():
                return _STATES[term]
            case NumberTerm(field, sign, value):  # a field and a sign of closed lists
                return _MEMORY.format(f"{field} {sign} {self._parameter(value)}")
            case Words() | TagTerm():
                return _TEXT.format(self._has_text(term))

    def _parameter(self, value: object) -> str:
        name = f"p{len(self.values)}"
        self.values[name] = value
        return f":{name}"

    def _has_text(self, term: Words | TagTerm) -> str:
        text = f"{EDGE}#{term.tag}{EDGE}" if isinstance(term, TagTerm) else term.text
        escaped = text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
        return f"text LIKE {self._parameter(f'%{escaped}%')} ESCAPE '!'"

    def _decks(self, name: str) -> list[str]:
        rows = list(self._connection.execute(DECK_NAMES, {"learner": self.values["learner"]}))
        ids = list(_decks_named({row[0]: (folded(row[0]), folded(row[1])) for row in rows}, name))
        if not ids:
            hint = did_you_mean(name, [text for row in rows for text in row])
            raise NotFoundError(f"No deck has {name!r} in its name.{hint}", "study deck list")
        return ids


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


def _decks_named(names: Mapping[str, tuple[str, str]], part: str) -> Iterator[str]:
    """Yield ids of the decks that `part` is the id or name of, with those below, else of all that contain it."""
    exact = [id_ for id_, texts in names.items() if part in texts or texts[1].startswith(f"{part}::")]
    yield from exact or (id_ for id_, texts in names.items() if any(part in text for text in texts))
