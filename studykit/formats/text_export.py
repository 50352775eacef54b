"""Export decks as a table, with a card and its schedule in each row, or as their Markdown with media."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from studykit.cards.card import Card, Deck
from studykit.cards.markdown import linked_files
from studykit.formats.export_notes import ExportedDecks, ExportedNote, two_sides
from studykit.formats.media_files import MAX_MEDIA_BYTES, MediaFiles
from studykit.formats.table_notes import FORMULAS, OWN
from studykit.ordinary_file import NotOrdinaryError, read_ordinary

_MACROS = "macros.tex"


def table(decks: ExportedDecks) -> str:
    """Format the cards as CSV: texts in Markdown, and repetition, interval, ease, lapses and last review."""
    return csv_text([OWN, *(_row(note, card, decks) for note in decks.notes for card in note.cards)])


def markdown_files(decks: Iterable[Deck]) -> tuple[Mapping[str, bytes], tuple[str, ...]]:
    """Return every deck's text and linked files by path, and the links that lead nowhere."""
    decks = tuple(decks)
    roots = {deck.root for deck in decks}
    files: dict[str, bytes] = {}
    media = MediaFiles()
    for deck in decks:
        root, path = Path(deck.root).resolve(), Path(deck.path).resolve()
        start = f"{root.name}/" if len(roots) > 1 else ""
        files[start + _inside(path, root)] = deck.source.encode(errors="replace")
        for file in _beside(deck, path, root, media):
            if (content := _content(file, root)) is not None:
                files[start + _inside(file, root)] = content
            elif file.name != _MACROS:
                media.lacking.append(file.name)
    return files, tuple(dict.fromkeys(media.lacking))


def _content(file: Path, root: Path) -> bytes | None:
    """Return the content of a file in a folder of decks, or None if it is missing or leads out."""
    try:
        path = file.resolve()
        return read_ordinary(path, MAX_MEDIA_BYTES) if path.is_relative_to(root) else None
    except (OSError, RuntimeError, NotOrdinaryError):  # a link to itself, before Python 3.13
        return None


def _beside(deck: Deck, path: Path, root: Path, media: MediaFiles) -> Iterator[Path]:
    for link in linked_files(deck.source):
        if (name := media.name(link, path.parent, root)) is not None:
            yield media.files[name]
    yield from (folder / _MACROS for folder in (path.parent, *path.parents) if folder.is_relative_to(root))


def _inside(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def _row(note: ExportedNote, card: Card, decks: ExportedDecks) -> tuple[object, ...]:
    front, back = two_sides(note, card)
    memory = decks.memories.get(card.id)
    stands: tuple[object, ...] = ("", "", "", "", "")
    if memory is not None:
        stands = memory.repetition, memory.interval, memory.ease, memory.lapses, memory.reviewed
    return card.id, note.deck.name, card.kind.value, front, back, " ".join(card.tags), *stands


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Format rows as CSV. Cells that a spreadsheet would run as formulas get a `'`."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    for row in rows:
        writer.writerow(
            f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell for cell in row
        )
    return table.getvalue()
