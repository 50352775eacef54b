"""Test formulas as text in the index, in titles and in feeds. They must not lose exponents or fractions."""

import json
import re
import unicodedata
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from exported_decks import exported

from decks import read_deck
from studykit.exercise import registry
from studykit.html.card_html import Markdown
from studykit.html.deck_view import CardView, DeckPart, Problems, view
from studykit.html.mathml import Tex

DECKS = sorted((Path(__file__).parents[2] / "decks").glob("*.md"))
FORMULA = re.compile(r"<math\b.*?</math>", re.DOTALL)


@cache
def cards(path: Path) -> tuple[CardView, ...]:
    """Return the rendered cards of a deck."""
    problems = Problems()
    deck = view([DeckPart(read_deck(path.read_text("utf-8"), str(path)), path.parent)], registry.page, problems)
    problems.refuse()
    assert deck is not None
    return deck.cards


def missing(mathml: str, shown: str) -> list[str]:
    """Return the exponents, indices, roots and fractions of a formula that its text lacks."""
    root = ET.fromstring(mathml.replace("&ApplyFunction;", ""))  # noqa: S314 - drawn by ourselves
    raised = sum(unicodedata.decomposition(sign).startswith("<super>") for sign in shown)
    counts = {
        "^": (len([*root.iter("msup"), *root.iter("msubsup")]), raised + shown.count("^") + shown.count("′")),
        "√": (
            len([*root.iter("msqrt"), *root.iter("mroot")]),
            sum(map(shown.count, "√∛∜")) + shown.count(r"\sqrt"),
        ),
        "/": (len([*root.iter("mfrac")]), shown.count("/") + shown.count(r"\frac")),
    }
    return [sign for sign, (least, count) in counts.items() if count < least]


@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.stem)
def test_plain_heading_keeps_exponents_roots_and_fractions(path: Path) -> None:
    for card in cards(path):
        formulas = FORMULA.findall(card.heading)
        assert "<math" not in card.plain
        assert not any(missing(mathml, card.plain) for mathml in formulas), card.plain


@pytest.mark.parametrize(
    ("tex", "words"),
    [
        ("10^9", "10⁹"),
        ("16d^2", "16d²"),
        (r"\sqrt{\text{fan-in}}", "√(fan-in)"),
        (r"\frac{2mnk}{2(mn+nk+mk)}", "2mnk/(2(mn + nk + mk))"),
        (r"a < b", "a < b"),
        (r"\left\{\begin{aligned} a &= b \end{aligned}\right.", None),
    ],
)
def test_formula_as_words_is_terminal_text_or_tex(tex: str, words: str | None) -> None:
    markdown = Markdown(Tex({}), None)

    assert markdown.words(markdown.inline(f"It is ${tex}$ & more")) == f"It is {words or f'${tex}$'} & more"


DECK = """---
name = "Sizes"
description = "Of $2^{30}$ bytes."
---
Q: How much is $10^9$ bytes? {#gb}
A: $10^9$ is *a* <b> GB.
"""


def test_the_index_and_every_title_are_true() -> None:
    files = exported(DECK)

    assert '<a href="sizes.html#c-gb">How much is 10⁹ bytes?</a>' in files["index.html"]
    assert '<meta name="description" content="Of 2³⁰ bytes.">' in files["sizes.html"]
    assert json.loads(files["decks.json"])["decks"][0]["description"] == "Of 2³⁰ bytes."
