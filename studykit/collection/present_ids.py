"""A text that comes back after its progress went on under another id.

Two decks with the same card that are there by turns, or an edit that is taken back: the card that comes back is
the one that has the progress, under its present id. Nothing is logged for that: a log does not grow by looking.
"""

from collections.abc import Collection, Iterable, Mapping

from studykit.cards.card import Card, CardId
from studykit.cards.relink import Relinks
from studykit.store.store import Store


class PresentIds:
    """Which card of the log each card of some deck files is."""

    def __init__(self, store: Store, cards: Iterable[Card], touched: Collection[str]) -> None:
        """`touched` are the files that the cards are read from; what others hold stays as it is."""
        self._store = store
        self._touched = touched
        moved = store.schedule.moved()
        texts = {card.id for card in cards} if moved else set[CardId]()
        self._ids = self._free({card: CardId(moved[card]) for card in texts & moved.keys()}, texts)

    def of(self, card: Card) -> Card:
        """The card under its present id; one whose author gave it an id keeps that."""
        return card if card.named or card.id not in self._ids else card._replace(id=self._ids[card.id])

    def _free(self, moved: Mapping[CardId, CardId], texts: set[CardId]) -> dict[CardId, CardId]:
        """Those whose progress is where no text is, and that have none of their own."""
        if not moved:
            return {}
        with_progress = (
            self._store.schedule.memories([*moved, *moved.values()]).keys() | self._store.schedule.marks().keys()
        )
        free = {
            old: new
            for old, new in moved.items()
            if old not in with_progress and new in with_progress and new not in texts
        }
        present = {new: self._store.cards.present(new) for new in free.values()}
        elsewhere = {new for new, card in present.items() if card is not None and card.path not in self._touched}
        return {old: new for old, new in free.items() if new not in elsewhere}


def asked_first(matched: Relinks, moved: Mapping[CardId, CardId]) -> Relinks:
    """A card that would take back what it once gave to the one that leaves now is for a person to decide."""
    back = tuple(move for move in matched.certain if moved.get(move.new.id) == move.old.id)
    return Relinks(tuple(move for move in matched.certain if move not in back), (*matched.likely, *back))
