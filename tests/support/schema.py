"""Read the tables that the migrations make. `python tests/support/schema.py` writes them to `store/schema.sql`."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from studykit.store import sql
from studykit.store.migrate import migrate

HEAD = (
    "-- Made from alembic/versions by `python tests/support/schema.py`: change the migrations, not this file.\n\n"
)


def migrated_schema(folder: Path) -> str:
    """Return the text of `schema.sql` after all migrations, which run in `folder`."""
    file = folder / "migrated.db"
    file.touch()
    migrate(file)
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        (revision,) = connection.execute(sql.VERSION).fetchone()
    statements = [*(_laid_out(text) for (text,) in rows), f"INSERT INTO alembic_version VALUES ('{revision}')"]
    return HEAD + "".join(f"{statement};\n\n" for statement in statements).rstrip() + "\n"


def _laid_out(statement: str) -> str:
    """Format a statement without its migration's line breaks and quotes."""
    text = re.sub(r'^CREATE TABLE "(\w+)"', r"CREATE TABLE \1", " ".join(statement.split()))
    if not text.startswith("CREATE TABLE"):
        return text
    head, inside, tail = re.fullmatch(r"(.*?\() ?(.*?) ?(\)[ A-Z,]*)", text).groups()  # type: ignore[union-attr]
    columns = re.split(r", (?![^(]*\))", inside)  # a key's own commas stand in parentheses
    return "\n".join([head, *(f"    {column}," for column in columns[:-1]), f"    {columns[-1]}", tail])


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


if __name__ == "__main__":
    with TemporaryDirectory() as scratch:
        Path(sql.SCHEMA).write_text(migrated_schema(Path(scratch)), encoding="utf-8")
