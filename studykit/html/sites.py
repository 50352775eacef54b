"""Make the files that a site generator needs for decks: pages and an index from templates, and its code."""

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
    """Hold where a site generator expects its files. The templates of its pages are named after it."""

    page: str  # of a deck, `{}` for the name of its file
    index: str
    code: Mapping[str, Sequence[str]]  # each file that runs there, and the parts of `hosts` that make it
    cards: str = CARDS  # JSON of `lesson_cards.course_json`
    folder: str = ""  # below the output folder, for the pages and files of every export


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
    """Return the files that a site generator needs besides those of every export."""
    site = SITES[name]
    texts = {file: "".join(source(part, "hosts") for part in parts) for file, parts in site.code.items()}
    for place, (deck, markup) in enumerate(decks, 1):
        page = fill(f"site_{name}_page.j2", deck=deck, markup=markup, place=place)
        texts[site.page.format(deck.file)] = page
    index = fill(f"site_{name}_index.j2", decks=[deck for deck, _ in decks], title=title)
    return {**texts, site.cards: cards, site.index: index}


def _facts(deck: DeckView) -> str:
    """Return a line with the deck's number of cards and its description."""
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
"""Filters of sites' templates. A JSON string is also a YAML string."""
