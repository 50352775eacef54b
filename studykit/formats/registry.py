"""List the import formats by module. A new format is a module like the others and a line here."""

from importlib import import_module
from pathlib import Path
from typing import cast

from studykit.errors import NotFoundError
from studykit.formats.foreign_notes import Format, FormatError
from studykit.ordinary_file import explaining

FORMATS = ("studykit.formats.anki_decks", "studykit.formats.table_notes", "studykit.formats.obsidian_notes")
"""Each module has the names of `foreign_notes.Format`. The first one that recognizes a file reads it."""

_HEAD = 4096


def format_of(path: Path) -> Format | None:
    """Return the format of a file or folder, or None if no format knows it."""
    if not path.is_dir() and not path.is_file():
        return None
    head = b""
    if path.is_file():
        with (
            explaining(f"{path} cannot be read (", "). Allow reading it.", NotFoundError),
            path.open("rb") as file,
        ):
            head = file.read(_HEAD)
    formats = (cast("Format", import_module(name)) for name in FORMATS)
    return next((format_ for format_ in formats if format_.sniff(path, head)), None)


def refuse_unknown(path: Path) -> None:
    """Raise FormatError for a folder, or for a file that by its ending cannot be progress from a page."""
    if path.is_dir() or (path.is_file() and path.suffix.lower() not in {".json", ""}):
        wrong = f"{path} is neither from Anki or Obsidian nor a CSV file. Export its cards as CSV"
        if path.is_file() and path.suffix.lower() not in {".md", ".markdown"}:
            raise FormatError(f"{wrong}, then import that.")
        raise FormatError(f"{wrong} or, if it has Q: and A: lines, run", f"study deck add {path}")
