"""The few files that a site generator needs around a fragment."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from studykit.html.assets import words
from studykit.html.deck_view import DeckView

Files = dict[str, str]


@dataclass(frozen=True, slots=True)
class Fragment:
    """A deck, its cards for another site's page, and the shared files that they need."""

    deck: DeckView
    markup: str

    @property
    def scripts(self) -> tuple[str, ...]:
        """The scripts by name; those that judge only where there is something to judge."""
        return self.deck.scripts

    @property
    def titles(self) -> str:
        """Front matter in YAML, every value a JSON string, which YAML reads alike."""
        described = f"description: {_quoted(self.deck.summary)}\n" if self.deck.summary else ""
        return f"---\ntitle: {_quoted(self.deck.name)}\n{described}---\n"


def starlight(fragment: Fragment) -> Files:
    """An `.mdx` page that takes the fragment in as it is: card text never reaches the MDX reader."""
    file = fragment.deck.file
    urls = "".join(f"import script{n} from './{name}?url';\n" for n, name in enumerate(fragment.scripts))
    tags = "".join(f"<script src={{script{n}}} defer></script>\n" for n, _ in enumerate(fragment.scripts))
    imports = f"import './studykit.css';\nimport cards from './{file}.fragment.html?raw';\n{urls}"
    return {f"{file}.mdx": f"{fragment.titles}\n{imports}\n<Fragment set:html={{cards}} />\n\n{tags}"}


def mkdocs(fragment: Fragment) -> Files:
    """A Markdown page that holds the fragment; it expects MkDocs' own directory addresses."""
    tags = "".join(f'<script src="../{name}" defer></script>\n' for name in fragment.scripts)
    return {f"{fragment.deck.file}.md": f"{fragment.titles}\n{_LINK}\n\n{fragment.markup}\n{tags}"}


def sphinx(fragment: Fragment) -> Files:
    """A page that includes the fragment, and the extension that brings style and script."""
    file, name = fragment.deck.file, re.sub(r"([*`_|\\])", r"\\\1", fragment.deck.name) or fragment.deck.file
    page = f"{name}\n{'=' * max(4, len(name.encode()))}\n\n.. raw:: html\n   :file: {file}.fragment.html\n"
    return {f"{file}.rst": page, "studykit_decks.py": _EXTENSION}


def hugo(fragment: Fragment) -> Files:
    """A page and the shortcode that reads the fragment, which Hugo's Markdown would drop."""
    file = fragment.deck.file
    call = f'{{{{< studydeck "{file}" >}}}}\n'
    return {
        f"content/decks/{file}.md": f"{fragment.titles}\n{call}",
        "layouts/shortcodes/studydeck.html": _SHORTCODE,
    }


SITES: dict[str, Callable[[Fragment], Files]] = {
    "starlight": starlight,
    "mkdocs": mkdocs,
    "sphinx": sphinx,
    "hugo": hugo,
}


def folder(site: str | None) -> str:
    """Where below the given folder the shared files and pages go."""
    return "static/decks/" if site == "hugo" else ""


_LINK = '<link rel="stylesheet" href="../studykit.css">'
_EXTENSION = '''"""Brings style and script of study cards into every page; add "studykit_decks" to `extensions`."""

from pathlib import Path
from shutil import copy


def setup(app):
    app.add_css_file("studykit.css")
    app.add_js_file("studykit.js", loading_method="defer")
    for name in ("studykit-exercises.js", "studykit-choices.js"):
        if Path(__file__).with_name(name).exists():
            app.add_js_file(name, loading_method="defer")
    app.connect("build-finished", _copied)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _copied(app, error):
    if error is None:
        for file in Path(__file__).parent.glob("studykit*.[cj]s*"):
            copy(file, Path(app.outdir, "_static"))
'''
_SHORTCODE = """{{- $deck := .Get 0 -}}
<link rel="stylesheet" href="{{ "decks/studykit.css" | relURL }}">
{{ readFile (printf "static/decks/%s.fragment.html" $deck) | safeHTML }}
<script src="{{ "decks/studykit.js" | relURL }}" defer></script>
{{ if fileExists "static/decks/studykit-exercises.js" -}}
<script src="{{ "decks/studykit-exercises.js" | relURL }}" defer></script>
{{- end }}
{{ if fileExists "static/decks/studykit-choices.js" -}}
<script src="{{ "decks/studykit-choices.js" | relURL }}" defer></script>
{{- end }}
"""


def _quoted(text: str) -> str:
    return json.dumps(text or words()["page"]["decks"], ensure_ascii=True)
