"""Reading 10,000 cards of deck text, and noticing that nothing changed, beside loading the same cards from JSON.

Every figure is the best of several runs, in one process; ratios in one run count, milliseconds drift.

    python tests/benchmarks/bench_decks.py
"""

import json
import os
import random
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from studykit.cards.card import CardId
from studykit.cards.parser import parse_deck
from studykit.cards.relink import relink
from studykit.collection.collection import Collection
from studykit.collection.files import Origin, Source
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.memory import Grade
from studykit.store.opening import open_store
from studykit.store.store import Store

FILES, NOTES = 100, 75
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
BUDGETS = {"parse": 500.0, "load": 500.0, "rescan": 10.0}  # milliseconds


def text(file: int, words: random.Random) -> str:
    """A deck of 75 notes as authors write them: half questions, a third clozes, some code and math."""
    vocabulary = [
        f"{start}{end}" for start in ("ten", "mem", "flo", "roo", "int") for end in ("sor", "ory", "ps", "f")
    ]
    notes = [f'---\nname = "Deck {file}"\nobjectives = ["flops"]\n---\n']
    for note in range(NOTES):
        phrase = " ".join(words.choices(vocabulary, k=8)) + f" {file}.{note}"
        match note % 6:
            case 0 | 1 | 2:
                notes.append(
                    f"Q: What does {phrase} cost? {{#q-{file}-{note} .flops}}\nA: $2mnk$ and\n\n- {phrase}\n"
                )
            case 3 | 4:
                notes.append(
                    f"C: The {phrase} costs [{note}] FLOPs of $x[i]$ {{#c-{file}-{note}}}\ncheck: 1 + 1 = 2\n"
                )
            case _:
                notes.append(f"Q: {phrase}?\n```python\nQ: x = y[0]\n```\nA: `{phrase}`\n")
    return "\n".join(notes)


def best(run: Callable[[], object], times: int = 5) -> float:
    """Milliseconds of the fastest run."""
    times_ms = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        times_ms.append((time.perf_counter() - start) * 1000)
    return min(times_ms)


def tell(what: str, milliseconds: float, beside: float, name: str, budget: str = "") -> None:
    limit = f"   budget {BUDGETS[budget]:g} ms" if budget else ""
    print(f"{what:<44} {milliseconds:>9.2f} ms   {milliseconds / beside:>7.2f} x {name}{limit}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        decks = Path(folder) / "decks"
        decks.mkdir()
        draw = random.Random(1)
        for file in range(FILES):
            (decks / f"{file:03}.md").write_text(text(file, draw), encoding="utf-8")
        measure(decks, Path(folder))


def measure(decks: Path, folder: Path) -> None:
    texts = {str(path): path.read_text(encoding="utf-8") for path in sorted(decks.iterdir())}
    cards = [card for path, one in texts.items() for card in parse_deck(one, path)[0].cards]
    document = json.dumps([card._asdict() for card in cards])
    loaded = best(lambda: json.loads(document))
    print(f"{len(cards):,} cards in {FILES} files, {sum(map(len, texts.values())) / 1e6:.1f} MB of text")
    tell("baseline: the cards as JSON, json.loads", loaded, loaded, "JSON")
    parsed = best(lambda: [parse_deck(one, path) for path, one in texts.items()])
    tell("deck text to cards", parsed, loaded, "JSON", "parse")
    edited = [
        card for path, one in texts.items() for card in parse_deck(one.replace("What", "Wat"), path)[0].cards
    ]
    unnamed = [card for card in cards if card.kind == "basic"]
    fresh = [card for card in edited if card.kind == "basic"]
    tell("relink after a typo in half of the notes", best(lambda: relink(unnamed, fresh), 1), loaded, "JSON")
    number = 0

    def first_load() -> None:
        nonlocal number
        number += 1
        with _store(folder / f"{number}.db") as fresh_store:
            _collection(fresh_store, decks, folder).refresh()

    tell("decks into a new database, migrations too", best(first_load, 3), loaded, "JSON")
    with _store(folder / "kept.db") as store:
        rescans(store, decks, folder, loaded)


def rescans(store: Store, decks: Path, folder: Path, loaded: float) -> None:
    collection = _collection(store, decks, folder)
    tell("decks into an open, empty database", best(collection.refresh, 1), loaded, "JSON", "load")
    tell("rescan, nothing changed", best(collection.refresh, 20), loaded, "JSON", "rescan")
    for card in list(store.cards.all())[:50]:
        store.log.record(EventKind.ANSWER, CardId(card.id), grade=Grade.GOOD)
    path = decks / "000.md"

    def edit() -> None:
        path.write_text(path.read_text(encoding="utf-8").replace("cost?", "cost??", 1), encoding="utf-8")
        os.utime(path, ns=(time.time_ns(), time.time_ns()))
        collection.refresh()

    tell("rescan, one file of 100 changed", best(edit), loaded, "JSON")


def _store(path: Path) -> Store:
    return open_store(path, clock=lambda: NOON, zone_name="UTC", zone=UTC)


def _collection(store: Store, decks: Path, folder: Path) -> Collection:
    return Collection(store, [Source(decks, Origin.OWN)], copies=folder / "copies")


if __name__ == "__main__":
    main()
