"""Editing a card in the middle of a review: the learner's editor at its line, then the file is read again."""

from pathlib import Path
from typing import TYPE_CHECKING

from studykit.cards.card import Card, CardId
from studykit.cli import editor
from studykit.cli.display import settings
from studykit.errors import StudyError
from studykit.practice.review_store import ReviewDesk

if TYPE_CHECKING:
    from studykit.cli.context import Context
    from studykit.collection.collection import Collection
    from studykit.store.store import Store


def edit_card(
    context: "Context", collection: "Collection", refreshed_store: ReviewDesk, card: Card
) -> tuple[Card | None, str]:
    """The card as it reads after the editor, and what to say about it; None where it is gone."""
    try:
        words = editor.command(context.environ, str(settings(context, "editor").get("command", "")))
        path = collection.editable(card)
        if not _edited(words, path, card, collection):
            return card, "nothing was changed"
        before = {each.id for each in context.store.cards.all(path=card.path)}
        changes = collection.refresh()
    except (StudyError, OSError) as error:
        return card, str(error)
    if wrong := next((problem for problem in changes.problems if Path(problem.path) == path), None):
        return card, f"{wrong} (e edits again)"
    return _found(context.store, refreshed_store, card, before, str(path))


def _edited(words: list[str], path: Path, card: Card, collection: "Collection") -> bool:
    """Whether the learner changed the file; if not, no copy of a shipped deck is left behind."""
    changed = False
    try:
        changed = editor.edit_file(words, path, card.line)
    finally:
        if not changed:
            collection.unedited(card)
    return changed


def _found(
    store: "Store", refreshed_store: ReviewDesk, card: Card, before: set[CardId], path: str
) -> tuple[Card | None, str]:
    """The edited card: under its id, or as the card of the same place that was not there before."""
    if (same := store.cards.present(card.id)) is not None:
        return same, "edited, progress kept"
    fresh = [each for each in store.cards.all(path=path) if each.id not in before]
    near = min(fresh, key=lambda each: (abs(each.line - card.line), each.id), default=None)
    if near is None:
        return None, "the card is gone from its deck"
    refreshed_store.moved[card.id] = near.id
    kept = store.schedule.memory(near.id) is not None
    return near, "edited, progress kept" if kept else "edited: it reads as a new card"
