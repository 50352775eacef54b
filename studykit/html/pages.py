"""Fill the templates of pages."""

import json
import re
from collections.abc import Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from studykit.html import assets
from studykit.html.card_html import trusted, with_lines
from studykit.html.csp import csp
from studykit.html.deck_view import CardView, DeckView
from studykit.html.sites import FILTERS
from studykit.html.strings import Strings, direction, shipped
from studykit.text import printable

_HOST_TEMPLATE = re.compile(r"\{(?=[{%#])")  # escaped, because a host may fill templates in the text of cards


class Pages:
    """Render pages with the words of one language."""

    def __init__(self, strings: Strings | None = None) -> None:
        self._templates = Environment(
            loader=PackageLoader("studykit.html"),
            autoescape=select_autoescape(["html.j2", "webmanifest.j2"]),  # those of sites are Markdown
            undefined=StrictUndefined,
            trim_blocks=True,
        )
        self._templates.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "ensure_ascii": False}
        self.strings = strings or shipped()
        self._templates.globals |= _globals(self.strings)
        self._templates.filters |= FILTERS

    def deck(self, deck: DeckView, following: DeckView | None = None, *, shared: bool = False) -> str:
        """Render the deck as one file, or with `shared` scripts. `following` is the deck to review next."""
        style = assets.style("page.css", *deck.styles)
        script = assets.script(deck.scripts[0], self.strings, *deck.scripts[1:])
        return self._page("deck.html.j2", style, script, shared=shared, deck=deck, following=following, alone=True)

    def fragment(self, deck: DeckView) -> str:
        """Render the deck's cards for a page of another site, without styles, scripts and blank lines."""
        return self._on_a_site("fragment.html.j2", deck)

    def cards(self, deck: DeckView) -> str:
        """Render the deck's cards for the middle of a lesson, without a heading and below a slim bar."""
        return self._on_a_site("cards.html.j2", deck)

    def card(self, deck: DeckView, card: CardView) -> str:
        """Render one card, to be inserted into the result of `cards` for the deck without cards."""
        return _for_host(self._fill("lesson_card.html.j2", c=card), deck)

    def index(self, decks: tuple[DeckView, ...], *, has_app: bool = False, is_app: bool = False) -> str:
        """Render the list of all decks, with a link to the app if there is one, or as the app itself."""
        style, script = assets.style("page.css", "index.css"), assets.script("index.js", self.strings)
        if is_app:
            script += assets.in_one_function({"A": self.strings["app_script"]}, "app.js")
        version = decks[0].version
        values = {"decks": decks, "has_app": has_app, "is_app": is_app, "version": version}
        return self._page("index.html.j2", style, script, **values)

    def leading_on(self, file: str) -> str:
        """Render the page at a deck's old address, which redirects to the same card of another file."""
        script = f"location.replace({json.dumps(f'{file}.html')} + location.hash);"
        return self._page("moved.html.j2", "", script, file=file)

    def of_site(self, template: str, **values: object) -> str:
        """Render a page for a site generator."""
        return self._fill(template, **values).rstrip("\n") + "\n"

    def manifest(self, sizes: Sequence[int]) -> str:
        """Render the manifest that a phone needs to install the app, with icons of these sizes."""
        return self._fill("app.webmanifest.j2", sizes=sizes) + "\n"

    def report(self, name: str, **values: object) -> str:
        """Render figures as one file without a script. Signs in texts that would reverse a line are replaced."""
        style = assets.style("page.css", "report.css", f"{name}.css")
        return printable(self._page(f"{name}.html.j2", style, "", **values))

    def _on_a_site(self, template: str, deck: DeckView) -> str:
        return _for_host(self._fill(template, deck=deck, following=None), deck)

    def _page(self, template: str, style: str, script: str, **values: object) -> str:
        shared = bool(values.get("shared"))
        policy = csp(style, script, app=bool(values.get("is_app")), shared=shared)
        return self._fill(template, csp=policy, style=trusted(style), script=trusted(script), **values)

    def _fill(self, template: str, **values: object) -> str:
        return self._templates.get_template(template).render(values)


def _globals(strings: Strings) -> dict[str, object]:
    """Return the names that every template can use: words by table, and attributes for language and direction."""
    page_language = strings.language

    def spoken(lang: str) -> Markup:
        """Return the attributes of a text in a deck's language, or none if it is the page's language."""
        return trusted(_language_attributes(lang)) if lang and lang.lower() != page_language.lower() else Markup()

    way = trusted(' dir="rtl"') if direction(page_language) == "rtl" else Markup()
    words = {
        "page": strings["page"],
        "app": strings["app"],
        "phrases": {**strings["script"], **strings["verdict"]},
    }
    return {**words, "spoken": spoken, "ours": trusted(_language_attributes(page_language)), "way": way}


def _language_attributes(lang: str) -> str:
    return f' lang="{lang}" dir="{direction(lang)}"'


def _for_host(html: str, deck: DeckView) -> str:
    """Escape markup that a host would read as its own templates, and remove blank lines."""
    html = with_lines(html, deck.formulas)
    return "".join(line + "\n" for line in _HOST_TEMPLATE.sub("&#123;", html).split("\n") if line.strip())
