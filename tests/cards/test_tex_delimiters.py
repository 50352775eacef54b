r"""Test the one rule for `\(...\)` and `\[...\]`, which are math in hashcards 0.4 and brackets in our decks."""

import time

import pytest
from cases import cases

from decks import read_deck
from studykit.cards.tex_delimiters import dollars


@pytest.mark.parametrize(("markdown", "read"), cases("cards/tex_delimiters"))
def test_tex_is_math(markdown: str, read: str) -> None:
    assert dollars(markdown) == read


def test_a_deck_of_either_dialect_keeps_its_meaning() -> None:
    cards = read_deck(
        "Q: What is \\(e\\)?\nA:\n\\[\n\\lim (1+1/n)^n\n\\]\n\n"
        "Q: Which interval?\nA: \\[0, 1\\]\n\nC: \\[0, 1\\] is [closed], as \\([n]\\) is a gap.\n",
        "d.md",
    ).cards

    assert [(card.prompt, card.answer) for card in cards] == [
        ("What is $e$?", "$$\n\\lim (1+1/n)^n\n$$"),
        ("Which interval?", "\\[0, 1\\]"),
        ("\\[0, 1\\] is […], as $n$ is a gap.", "closed"),
        ("\\[0, 1\\] is closed, as $[…]$ is a gap.", "$n$"),
    ]


@pytest.mark.parametrize("text", ["\\(", "\\(a", "\n\\[", "\n\\[a\\", "\\\\", "\n   \\[x"])
def test_unclosed_tex_delimiters_take_linear_time(text: str) -> None:
    started = time.process_time()

    dollars(text * 5000)

    assert time.process_time() - started < 1
