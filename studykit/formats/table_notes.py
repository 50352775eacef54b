"""Tables of cards come in: CSV and TSV, with a row of names or without, and what Anki writes as text."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from html import escape
from pathlib import Path

from studykit.formats.card_ids import is_own_id, note_id
from studykit.formats.field_markdown import LONGEST, markdown_of, marked_gaps
from studykit.formats.foreign_notes import (
    MOST_NOTES,
    CardPast,
    FormatError,
    ImportedDecks,
    ImportedNote,
    LossList,
    NoteForm,
    ReadOptions,
)
from studykit.formats.gap_notes import gap_notes
from studykit.formats.markdown_escapes import escaped_text
from studykit.ordinary_file import read_named
from studykit.scheduling.memory import Memory

NAME = "a table"
ORIGIN = "csv"

_MAX_TABLE_BYTES = 100_000_000  # bytes
_SEPARATORS = "\t,;|"
_ANKI_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " ", "pipe": "|", "colon": ":"}
_SETTING = re.compile(r"#([a-z ]+):(.*)\r?\n?")
_LOOKED_AT = 30  # rows, to tell the separator
_HTML = re.compile(r"<(?:br|b|i|div|p|img|ul|ol|li|span)\b[^<>]*>|&(?:nbsp|lt|gt|amp);", re.IGNORECASE)
_HEADINGS = json.loads(Path(__file__).with_name("table_columns.json").read_bytes())
_NAMES: Mapping[str, Sequence[str]] = _HEADINGS["columns"]
"""What a column may be called, by what it holds."""
_LANGUAGES = frozenset(_HEADINGS["languages"])
"""A row of these alone names its columns too."""
OWN = ("id", "deck", "kind", "front", "back", "tags", "repetition", "interval", "ease", "lapses", "reviewed")
"""The columns that `text_export` writes; their texts are Markdown of ours."""
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would run that begins so; a cell of ours has `'` before it."""


def sniff(path: Path, head: bytes) -> bool:
    """Whether a file is called a table, or says that Anki wrote it as text."""
    return path.suffix.lower() in {".csv", ".tsv", ".tab", ".txt"} or head.startswith((b"#separator:", b"#html:"))


