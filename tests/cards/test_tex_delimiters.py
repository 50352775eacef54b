r"""`\(...\)` and `\[...\]`: math in hashcards 0.4, brackets in our decks, by one rule."""

import time

import pytest

from decks import read_deck
from studykit.cards.tex_delimiters import dollars


@pytest.mark.parametrize(
    ("markdown", "read"),
    [
        (r"an \(x^2\) in a line", "an $x^2$ in a line"),
        (r"\( a \) and \(\frac{a}{b}\)", r"$a$ and $\frac{a}{b}$"),
        ("\\(a\nb\\)", "$a\nb$"),
        (r"cost 2\(x\)3", "cost 2 $x$ 3"),
        ("see\n\\[\na \\\\ b\n\\]\nend", "see\n$$\na \\\\ b\n$$\nend"),
        ("\n\\[x\\]", "\n$$x$$"),
        ("see\n  \\[ \\left[ a \\right] \\] ", "see\n  $$ \\left[ a \\right] $$"),
    ],
)
def test_tex_is_math(markdown: str, read: str) -> None:
    assert dollars(markdown) == read


@pytest.mark.parametrize(
    "text",
    [
        r"\[0, 1\]",  # behind a marker: no line of its own
        r"the interval \[0, 1\] is closed",
        "a\n\\[a\\] and \\[b\\]",
        "a\n\\[b\\] goes on",
        "a\n\\[b\n\nc\\]",
        r"\\(x\\)",
        r"f\(\) and \(a",
        "\\(a\n\nb\\)",
        r"`\(x\)` and ``\(y\)``",
        "```\n\\(x\\)\n\\[y\\]\n```",
        r"$\text{\(a\)}$",
        r"\($5\)",
    ],
)
def test_everything_else_is_as_it_was_written(text: str) -> None:
    assert dollars(text) == text


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
def test_text_that_goes_on_for_ever_is_read_in_one_go(text: str) -> None:
    started = time.process_time()

    dollars(text * 5000)

    assert time.process_time() - started < 1
