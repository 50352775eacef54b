"""Decks made of text, as the tests write them."""

from studykit.cards.card import Card, CardId, Deck, DeckId, Kind, NoteId
from studykit.cards.front_matter import Macros
from studykit.cards.parser import parse_deck
from studykit.cards.problem import refuse


def read_deck(text: str, path: str, macros: Macros = ()) -> Deck:
    """The deck that a text holds; refused with all its problems, a line each, when it has any."""
    deck, problems = parse_deck(text, path, macros)
    refuse(problems)
    return deck


def basic_card(name: str, **changes: object) -> Card:
    """A card with a question and an answer, but for what a test changes."""
    card = Card(
        id=CardId(name),
        note=NoteId(name),
        deck=DeckId("flops"),
        kind=Kind.BASIC,
        prompt=f"question {name}",
        answer=f"answer {name}",
        path="flops.md",
        line=1,
        position=0,
        content_hash="0" * 32,
        named=True,
    )
    return card._replace(**changes)  # type: ignore[arg-type] # keywords of a test
