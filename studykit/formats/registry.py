"""The formats that come in, by module: a fourth is a file like the others and a line here."""

from importlib import import_module
from pathlib import Path
from typing import cast

from studykit.errors import NotFoundError
from studykit.formats.foreign_notes import Format, FormatError
from studykit.ordinary_file import explaining

FORMATS = (
    "studykit.formats.anki_decks",
    "studykit.formats.table_notes",
    "studykit.formats.obsidian_notes",
)
"""Each with what `foreign_notes.Format` names; the first that knows a file takes it."""

_HEAD = 4096


def format_of(path: Path) -> Format | None:
    """The format of a file or folder; None where no format knows it, or where it is neither."""
    if not path.is_dir() and not path.is_file():
        return None
    head = b""
    if path.is_file():
        with explaining(f"{path} cannot be read: ", ".", NotFoundError), path.open("rb") as file:
            head = file.read(_HEAD)
    formats = (cast("Format", import_module(name)) for name in FORMATS)
    return next((one for one in formats if one.sniff(path, head)), None)


def folder_format(path: Path) -> Format:
    """The format of a folder, which has to be one."""
    result = format_of(path)
    if result is None:
        raise FormatError(
            f"{path} holds no cards of Obsidian's. If its decks have Q: and A: lines, run: study deck add {path}"
        )
    return result
