"""Decks made of text, as the tests write them."""

from studykit.cards.card import Deck
from studykit.cards.front_matter import Macros
from studykit.cards.parser import parse_deck
from studykit.cards.problem import refuse


def read_deck(text: str, path: str, macros: Macros = ()) -> Deck:
    """The deck that a text holds; refused with all its problems, a line each, when it has any."""
    deck, problems = parse_deck(text, path, macros)
    refuse(problems)
    return deck
