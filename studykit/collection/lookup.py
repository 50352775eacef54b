"""Decks and cards by the names that a learner types; a name that means none is met with the nearest."""

from collections.abc import Iterable

from studykit.cards.card import Card, CardId
from studykit.errors import NotFoundError
from studykit.store.store import Store

_SHORTEST = 6  # characters of an id that may stand for the whole


def deck_ids(store: Store, named: Iterable[str] | None) -> tuple[str, ...]:
    """The ids of decks that a learner named by id or by name; NotFoundError with the nearest one otherwise."""
    names = store.cards.deck_names()
    by_name = {name.casefold(): deck for deck, name in names.items()}
    ids = []
    for name in named or ():
        deck = name if name in names else by_name.get(name.casefold())
        if deck is None:
            raise NotFoundError(f"there is no deck {name!r}; {_hint(name, names)}")
        ids.append(deck)
    return tuple(ids)


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
