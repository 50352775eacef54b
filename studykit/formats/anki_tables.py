"""Read the tables of an Anki collection, schema 11 or 18, as plain values.

The database is untrusted, so `store.untrusted_file` opens it.
"""

import json
import sqlite3
from collections import defaultdict
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
        """Raise TableError for views, triggers and too many rows, which no collection of Anki has."""
        self._connection = connection
        entries = connection.execute("SELECT type, name FROM sqlite_master").fetchall()
        if not all(kind == "index" or holds_only_rows(connection, str(name)) for kind, name in entries):
            raise TableError("has a database with code that would run")
        for table, max_rows in _MAX_ROWS.items():
            (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
            if count > max_rows:
                raise TableError(f"has {count:,} {table}, too many to read")
        self._is_newer = ("table", "notetypes") in entries

    def rows(self, table: str) -> Iterator[Row]:
        """Yield the rows of a table by id, with the columns of `_COLUMNS`."""
        columns = ", ".join(_COLUMNS[table])
        yield from self._connection.execute(f"SELECT {columns} FROM {table} ORDER BY id")

    def creation_time(self) -> int:
        """Return the day that due days are counted from, in seconds since 1970."""
        return whole(self._col("crt"))

    def setting(self, name: str) -> object:
        """Return a setting of the collection, or None if it is not set."""
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
            fields = sorted(model["flds"], key=lambda each: whole(each["ord"]))
            templates = sorted(model["tmpls"], key=lambda each: whole(each["ord"]))
            sides = tuple(CardTemplate(text(each["qfmt"]), text(each["afmt"])) for each in templates)
            names = tuple(text(each["name"]) for each in fields)
            yield NoteType(whole(id_), text(model["name"]), names, sides, whole(model.get("type", 0)) == _CLOZE)

    def _newer_types(self) -> Iterator[NoteType]:
        names, sides = defaultdict[object, list[str]](list), defaultdict[object, list[CardTemplate]](list)
        for type_, name in self._connection.execute("SELECT ntid, name FROM fields ORDER BY ord"):
            names[type_].append(text(name))
        for type_, config in self._connection.execute("SELECT ntid, config FROM templates ORDER BY ord"):
            question, answer = ("".join(texts(config, number)) for number in (1, 2))
            sides[type_].append(CardTemplate(question, answer))
        for id_, name, config in self._connection.execute("SELECT id, name, config FROM notetypes"):
            is_cloze = fields(config).get(1, [0])[-1] == _CLOZE
            yield NoteType(whole(id_), text(name), tuple(names[id_]), tuple(sides[id_]), is_cloze)

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
            yield AnkiTables(connection)
    except sqlite3.Error:
        raise TableError("has a database that is broken or not Anki's") from None
    except (KeyError, TypeError, AttributeError, OverflowError, RecursionError, ValueError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError("has a collection that cannot be read") from None


def whole(value: object) -> int:
    """Convert a number or text to an integer, and other types to 0. ValueError for a text that is not a number."""
    return int(value) if isinstance(value, int | str | float) else 0


def text(value: object) -> str:
    """Convert a value to text, and None to an empty text."""
    return value if isinstance(value, str) else "" if value is None else str(value)


def _compare_ignoring_case(left: str, right: str) -> int:
    first, second = left.casefold(), right.casefold()
    return (first > second) - (first < second)
