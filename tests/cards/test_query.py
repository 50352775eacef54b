"""Test how queries of `study find` are parsed to a tree, or refused with a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks import read_deck
from studykit.cards.query import (
    EDGE,
    DeckTerm,
    Negation,
    NumberTerm,
    Query,
    QueryState,
    TagTerm,
    Term,
    Words,
    folded,
    parse_query,
    searchable,
)
from studykit.errors import UsageError


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("roofline gpu", (Words("roofline"), Words("gpu"))),
        ('"memory bound"', (Words("memory bound"),)),
        ('"never closed', (Words("never closed"),)),
        ("Élève", (Words("eleve"),)),
        ("deck:French", (DeckTerm("french"),)),
        ('deck:"Counting the cost"', (DeckTerm("counting the cost"),)),
        ("tag:.verb", (TagTerm("verb"),)),
        ("IS:leech", (QueryState.LEECH,)),
        ("-is:leech", (Negation(QueryState.LEECH),)),
        ('-"two words"', (Negation(Words("two words")),)),
        ("lapses>=3", (NumberTerm("lapses", ">=", 3),)),
        ("ease<2.1", (NumberTerm("ease", "<", 210),)),
        ("http://a.b", (Words("http://a.b"),)),
        ("std::vector", (Words("std::vector"),)),
        ("deck:", (Words("deck:"),)),
        ("- %_", (Words("%_"),)),
    ],
)
def test_terms_are_read(text: str, terms: tuple[Term, ...]) -> None:
    assert parse_query(text) == Query((terms,))


@pytest.mark.parametrize("text", ["", "  ", "-", "OR", "OR OR", '""', "\0"])
def test_nothing_asks_for_every_card(text: str) -> None:
    assert parse_query(text) == Query()


def test_alternatives_hold_terms_that_must_all_be_true() -> None:
    assert parse_query("a OR b c OR") == Query(((Words("a"),), (Words("b"), Words("c"))))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("is:dew", "Use is:due, is:new"),
        ("lapses>many", "'lapses>many' needs a number"),
        ("ease<", "needs a number"),
        ("x" * 1_001, "not 1,001"),
        ("x " * 41, "at most 40 terms"),
    ],
)
def test_what_means_nothing_is_told(text: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        parse_query(text)


@given(st.text(max_size=60))
def test_any_text_is_a_query_or_a_sentence(text: str) -> None:
    try:
        alternatives = parse_query(text).alternatives
    except UsageError:
        return
    assert all(alternatives)


@pytest.mark.parametrize(
    ("text", "plain"),
    [("  Élan\n vital ", "elan vital"), ("ÆGIR Straße", "ægir strasse"), ("ﬁn", "fin"), ("a\0b\ud800", "a b")],
)
def test_capitals_accents_and_white_space_make_no_difference(text: str, plain: str) -> None:
    assert folded(text) == plain


def test_searchable_text_has_words_id_and_tag_parts() -> None:
    deck = read_deck("Q: Où? {#where}\nA: Là.\nC: a [b] c {#gap}\n\nE: mem.gib n=1 {#task}\n", "a.md")

    tagged = deck.cards[0]._replace(tags=("net.tcp", "Verb"))
    texts = [searchable(card) for card in (tagged, *deck.cards[1:])]

    assert texts[0] == f"ou? la. where{EDGE}#net{EDGE}#net.tcp{EDGE}#verb{EDGE}"
    assert texts[1] == f"a b c gap{EDGE}"
    assert texts[2] == f"mem.gib n=1 task{EDGE}"


def test_searchable_text_leaves_out_the_content_hash() -> None:
    (card,) = read_deck("Q: One?\nA: Two.\n", "a.md").cards

    assert searchable(card) == f"one? two.{EDGE}"
