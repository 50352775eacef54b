"""Test which brackets of a cloze note hide words."""

import itertools

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from studykit.cards.cloze import gap_text, gaps, hidden
from studykit.cards.markdown import regions


def _read(text: str) -> list[list[str]]:
    """Return the prompt and answer of each gap."""
    all_gaps, _ = gaps(text)
    return [[gap_text(text, all_gaps, gap), hidden(text, gap)] for gap in all_gaps]


@pytest.mark.parametrize(("text", "cards"), cases("cards/gaps"))
def test_brackets_hide_words(text: str, cards: list[list[str]]) -> None:
    assert _read(text) == cards


def test_a_bracket_that_is_never_closed_is_told() -> None:
    assert gaps("a [b") == ([], 2)


@given(
    st.lists(st.sampled_from(["[", "]", "$", "$$", "`", "```", "\\", "!", "(", ")", "a", " ", "\n", "^", "~~~"]))
)
def test_gaps_are_bracket_pairs_and_never_overlap(scraps: list[str]) -> None:
    text = "".join(scraps)

    all_gaps, _ = gaps(text)

    assert all(text[gap.start] == "[" and text[gap.end - 1] == "]" for gap in all_gaps)
    assert all(one.end <= other.start for one, other in itertools.pairwise(all_gaps))


@pytest.mark.parametrize(("text", "stretches"), cases("cards/math_and_code"))
def test_regions_find_math_and_code(text: str, stretches: list[str]) -> None:
    assert [text[region.start : region.end] for region in regions(text)] == stretches


def test_bracket_inside_math_does_not_count_as_open() -> None:
    assert gaps("$a [ b$ and [c]")[1] is None
    assert gaps("[^1 and [c]")[1] is None
    assert gaps("a [ b and [c]")[1] == 2
