"""Export decks made of text, as texts by file name."""

from pathlib import Path

from decks import read_deck
from studykit.exercise import registry
from studykit.html.deck_view import DeckPart, Tasks
from studykit.html.export import ExportOptions, export

_PLAIN = ExportOptions()


def exported(*texts: str, options: ExportOptions = _PLAIN, tasks: Tasks = registry.page) -> dict[str, str]:
    """Export these decks, each from a file `d.md`, and return the files."""
    parts = [DeckPart(read_deck(text, "d.md"), Path()) for text in texts]
    return {name: content.decode(errors="replace") for name, content in export(parts, tasks, options).items()}
