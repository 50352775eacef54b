"""Test the search for cards by words, tags, decks, states and numbers."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from stores import NOW, fill, opened

from decks import read_deck
from studykit.cards.card import Card, CardId
from studykit.cards.query import parse_query
from studykit.errors import NotFoundError, UsageError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.store.card_search import MIN_COUNTED
from studykit.store.card_table import DeckUpdate
from studykit.store.rows import DeckFile
from studykit.store.store import Store

TODAY = NOW.date()
TEXT = """
Q: Haus {#haus .noun}
A: house
Q: Was kostet 100% mehr_Rabatt? {#percent .verb}
A: alles!
C: Une [maison] à côté. {#maison .noun}
Q: mouse {#mouse}
A: Maus
"""
HOSTILE = [
    *"%_'\"!\\*()-:",
    "%%%%",
    "a%b",
    "'; DROP TABLE card; --",
    "NEAR(a b)",
    "^a",
    "--",
    ":p0",
    "{x}",
    "?1",
    "\ud800",
    "\x1e",
    "OR",
    "AND NOT",
    'a" OR "b',
    "x" * 900,
    "é" * 300,
]


def filled(store: Store, text: str = TEXT, path: str = "words.md") -> Store:
    deck = read_deck(text, path)
    cards = [card._replace(tags=("verb.modal",)) if card.id == "percent" else card for card in deck.cards]
    file = DeckFile(path, 1, 1, "d", deck.id, deck.name)
    store.update_decks(DeckUpdate([file], cards))
    return store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with filled(opened(tmp_path_factory.mktemp("search") / "study.db")) as store:
        yield marked(store)


def marked(store: Store) -> Store:
    """Make `haus` due with two lapses, `mouse` suspended and `maison` flagged."""
    for day, grade in ((1, Grade.GOOD), (2, Grade.AGAIN), (3, Grade.GOOD), (4, Grade.AGAIN)):
        at = datetime(2026, 11, day, 9, tzinfo=UTC)
        store.log.record(EventKind.ANSWER, CardId("haus"), grade=grade, at=at)
    store.log.record(EventKind.ANSWER, CardId("percent"), grade=Grade.EASY)
    store.log.record(EventKind.SUSPEND, CardId("mouse"))
    store.log.record(EventKind.FLAG, CardId("maison"))
    return store


def ids(store: Store, query: str, *, leech: int = 2) -> list[str]:
    return [each.card.id for each in store.search.find(parse_query(query), TODAY, leech=leech).cards]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("HOUSE", ["haus"]),
        ("aus", ["haus", "mouse"]),
        ("us", ["haus", "mouse"]),
        ("ous -haus", ["mouse"]),
        ("cote", ["maison"]),
        ('"a cote"', ["maison"]),
        ("100% mehr_", ["percent"]),
        ("m%s", []),
        ("m_us", []),
        ("alles!", ["percent"]),
        ("tag:noun", ["haus", "maison"]),
        ("tag:verb", ["percent"]),
        ("tag:verb.modal", ["percent"]),
        ("tag:verb::modal", ["percent"]),
        ("tag:#verb/modal", ["percent"]),
        ("deck:word haus", ["haus"]),
        ("is:due", ["haus"]),
        ("is:new", ["maison", "mouse"]),
        ("is:new -is:suspended", ["maison"]),
        ("is:leech", ["haus"]),
        ("is:flagged OR is:suspended", ["maison", "mouse"]),
        ("is:flagged cote tag:noun", ["maison"]),
        ("us lapses>1 deck:words", ["haus"]),
        ("is:suspended tag:noun", []),
        ("lapses>1", ["haus"]),
        ("lapses<=1", ["percent"]),
        ("ease>2.55", ["percent"]),
        ("interval=1 tag:noun", ["haus"]),
        ("", ["haus", "percent", "maison", "mouse"]),
    ],
)
def test_cards_are_found_in_deck_order(store: Store, query: str, expected: list[str]) -> None:
    assert ids(store, query) == expected


@pytest.mark.parametrize("query", HOSTILE)
def test_whatever_is_typed_is_answered(store: Store, query: str) -> None:
    try:
        card_ids = ids(store, query)
    except UsageError:
        return
    assert set(card_ids) <= {"haus", "percent", "maison", "mouse"}


def test_a_deck_that_is_not_there_is_told(store: Store) -> None:
    with pytest.raises(NotFoundError, match="No deck has 'nope' in its name"):
        ids(store, "deck:nope")


def test_search_result_has_memory_and_marks(store: Store) -> None:
    (haus,) = store.search.find(parse_query("haus"), TODAY, leech=2).cards
    (mouse,) = store.search.find(parse_query("mouse"), TODAY, leech=2).cards

    assert haus.memory is not None
    assert (haus.memory.lapses, haus.memory.due) == (2, date(2026, 11, 5))
    assert (mouse.memory, mouse.marks.suspended) == (None, True)


def test_more_cards_than_are_wanted_are_counted(store: Store) -> None:
    matches = store.search.find(parse_query("is:new OR -is:new"), TODAY, leech=2, limit=2)

    assert ([each.card.id for each in matches.cards], matches.count) == (["haus", "percent"], 4)
    assert matches.total == "4 cards"


def test_a_great_many_are_not_all_counted(tmp_path: Path) -> None:
    card = read_deck("Q: same\nA: b\n", "a.md").cards[0]
    many = [card_of(card, number) for number in range(MIN_COUNTED + 5)]
    with opened(tmp_path / "study.db") as store:
        fill(store, *many)
        matches = store.search.find(parse_query("same"), TODAY, leech=2, limit=3)

    assert (matches.total, matches.more) == ("500 or more cards", True)


def card_of(card: Card, number: int) -> Card:
    return card._replace(id=CardId(f"c{number}"), position=number)
