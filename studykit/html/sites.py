"""The files that a site generator needs around decks: pages and an index by templates, code that runs there."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from studykit.html.assets import source
from studykit.html.deck_view import DeckView

CARDS = "studykit-cards.json"


@dataclass(frozen=True, slots=True)
class Site:
    """Where a host has its files; the templates of its pages are named after it."""

    page: str  # of a deck, `{}` for the name of its file
    index: str
    code: Mapping[str, Sequence[str]]  # what runs there: each file and the parts of `hosts` that make it
    cards: str = CARDS  # JSON of `lesson_cards.course_json`
    folder: str = ""  # below the given one, for the pages and files of every export


SITES = {
    "starlight": Site("{}.mdx", "index.md", {"StudyCards.astro": ["StudyCards.astro"]}),
    "mkdocs": Site("{}.md", "index.md", {"studykit_decks.py": ["mkdocs.txt", "fill.txt", "mkdocs_events.txt"]}),
    "sphinx": Site("{}.rst", "index.rst", {"studykit_decks.py": ["sphinx.txt", "fill.txt", "sphinx_events.txt"]}),
    "hugo": Site(
        "content/decks/{}.md",
        "content/decks/_index.md",
        {f"layouts/shortcodes/{name}": [name] for name in ("studydeck.html", "studycards.html")},
        cards="data/studykit_cards.json",
        folder="static/decks/",
    ),
}


def site_files(
    name: str, decks: Sequence[tuple[DeckView, str]], cards: str, title: str, fill: Callable[..., str]
) -> dict[str, str]:
    """Return what a host needs beside the files of an export: decks with their fragments, by templates."""
    site = SITES[name]
    texts = {file: "".join(source(part, "hosts") for part in parts) for file, parts in site.code.items()}
    for place, (deck, markup) in enumerate(decks, 1):
        page = fill(f"site_{name}_page.j2", deck=deck, markup=markup, place=place)
        texts[site.page.format(deck.file)] = page
    index = fill(f"site_{name}_index.j2", decks=[deck for deck, _ in decks], title=title)
    return {**texts, site.cards: cards, site.index: index}


def _facts(deck: DeckView) -> str:
    """Say how many cards the deck has and what it is about."""
    page, count = deck.strings["page"], len(deck.cards)
    card_count = page["one_card"] if count == 1 else f"{count} {page['cards']}"
    return f"{card_count}. {deck.summary}".strip()


def _rst_title(text: str) -> str:
    title = re.sub(r"([*`_|\\])", r"\\\1", text)
    return f"{title}\n{'=' * max(4, len(title.encode()))}"


def _html(text: str) -> str:
    return escape(text).replace("{", "&#123;")


def _markdown(text: str) -> str:
    """Escape the text so that nothing in it is Markdown, HTML or a template."""
    return re.sub(r"([\\`*_\[\]])", r"\\\1", _html(text))


FILTERS = {"json": json.dumps, "facts": _facts, "rst": _rst_title, "html": _html, "markdown": _markdown}
"""What templates of sites call; a JSON string is one of YAML as well."""
