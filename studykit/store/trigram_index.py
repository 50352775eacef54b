"""The index that finds any three signs in the text of the cards: a table of FTS5 in a file of many cards.

It follows the cards by triggers, can be dropped at any time, and is made anew at the next search: some 5 seconds
and 80 MiB for 100,000 cards. SQLite has it since 3.34; without it every text is looked at.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

from studykit.store.sqlite import statements_of

INDEX_FROM = 5_000  # cards; below, all of them are looked at in a few milliseconds
_SIGNS = 3

COUNT = "SELECT count(*) FROM card_text"
IS_THERE = "SELECT 1 FROM sqlite_master WHERE name = 'card_trigram'"
PROBE = "CREATE VIRTUAL TABLE probe USING fts5(text, tokenize = 'trigram', detail = 'none')"
_MAKE = Path(__file__).with_name("card_trigram.sql")
DROP = (
    "DROP TRIGGER IF EXISTS card_text_added",
    "DROP TRIGGER IF EXISTS card_text_removed",
    "DROP TRIGGER IF EXISTS card_text_changed",
    "DROP TABLE IF EXISTS card_trigram",
)


def has_index(connection: Connection) -> bool:
    """Return whether a file has the index."""
    return connection.execute(IS_THERE).fetchone() is not None


def wants_index(connection: Connection) -> bool:
    """Return whether a file lacks the index and has enough cards to be worth it."""
    return not has_index(connection) and next(iter(connection.execute(COUNT)))[0] > INDEX_FROM


def can_index() -> bool:
    """Return whether this SQLite knows trigrams."""
    try:
        with closing(sqlite3.connect(":memory:")) as probe:
            probe.execute(PROBE)
    except sqlite3.OperationalError:
        return False
    return True


def make_index(connection: Connection) -> None:
    """Make the index where there is none."""
    if not has_index(connection):
        for statement in statements_of(_MAKE):
            connection.execute(statement)


def drop_index(connection: Connection) -> None:
    """Do without the index until a search makes it anew."""
    for statement in DROP:
        connection.execute(statement)


def expression(text: str) -> str:
    """Return the index query for a text: all its trigrams in any place, or "" for a shorter text."""
    threes = dict.fromkeys(text[at : at + _SIGNS] for at in range(len(text) - _SIGNS + 1))
    return " AND ".join('"{}"'.format(three.replace('"', '""')) for three in threes)
