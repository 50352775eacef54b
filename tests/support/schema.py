"""Read the tables of the schema and the queries about them."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from studykit.store import sql


def columns() -> dict[str, dict[str, str]]:
    """Return the type of each column of each table, by name."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(Path(sql.SCHEMA).read_text("utf-8"))
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            table: {row[1]: row[2] for row in connection.execute(f"PRAGMA table_info({table})")}
            for table in tables
            if table != "alembic_version"
        }


def texts() -> dict[str, str]:
    """Return every SQL text that reads or changes a table of the database, by name."""
    words = ("SELECT", "INSERT", "UPDATE", "DELETE")
    strings = {name: value for name, value in vars(sql).items() if isinstance(value, str)}
    strings["IDS_FOUND"] = sql.IDS_FOUND.format(condition="1", plus="+")  # a search fills in its own
    return {name: value for name, value in strings.items() if value.strip().startswith(words)}


def some_values(query: str) -> dict[str, object]:
    """Return placeholder values of the right types for the parameters of a query."""
    used = [types for table, types in columns().items() if re.search(rf"\b{table}\b", query)]
    numbers = {name for types in used for name, kind in types.items() if kind in {"INTEGER", "REAL"}}
    numbers |= {"day", "limit", "mature", "month", "since"}
    keys = {"low", "high", "id"} if " event " in query else set()
    names = re.findall(r":(\w+)", query)
    return {name: 0 if name in numbers else bytes(16) if name in keys else "" for name in names}
