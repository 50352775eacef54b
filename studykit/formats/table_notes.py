"""Import tables of cards: CSV and TSV with or without a header, and Anki's text exports."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from html import escape
from pathlib import Path
from urllib.parse import quote

from studykit.cards.markdown import linked_files
from studykit.formats.card_ids import is_own_id, note_id
from studykit.formats.field_markdown import HTML_NAMES, VOID_NAMES, markdown_of, marked_gaps
from studykit.formats.foreign_notes import (
    MAX_NOTES,
    FormatError,
    ImportedDecks,
    ImportedNote,
    LossList,
    NoteForm,
    ReadOptions,
    with_media,
)
from studykit.formats.gap_notes import gap_notes
from studykit.formats.markdown_escapes import escaped_text
from studykit.formats.media_files import MediaFiles
from studykit.formats.note_text import accepting
from studykit.ordinary_file import read_named

NAME = "a table"
ORIGIN = "csv"

_MAX_TABLE_BYTES = 100_000_000
_SEPARATORS = "\t,;|"
_ANKI_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " ", "pipe": "|", "colon": ":"}
_HEAD = re.compile(r"(?:#.*(?:\n|\Z))*+")
_SETTING = re.compile(
    r"^#\s*(separator|html|columns|if matches|(?:tags|deck|guid|notetype)(?: column)?)\s*:(.*)",
    re.MULTILINE | re.IGNORECASE,
)
_EXCEL = re.compile(r"\"?sep=(.)\"?\r?\n", re.IGNORECASE)
_LOOKED_AT = 30  # rows, to guess the separator
_MAX_ROWS_LOOKED_AT = 1000  # to guess whether cells are HTML
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[a-z][a-z0-9]*)(?P<words>(?:\s+[\w:-]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>]+))?)*)\s*/?>",
    re.IGNORECASE,
)
_MAY_STAY_OPEN = VOID_NAMES | {"p", "li", "td", "th", "tr", "div"}
_ENTITY = re.compile(r"&(?:nbsp|lt|gt|amp|quot|#\d+);")
_DECK = re.compile(r"\A\s*(?:---\n.*?\n---\s*)?(?:Q:[^\t]*?\n(?:.*\n)*?A:|C:[^\t]*\[)", re.DOTALL)
_HEADINGS = json.loads(Path(__file__).with_name("table_columns.json").read_bytes())
_NAMES: Mapping[str, Sequence[str]] = _HEADINGS["columns"]
"""Headings of columns, by what the columns hold."""
_LANGUAGES = frozenset(_HEADINGS["languages"])
"""A first row of only these words is a header too."""
_OTHER_SETTINGS = frozenset(("sep", "columns", "tags"))
"""Settings that a file with a header may have. A file with any other is Anki's, which has no header."""
OWN = ("id", "deck", "kind", "front", "back", "tags", "repetition", "interval", "ease", "lapses", "reviewed")
"""The columns that `text_export` writes. Their texts are Markdown."""
_LOST_KINDS = {
    "cloze": "gaps, now questions of their own that are not typed",
    "reversed": "second directions of notes, now cards of their own",
}
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""Spreadsheets run cells that begin like this as formulas, so our export writes `'` before them."""


def sniff(path: Path, head: bytes) -> bool:
    """Return whether a file is named as a table, or begins like Anki's text exports."""
    return path.suffix.lower() in {".csv", ".tsv", ".tab", ".txt"} or head.startswith((b"#separator:", b"#html:"))


def read(path: Path, options: ReadOptions) -> ImportedDecks:
    """Read the rows as notes, or raise FormatError if the file is not a table."""
    data = read_named(path, _MAX_TABLE_BYTES, "Name a table of cards.", FormatError)
    losses = LossList()
    table = _Table(path, losses)
    text = _decode(data, path, losses)
    if path.suffix.lower() == ".txt" and _DECK.match(text.replace("\r\n", "\n")):
        raise FormatError(f"{path} is a deck, not a table. Run", f"study deck add {path}")
    notes = table.notes(text, options)
    if not notes:
        raise FormatError(f"{path} holds no row with a question and an answer. Give it two columns or more.")
    files = MediaFiles()
    here = partial(files.name, folder=path.parent, root=path.parent)
    linked_notes = tuple(with_media(notes, lambda name: here(quote(name)), losses))
    return ImportedDecks(
        ORIGIN, path.stem, linked_notes, {}, tuple(files.files), files.copy, losses, entries=table.entries
    )


