"""What every verb about cards begins with: the store, with the learner's decks in it as they read now."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from studykit.cards.card import Card, CardId
from studykit.cli.context import Context
from studykit.cli.exit import owe
from studykit.errors import BadDataError, NotFoundError
from studykit.store.store import Store

if TYPE_CHECKING:
    from studykit.cards.relink import Relink

_MENTIONED = 3  # cards that may be the same; `study check` lists them all
_SHORTEST = 6  # characters of an id that may stand for the whole


def refreshed_store(context: Context) -> Store:
    """The learner's store with the decks as they are now; a deck that cannot be read is told when all is done."""
    had_decks = bool(context.store.cards.deck_files())
    changes = context.collection.refresh()
    if had_decks and str(changes):
        context.tell(f"decks: {changes}")
    for pair in changes.likely[:_MENTIONED]:
        context.tell(f"decks: {may_be(pair)}")
    if changes.problems:
        owe(BadDataError("\n".join(map(str, changes.problems))))
    return context.store


def may_be(pair: "Relink") -> str:
    """A sentence that leaves it to the learner whether a new card is one that is gone."""
    old, new = pair.old.id, pair.new.id
    return f"{new} may be {old} reworded, whose progress waits. If it is: study deck relink {old} {new}"


def deck_ids(store: Store, named: Iterable[str] | None) -> tuple[str, ...]:
    """The ids of decks that a learner named by id or by name; NotFoundError with the nearest one otherwise."""
    names = store.cards.deck_names()
    by_name = {name.casefold(): deck for deck, name in names.items()}
    found = []
    for name in named or ():
        deck = name if name in names else by_name.get(name.casefold())
        if deck is None:
            raise NotFoundError(f"there is no deck {name!r}; {_hint(name, names)}")
        found.append(deck)
    return tuple(found)


def card_named(store: Store, name: str) -> Card:
    """The card of that id; NotFoundError with cards of similar ids otherwise."""
    card = store.cards.card(CardId(name))
    starting = store.cards.ids_starting(name) if card is None else ()
    if card is None and len(name) >= _SHORTEST and len(starting) == 1:
        card = store.cards.card(starting[0])
    if card is None and (siblings := [each for each in starting if each.startswith(f"{name}.")]):
        raise NotFoundError(f"{name} is a note of several cards; name one: {', '.join(siblings)}")
    if card is None:
        near = store.cards.ids()
        raise NotFoundError(f"there is no card {name!r}; {_hint(name, near)}")
    return card


def _hint(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return (
        f"did you mean {near[0]}?" if near else "`study deck list` shows the decks, `study show DECK` their cards."
    )
