"""Test the search for cards that ask nearly the same, and for the card that a learner confused with another."""

import pytest

from decks import read_deck
from studykit.cards.card import Card, CardId
from studykit.cards.near_cards import confused_with, near_cards, query_of
from studykit.cards.query import Query, Words

DECK = read_deck(
    """
Q: What does a matmul of two square matrices cost? {#cost}
A: 2n³

Q: What does a matmul of two square matrices move? {#moves}
A: 3n²

Q: Capital of France {#france}
A: Paris

C: [Rhine] and [Rhône] rise in the Alps. {#rivers}
""",
    "a.md",
)
CARDS = {card.id: card for card in DECK.cards}


def card(name: str) -> Card:
    return CARDS[CardId(name)]


def test_card_with_similar_words_is_near() -> None:
    new = card("cost")._replace(id=CardId("new"), note=card("france").note)

    assert [each.id for each in near_cards(new, DECK.cards)] == ["cost", "moves"]
    assert near_cards(card("france"), DECK.cards) == []


def test_siblings_are_not_near_each_other() -> None:
    assert near_cards(card("rivers.1"), DECK.cards) == []


def test_the_longest_words_are_looked_for() -> None:
    assert query_of("What do matrices of é cost?") == Query(
        ((Words("matrices"),), (Words("what"),), (Words("cost"),))
    )


@pytest.mark.parametrize(
    ("card_id", "typed", "other", "because"),
    [
        ("cost", "Paris", "france", "what you typed is its answer"),
        ("rivers.1", "", "rivers.2", "its sibling"),
        ("cost", "no idea", "moves", "it asks nearly the same"),
    ],
)
def test_match_is_exact_a_sibling_or_near(card_id: str, typed: str, other: str, because: str) -> None:
    assert confused_with(card(card_id), typed, DECK.cards) == (card(other), because)


def test_a_card_may_be_taken_for_none() -> None:
    assert confused_with(card("france"), "", DECK.cards) is None
