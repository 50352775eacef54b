"""The few files that a site generator needs around fragments: pages, an index, the order of the course."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from studykit.html.deck_view import DeckView

Files = dict[str, str]
CARDS = "studykit-cards.json"


@dataclass(frozen=True, slots=True)
class Fragment:
    """A deck, its cards for another site's page, and its place in the course, from 1."""

    deck: DeckView
    markup: str
    place: int

    @property
    def facts(self) -> str:
        """How many cards the deck has and what it is about, in words."""
        page, count = self.deck.strings["page"], len(self.deck.cards)
        card_count = page["one_card"] if count == 1 else f"{count} {page['cards']}"
        return f"{card_count}. {self.deck.summary}".strip()

    def head(self, place: str = "") -> str:
        """Front matter in YAML, each value a JSON string, which YAML reads alike; `place` is a host's own."""
        return _head(self.deck.name or self.deck.strings["page"]["decks"], self.deck.summary, place)


@dataclass(frozen=True, slots=True)
class Course:
    """What a site gets: its decks in order, and each card by itself for a lesson."""

    fragments: tuple[Fragment, ...]
    cards: str  # JSON of `lesson_cards.course_json`
    title: str  # what the decks are called together


def starlight(course: Course) -> Files:
    """`.mdx` pages that take the fragments in as they are: card text never reaches the MDX reader."""
    site_files = {
        "StudyCards.astro": _text("StudyCards.astro"),
        CARDS: course.cards,
        "index.md": _starlight_index(course),
    }
    for fragment in course.fragments:
        file = fragment.deck.file
        urls = "".join(f"import script{n} from './{name}?url';\n" for n, name in enumerate(fragment.deck.scripts))
        tags = "".join(f"<script src={{script{n}}} defer></script>\n" for n, _ in enumerate(fragment.deck.scripts))
        imports = f"import './studykit.css';\nimport cards from './{file}.fragment.html?raw';\n{urls}"
        head = fragment.head(f"sidebar:\n  order: {fragment.place}\n")
        site_files[f"{file}.mdx"] = f"{head}\n{imports}\n<Fragment set:html={{cards}} />\n\n{tags}"
    return site_files


def mkdocs(course: Course) -> Files:
    """Markdown pages that hold the fragments, an index, a hook for their order; with directory addresses."""
    site_files = {
        "studykit_decks.py": "".join(map(_text, ("mkdocs.txt", "fill.txt", "mkdocs_events.txt"))),
        CARDS: course.cards,
    }
    for fragment in course.fragments:
        tags = "".join(f'<script src="../{name}" defer></script>\n' for name in fragment.deck.scripts)
        site_files[f"{fragment.deck.file}.md"] = f"{fragment.head()}\n{_LINK}\n\n{fragment.markup}\n{tags}"
    links = "".join(
        f"- [{_markdown(each.deck.name)}]({each.deck.file}.md): {_markdown(each.facts)}\n"
        for each in course.fragments
    )
    return site_files | {"index.md": f"{_index_head(course)}\n{links}"}


def sphinx(course: Course) -> Files:
    """Pages that include the fragments, a table of them, and the extension that brings style and script."""
    site_files = {
        "studykit_decks.py": "".join(map(_text, ("sphinx.txt", "fill.txt", "sphinx_events.txt"))),
        CARDS: course.cards,
    }
    for fragment in course.fragments:
        file = fragment.deck.file
        site_files[f"{file}.rst"] = (
            f"{_rst_title(fragment.deck.name or file)}\n.. raw:: html\n   :file: {file}.fragment.html\n"
        )
    table = ".. toctree::\n   :maxdepth: 1\n\n" + "".join(f"   {each.deck.file}\n" for each in course.fragments)
    return site_files | {"index.rst": f"{_rst_title(course.title)}\n{table}"}


def hugo(course: Course) -> Files:
    """Pages with weights, their section, and the shortcodes that read what Hugo's Markdown would drop."""
    site_files = {
        "content/decks/_index.md": _index_head(course),
        "data/studykit_cards.json": course.cards,
        "layouts/shortcodes/studydeck.html": _text("studydeck.html"),
        "layouts/shortcodes/studycards.html": _text("studycards.html"),
    }
    for fragment in course.fragments:
        file, head = fragment.deck.file, fragment.head(f"weight: {fragment.place}\n")
        site_files[f"content/decks/{file}.md"] = f'{head}\n{{{{< studydeck "{file}" >}}}}\n'
    return site_files


SITES: dict[str, Callable[[Course], Files]] = {
    "starlight": starlight,
    "mkdocs": mkdocs,
    "sphinx": sphinx,
    "hugo": hugo,
}


def folder(site: str | None) -> str:
    """Where below the given folder the shared files and pages go."""
    return "static/decks/" if site == "hugo" else ""


_LINK = '<link rel="stylesheet" href="../studykit.css">'


def _starlight_index(course: Course) -> str:
    """Return a page of the host's own that lists the decks; names are HTML, which Markdown passes through."""
    items = "".join(
        f'<li><a href="{each.deck.file}/">{_html(each.deck.name)}</a><br>{_html(each.facts)}</li>\n'
        for each in course.fragments
    )
    return f"{_index_head(course, 'sidebar:' + chr(10) + '  order: 0' + chr(10))}\n<ul>\n{items}</ul>\n"


def _index_head(course: Course, place: str = "") -> str:
    return _head(course.title, "", place)


def _head(title: str, description: str, place: str) -> str:
    described = f"description: {_quoted(description)}\n" if description else ""
    return f"---\ntitle: {_quoted(title)}\n{described}{place}---\n"


def _rst_title(text: str) -> str:
    title = re.sub(r"([*`_|\\])", r"\\\1", text)
    return f"{title}\n{'=' * max(4, len(title.encode()))}\n"


def _html(text: str) -> str:
    return escape(text).replace("{", "&#123;")


def _markdown(text: str) -> str:
    """The text as it is: nothing in it is Markdown, HTML or a template."""
    return re.sub(r"([\\`*_\[\]])", r"\\\1", _html(text))


def _text(name: str) -> str:
    return files("studykit.html").joinpath("hosts", name).read_text("utf-8")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=True)
