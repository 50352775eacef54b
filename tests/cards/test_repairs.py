"""Test the repairs of `study check --fix`, which change nothing that a card says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studykit.cards.parser import parse_deck
from studykit.cards.repairs import mended


def lines(text: str, *used_id: str, elsewhere: frozenset[str] = frozenset()) -> list[str]:
    return mended(text, "d.md", used_id, elsewhere).text.split("\n")


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Q: What is it, really?\nA: b", "Q: What is it, really? {#really}"),
        ("Q: What is it? {.flops}\nA: b", "Q: What is it? {#what-is-it .flops}"),
        ("Q: ```py\nx = 1\n```\nA: b", "Q: ```py {#py-x-1}"),
        ("Q: $f(x)$ {x}\nA: b", "Q: $f(x)$ {x} {#f-x-x}"),
        ("Q: \ubb34\uc5c7?\nA: b", "Q: \ubb34\uc5c7? {#card}"),
        ("Q:\nx\nA: b", "Q: {#x}"),
        ("Q: a\nA: b\n{.t}", "Q: a {#a}"),
        ("E: flops.matmul n=2", "E: flops.matmul n=2 {#flops-matmul}"),
    ],
)
def test_repair_gives_note_an_id_from_words(text: str, first: str) -> None:
    assert lines(text) == [first, *text.split("\n")[1:]]


def test_ids_are_not_taken_twice() -> None:
    text = "Q: What?\nA: a\n\nQ: What?\nA: b\n\nC: [x] of [y]\n\nQ: Own {#what-4}\nA: c\n\nQ: What?\nA: d"

    id_lines = [line for line in lines(text, "what", "x-y.1") if "{#" in line]

    assert id_lines == [
        "Q: What? {#what-2}",
        "Q: What? {#what-3}",
        "C: [x] of [y] {#x-y-2}",
        "Q: Own {#what-4}",
        "Q: What? {#what-5}",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Q: a {.x} <!-- c -->\nA: b",  # the braces would no longer end the line
        "Q: a <!-- begins\nends -->\nA: b",
        "Q: a\nA: b\n\nQ: a\nA: b",  # one card, written twice
        "Q: a {#x}\nA: b",
        "Q: no answer",
        "words",
        "Q: a {#bad id!}\nA: b",  # which id it is to be, only its author knows
        "Q: {#bad id!} a\nA: b",
        "Q: a\nA: b\n{#bad id!}",
        "Q: {#a} a\nA: b",
    ],
)
def test_what_is_not_certain_stays_as_it_is(text: str) -> None:
    assert mended(text, "d.md", ()).text == text


def test_repair_adds_no_id_to_duplicate_card() -> None:
    (card,) = parse_deck("Q: a\nA: b", "d.md")[0].cards

    assert lines("Q: a\nA: b", elsewhere=frozenset({card.content_hash})) == ["Q: a", "A: b"]


def test_repair_mends_line_ends_and_marks() -> None:
    done = mended("\ufeffQ: a {#a}\r\nA: b\x07\r\n", "d.md", ())

    assert done.text == "Q: a {#a}\nA: b\n"
    assert [(repair.line, repair.message) for repair in done.repairs] == [
        (1, "removed the byte order mark"),
        (1, "converted line ends to newlines"),
        (2, "removed control characters"),
    ]


def test_a_second_repair_finds_nothing_to_do() -> None:
    once = mended("Q: a\r\nA: b\n\nC: [x]\n\nE: flops.matmul n=2\n", "d.md", ())

    assert once.repairs
    assert mended(once.text, "d.md", ()).repairs == ()


_PIECES = st.sampled_from(
    ["Q: a", "A: b", "C: x [y]", "E: flops.matmul", "---", "", "```", "{#i}", "{.t}", "<!-- c", "-->"]
)


@given(st.lists(_PIECES, max_size=14))
def test_every_card_says_afterwards_what_it_said(pieces: list[str]) -> None:
    text = "\n".join(pieces)
    done = mended(text, "d.md", ())
    before, after = (parse_deck(each, "d.md")[0].cards for each in (text, done.text))

    assert {card.content_hash for card in before} <= {card.content_hash for card in after}
    assert {(card.content_hash, card.id) for card in before if card.named} <= {
        (card.content_hash, card.id) for card in after
    }
    present = {card.id: card.content_hash for card in after}
    assert all(present[new] == next(c.content_hash for c in after if c.id == new) for new in done.renamed.values())
