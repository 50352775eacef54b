"""Test that choices on pages are judged as in a terminal, and can be read without a script."""

import json
import re
from html import unescape
from math import factorial
from typing import Any

import pytest
from exported_decks import exported
from page_script import PageScript

from decks import read_deck
from studykit.cards import choice
from studykit.html import assets
from studykit.html.export import ExportOptions
from studykit.html.strings import shipped
from studykit.scheduling.outcomes import SKIPPED

DECK = """Q: Which *move* no bytes? {#views}
- [x] `reshape` # only the strides change
- [x] transpose & co
- [ ] `contiguous()` # it's a <copy>
- [ ] $x^2$
A: The three differ.

Q: Which is larger? {#larger}
- [x] one
- [ ] two
"""


def article(page: str, card: str) -> str:
    match = re.search(rf'<article[^>]*id="c-{card}".*?</article>', page, re.DOTALL)
    assert match is not None
    return match[0]


def choice_data(card: str) -> dict[str, Any]:
    """Return what a card's element tells the script."""
    match = re.search(r"data-choice='([^']*)'", card)
    assert match is not None
    data: dict[str, Any] = json.loads(unescape(match[1]))
    return data


def test_choice_page_without_script_shows_the_right_options() -> None:
    several, one = (article(exported(DECK)["d.html"], card) for card in ("views", "larger"))

    options, _, answer = several.partition("<details")
    assert options.count('<input type="checkbox" name="o-views"') == 4
    assert one.count('<input type="radio" name="o-larger"') == 2
    assert 'aria-label="Choose all that are right."' in options
    assert "<span><code>reshape</code></span>" in options
    assert "<li><strong>right</strong>: <code>reshape</code> (only the strides change)</li>" in answer
    assert "<strong>wrong</strong>: <code>contiguous()</code> (it’s a &lt;copy&gt;)" in answer
    assert "The three differ." in answer


def test_choice_page_data_matches_the_terminal_log() -> None:
    (card, _) = read_deck(DECK, "d.md").cards
    html = article(exported(DECK)["d.html"], "views")
    data = choice_data(html)
    inputs = re.findall(
        r'<li class="sk-(yes|no)"><label><input [^>]*value="([^"]*)"(?: data-slip="([^"]*)")?>', html
    )

    option_list = choice.options_of(card)
    options = [option_list.options[place] for place in option_list.order(choice.version(card))]
    pick = choice.judged(option_list, range(4))
    seed = choice.version(card)
    assert data["showing"] == {"exercise": choice.TEMPLATE, "version": seed, "seed": seed, "parameters": "{}"}
    assert [(right, unescape(text)) for right, text, _ in inputs] == [
        ("yes" if option.right else "no", option.text) for option in options
    ]
    assert sorted(unescape(slip) for *_, slip in inputs if slip) == sorted(choice.slips(card, option_list, pick))


@pytest.mark.parametrize("count", [2, 3, 5, 20])
def test_page_orders_options_like_the_terminal(count: int) -> None:
    options = "".join(f"- [{'x' if n == 1 else ' '}] option {n}\n" for n in range(count))
    deck = f"Q: Which? {{#c}}\n{options}"
    (card,) = read_deck(deck, "d.md").cards
    html = article(exported(deck)["d.html"], "c")
    values = re.findall(r'value="([^"]*)"', html)

    option_list = choice.options_of(card)
    orders = choice_data(html)["orders"]
    texts = [[values[place] for place in places] for _, *places in orders]
    assert texts == [[option_list.options[at].text for at in option_list.order(seed)] for seed, *_ in orders]
    assert len({tuple(each) for each in texts}) == len(texts) == min(10, factorial(count))
    assert all(len({each.index(text) for each in texts}) > 1 for text in values)


def test_choice_script_comes_only_with_choice_cards() -> None:
    with_choices, without = (exported(text) for text in (DECK, "Q: a\nA: b"))

    assert "[data-choice]" in with_choices["d.html"].partition("<script>")[2]
    assert "studykit-choices.js" in with_choices
    assert "[data-choice]" not in without["d.html"].partition("<script>")[2]
    assert "studykit-choices.js" not in without


@pytest.mark.parametrize("site", ["starlight", "mkdocs", "hugo"])
def test_sites_load_the_script(site: str) -> None:
    files = exported(DECK, options=ExportOptions(site))
    around = "".join(text for name, text in files.items() if not name.endswith(".js"))

    assert "studykit-choices.js" in around


def test_the_script_of_choices_is_under_four_kilobytes() -> None:
    assert len(assets.script("studykit-choices.js", shipped()).encode()) <= 4_000


@pytest.fixture(scope="module")
def engine() -> PageScript:
    return PageScript("choice.js", before="const document = { querySelectorAll: () => [] };")


def test_page_judges_every_pick_like_the_terminal(engine: PageScript) -> None:
    (card, _) = read_deck(DECK, "d.md").cards
    option_list = choice.options_of(card)

    for bits in range(16):
        places = [place for place in range(4) if bits >> place & 1]
        pick = choice.judged(option_list, places)
        counts = [len(each) for each in (pick.chosen, pick.wrong, pick.missed)]
        assert engine.call("verdictOnPick", *counts) == (pick.verdict if places else SKIPPED)
