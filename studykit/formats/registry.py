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
_DECK_ADVICE = "If it has Q: and A: lines, run"
_ADVICE = {
    **dict.fromkeys((".md", ".markdown", ".txt"), _DECK_ADVICE),
    **dict.fromkeys((".gz", ".tar", ".7z", ".rar"), "Unpack it, then import what is in it."),
    **dict.fromkeys((".xlsx", ".xls", ".ods", ".numbers"), "Save its table as CSV, then import that."),
    **dict.fromkeys((".anki2", ".anki21", ".anki21b"), "Export it from Anki as a package, .apkg."),
    **dict.fromkeys((".json", ""), ""),
}
"""Advice for files that cannot be imported. Documents are looked at by `study import` itself."""
_OTHER_ADVICE = "Export it as CSV with a question and an answer."


def format_of(path: Path) -> Format | None:
    """Return the format of a file or folder, or None if no format knows it."""
    if not path.is_dir() and not path.is_file():
        return None
    head = b""
    if path.is_file():
        with explaining(f"{path} cannot be read: ", ".", NotFoundError), path.open("rb") as file:
            head = file.read(_HEAD)
    formats = (cast("Format", import_module(name)) for name in FORMATS)
    return next((one for one in formats if one.sniff(path, head)), None)


def refuse_unknown(path: Path) -> None:
    """Raise FormatError for a folder, or a file of a kind that is not read, with what to do instead."""
    advice = _DECK_ADVICE if path.is_dir() else _ADVICE.get(path.suffix.lower(), _OTHER_ADVICE)
    if (path.is_dir() or path.is_file()) and advice:
        command = "" if advice.endswith(".") else f"study deck add {path}"
        raise FormatError(f"{path} holds no cards of Anki, Obsidian or a table. {advice}", command)
