"""Parse decks and make cards for tests."""

from studykit.cards.card import Card, CardId, Deck, DeckId, Kind, NoteId
from studykit.cards.front_matter import Macros
from studykit.cards.parser import parse_deck
from studykit.cards.problem import refuse


def read_deck(text: str, path: str, macros: Macros = ()) -> Deck:
    """Parse a text as a deck. Raise an error with all its problems, one on each line."""
    deck, problems = parse_deck(text, path, macros)
    refuse(problems)
    return deck


def basic_card(name: str, **changes: object) -> Card:
    """Return a basic card with this id, and with the given fields changed."""
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
