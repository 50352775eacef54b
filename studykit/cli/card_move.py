"""Moving notes between deck files: out of one and into another, each as it was written."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.cli.card_choice import asked_for
from studykit.cli.context import Context
from studykit.collection.deck_writer import OpenedDeck, move_note
from studykit.collection.lookup import listed_deck
from studykit.errors import NotFoundError, StudyError, UsageError

if TYPE_CHECKING:
    from studykit.cards.card import Card
    from studykit.collection.collection import DeckSummary

_IMAGE = re.compile(r"!\[[^\]]*\]\(<?([^)>\s]+)")


def moved_cards(
    context: Context, names: Sequence[str], deck_name: str, query: str | None, *, dry_run: bool, ask: bool
) -> "tuple[list[str], DeckSummary]":
    """Ids of the cards that were moved, siblings too, and the deck that has them now."""
    store = context.refreshed_store()
    deck = _target(context, deck_name)
    target = Path(deck.paths[-1])
    named = asked_for(context, store, names, query, ask=ask)
    here = [card for card in named if card.path != str(target)]
    for card in here:
        _refuse(context, card, target)
    if not here:
        raise UsageError(f"all of these are in {deck.name} already.")
    moved: list[str] = []
    for card in here:
        if card.id in moved:
            continue  # it came along with a sibling
        if dry_run:
            moved.append(card.id)
            continue
        moved += _moved(context, card, target)
    if not dry_run:
        context.refreshed_store(quiet=True)
    return moved, deck


def _target(context: Context, name: str) -> "DeckSummary":
    try:
        deck = listed_deck(context.collection, name)
    except NotFoundError as error:
        raise NotFoundError(f"{error} The deck is named last; make one with: study deck new {name!r}") from None
    if deck.id not in {each.id for each in context.collection.own()}:
        raise UsageError(f"{deck.name} is a deck of the course; cards are moved to decks of yours.")
    return deck


def _refuse(context: Context, card: "Card", target: Path) -> None:
    if context.store.cards.present(card.id) is None:
        raise NotFoundError(f"{card.id} is in no deck any more; it stood in {card.path}.")
    for name in _IMAGE.findall(f"{card.prompt}\n{card.answer}\n{card.full}"):
        relative = "://" not in name and not name.startswith(("@/", "/", "data:"))
        if relative and not (target.parent / name).exists():
            raise StudyError(f"{card.id} shows {name}, which is not beside {target}: copy it there first.")


def _moved(context: Context, card: "Card", target: Path) -> tuple[str, ...]:
    """Move one note; a shipped deck is copied first, and the copy is gone again where nothing was moved."""
    now = context.store.cards.present(card.id)
    if now is None:
        raise NotFoundError(f"{card.id} is in no deck any more.")
    source = context.collection.editable(now)
    try:
        ids = move_note(now, OpenedDeck.read(source), OpenedDeck.read(target))
    except StudyError:
        context.collection.unedited()
        raise
    context.refreshed_store(quiet=True)  # lines below it have moved up
    return ids