@dataclass(frozen=True, slots=True)
class _Columns:
    """Map names of columns to places in a row, from 0. The texts of other columns go below the answer."""

    places: Mapping[str, int]
    own: bool = False  # written by our export, in Markdown
    first: int = 0  # row after the header
    names: Sequence[str] = ()  # of all columns, if there is a header

    def of(self, row: Sequence[str], name: str) -> str:
        """Return a row's cell in the column of a name, or ""."""
        place = self.places.get(name, -1)
        return row[place].strip() if 0 <= place < len(row) else ""


@dataclass(slots=True)
class _Table:
    """Convert one table to notes."""

    path: Path
    losses: LossList
    settings: dict[str, str] = field(default_factory=dict)
    entries: int = 0
    _lines_before: int = 0  # lines before the rows

    def notes(self, text: str, options: ReadOptions) -> list[ImportedNote]:
        """Return the notes of all rows."""
        rows = self._rows(self._without_settings(text))
        columns = self._columns([row for _, row in rows])
        html = self._is_html([row for _, row in rows], columns)
        notes = dict[str, ImportedNote]()
        for number, (line, row) in enumerate(rows[columns.first :], 1):
            if number % 200 == 0:
                options.reach(number, len(rows))
            self.entries += 1
            of_row = {note.id: note for note in self._row(row, columns, html=html, line=f"line {line}")}
            if of_row.keys() & notes.keys():
                self.losses.leave_out("rows that repeat a question", f"line {line}", mendable=False)
                continue
            notes |= of_row
        return list(notes.values())

    def _row(self, row: Sequence[str], columns: _Columns, *, html: bool, line: str) -> Iterator[ImportedNote]:
        front, back = columns.of(row, "front"), columns.of(row, "back")
        used = set(columns.places.values())
        others = {place: cell.strip() for place, cell in enumerate(row) if place not in used and cell.strip()}
        more = list(others.values())
        if not front:
            self.losses.leave_out("rows without a question", line)
            return
        key, deck = columns.of(row, "id"), columns.of(row, "deck") or self.settings.get("deck") or self.path.stem
        digest = sha256(" ".join(front.split()).encode("utf-8", "replace")).hexdigest()[:16]
        id_ = key if is_own_id(key) and columns.own else note_id(ORIGIN, key or digest)
        tags = tuple(re.split(r"[\s,]+", columns.of(row, "tags"))) + tuple(self.settings.get("tags", "").split())
        if columns.own:
            is_typed = "typed" in tags and columns.of(row, "kind") != "cloze"
            tags = tuple(tag.replace(".", "::") for tag in tags if tag != "typed")
            if columns.of(row, "reviewed"):
                self.losses.add("schedules not taken over", line)
        type_ = (columns.of(row, "type") or self.settings.get("notetype", "")).lower()
        is_reversed = "reversed" in type_ and ("optional" not in type_ or bool(more))
        form = NoteForm.REVERSED if is_reversed and back else NoteForm.BASIC
        tags = tuple(filter(None, tags))
        note = ImportedNote(id_, deck, form, front, back, tags, typed="type in" in type_, entry=line)
        if columns.own:
            if loss := _LOST_KINDS.get(columns.of(row, "kind")):
                self.losses.add(loss, line)
            for name in linked_files(front) + linked_files(back):
                if not name.startswith("#") and ":" not in name:
                    self.losses.add("links to files that do not come with a table", name)
            yield replace(note, front=_plain_cell(front), back=_plain_cell(back), typed=is_typed)
        elif gaps := [] if type_.startswith("basic") else self._gaps(note, "\n\n".join((back, *more)), html=html):
            yield from gaps
        else:
            more = [] if "optional" in type_ else more
            for place in others if more else ():
                heading = columns.names[place] if place < len(columns.names) else line
                self.losses.add("texts of other columns, now below the answer", heading)
            parts = [self._markdown(part, line, html=html) for part in (front, back, *more)]
            note = replace(note, front=parts[0], back="\n\n".join(filter(None, parts[1:])))
            yield accepting(note, parts[1:2], self.losses) if note.typed else note

    def _gaps(self, note: ImportedNote, extra: str, *, html: bool) -> Sequence[ImportedNote]:
        """Return the notes of a text with gaps, or none without gaps."""
        if "{{c" not in note.front:
            return ()
        front = note.front if html else escape(note.front, quote=False).replace("\n", "<br>")
        marked = markdown_of(marked_gaps(front), self.losses, note.entry, gaps=True)
        extra = self._markdown(extra, note.entry, html=html)
        return [each for each, _ in gap_notes(replace(note, front=marked, back=""), extra, self.losses)]

    def _markdown(self, text: str, place: str, *, html: bool) -> str:
        return markdown_of(text, self.losses, place) if html else escaped_text(text)

    def _without_settings(self, text: str) -> str:
        """Store settings such as `#separator:tab` or `sep=;` before the rows, and return the text after them."""
        excel = _EXCEL.match(text)
        at = excel.end() if excel else 0
        self.settings["sep"] = excel[1] if excel else ""
        head = _HEAD.match(text, at)
        if head and (settings := _SETTING.findall(head[0])):
            for key, value in settings:
                self.settings[key.lower()] = value.rstrip("\r") if key.lower() == "separator" else value.strip()
            at = head.end()
            if comments := sum(map(bool, head[0].splitlines())) - len(settings):
                self.losses.add("comments of the table", number=comments)
        self._lines_before = text.count("\n", 0, at)
        return text[at:]

    def _rows(self, text: str) -> list[tuple[int, list[str]]]:
        """Return each row with its line number."""
        setting = self.settings.get("separator") or self.settings["sep"]
        separator = _separator_of(setting)
        if not separator:
            if setting:
                self.losses.add("separators of an unknown name, now guessed", setting.strip())
            separator = _separator(text, self.path)
        rows = list(_cells(text, separator, self.losses, self._lines_before + 1))
        if len(rows) > MAX_NOTES:
            raise FormatError(
                f"{self.path} has {len(rows):,} rows, and at most {MAX_NOTES:,} can be imported. Split it."
            )
        return rows

    def _columns(self, rows: list[list[str]]) -> _Columns:
        """Find the columns by Anki's settings, by a header, or by their order."""
        keys = {"tags": "tags column", "deck": "deck column", "id": "guid column", "type": "notetype column"}
        numbers = {name: self.settings.get(key, "") for name, key in keys.items()}
        set_by = {
            name: int(text) - 1 for name, text in numbers.items() if re.fullmatch(r"\d{1,7}", text, re.ASCII)
        }
        first, header_setting = rows[0] if rows else ["", ""], self.settings.get("columns", "")
        headings = [cell.strip() for cell in (re.split(r"[\t,;|]", header_setting) if header_setting else first)]
        names = [heading.lower() for heading in headings]
        if tuple(names) == OWN:
            return _Columns({name: place for place, name in enumerate(OWN)}, own=True, first=1)
        places = {name: [names.index(word) for word in words if word in names] for name, words in _NAMES.items()}
        by_name = {name: found[0] for name, found in places.items() if found}
        if len(names) > 1 and set(names) <= _LANGUAGES:
            by_name = {"front": 0, "back": 1}
            self.losses.add("first rows of languages, taken as a header", " ".join(headings))
        sides = by_name.keys() & {"front", "back"}
        # A header with only one side must name other columns as well, because `word,Wort` is a card.
        is_header = len(sides) == 2 or (sides and len(by_name) > 2)  # noqa: PLR2004
        if not header_setting and (not is_header or self.settings.keys() - _OTHER_SETTINGS):
            by_name, headings = {}, []
        columns = {**by_name, **set_by}
        free = iter([place for place in range(len(first)) if place not in columns.values()])
        for side in ("front", "back"):
            if side not in columns and (place := next(free, None)) is not None:
                columns[side] = place
        return _Columns(columns, names=headings, first=int(bool(headings) and not header_setting))

    def _is_html(self, rows: list[list[str]], columns: _Columns) -> bool:
        """Return whether cells are HTML: by the setting, or if more cells have balanced tags than stray signs."""
        if setting := self.settings.get("html", "").lower():
            return setting == "true"
        cells = [cell for row in rows[:_MAX_ROWS_LOOKED_AT] for cell in row]
        return not columns.own and sum(map(_is_balanced, cells)) > sum(map(_is_torn, cells))


