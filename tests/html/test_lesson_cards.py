"""Test single cards exported into the pages of a lesson on another site: order, markup, style and script."""

import json
import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from decks import read_deck
from studykit.cards.card import Task
from studykit.exercise.entry import PageCard
from studykit.html.deck_view import DeckPart
from studykit.html.export import ExportOptions, export
from studykit.html.lesson_cards import LessonCards, lesson_cards

FIRST = """---
name = "First"
---
Q: What is one? {#one}
A: 1 {{ 7*7 }}

C: A [b] and a [c]. {#gaps}

Q: What is two? {#two}

```python
a = 1

b = 2
```
A: "2"

Q: Which? {#table}
A:

| a | b |
|---|---|
| 1 | 2 |
"""
SECOND = '---\nname = "Second & last"\n---\nQ: Three? {#three}\nA: 3\n'


def task(task: Task) -> PageCard:
    return PageCard(task.name)


PARTS = [
    DeckPart(read_deck(text, path), Path()) for text, path in ((FIRST, "decks/first.md"), (SECOND, "second.md"))
]


def cards_of_lesson(*names: str) -> LessonCards:
    return lesson_cards(PARTS, names, task, ExportOptions())


def ids(markup: str) -> list[str]:
    return re.findall('<article class="sk-card" id="c-([^"]*)"', markup)


def test_lesson_cards_keep_their_order_under_one_bar() -> None:
    cards = cards_of_lesson("two", "one")

    assert ids(cards.markup) == ["two", "one"]
    assert cards.count == 2
    assert re.findall('<study-deck data-deck="([^"]*)"', cards.markup) == ["first"]
    assert cards.markup.count('class="sk-bar"') == 1


def test_lesson_cards_of_several_decks_name_their_deck() -> None:
    cards = cards_of_lesson("one", "three", "two")

    assert re.findall('<study-deck data-deck="([^"]*)"', cards.markup) == ["first", "second-last", "first"]
    assert ids(cards.markup) == ["one", "three", "two"]


def test_lesson_note_name_brings_its_cards_once() -> None:
    assert ids(cards_of_lesson("gaps", "gaps.1", "one", "one").markup) == ["gaps.1", "gaps.2", "one"]


def test_lesson_markup_has_answers_and_no_script() -> None:
    markup = cards_of_lesson("one", "two").markup

    assert "<p>“2”</p>" in markup
    assert markup.startswith('<div class="sk sk-few not-content">\n')
    assert [line for line in markup[:-1].split("\n") if not line.strip()] == []
    assert re.search(r"<style|<script|<link|\sstyle=|\son[a-z]+=|\{[{%#]|<h2", markup) is None


def test_lesson_files_are_its_style_and_script() -> None:
    assert sorted(cards_of_lesson("one").shared()) == ["studykit.css", "studykit.js"]


def export_site(site: str) -> dict[str, str]:
    return {name: content.decode() for name, content in export(PARTS, task, ExportOptions(site)).items()}


@pytest.fixture
def fill(tmp_path: Path) -> Callable[[str], Any]:
    """Return the Sphinx extension's function that fills a page. The hook for MkDocs has the same code."""
    for name in ("studykit_decks.py", "studykit-cards.json"):
        (tmp_path / name).write_text(export_site("sphinx")[name])
    extension = runpy.run_path(str(tmp_path / "studykit_decks.py"))
    return lambda page: extension["_filled"](page, "lesson")


def test_card_element_is_filled_like_an_exported_card(fill: Callable[[str], Any]) -> None:
    page, scripts = fill('<p>Before.</p>\n<study-card id="one"></study-card>\n<p>After.</p>')

    article = re.search("<article.*</article>", cards_of_lesson("one").markup, re.DOTALL)
    assert article is not None
    assert ids(page) == ["one"]
    assert page.startswith('<p>Before.</p>\n<div class="sk sk-few')
    assert page.endswith("</div>\n<p>After.</p>")
    assert article[0].partition("<details")[0] in page
    assert scripts == ["studykit.js"]


def test_sphinx_index_reads_a_formula_as_text(tmp_path: Path) -> None:
    deck = read_deck("Q: How many are $\\frac{a}{b} < d^2$? {#q}\nA: 1\n", "d.md")
    files = export([DeckPart(deck, Path())], task, ExportOptions("sphinx"))
    (tmp_path / "studykit_decks.py").write_bytes(files["studykit_decks.py"])
    (tmp_path / "studykit-cards.json").write_bytes(files["studykit-cards.json"])
    extension = runpy.run_path(str(tmp_path / "studykit_decks.py"))
    fragment = files["d.fragment.html"].decode()

    lines = extension["_as_lines"](fragment)
    assert "How many are a/b &lt; d²?" in re.sub(r"<[^<]+?>", "", lines)  # as Sphinx takes the words out
    assert "<mfrac>" not in lines
    assert extension["_drawn"](lines) == fragment


def test_adjacent_card_elements_share_a_bar(fill: Callable[[str], Any]) -> None:
    beside = '<p><study-card id="one"></study-card>\n<study-card id="two"></study-card></p>'
    page, _ = fill(f'{beside}\n<p>Prose.</p>\n<study-card id="three"></study-card>')

    assert page.count('class="sk-bar"') == page.count("</study-deck>") == 2
    assert re.findall('<study-deck data-deck="([^"]*)"', page) == ["first", "second-last"]
    assert "<study-card" not in page
    assert "<p><div" not in page


def test_unknown_card_element_fails_and_names_its_page(fill: Callable[[str], Any]) -> None:
    with pytest.raises(LookupError, match='lesson: no card has the id "four"'):
        fill('<study-card id="four"></study-card>')


@pytest.mark.parametrize(
    ("site", "name"),
    [
        ("starlight", "studykit-cards.json"),
        ("mkdocs", "studykit-cards.json"),
        ("sphinx", "studykit-cards.json"),
        ("hugo", "data/studykit_cards.json"),
    ],
)
def test_every_host_gets_each_card_by_itself(site: str, name: str) -> None:
    course = json.loads(export_site(site)[name])

    assert list(course["cards"]) == ["one", "gaps.1", "gaps.2", "two", "table", "three"]
    for card in course["cards"].values():
        around = course["decks"][card["deck"]]
        assert card["html"].startswith("<article")
        assert around["begin"].startswith('<div class="sk sk-few not-content">')
        assert around["end"].endswith("</study-deck>\n</div>\n")
