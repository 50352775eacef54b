"""Test that choices on pages are judged as in a terminal, and can be read without a script."""

import json
import re
from html import unescape

import pytest
from exported_decks import exported
from page_script import PageScript

from decks import read_deck
from studykit.cards import choice
from studykit.html import assets
from studykit.html.export import ExportOptions
from studykit.html.strings import shipped

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


def test_choice_page_without_script_shows_the_right_options() -> None:
    several, one = (article(exported(DECK)["d.html"], card) for card in ("views", "larger"))

    options, _, answer = several.partition("<details")
    assert options.count('<input type="checkbox" name="o-views">') == 4
    assert one.count('<input type="radio" name="o-larger">') == 2
    assert 'aria-label="Choose all that are right."' in options
    assert "<span><code>reshape</code></span>" in options
    assert "<li><strong>right</strong>: <code>reshape</code> (only the strides change)</li>" in answer
    assert "<strong>wrong</strong>: <code>contiguous()</code> (it’s a &lt;copy&gt;)" in answer
    assert "The three differ." in answer


def test_choice_page_data_matches_the_terminal_log() -> None:
    (card, _) = read_deck(DECK, "d.md").cards
    match = re.search(r"data-choice='([^']*)'", article(exported(DECK)["d.html"], "views"))
    assert match is not None
    data = json.loads(unescape(match[1]))

    option_list = choice.options_of(card)
    assert data["version"] == choice.version(card)
    assert [each["text"] for each in data["options"]] == [option.text for option in option_list.options]
    assert [each.get("slip", "") for each in data["options"]] == [
        "",
        "",
        *choice.slips(card, option_list, choice.judged(option_list, {2, 3})),
    ]


def test_choice_script_comes_only_with_choice_cards() -> None:
    with_choices, without = (exported(text) for text in (DECK, "Q: a\nA: b"))

    assert "sk-options" in with_choices["d.html"].partition("<script>")[2]
    assert "studykit-choices.js" in with_choices
    assert "sk-options" not in without["d.html"].partition("<script>")[2]
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
    return PageScript(before=assets.source("choice.js").partition("function ask")[0])


@pytest.mark.parametrize("seed", [0, 1, 2, 77, 2**31 - 1, 1_234_567_890])
def test_seed_orders_options_alike_on_page_and_terminal(engine: PageScript, seed: int) -> None:
    for count in (1, 2, 5, 20):
        options = tuple(choice.Option(str(place), right=not place) for place in range(count))
        assert engine.call("order", seed, count) == list(choice.OptionList(options).order(seed))


def test_page_judges_every_pick_like_the_terminal(engine: PageScript) -> None:
    (card, _) = read_deck(DECK, "d.md").cards
    option_list = choice.options_of(card)
    options = [{} if option.right else {"slip": choice.slip(card, option)} for option in option_list.options]

    for bits in range(1, 16):
        places = [place for place in range(4) if bits >> place & 1]
        pick = choice.judged(option_list, places)
        assert engine.call("pick", options, places) == {
            "verdict": pick.verdict,
            "slips": list(choice.slips(card, option_list, pick)),
        }
