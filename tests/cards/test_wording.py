"""Test how words are counted, and which numbers, names and negations an edited card may not change."""

from collections import Counter

import pytest

from studykit.cards.wording import count_words, marks, same_marks


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("two words", 2),
        ("two words $x + y$ three more `a b` end", 7),
        ("$x$ $y$", 2),
        ("before\n```\nx = 1\n```\nafter it", 3),
        ("$$a\n+ b$$ is one", 3),
    ],
)
def test_formula_or_code_span_counts_as_one_word(text: str, words: int) -> None:
    assert count_words(text) == words


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a $x$ and $x$", "an $x$ and a $x$", True),
        ("$x$ and $x$", "$x$ and y", False),
        ("$a b$", "$ab$", True),
        ("`a` 7 b", "`a` 8 b", False),
        ("the d_model axis", "the dmodel axis", False),
        ("the MFU", "the mfu", True),
        ("it is", "it is not", False),
    ],
)
def test_numbers_identifiers_formulas_and_polarity_may_not_change(one: str, other: str, same: object) -> None:
    assert same_marks(one, other) is same


def test_marks_count_each_occurrence() -> None:
    marked = marks("The H100 has `x` of fp32 and $y$ not 3 or not")

    assert marked == Counter({"h100": 1, "`x`": 1, "fp32": 1, "$y$": 1, "not": 2, "3": 1})
