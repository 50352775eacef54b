"""Write JSON for other programs: each deck without loss, the list of decks, and cards for other sites."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from studykit.cards.card import Card, Deck
from studykit.html.deck_view import DeckView, file_name
from studykit.html.pages import Pages


def deck_json(parts: Sequence[Deck]) -> str:
    """Return a deck as JSON without loss: the text of each file, and the parsed cards."""
    deck = parts[0]
    return _json(
        {
            "schema": 1,
            "kind": "studykit-deck",
            "id": deck.id,
            "name": deck.name,
            "description": deck.description,
            "objectives": deck.objectives,
            "license": deck.license,
            "url": deck.url,
            "macros": {name: text for part in parts for name, text in part.macros},
            "texts": {f"{number}-{_stem(part.path)}.md": part.source for number, part in enumerate(parts, 1)},
            "cards": [_card(card) for part in parts for card in part.cards],
        }
    )


def _stem(path: str) -> str:
    return file_name(path.replace("\\", "/").rpartition("/")[2].removesuffix(".md"))


def decks_json(decks: tuple[DeckView, ...], version: str, *, has_pages: bool = True) -> str:
    """Return the list of decks as JSON, with the version by which a page knows that it is outdated."""
    entries = [
        {
            "id": deck.id,
            "name": deck.name,
            "description": deck.summary,
            "objectives": deck.objectives,
            "cards": len(deck.cards),
            **({"page": f"{deck.file}.html"} if has_pages else {}),
            "fragment": f"{deck.file}.fragment.html",
            "data": f"{deck.file}.json",
        }
        for deck in decks
    ]
    return _json({"schema": 1, "version": version, "decks": entries})


def course_json(decks: Iterable[DeckView], pages: Pages) -> str:
    """Return JSON with the HTML of each card by its id, for site generators that put cards into lessons."""
    around: dict[str, dict[str, str]] = {}
    cards: dict[str, dict[str, object]] = {}
    order: list[str] = []
    for deck in decks:
        begin, controls, end = pages.cards(replace(deck, cards=())).partition("<template")
        around[deck.id] = {"begin": begin, "end": controls + end}
        order.append(deck.file)
        for card in deck.cards:
            entry: dict[str, object] = {
                "deck": deck.id,
                "html": pages.card(deck, card),
                "scripts": replace(deck, cards=(card,)).scripts,
            }
            cards.setdefault(card.id, entry)
    course = {"schema": 1, "order": order, "decks": around, "cards": cards}
    return json.dumps(course, ensure_ascii=False, indent=1) + "\n"


def _card(card: Card) -> Mapping[str, object]:
    return {
        "id": card.id,
        "note": card.note,
        "kind": card.kind.value,
        "prompt": card.prompt,
        "answer": card.answer,
        **({"full": card.full} if card.full else {}),
        "tags": card.tags,
        "line": card.line,
        **({"source": card.source} if card.source else {}),
        **({"typed": True} if card.typed else {}),
        **({"exercise": card.task.name, "pinned": dict(card.task.pinned)} if card.task else {}),
    }


def _json(document: Mapping[str, object]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "replace").decode() + "\n"
