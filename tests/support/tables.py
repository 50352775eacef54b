"""The tables said once more, in SQLAlchemy's words: what the migrations make is held equal to them.

Moments are whole microseconds UTC and days are proleptic ordinals (`date.toordinal`), so that SQLite and
PostgreSQL keep the same values and compare them alike. Lists are text, one element a line.
"""

import re

from sqlalchemy import (
    REAL,
    BigInteger,
    Column,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.types import TypeEngine

from studykit.store import sql
from studykit.store.event_log import COUNT_ANSWER, COUNT_EXERCISE

metadata = MetaData()

WHOLE = BigInteger().with_variant(Integer(), "sqlite")
REAL_NUMBER: TypeEngine[float] = Double().with_variant(REAL(), "sqlite")
ID = LargeBinary(16)
WORDS: TypeEngine[str] = Text().with_variant(Text(collation="C"), "postgresql")  # sorts as bytes everywhere


def _words(name: str, *, key: bool = False) -> Column[str]:
    return Column(name, WORDS, primary_key=key, nullable=False, server_default=None if key else "")


def _whole(name: str, *, key: bool = False) -> Column[int]:
    return Column(
        name, WHOLE, primary_key=key, autoincrement=False, nullable=False, server_default=None if key else "0"
    )


event = Table(
    "event",
    metadata,
    Column("id", ID, primary_key=True),
    _words("learner"),
    _words("origin"),
    _words("kind"),
    _words("card_id"),
    _whole("moment"),
    _whole("day"),
    _words("zone"),
    Column("grade", WHOLE),
    _whole("took_ms"),
    _words("profile"),
    _words("target"),
    Column("template", WORDS),
    Column("version", WHOLE),
    Column("seed", WHOLE),
    Column("parameters", WORDS),
    Column("answer", WORDS),
    Column("verdict", WORDS),
    Column("slips", WORDS),
    Index("event_moment", "learner", "moment"),
    Index("event_card", "learner", "card_id", "moment"),
    Index(
        "event_target",
        "learner",
        "target",
        sqlite_where=text("target <> ''"),
        postgresql_where=text("target <> ''"),
    ),
    Index(
        "event_template",
        "learner",
        "template",
        "verdict",
        "slips",
        sqlite_where=text("template IS NOT NULL"),
        postgresql_where=text("template IS NOT NULL"),
    ),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)


def _learner() -> Column[str]:
    return Column("learner", WORDS, primary_key=True, nullable=False, server_default="me")


card = Table(
    "card",
    metadata,
    _learner(),
    _words("id", key=True),
    _words("note"),
    _words("deck"),
    _whole("rank"),  # of the deck: place of its first objective in the lesson
    _whole("position"),
    _words("kind"),
    _words("prompt"),
    _words("answer"),
    _words("whole"),
    _words("path"),
    _whole("line"),
    _words("content_hash"),
    _whole("named"),
    _words("tags"),
    _words("objectives"),
    _whole("typed"),
    Column("task", WORDS),
    _words("pinned"),
    Column("url", WORDS),
    _whole("present"),  # 0: its text is gone, its history is not
    _whole("fresh"),  # 1: the learner does not know it yet
    Column("source", WORDS, nullable=False, server_default=""),
    Index("card_path", "learner", "path"),
    Index("card_deck", "learner", "deck", "present", "position"),
    Index(
        "card_new",
        "learner",
        "rank",
        "deck",
        "position",
        sqlite_where=text("fresh = 1 AND present = 1"),
        postgresql_where=text("fresh = 1 AND present = 1"),
    ),
    Index(
        "card_order",
        "learner",
        "rank",
        "deck",
        "position",
        sqlite_where=text("present = 1"),
        postgresql_where=text("present = 1"),
    ),
    sqlite_strict=True,
)

memory = Table(
    "memory",
    metadata,
    _words("card_id", key=True),
    _words("learner", key=True),
    _whole("repetition"),
    _whole("interval"),
    _whole("ease"),
    _whole("lapses"),
    _whole("reviewed"),
    _whole("due"),
    _whole("reviews"),  # reviews after the first one, and how many of them passed
    _whole("passed"),
    _whole("live"),  # in the collection and not suspended
    _words("deck"),
    _words("note"),
    _words("objectives"),
    Column("stability", REAL_NUMBER),  # under FSRS alone, as the two after it
    Column("difficulty", REAL_NUMBER),
    Column("sm2_interval", WHOLE),
    Index("memory_due", "learner", "live", "due", "deck", "note"),
    Index(
        "memory_parts",
        *("learner", "deck", "objectives", "card_id", "reviews", "passed", "lapses", "interval"),
        *("ease", "stability", "live"),
    ),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

mark = Table(
    "mark",
    metadata,
    _words("learner", key=True),
    _words("card_id", key=True),
    _whole("suspended"),
    _whole("buried"),  # the study day it is out for, 0: none
    _whole("flagged"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

tally = Table(
    "tally",
    metadata,
    _words("learner", key=True),
    _whole("day", key=True),
    Column("hour", WHOLE, primary_key=True, autoincrement=False, server_default="-1"),  # -1, -1: the whole day
    Column("grade", WHOLE, primary_key=True, autoincrement=False, server_default="-1"),  # else of the month
    _whole("introduced"),
    _whole("young"),
    _whole("young_passed"),
    _whole("mature"),
    _whole("mature_passed"),
    _whole("drills"),
    _whole("crams"),
    _whole("practised"),
    _whole("took_ms"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

card_text = Table(
    "card_text",
    metadata,
    Column("number", WHOLE, primary_key=True),
    Column("learner", WORDS, nullable=False, server_default="me"),
    Column("card", WORDS, nullable=False),
    _words("text"),
    UniqueConstraint("learner", "card"),
    sqlite_strict=True,
)

deckfile = Table(
    "deckfile",
    metadata,
    _learner(),
    _words("path", key=True),
    _whole("mtime_ns"),
    _whole("size"),
    _words("digest"),
    _words("deck"),
    _words("name"),
    _words("header"),
    sqlite_strict=True,
)

setting = Table(
    "setting",
    metadata,
    _words("learner", key=True),
    _words("name", key=True),
    _words("value"),
    sqlite_strict=True,
)

ceiling = Table(
    "ceiling",
    metadata,
    _learner(),
    _words("device", key=True),
    _words("name", key=True),
    Column("value", REAL_NUMBER, nullable=False),
    _whole("measured"),
    sqlite_strict=True,
)


def texts() -> dict[str, str]:
    """Every text of the program that reads or changes a table of the database, by its name."""
    words = ("SELECT", "INSERT", "UPDATE", "DELETE")
    strings = {name: value for name, value in vars(sql).items() if isinstance(value, str)}
    strings |= {f"COUNT_ANSWER {which}": query for which, query in enumerate(COUNT_ANSWER)}
    strings |= {f"COUNT_EXERCISE {kind}": query for kind, query in COUNT_EXERCISE.items()}
    strings = {name: value for name, value in strings.items() if " replayed" not in value}
    return {name: value for name, value in strings.items() if value.strip().startswith(words)}


def some_values(query: str) -> dict[str, object]:
    """Parameters of the right types for a text."""
    used = [table for name, table in metadata.tables.items() if re.search(rf"\b{name}\b", query)]
    types = {column.name: column.type for table in used for column in table.columns}
    numbers = {name for name, type_ in types.items() if type_ in (WHOLE, REAL_NUMBER)}
    numbers |= {"day", "few", "limit", "mature", "month", "since"}
    keys = {"low", "high", "id"} if " event " in query else set()
    names = re.findall(r":(\w+)", query)
    return {name: 0 if name in numbers else bytes(16) if name in keys else "" for name in names}
