"""Test the pages and data of an export, and what it refuses."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from decks import read_deck
from studykit.cards.card import CardId, Deck, DeckId, Task
from studykit.errors import BadDataError, NotFoundError, UsageError
from studykit.exercise.entry import PageCard
from studykit.html.deck_view import DeckPart, anchor, file_name
from studykit.html.export import ExportOptions, export

TEXT = """---
name = "Counting the cost"
description = "FLOPs & bytes."
license = "CC BY 4.0"
url = "https://example.org/lesson"
---
Q: What does a matmul $(m,k)(k,n)$ cost? {#matmul-flops .flops}
A: $2mnk$ FLOPs.

C: A training step costs [6] FLOPs per parameter per [token]. {#six-nd .flops}

Q: What does it print?

```python
a = 1

b = 2
```
A: Nothing.

E: rewrite.split_heads {#split}
"""


def task(task: Task) -> PageCard:
    return PageCard("Split the heads.", "", f"study grade {task.name}")


def files(*decks: Deck, site: str | None = None, root: Path = Path()) -> dict[str, str]:
    pages = export([DeckPart(deck, root) for deck in decks], task, ExportOptions(site))
    return {name: content.decode() for name, content in pages.items()}


def deck(text: str = TEXT, path: str = "decks/cost.md") -> Deck:
    return read_deck(text, path)


@pytest.fixture(scope="module")
def page() -> str:
    """Return the page of the deck."""
    return files(deck())["counting-the-cost.html"]


@pytest.fixture(scope="module")
def fragment() -> str:
    """Return the deck's cards for a page of another site."""
    return files(deck())["counting-the-cost.fragment.html"]


def test_export_writes_page_fragment_and_data_per_deck() -> None:
    assert " ".join(sorted(files(deck()))) == (
        "counting-the-cost.fragment.html counting-the-cost.html counting-the-cost.json "
        "decks.json index.html studykit.css studykit.js studykit.json"
    )


@pytest.mark.parametrize("name", ["index.html", "counting-the-cost.html"])
def test_page_policy_hashes_match_its_style_and_script(name: str) -> None:
    page = files(deck())[name]

    policy = re.search(r'content="(default-src [^"]*)"', page)
    hashes = [
        b64encode(sha256(re.search(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1].encode()).digest()).decode()  # type: ignore[index]
        for tag in ("style", "script")
    ]

    assert policy is not None
    assert policy[1].replace("&#39;", "'") == (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; "
        "connect-src 'self'; img-src data:; media-src data:; base-uri 'none'; form-action 'none'"
    )


def test_the_policy_comes_before_everything_that_it_governs(page: str) -> None:
    assert page.startswith(
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content='
    )


def test_a_page_asks_for_no_other_file(page: str) -> None:
    assert re.findall(r'(?:src|srcset|data|action)="', page) == []
    assert re.findall(r'<link rel="(?!icon|alternate)', page) == []


def test_deck_page_shows_every_answer_without_a_script(page: str) -> None:
    assert page.count('<details class="sk-a">') == 5
    assert '<div class="sk-text" id="a-six-nd.1"><p>6</p>' in page


def test_card_source_shows_below_the_answer() -> None:
    pages = files(deck(TEXT.replace("{#six-nd .flops}", '{#six-nd .flops source="Kaplan & others, 2020"}')))
    page = pages["counting-the-cost.html"]

    outside = '</div><p class="sk-full">Source: Kaplan &amp; others, 2020</p></details>'
    assert page.count(outside) == 2  # the script of an exercise writes each new solution into the div
    cards = json.loads(pages["counting-the-cost.json"])["cards"]
    assert [card.get("source") for card in cards[:3]] == [None, *["Kaplan & others, 2020"] * 2]


def test_fragment_has_no_blank_line_script_or_style(fragment: str) -> None:
    assert fragment.startswith('<div class="sk not-content">\n<h2 class="sk-vh">Questions</h2>\n<study-deck')
    assert [line for line in fragment[:-1].split("\n") if not line.strip()] == []
    assert re.search(r"<style|<script|<link|\sstyle=|\son[a-z]+=", fragment) is None


def test_question_headings_have_their_card_ids(fragment: str) -> None:
    heading_ids = re.findall(r'<h3 class="sk-q" id="([^"]*)"', fragment)

    assert heading_ids[:3] == ["q-matmul-flops", "q-six-nd.1", "q-six-nd.2"]


def test_fragment_classes_have_the_sk_prefix(fragment: str) -> None:
    classes = {name for match in re.findall(r'class="([^"]*)"', fragment) for name in match.split()}
    assert {name for name in classes if not name.startswith("sk")} == {"not-content"}


def test_deck_in_two_files_makes_one_page() -> None:
    more = deck('---\nname = "Counting the cost"\n---\nQ: a\nA: b\n', "decks/more.md")

    pages = files(deck(), more)

    assert pages["counting-the-cost.html"].count("<article") == 6
    texts = json.loads(pages["counting-the-cost.json"])["texts"]
    assert texts == {"1-cost.md": TEXT, "2-more.md": more.source}


def test_duplicate_card_id_in_export_is_refused() -> None:
    with pytest.raises(
        BadDataError, match=r"^decks/more\.md:7: #matmul-flops is already the id of decks/cost\.md:7"
    ):
        files(deck(), deck(path="decks/more.md"))


def test_deck_list_data_counts_cards_and_names_files() -> None:
    document = json.loads(files(deck())["decks.json"])

    name = "counting-the-cost"
    says = {"id": name, "name": "Counting the cost", "description": "FLOPs & bytes.", "objectives": ["flops"]}
    made = {"page": f"{name}.html", "fragment": f"{name}.fragment.html", "data": f"{name}.json"}
    assert document["decks"] == [says | made | {"cards": 5}]


@pytest.mark.parametrize(
    ("site", "name", "holds"),
    [
        ("starlight", "counting-the-cost.mdx", "<Fragment set:html={cards} />"),
        ("mkdocs", "counting-the-cost.md", '<link rel="stylesheet" href="../studykit.css">'),
        ("sphinx", "counting-the-cost.rst", ".. raw:: html\n   :file: counting-the-cost.fragment.html"),
        ("sphinx", "studykit_decks.py", "def setup(app):"),
        ("hugo", "content/decks/counting-the-cost.md", '{{< studydeck "counting-the-cost" >}}'),
        ("hugo", "static/decks/studykit.js", "study-deck"),
    ],
)
def test_a_site_gets_the_files_that_it_needs(site: str, name: str, holds: str) -> None:
    assert holds in files(deck(), site=site)[name]


SECOND = '---\nname = "*A* <second> [deck]"\ndescription = "It follows."\n---\nQ: a\nA: b\n'


@pytest.mark.parametrize(
    ("site", "page", "line"),
    [
        ("starlight", "a-second-deck.mdx", "sidebar:\n  order: 2\n"),
        ("hugo", "content/decks/a-second-deck.md", "weight: 2\n"),
    ],
)
def test_a_page_says_its_place_in_the_course(site: str, page: str, line: str) -> None:
    pages = files(deck(), deck(SECOND, "a.md"), site=site)

    name = next(name for name in pages if name.endswith((".mdx", ".md")) and "second" in name)
    assert re.sub("second-[0-9a-f]{8}", "second", name) in {page, page.replace("-deck", "")}
    assert line in pages[name].partition("---\n")[2].partition("---\n")[0]


@pytest.mark.parametrize(
    ("site", "name", "first", "second"),
    [
        (
            "starlight",
            "index.md",
            '<li><a href="counting-the-cost/">Counting the cost</a><br>5 cards. FLOPs &amp; bytes.</li>',
            '/">*A* &lt;second&gt; [deck]</a><br>1 card. It follows.</li>',
        ),
        (
            "mkdocs",
            "index.md",
            "- [Counting the cost](counting-the-cost.md): 5 cards. FLOPs &amp; bytes.",
            "- [\\*A\\* &lt;second&gt; \\[deck\\]](",
        ),
        ("sphinx", "index.rst", ".. toctree::\n   :maxdepth: 1\n\n   counting-the-cost\n", "second"),
        ("hugo", "content/decks/_index.md", 'title: "Decks"', ""),
    ],
)
def test_site_index_follows_the_course_order(site: str, name: str, first: str, second: str) -> None:
    pages = files(deck(), deck(SECOND, "a.md"), site=site)

    assert 0 < pages[name].index(first) < (pages[name].index(second, pages[name].index(first) + 1))
    assert not [other for other in pages if other.endswith("index.html")]


def test_site_index_escapes_template_signs_in_deck_name() -> None:
    deck_text = SECOND.replace("*A*", "{{ 7*7 }}")

    for site, name in (("starlight", "index.md"), ("mkdocs", "index.md")):
        assert "&#123;&#123; 7" in files(deck(deck_text), site=site)[name]


def test_card_text_never_reaches_a_reader_of_mdx() -> None:
    pages = files(deck(TEXT.replace("Nothing.", "{process.exit(1)}")), site="starlight")

    assert "process.exit" not in pages["counting-the-cost.mdx"]


def test_fragment_escapes_template_signs_in_card_text() -> None:
    fragment = files(deck(TEXT.replace("Nothing.", "{{ 7*7 }} {% x %} {{< y >}}")))[
        "counting-the-cost.fragment.html"
    ]

    assert re.search(r"\{[{%#]", fragment) is None
    assert "&#123;{ 7*7 }}" in fragment


def test_unknown_site_is_refused_with_known_names() -> None:
    with pytest.raises(UsageError, match=r"--site 'jekyll' is unknown\. Use one of starlight, mkdocs, sphinx"):
        files(deck(), site="jekyll")


def test_export_without_decks_is_refused() -> None:
    with pytest.raises(NotFoundError, match="You have no deck to export"):
        files()


def test_missing_picture_drops_its_card_or_fails_strict() -> None:
    text = "Q: one\nA: 1\n\nQ: two\nA: ![x](gone.png)\n"
    parts = [DeckPart(deck(text), Path())]
    messages: list[str] = []

    pages = export(parts, task, ExportOptions(), tell=lambda problem: messages.append(str(problem)))

    assert pages["cost.html"].count(b"<article") == 1
    assert [message.partition(": ")[0] for message in messages] == ["decks/cost.md:5"]
    with pytest.raises(BadDataError, match=r"gone\.png"):
        export(parts, task, ExportOptions(is_strict=True))


@pytest.mark.parametrize("name", ["\u0639\u0631\u0628\u064a", "\u65e5\u672c\u8a9e", "caf\u00e9", "flops"])
def test_title_in_any_letters_keeps_a_readable_address(name: str) -> None:
    assert file_name(name) == name


def test_export_names_bad_formulas_of_question_and_answer() -> None:
    with pytest.raises(BadDataError) as error:
        files(deck("Q: $a_b_c$ and\n$x$\nA: $b_c_d$\n\nC: a [$c_d_e$] b [c]\n"))

    assert re.findall(r"^decks/cost\.md:(\d+): ", str(error.value), re.MULTILINE) == ["1", "3", "5"]


def test_two_decks_of_one_id_are_refused() -> None:
    first, other = (deck("Q: a\nA: b\n", path)._replace(id=DeckId("x")) for path in ("a.md", "b.md"))

    with pytest.raises(BadDataError, match=r"^b\.md:1: a\.md gives the id x to the deck 'a'"):
        files(first, other)


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "con", "index", "studykit", "💥", "x" * 300, "A b", "a/b", "a\\b", ".", "-", ""]
)
def test_any_deck_name_gives_a_safe_file_name(name: str) -> None:
    result = file_name(name)

    assert re.fullmatch(r"[a-z0-9][a-z0-9-]{0,60}", result)
    assert result not in {"con", "index", "studykit"}


def test_names_that_look_alike_stay_apart() -> None:
    assert len({file_name(name) for name in ("a b", "A b", "a-b", "a_b", "a/b")}) == 5


@pytest.mark.parametrize("name", ['x" onclick="y', "a b", "ü", "x" * 300, ""])
def test_any_card_id_gives_a_safe_anchor(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_.-]{1,80}", anchor(name))


class Acted(HTMLParser):
    """Count the scripts and event handlers that a browser would run."""

    def __init__(self) -> None:
        super().__init__()
        self.handlers = self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self.handlers += sum(name.startswith("on") for name, _ in attrs)


def acted_on(page: str) -> tuple[int, int]:
    reader = Acted()
    reader.feed(page)
    return reader.handlers, reader.scripts


HOSTILE = '</title></script><script>fired()</script>" onload="fired()\'{{ 7*7 }}<!--'


@pytest.mark.parametrize("field", ["name", "description", "license", "url", "id", "objectives"])
@pytest.mark.parametrize("site", ["starlight", "mkdocs", "sphinx", "hugo"])
def test_hostile_deck_fields_are_escaped_on_pages(field: str, site: str) -> None:
    value: Any = (HOSTILE,) if field == "objectives" else HOSTILE
    exports = files(deck()._replace(**{field: value}), site=site)

    pages = {
        name: content for name, content in exports.items() if name.endswith(".html") and "layouts" not in name
    }
    assert {acted_on(content) for name, content in pages.items() if "fragment" in name} == {(0, 0)}
    assert [name for name in pages if "fragment" not in name] == []  # the site makes the pages
    own = files(deck()._replace(**{field: value}))
    assert {
        acted_on(content) for name, content in own.items() if name.endswith(".html") and "fragment" not in name
    } == {(0, 1)}


def test_a_hostile_card_id_stays_inside_its_attribute() -> None:
    first = deck().cards[0]._replace(id=CardId(HOSTILE))

    page = files(deck()._replace(cards=(first,)))["counting-the-cost.html"]

    assert 'data-card="&lt;/title&gt;&lt;/script&gt;' in page


class CountedText(str):
    """Count how often the text is split into lines."""

    __slots__ = ("taken",)
    taken: int

    def splitlines(self, keepends: bool = False) -> list[str]:  # noqa: FBT001, FBT002 - as `str` has it
        self.taken = getattr(self, "taken", 0) + 1
        return super().splitlines(keepends)


def test_export_splits_a_faulty_deck_into_lines_once() -> None:
    text = "".join(f"Q: What is $a_b_{number}$?\nA: It is.\n\n" for number in range(50))
    source = CountedText(text)
    wrong = deck(text)._replace(source=source)

    with pytest.raises(BadDataError) as error:
        export([DeckPart(wrong, Path())], task, ExportOptions())

    assert [line.split(":")[1] for line in str(error.value).splitlines()] == [str(3 * n + 1) for n in range(50)]
    assert source.taken == 1