def _is_balanced(cell: str) -> bool:
    """Return whether a cell has HTML in which each `<` begins a tag, and each tag is closed that must be."""
    balance = Counter[str]()
    for tag in _TAG.finditer(cell):
        name = tag["name"].lower()
        if name not in HTML_NAMES or (tag["words"].strip() and "=" not in tag["words"]):
            return False
        balance[name] += -1 if tag["end"] else 1
    words = _TAG.sub("", cell)
    if "<" in words or any(count < 0 or (count and name not in _MAY_STAY_OPEN) for name, count in balance.items()):
        return False
    return (words != cell and (bool(words.strip()) or "<img" in cell)) or _ENTITY.search(cell) is not None


def _is_torn(cell: str) -> bool:
    return "<" in cell and not _is_balanced(cell)


def _cells(text: str, separator: str, losses: LossList, line: int = 1) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with its line number. A quote that is not closed before a separator or line end is text."""
    stop = re.escape(separator)
    cell = re.compile(rf'(?: *"((?:[^"]|"")*+)" *(?={stop}|[\r\n]|\Z)|([^\r\n{stop}]*+))({stop}|\r\n|\n|\r|\Z)')
    row, start = list[str](), line
    for match in cell.finditer(text):
        quoted_text, bare, end = match.groups()
        if bare is not None and bare.lstrip().startswith('"') and bare.count('"') % 2:
            losses.add("quotes that are never closed, kept as they are", f"line {line}")
        row.append(bare if quoted_text is None else quoted_text.replace('""', '"'))
        line += match[0].count("\n") or match[0].count("\r")
        if end != separator:
            if any(map(str.strip, row)):
                yield start, row
            row, start = [], line


def _plain_cell(text: str) -> str:
    return text[1:] if text[:1] == "'" and text[1:].startswith(FORMULAS) else text


def _separator_of(setting: str) -> str:
    """Return the separator of a setting in any of its spellings, or ""."""
    word = setting.strip("\"' ").lower().replace("\\t", "\t") or setting[:1]
    separator = next((sign for name, sign in _ANKI_SEPARATORS.items() if word.startswith(name)), "")
    return word if len(word) == 1 else separator


def _separator(text: str, path: Path) -> str:
    """Return the separator that makes the most rows of one width, or a tab if the file name says so."""
    if path.suffix.lower() in {".tsv", ".tab"}:
        return "\t"
    start = "".join(text.splitlines(keepends=True)[: 4 * _LOOKED_AT])

    def fit(separator: str) -> tuple[int, int]:
        rows = (row for _, row in _cells(start, separator, LossList()))
        widths = [len(row) for row in rows if not (_is_balanced(separator.join(row)) and any(map(_is_torn, row)))]
        usual = max(set(widths), key=lambda width: (widths.count(width), width), default=1)
        return (widths.count(usual) if usual > 1 else 0), -_SEPARATORS.index(separator)

    return max(_SEPARATORS, key=fit)


def _decode(data: bytes, path: Path, losses: LossList) -> str:
    """Decode the text. Bytes that are not UTF-8 are read as Windows-1252, as spreadsheets write them."""
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
