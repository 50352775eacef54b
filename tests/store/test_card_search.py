"""Search cards, with and without the index, and compare with a search of each card by itself."""

import random
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from stores import NOW, fill, opened, steps

from decks import read_deck
from studykit.cards.card import Card, CardId
from studykit.cards.query import parse_query
from studykit.errors import NotFoundError, UsageError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.store import trigram_index
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
    "%",
    "_",
    "'",
    '"',
    "!",
    "\\",
    "%%%%",
    "a%b",
    "'; DROP TABLE card; --",
    "NEAR(a b)",
    "*",
    "^a",
    "(",
    ")",
]
HOSTILE += [
    "-",
    "--",
    ":",
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


@pytest.fixture(params=["looked at", "indexed"], scope="module")
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with filled(opened(tmp_path_factory.mktemp("search") / "study.db")) as store:
        if request.param == "indexed":
            store.search.make_index()
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


def numbered(count: int) -> str:
    draw = random.Random(3)
    words = ["tensor", "memory", "matmul", "roofline", "précis", "cache", "100%", "a_b", "x", "yz"]
    notes = (
        f"Q: {' '.join(draw.choices(words, k=4))} {n} {{#n{n}}}\nA: {draw.choice(words)}" for n in range(count)
    )
    return "\n".join(notes)


def test_index_finds_the_same_cards_after_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    queries = ["tensor", "tensor cache", "recis", "yz", "0%", "a_b", "a_b -x", "12", "n7", "roof OR yz"]
    with filled(opened(tmp_path / "study.db"), numbered(300)) as store:
        before = {query: ids(store, query) for query in queries}
        store.search.make_index()
        assert {query: ids(store, query) for query in queries} == before

        filled(store, numbered(290).replace("tensor", "vector").replace("{#n7}", "{#m7}"))
        indexed = {query: ids(store, query) for query in [*queries, "vector", "m7"]}

    with filled(opened(tmp_path / "other.db"), numbered(290).replace("tensor", "vector")) as fresh:
        assert indexed["tensor"] == []
        assert indexed["vector"][:20] == ids(fresh, "vector")[:20]
        assert "n295" not in indexed["n7"]
        assert indexed["m7"] == ["m7"]


def test_index_is_made_once_where_it_pays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with filled(opened(tmp_path / "study.db")) as store:
        assert not store.search.wants_index

        monkeypatch.setattr(trigram_index, "MIN_INDEXED_CARDS", 3)
        assert store.search.wants_index

        store.search.make_index()
        store.search.make_index()
        assert not store.search.wants_index

        store.cards.forget_files()  # as a repair does
        assert store.search.wants_index
        assert ids(store, "haus") == ["haus"]


def test_without_trigrams_no_index_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trigram_index, "MIN_INDEXED_CARDS", 3)
    monkeypatch.setattr(trigram_index, "PROBE", "CREATE VIRTUAL TABLE probe USING fts99(text)")
    with filled(opened(tmp_path / "study.db")) as store:
        assert not store.search.wants_index


def test_a_great_many_are_not_all_counted(tmp_path: Path) -> None:
    card = read_deck("Q: same\nA: b\n", "a.md").cards[0]
    many = [card_of(card, number) for number in range(MIN_COUNTED + 5)]
    with opened(tmp_path / "study.db") as store:
        fill(store, *many)
        matches = store.search.find(parse_query("same"), TODAY, leech=2, limit=3)

    assert (matches.total, matches.more) == ("500 or more cards", True)


def card_of(card: Card, number: int) -> Card:
    return card._replace(id=CardId(f"c{number}"), position=number)


def test_common_words_are_not_searched_in_every_card(tmp_path: Path) -> None:
    card = read_deck("Q: a common word {.verb}\nA: b\n", "a.md").cards[0]
    many = [card_of(card, number)._replace(answer=f"n{number}") for number in range(24 * MIN_COUNTED)]
    queries = ["common", "common word", "tag:verb", "common -is:new", "co", "is:new", "n2999", "a OR b"]
    with opened(tmp_path / "study.db") as store:
        fill(store, *many)
        store.log.record(EventKind.ANSWER, CardId("c7"), grade=Grade.GOOD)
        store.search.make_index()

        spent = {query: searched(store, query) for query in queries}
        every = searched(store, "-common")

        assert ids(store, "common -is:new") == ["c7"]
    assert every > 24 * MIN_COUNTED / 10
    assert max(spent.values()) < every / 2, (spent, every)


def searched(store: Store, query: str) -> int:
    """Count the steps of SQLite's virtual machine that a search takes, in tens."""
    return steps(store, lambda store: store.search.find(parse_query(query), TODAY, leech=2))
