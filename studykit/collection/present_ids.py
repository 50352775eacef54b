"""A text that comes back after its progress went on under another id.

Two decks with the same card that are there by turns, or an edit that is taken back: the card that comes back is
the one that has the progress, under its present id. Nothing is logged for that: a log does not grow by looking.
"""

from collections.abc import Collection, Iterable, Mapping

from studykit.cards.card import Card, CardId
from studykit.cards.relink import Relinks
from studykit.store.store import Store


def present_ids(store: Store, cards: Iterable[Card], touched: Collection[str]) -> Mapping[CardId, CardId]:
    """Map cards whose progress moved to an id without a text to that id.

    `touched` are the files that the cards are read from; what others hold stays as it is.
    """
    every_move = store.schedule.moved()
    texts = {card.id for card in cards} if every_move else set[CardId]()
    moved = {card: CardId(every_move[card]) for card in texts & every_move.keys()}
    if not moved:
        return {}
    with_progress = store.schedule.memories([*moved, *moved.values()]).keys() | store.schedule.marks().keys()
    free = {
        old: new
        for old, new in moved.items()
        if old not in with_progress and new in with_progress and new not in texts
    }
    present = {new: store.cards.present(new) for new in free.values()}
    elsewhere = {new for new, card in present.items() if card is not None and card.path not in touched}
    return {old: new for old, new in free.items() if new not in elsewhere}


def asked_first(matched: Relinks, moved: Mapping[CardId, CardId]) -> Relinks:
    """Leave to a person the cards that would take back what they once gave to the one that leaves now."""
    back = tuple(move for move in matched.certain if moved.get(move.new.id) == move.old.id)
    return Relinks(tuple(move for move in matched.certain if move not in back), (*matched.likely, *back))
