"""Recognize a card's text that comes back after its progress moved to another id.

This happens if two decks with the same card are used in turn, or if an edit is undone. The card gets the id that
has the progress now. No event is logged, because a log must not grow when decks are only read.
"""

from collections.abc import Collection, Iterable, Mapping

from studykit.cards.card import Card, CardId
from studykit.cards.relink import Relinks
from studykit.store.store import Store


def present_ids(store: Store, cards: Iterable[Card], touched: Collection[str]) -> Mapping[CardId, CardId]:
    """Map a card's id to the id that now has its progress, if no card in the files uses that id.

    `touched` are the files that the cards are read from. Cards of other files keep their ids.
    """
    every_move = store.schedule.moved()
    texts = {card.id for card in cards} if every_move else set[CardId]()
    moves = {card: CardId(every_move[card]) for card in texts & every_move.keys()}
    if not moves:
        return {}
    with_progress = store.schedule.memories([*moves, *moves.values()]).keys() | store.schedule.marks().keys()
    free = {
        old: new
        for old, new in moves.items()
        if old not in with_progress and new in with_progress and new not in texts
    }
    cards_now = {new: store.cards.present(new) for new in free.values()}
    used_elsewhere = {new for new, card in cards_now.items() if card is not None and card.path not in touched}
    return {old: new for old, new in free.items() if new not in used_elsewhere}


def unconfirm_undone(matches: Relinks, moves: Mapping[CardId, CardId]) -> Relinks:
    """Make a certain move only likely if it would undo an earlier move, so that a person decides."""
    back = tuple(move for move in matches.certain if moves.get(move.new.id) == move.old.id)
    return Relinks(tuple(move for move in matches.certain if move not in back), (*matches.likely, *back))
