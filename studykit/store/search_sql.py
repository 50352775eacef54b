"""Build the SQL of a search, with named parameters: its conditions, and the tables it can start from."""

from collections.abc import Iterable
from dataclasses import dataclass

from studykit.store.sql import CARD_COLUMNS, MEMORY_COLUMNS

_FOUND = "c." + CARD_COLUMNS.replace(", ", ", c.") + ", m." + MEMORY_COLUMNS.replace(", ", ", m.")
_IN_DECK = "c.deck IN"
IS_NEW = "c.fresh = 1"
IS_REMEMBERED = "s.card_id IS NOT NULL"
IS_DUE = "s.live = 1 AND s.due <= :day"
IS_LEECH = "s.lapses >= :leech"
IS_SUSPENDED = "s.suspended = 1"
IS_FLAGGED = "s.flagged = 1"
IS_BURIED = "s.buried = :day"
"""Conditions on `c`, the card, or `s`, another table's row of that card."""


@dataclass(frozen=True, slots=True)
class SearchTable:
    """Describe a table that a search can start from."""

    name: str
    own: str  # condition for the learner's rows
    joined: str  # condition that joins the card `c`


CARDS_THEMSELVES = SearchTable("card AS c", "c.learner = :learner AND c.present = 1", "")
TEXTS = SearchTable("card_text AS s", "s.learner = :learner", "c.id = s.card")
MEMORIES = SearchTable("memory AS s", "s.learner = :learner", "c.id = s.card_id")
MARKS = SearchTable("mark AS s", "s.learner = :learner", "c.id = s.card_id")


def places_found(table: SearchTable, conditions: Iterable[str]) -> str:
    """Return the query for ids and places of the matching cards, up to a limit."""
    # CROSS JOIN, because SQLite then reads the tables in this order instead of choosing one.
    card = CARDS_THEMSELVES
    joined = [] if table is card else [table.own, table.joined]
    tables = card.name if table is card else f"{table.name} CROSS JOIN {card.name}"
    in_deck = any(condition.startswith(_IN_DECK) for condition in conditions)
    # Each of these orders is that of an index, so that SQLite need not sort and can stop at the limit.
    order = f"ORDER BY {'' if in_deck else 'c.rank, '}c.deck, c.position" if table is card else ""
    where = " AND ".join([*joined, card.own, *conditions])
    return f"SELECT c.id, c.rank, c.deck, c.position FROM {tables} WHERE {where} {order} LIMIT :limit"


def found_cards(names: Iterable[str]) -> str:
    """Return the query for cards by id, each with its memory and marks. `names` are parameters."""
    return f"""
SELECT {_FOUND}, k.suspended, k.buried, k.flagged
FROM card AS c LEFT JOIN memory AS m ON m.card_id = c.id AND m.learner = :learner
    LEFT JOIN mark AS k ON k.card_id = c.id AND k.learner = :learner
WHERE c.learner = :learner AND c.id IN ({", ".join(f":{name}" for name in names)})
"""


def is_so(table: SearchTable, condition: str) -> str:
    """Return a condition on another table's row of the current card."""
    return f"EXISTS (SELECT 1 FROM {table.name} WHERE {table.own} AND {table.joined} AND {condition})"


def has_text(name: str) -> str:
    """Return the condition that the card's text matches a pattern, in which `!` is the escape character."""
    return f"s.text LIKE :{name} ESCAPE '!'"


def compared(field: str, sign: str, name: str) -> str:
    """Return the condition on a number of the card's memory. `field` and `sign` must come from closed lists."""
    return f"s.{field} {sign} :{name}"


def in_decks(names: Iterable[str]) -> str:
    """Return the condition that the card is in one of the decks. `names` are parameters."""
    return f"{_IN_DECK} ({', '.join(f':{name}' for name in names)})"
