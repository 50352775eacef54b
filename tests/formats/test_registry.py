"""Test that a new import format needs only a module and a line of the registry."""

import sys
from pathlib import Path
from types import ModuleType

import pytest
from shell import Shell

from studykit.formats import registry
from studykit.formats.foreign_notes import ImportedDecks, ImportedNote, NoteForm, ReadOptions
from studykit.formats.registry import FORMATS, format_of


class Flash(ModuleType):
    """Define a fourth format: a question, an arrow and an answer on each line."""

    NAME = "Flash"

    @staticmethod
    def sniff(_path: Path, head: bytes) -> bool:
        return b" -> " in head

    @staticmethod
    def read(path: Path, _options: ReadOptions) -> ImportedDecks:
        rows = [line.split(" -> ") for line in path.read_text().splitlines()]
        notes = tuple(ImportedNote(f"flash:{a}", "Arrows", NoteForm.BASIC, a, b) for a, b in rows)
        return ImportedDecks("flash", path.stem, notes, {})


def test_added_format_module_is_imported(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "flash_format", Flash("flash_format"))
    monkeypatch.setattr(registry, "FORMATS", (*FORMATS, "flash_format"))
    study.write("cards.flash", "Hund -> dog\nKatze -> cat\n")

    assert "Flash: 2 new notes, 2 cards" in study("import", "cards.flash", "--yes").out
    assert {deck["id"] for deck in study("deck", "list", "--json").json["decks"]} > {"arrows"}


@pytest.mark.parametrize(
    ("name", "content", "format_"),
    [
        ("a.apkg", b"", "Anki"),
        ("a.zip", b"PK\x03\x04", "Anki"),
        ("a.csv", b"a,b", "a table"),
        ("a", b"#separator:tab\n", "a table"),
        ("a.md", b"#flashcards\na::b", "Obsidian"),
        ("a.md", b"Q: a\nA: b", None),
        ("a.json", b"{}", None),
    ],
)
def test_a_file_is_known_by_what_it_is(tmp_path: Path, name: str, content: bytes, format_: str | None) -> None:
    (tmp_path / name).write_bytes(content)

    result = format_of(tmp_path / name)

    assert (None if result is None else result.NAME) == format_
