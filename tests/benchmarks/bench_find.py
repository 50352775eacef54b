"""Finding cards among 1,000, 10,000 and 100,000 by words, fields and numbers.

Milliseconds are the best of several runs in one process.

    python tests/benchmarks/bench_find.py
"""

import argparse
import random
import tempfile
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from measure import best_ms

from studykit.cards.card import Card, CardId, DeckId, Kind, NoteId
from studykit.cards.query import parse_query
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.store.card_table import DeckUpdate
from studykit.store.opening import open_store
from studykit.store.rows import DeckFile
from studykit.store.store import Store

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
WORDS, LEECH, SHOWN = 20_000, 8, 50
DECKS, ANSWERED = 40, 500


def collection(size: int) -> tuple[list[Card], list[str]]:
    """Cards of 25 words, the n-th word of the vocabulary in one of n places; and the vocabulary."""
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
    store = open_store(path, clock=lambda: NOON, zone_name="UTC", zone=UTC)
    files = [DeckFile(f"deck-{n}.md", 1, 1, "", DeckId(f"deck-{n}"), f"Deck {n}") for n in range(DECKS)]
    start = time.perf_counter()
    store.update_decks(DeckUpdate(files, cards))
    print(f"\n{len(cards):,} cards, written in {time.perf_counter() - start:.2f} s")
    for card in cards[:: max(1, len(cards) // ANSWERED)]:
        store.log.record(EventKind.ANSWER, card.id, grade=Grade.GOOD)
    return store


def measure(store: Store, vocabulary: list[str]) -> None:
    queries = {
        "a rare word": vocabulary[9000],
        "part of a rare word": vocabulary[9000][1:5],
        "two words": f"{vocabulary[200]} {vocabulary[3000]}",
        "a common word": vocabulary[2],
        "two letters": vocabulary[2][:2],
        "nothing": "zqzqzq",
        "hostile": "%_'\"!*(",
        "deck:deck-7": "deck:deck-7",
        "tag:noun": "tag:noun",
        "a rare word, tag:verb, not is:new": f"{vocabulary[900]} tag:verb -is:new",
        "is:due": "is:due",
        "lapses>3": "lapses>3",
    }
    for name, text in queries.items():
        query = parse_query(text)
        count = store.search.find(query, NOON.date(), leech=LEECH).count
        spent = best_ms(partial(store.search.find, query, NOON.date(), leech=LEECH, limit=SHOWN))
        print(f"  {name:<36}{spent:>9.2f} ms   {count:,} found")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    options = parser.parse_args()
    for size in options.cards:
        cards, vocabulary = collection(size)
        with tempfile.TemporaryDirectory() as folder, filled(str(Path(folder) / "study.db"), cards) as store:
            measure(store, vocabulary)


if __name__ == "__main__":
    main()
