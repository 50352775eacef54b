"""Parse decks and make cards for tests."""

from functools import cache
from pathlib import Path

from studykit.cards.card import Card, CardId, Deck, DeckId, Kind, NoteId, Task
from studykit.cards.front_matter import Macros
from studykit.cards.parser import parse_deck
from studykit.cards.problem import refuse

SHIPPED = Path(__file__).resolve().parents[2] / "decks"


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


def exercise_card(name: str, **pinned: str) -> Card:
    """Return the card `ex`, which asks the exercise of this name with these pins."""
    return basic_card("ex", kind=Kind.EXERCISE, prompt="", answer="", task=Task(name, tuple(pinned.items())))


@cache
def shipped_decks() -> tuple[Deck, ...]:
    """Return the shipped decks in the order of the course."""
    return tuple(read_deck(path.read_text("utf-8"), str(path)) for path in sorted(SHIPPED.glob("*.md")))


def shipped_cards() -> list[Card]:
    """Return the cards of the shipped decks in the order of the course."""
    return [card for deck in shipped_decks() for card in deck.cards]
