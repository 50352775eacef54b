"""Make cards of random words, and a store to search them in."""

import random
import time
from datetime import UTC, datetime

from stores import opened

from studykit.cards.card import Card, CardId, DeckId, Kind, NoteId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.store.card_table import DeckUpdate
from studykit.store.rows import DeckFile
from studykit.store.store import Store

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
WORDS, LEECH = 20_000, 8
DECKS, ANSWERED = 40, 500


def collection(size: int) -> tuple[list[Card], list[str]]:
    """Return cards of 25 words, drawn with frequencies by Zipf's law, and the vocabulary."""
    draw = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    vocabulary = ["".join(draw.choices(letters, k=draw.randint(3, 9))) for _ in range(WORDS)]
    weights = [1 / (place + 1) for place in range(WORDS)]
    texts = (" ".join(draw.choices(vocabulary, weights, k=25)) for _ in range(size))
    return [_card(number, text) for number, text in enumerate(texts)], vocabulary


def _card(number: int, text: str) -> Card:
    deck = f"deck-{number % DECKS}"
    return Card(
        id=CardId(f"card-{number}"),
        note=NoteId(f"card-{number}"),
        deck=DeckId(deck),
        kind=Kind.BASIC,
        prompt=text[:90],
        answer=text[90:],
        path=f"{deck}.md",
        line=number,
        position=number,
        content_hash="",
        named=True,
        tags=("verb",) if number % 5 else ("noun",),
    )


def filled(path: str, cards: list[Card]) -> Store:
    store = opened(path, NOON)
    files = [DeckFile(f"deck-{n}.md", 1, 1, "", DeckId(f"deck-{n}"), f"Deck {n}") for n in range(DECKS)]
    start = time.perf_counter()
    store.update_decks(DeckUpdate(files, cards))
    print(f"\n{len(cards):,} cards, written in {time.perf_counter() - start:.2f} s")
    for card in cards[:: max(1, len(cards) // ANSWERED)]:
        store.log.record(EventKind.ANSWER, card.id, grade=Grade.GOOD)
    return store
