"""Export decks as a table, with a card and its schedule in each row, or as their Markdown with media."""

import csv
import io
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from studykit.cards.card import Card, Deck
from studykit.cards.markdown import linked_files
from studykit.collection.files import macro_files
from studykit.formats.export_notes import ExportedDecks, ExportedNote, two_sides
from studykit.formats.media_files import MAX_MEDIA_BYTES, MediaFiles
from studykit.formats.table_notes import FORMULAS, OWN
from studykit.ordinary_file import NotOrdinaryError, read_ordinary


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
        names = (media.name(link, path.parent, root) for link in linked_files(deck.source))
        files |= {start + _inside(media.files[name], root): media.data(name) for name in names if name}
        for file in map(Path, macro_files(str(path), str(root))):
            with suppress(OSError, NotOrdinaryError):
                files[start + _inside(file, root)] = read_ordinary(file, MAX_MEDIA_BYTES, follow=True)
    return files, tuple(dict.fromkeys(media.lacking))


def _inside(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def _row(note: ExportedNote, card: Card, decks: ExportedDecks) -> tuple[object, ...]:
    front, back = two_sides(note, card)
    memory = decks.memories.get(card.id)
    stands: tuple[object, ...] = ("", "", "", "", "")
    if memory is not None:
        stands = memory.repetition, memory.interval, memory.ease, memory.lapses, memory.reviewed
    tags = " ".join((*card.tags, *["typed"] * card.typed))
    return card.id, note.deck.name, card.kind.value, front, back, tags, *stands


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Format rows as CSV. Cells that a spreadsheet would run as formulas get a `'`."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    for row in rows:
        writer.writerow(
            f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell for cell in row
        )
    return table.getvalue()