def read(path: Path, options: ReadOptions) -> ImportedDecks:
    """Return the rows as notes; FormatError if the file is not a table."""
    data = read_named(path, _MAX_TABLE_BYTES, "name a table of cards.", FormatError)
    losses = LossList()
    table = _Table(path, losses)
    notes, pasts = table.notes(_decoded(data, path, losses), options)
    if not notes:
        raise FormatError(f"{path} holds no row with a question and an answer. Give it two columns or more.")
    return ImportedDecks(ORIGIN, path.stem, tuple(notes), pasts, losses=table.losses)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where in a row what stands, from 0; others are more of the back."""

    places: Mapping[str, int]
    own: bool = False  # ours, in Markdown
    names: Sequence[str] = ()  # of all columns, where a row names them

    def of(self, row: Sequence[str], name: str) -> str:
        """What a row says under a name; empty where it says nothing."""
        place = self.places.get(name, -1)
        return row[place].strip() if 0 <= place < len(row) else ""


@dataclass(slots=True)
class _Table:
    """One table on its way."""

    path: Path
    losses: LossList
    settings: dict[str, str] = field(default_factory=dict)

    def notes(self, text: str, options: ReadOptions) -> tuple[list[ImportedNote], dict[str, CardPast]]:
        """The notes of every row that has one, and where those of our own export stood."""
        rows = self._rows(self._without_settings(text))
        columns = self._columns(rows)
        html = self._is_html(rows, columns)
        notes, pasts = dict[str, ImportedNote](), dict[str, CardPast]()
        for number, row in enumerate(rows, 1):
            if number % 200 == 0:
                options.reach(number, len(rows))
            for note in self._row(row, columns, html=html, number=number):
                if note.id in notes:
                    self.losses.add("rows that repeat a question", f"row {number}")
                    continue
                notes[note.id] = note
                if columns.own and (state := _state(row, columns)) is not None:
                    pasts[note.id] = CardPast(state=state)
        return list(notes.values()), pasts

    def _row(self, row: Sequence[str], columns: _Columns, *, html: bool, number: int) -> Iterator[ImportedNote]:
        front, back = columns.of(row, "front"), columns.of(row, "back")
        used = set(columns.places.values())
        others = {place: cell.strip() for place, cell in enumerate(row) if place not in used and cell.strip()}
        more = list(others.values())
        if not front:
            if any(cell.strip() for cell in row):
                self.losses.add("rows without a question", f"row {number}")
            return
        if max(map(len, row)) > LONGEST:
            self.losses.add("rows with a text that is too long", f"row {number}")
            return
        key, deck = columns.of(row, "id"), columns.of(row, "deck") or self.settings.get("deck") or self.path.stem
        digest = sha256(" ".join(front.split()).encode("utf-8", "replace")).hexdigest()[:16]
        id_ = key if is_own_id(key) and columns.own else note_id(ORIGIN, key or digest)
        tags = tuple(re.split(r"[\s,]+", columns.of(row, "tags"))) + tuple(self.settings.get("tags", "").split())
        note = ImportedNote(id_, deck, NoteForm.BASIC, front, back, tuple(filter(None, tags)))
        if columns.own:
            yield replace(note, front=_plain_cell(front), back=_plain_cell(back))
        elif "{{c" in front:
            yield from self._gaps(note, "\n\n".join((back, *more)), html=html)
        else:
            for place in others:
                heading = columns.names[place] if place < len(columns.names) else f"row {number}"
                self.losses.add("texts of other columns, now below the answer", heading)
            parts = [self._markdown(part, id_, html=html) for part in (front, back, *more)]
            yield replace(note, front=parts[0], back="\n\n".join(filter(None, parts[1:])))

    def _gaps(self, note: ImportedNote, extra: str, *, html: bool) -> Iterator[ImportedNote]:
        front = note.front if html else escape(note.front, quote=False).replace("\n", "<br>")
        marked = markdown_of(marked_gaps(front), self.losses, note.id, gaps=True)
        extra = self._markdown(extra, note.id, html=html)
        yield from (each for each, _ in gap_notes(replace(note, front=marked, back=""), extra, self.losses))

    def _markdown(self, text: str, place: str, *, html: bool) -> str:
        return markdown_of(text, self.losses, place) if html else escaped_text(text)

    def _without_settings(self, text: str) -> str:
        """The rows; lines such as `#separator:tab` before them are remembered."""
        at = 0
        while (match := _SETTING.match(text, at)) is not None:
            self.settings[match[1]] = match[2].strip()
            at = match.end()
        return text[at:]

    def _rows(self, text: str) -> list[list[str]]:
        setting = self.settings.get("separator", "")
        separator = _ANKI_SEPARATORS.get(setting.lower(), setting) or _separator(text, self.path)
        try:
            csv.field_size_limit(_MAX_TABLE_BYTES)
            rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
        except (csv.Error, TypeError, ValueError) as error:
            raise FormatError(f"{self.path} is not a readable table: {error}. Save it as CSV again.") from None
        if len(rows) > MOST_NOTES:
            raise FormatError(f"{self.path} has {len(rows):,} rows; {MOST_NOTES:,} are the most. Split it.")
        return rows

    def _columns(self, rows: list[list[str]]) -> _Columns:
        """Where what stands: by Anki's own settings, by a row of names, which is taken off, or by the order."""
        keys = {"tags": "tags column", "deck": "deck column", "id": "guid column", "type": "notetype column"}
        numbers = {name: self.settings.get(key, "") for name, key in keys.items()}
        set_by = {
            name: int(text) - 1 for name, text in numbers.items() if re.fullmatch(r"\d{1,7}", text, re.ASCII)
        }
        names = [cell.strip().lower() for cell in rows[0]] if rows else []
        if tuple(names) == OWN:
            del rows[0]
            return _Columns({name: place for place, name in enumerate(OWN)}, own=True)
        if self.settings.get("columns"):
            names = [cell.strip().lower() for cell in re.split(r"[\t,;|]", self.settings["columns"])]
        places = {name: [names.index(word) for word in words if word in names] for name, words in _NAMES.items()}
        by_name = {name: found[0] for name, found in places.items() if found}
        if len(names) > 1 and set(names) <= _LANGUAGES:
            by_name = {"front": 0, "back": 1}
        if {"front", "back"} <= by_name.keys():
            headings = names if self.settings.get("columns") else [cell.strip() for cell in rows.pop(0)]
            return _Columns({**by_name, **set_by}, names=headings)
        free = [place for place in range(len(names) or 2) if place not in set_by.values()]
        return _Columns({**dict(zip(("front", "back"), free, strict=False)), **set_by})

    def _is_html(self, rows: list[list[str]], columns: _Columns) -> bool:
        if setting := self.settings.get("html", "").lower():
            return setting == "true"
        return not columns.own and any(_HTML.search(cell) for row in rows[:1000] for cell in row)


def _plain_cell(text: str) -> str:
    return text[1:] if text[:1] == "'" and text[1:].startswith(FORMULAS) else text


def _state(row: Sequence[str], columns: _Columns) -> Memory | None:
    try:
        repetition, interval, ease, lapses = (int(columns.of(row, name)) for name in OWN[6:10])
        return Memory(repetition, interval, ease, lapses, date.fromisoformat(columns.of(row, OWN[10])))
    except ValueError:
        return None


def _separator(text: str, path: Path) -> str:
    """The separator that makes the most rows of one width; a tab where the file is called by one."""
    if path.suffix.lower() in {".tsv", ".tab"}:
        return "\t"
    start = "".join(text.splitlines(keepends=True)[: 4 * _LOOKED_AT])

    def fit(separator: str) -> tuple[int, int]:
        try:
            widths = [len(row) for row in csv.reader(io.StringIO(start, newline=""), delimiter=separator) if row]
        except csv.Error:
            return 0, 0
        usual = max(set(widths), key=widths.count, default=1)
        return (widths.count(usual) if usual > 1 else 0), -_SEPARATORS.index(separator)

    return max(_SEPARATORS, key=fit)


def _decoded(data: bytes, path: Path, losses: LossList) -> str:
    """The text; what is no UTF-8 may be what a spreadsheet on Windows writes in western Europe."""
    coding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(coding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        try:
            text = data.decode("cp1252" if coding == "utf-8-sig" else coding)
        except UnicodeDecodeError:
            raise FormatError(f"{path}:{line}: this is not UTF-8. Save the table as UTF-8.") from None
        losses.add("lines that are not UTF-8, read as Windows-1252: check their letters", f"line {line}")
    if "\0" in text:
        raise FormatError(f"{path} holds bytes that are not text. Name a table of cards.")
    return text
