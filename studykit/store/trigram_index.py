"""Keep an FTS5 index of all trigrams in the cards' text, for collections with many cards.

Triggers keep it up to date. It can be dropped at any time, and the next search makes it again: about 5 seconds and
80 MiB for 100,000 cards. It needs SQLite 3.34. Without it a search reads every text.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

from studykit.store.sqlite import statements_of

MIN_INDEXED_CARDS = 5_000  # fewer are searched without an index in a few milliseconds
_TRIGRAM_CHARACTERS = 3

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
    return not has_index(connection) and next(iter(connection.execute(COUNT)))[0] > MIN_INDEXED_CARDS


def can_index() -> bool:
    """Return whether this SQLite has the trigram tokenizer."""
    try:
        with closing(sqlite3.connect(":memory:")) as probe:
            probe.execute(PROBE)
    except sqlite3.OperationalError:
        return False
    return True


def make_index(connection: Connection) -> None:
    """Make the index unless there is one."""
    if not has_index(connection):
        for statement in statements_of(_MAKE):
            connection.execute(statement)


def drop_index(connection: Connection) -> None:
    """Drop the index. The next search makes it again."""
    for statement in DROP:
        connection.execute(statement)


def expression(text: str) -> str:
    """Return the FTS5 query for cards with all trigrams of a text anywhere, or "" if the text is too short."""
    starts = range(len(text) - _TRIGRAM_CHARACTERS + 1)
    trigrams = dict.fromkeys(text[start : start + _TRIGRAM_CHARACTERS] for start in starts)
    return " AND ".join('"{}"'.format(trigram.replace('"', '""')) for trigram in trigrams)
