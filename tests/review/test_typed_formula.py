"""Check formulas on typed cards: every equal form is right, and other answers are compared as texts."""

import pytest

from studykit.review.typed_answer import accepted, compare

QUESTION = "FLOPs of A (m \u00d7 k) times B (k \u00d7 n)? Parameters N, tokens D, axes b d L V, heads h"


@pytest.mark.parametrize(
    ("typed", "wanted", "same"),
    [
        ("2*k*n*m", "2mnk", True),
        ("m k*2n", "2mnk", True),
        ("mnk", "2mnk", False),
        ("2*k*n*n", "2mnk", False),
        ("6*D*N", "6ND", True),
        ("8N+8N", "16N", True),
        ("16", "16N", False),
        ("12Ld**2", "$12Ld^2$", True),
        ("2 L*B d", "$2BdL$", True),
        ("d T/(6d^2)", "$T/(6d)$", True),
        (r"\frac{T}{6 d}", "$T/(6d)$", True),
        ("C/(86400 G peak MFU)", r"$\dfrac{C}{G \times \text{peak} \times \text{MFU} \times 86{,}400}$", True),
        ("sqrt(N/2)", "$\\sqrt{N/2}$", True),
        ("n \u00d7 m", "m \u00d7 n", False),
        ("s b d", "`b s d`", False),
        ("b (d 2)", "`b (2 d)`", False),
        ("ms*4", "4 ms", False),
        ("B*7", "7B", False),
        ("h*3", "3 h", False),
        ("d*4", "4d", False),
        ("1 god", "1 dog", False),
        ("view(-1, x)", "`x.view(-1)`", False),
    ],
)
def test_equal_forms_of_a_wanted_formula_are_right(typed: str, wanted: str, *, same: bool) -> None:
    assert compare(typed, wanted, QUESTION).same is same


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("53.3e9", "53.3B"),
        ("53.3 billion", "53.3B"),
        ("0.4", "40 %"),
        ("40 percent", "40 %"),
        ("0.14 TB", "140 GB"),
        ("2 \u00d7 10^9", "2e9"),
        ("memory bound", "memory-bound"),
        ("Memory-Bound", "memory bound"),
    ],
)
def test_spellings_of_estimates_and_words_are_right(typed: str, wanted: str) -> None:
    assert compare(typed, wanted).same


@pytest.mark.parametrize(("typed", "wanted"), [("53.3", "53.3B"), ("40", "0.4"), ("bhd", "b h d"), ("0.4", "40")])
def test_other_numbers_and_axes_stay_wrong(typed: str, wanted: str) -> None:
    assert not compare(typed, wanted).same


def test_page_leaves_formulas_to_the_learner() -> None:
    assert accepted("2mnk", QUESTION)["formula"] is True
    assert accepted("4 ms", QUESTION)["formula"] is False
