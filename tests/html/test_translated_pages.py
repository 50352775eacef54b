"""Test that pages in another language have no English words of ours, and keep each deck's direction."""

import json
import re
import tomllib
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import pytest
from exported_decks import exported
from templates import template_named

from studykit.cards.card import Task
from studykit.exercise.entry import PageCard
from studykit.exercise.estimate.selection import first_variants
from studykit.html.assets import source
from studykit.html.export import ExportOptions
from studykit.html.strings import Strings, shipped

NUMBERS = """---
name = "1"
description = "2"
license = "3"
url = "https://4.5/"
objectives = ["flops"]
---
Q: 6 {#7 .typed source="8"}
A: 9

Q: 10 {#11}
- [x] 12
- [ ] 13
A: 14

Q: 15 {#16}
- [x] 17
- [x] 18
A: 19

E: flops.matmul {#20}
"""
MARKED = Strings(
    {
        table: {key: word if key in {"language", "quotes"} else f"[{word}]" for key, word in words.items()}
        for table, words in shipped().tables.items()
    }
)


def task(task: Task) -> PageCard:
    numbers = replace(template_named(task.name), prompt="21", hints=("22", "23", "24"), solution=("25",), slips=())
    return PageCard(variants=first_variants(numbers, {}))


pages = partial(exported, tasks=task)


class Visible(HTMLParser):
    """Collect every text that a page shows or that a screen reader reads."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        self.texts += [str(text) for name, text in attrs if name in {"aria-label", "placeholder", "title", "alt"}]

    def handle_data(self, data: str) -> None:
        if self._inside not in {"script", "style"}:
            self.texts.append(data)


@pytest.mark.parametrize("name", ["1.html", "1.fragment.html", "index.html", "app.html"])
def test_page_words_all_come_from_the_string_table(name: str) -> None:
    visible = " ".join(Visible(pages(NUMBERS, options=ExportOptions(strings=MARKED, app=True))[name]).texts)

    rest = re.sub(r"\[[^\[\]]*\]", "", visible).replace("flops", "")  # an objective is the author's word
    assert re.findall(r"[A-Za-z]{2,}", rest) == []


def test_german_test_table_has_every_string() -> None:
    german = tomllib.loads((Path(__file__).parents[1] / "browser" / "german.toml").read_text("utf-8"))

    assert {name: list(german[name]) for name in german} == {name: list(shipped()[name]) for name in german}
    assert set(shipped().tables) == set(german)


def test_the_words_of_scripts_come_from_the_table() -> None:
    files = pages(NUMBERS, options=ExportOptions(strings=MARKED, app=True))

    assert "[Not yet.]" in files["studykit-exercises.js"]
    for name in ("1.html", "app.html"):
        assert "[Answers added: %. Cards changed: %.]" in files[name]
    assert '"[Cards]"' in files["app.webmanifest"]


ARABIC = '---\nname = "A"\nlang = "ar"\ndescription = "d"\n---\nQ: س {#x}\nA: ج\n'
DE = Strings({**shipped().tables, "page": {**shipped()["page"], "language": "de"}})
HE = Strings({**shipped().tables, "page": {**shipped()["page"], "language": "he"}})


def test_deck_in_another_language_marks_language_and_direction() -> None:
    files = pages(ARABIC)

    page = files["a.html"]
    assert '<html lang="en">' in page
    assert '<h1 lang="ar" dir="rtl">A</h1>' in page
    assert '<study-deck data-deck="a" lang="ar" dir="rtl">' in page
    assert re.search(r'<summary[^>]* lang="en" dir="ltr">Answer', page)
    assert '<a href="a.html" lang="ar" dir="rtl">A</a>' in files["index.html"]


def test_deck_in_page_language_has_no_language_mark() -> None:
    page = pages(ARABIC.replace('"ar"', '"de"'), options=ExportOptions(strings=DE))["a.html"]

    assert '<html lang="de">' in page
    assert page.partition("<script>")[0].count("lang=") == 1
    assert "dir=" not in page.partition("<script>")[0]


def test_right_to_left_strings_set_the_page_direction() -> None:
    files = pages(ARABIC, options=ExportOptions(strings=HE, app=True))

    for name in ("a.html", "index.html", "app.html"):
        assert '<html lang="he" dir="rtl">' in files[name]
    manifest = json.loads(files["app.webmanifest"])
    assert (manifest["lang"], manifest["dir"]) == ("he", "rtl")


def test_right_to_left_style_comes_only_where_needed() -> None:
    style = source("rtl.css").partition("*/\n")[2].splitlines()[1].strip()

    assert style in pages(ARABIC)["a.html"]
    assert style in pages(NUMBERS, options=ExportOptions(strings=HE))["1.html"]
    assert style not in pages(NUMBERS)["1.html"]
    assert style in pages(NUMBERS)["studykit.css"]
