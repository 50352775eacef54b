"""Read the tables of an Anki collection, schema 11 or 18, as plain values.

The database is untrusted, so `store.untrusted_file` opens it.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from studykit.formats.foreign_notes import MAX_NOTES
from studykit.formats.protobuf import fields, texts
from studykit.store.untrusted_file import holds_only_rows, open_untrusted

_MAX_VALUE_BYTES = 50_000_000  # bytes of one value, such as the JSON of all note types
_LOOKS = 600_000
_MAX_ROWS = {"notes": MAX_NOTES, "cards": 4 * MAX_NOTES, "revlog": 40 * MAX_NOTES}
_COLUMNS = {
    "notes": ("id", "guid", "mid", "mod", "tags", "flds"),
    "cards": (
        *("id", "nid", "did", "odid", "ord", "mod", "type", "queue", "due", "odue", "ivl", "factor", "reps"),
        *("lapses", "flags"),
    ),
    "revlog": ("id", "cid", "ease", "ivl", "factor", "time", "type"),
}
_FUNCTIONS = frozenset(("count", "max", "length"))
_CLOZE = 1

Row = tuple[object, ...]


class TableError(ValueError):
    """Raised for a broken or strange collection. The message follows the package's path."""


@dataclass(frozen=True, slots=True)
class CardTemplate:
    """Hold the two sides of a note type's template."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class NoteType:
    """Hold the fields and templates of a note type in order, and whether its notes have gaps."""

    id: int
    name: str
    fields: tuple[str, ...]
    templates: tuple[CardTemplate, ...]
    cloze: bool


class AnkiTables:
    """Read an open collection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        rows = connection.execute("SELECT name FROM sqlite_master")
        self._is_newer = "notetypes" in {str(row[0]) for row in rows}

    def check(self) -> None:
        """Raise TableError for views, triggers and too many rows, which no collection of Anki has."""
        for kind, name in self._connection.execute("SELECT type, name FROM sqlite_master").fetchall():
            is_table = kind == "table" and holds_only_rows(self._connection, str(name))
            if kind != "index" and not is_table:
                raise TableError("has a database with something in it that would run")
        for table, max_rows in _MAX_ROWS.items():
            if (count := self.count(table)) > max_rows:
                raise TableError(f"has {count:,} {table}, too many to read")

    def rows(self, table: str) -> Iterator[Row]:
        """Yield the rows of a table by id, with the columns of `_COLUMNS`."""
        columns = ", ".join(_COLUMNS[table])
        yield from self._connection.execute(f"SELECT {columns} FROM {table} ORDER BY id")

    def count(self, table: str) -> int:
        """Count the rows of a table."""
        return int(self._connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    def creation_time(self) -> int:
        """Return the day that due days are counted from, in seconds since 1970."""
        return whole(self._connection.execute("SELECT crt FROM col").fetchone()[0])

    def setting(self, name: str) -> object:
        """Return a setting of the collection, or None."""
        if self._is_newer:
            row = self._connection.execute("SELECT val FROM config WHERE KEY = ?", (name,)).fetchone()
            return None if row is None else json.loads(row[0])
        settings = json.loads(self._col("conf") or "{}")
        return settings.get(name) if isinstance(settings, dict) else None

    def decks(self) -> Mapping[int, str]:
        """Map ids to deck names, levels joined by `::`."""
        if self._is_newer:
            rows = self._connection.execute("SELECT id, name FROM decks")
            return {whole(id_): text(name).replace("\x1f", "::") for id_, name in rows}
        return {whole(id_): text(deck["name"]) for id_, deck in json.loads(self._col("decks")).items()}

    def note_types(self) -> Mapping[int, NoteType]:
        """Map ids to note types."""
        types = self._newer_types() if self._is_newer else self._older_types()
        return {note_type.id: note_type for note_type in types}

    def _older_types(self) -> Iterator[NoteType]:
        for id_, model in json.loads(self._col("models")).items():
            fields = sorted(model["flds"], key=lambda one: whole(one["ord"]))
            templates = sorted(model["tmpls"], key=lambda one: whole(one["ord"]))
            sides = tuple(CardTemplate(text(one["qfmt"]), text(one["afmt"])) for one in templates)
            names = tuple(text(one["name"]) for one in fields)
            yield NoteType(whole(id_), text(model["name"]), names, sides, whole(model.get("type", 0)) == _CLOZE)

    def _newer_types(self) -> Iterator[NoteType]:
        names: dict[int, list[tuple[int, str]]] = {}
        for type_, order, name in self._connection.execute("SELECT ntid, ord, name FROM fields"):
            names.setdefault(whole(type_), []).append((whole(order), text(name)))
        sides: dict[int, list[tuple[int, CardTemplate]]] = {}
        for type_, order, config in self._connection.execute("SELECT ntid, ord, config FROM templates"):
            question, answer = (("".join(texts(config, number))) for number in (1, 2))
            sides.setdefault(whole(type_), []).append((whole(order), CardTemplate(question, answer)))
        for id_, name, config in self._connection.execute("SELECT id, name, config FROM notetypes"):
            yield NoteType(
                whole(id_),
                text(name),
                tuple(name for _, name in sorted(names.get(whole(id_), []))),
                tuple(side for _, side in sorted(sides.get(whole(id_), []), key=lambda one: one[0])),
                fields(config).get(1, [0])[-1] == _CLOZE,
            )

    def _col(self, column: str) -> str:
        return text(self._connection.execute(f"SELECT {column} FROM col").fetchone()[0])


@contextmanager
def opened_tables(path: Path) -> Iterator[AnkiTables]:
    """Open a collection for reading, or raise TableError if it is broken or makes no sense."""
    try:
        with open_untrusted(
            path, longest_value=_MAX_VALUE_BYTES, looks=_LOOKS, functions=_FUNCTIONS
        ) as connection:
            connection.create_collation("unicase", _compare_ignoring_case)
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            tables = AnkiTables(connection)
            tables.check()
            yield tables
    except sqlite3.Error:
        raise TableError("has a database that is broken, or none of Anki's") from None
    except (KeyError, TypeError, AttributeError, OverflowError, RecursionError, ValueError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError("has a collection that cannot be read") from None


def whole(value: object) -> int:
    """Convert a value to an integer, other types to 0. ValueError for a text that is not a number."""
    return int(value) if isinstance(value, int | str | float) else 0


def text(value: object) -> str:
    """Convert a value to text."""
    return value if isinstance(value, str) else "" if value is None else str(value)


def _compare_ignoring_case(left: str, right: str) -> int:
    first, second = left.casefold(), right.casefold()
    return (first > second) - (first < second)
