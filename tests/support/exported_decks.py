"""Export decks that a test gives as text."""

from pathlib import Path

from decks import read_deck
from studykit.exercise import registry
from studykit.html.deck_view import DeckPart, Tasks
from studykit.html.export import ExportOptions, export

_PLAIN = ExportOptions()


def exported(*texts: str, options: ExportOptions = _PLAIN, tasks: Tasks = registry.page) -> dict[str, str]:
    """Export these decks, each as if from a file `d.md`, and return the written texts by file name."""
    parts = [DeckPart(read_deck(text, "d.md"), Path()) for text in texts]
    return {name: content.decode(errors="replace") for name, content in export(parts, tasks, options).items()}
