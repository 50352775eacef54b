r"""Render a card's Markdown as HTML of a field: formulas as `\(..\)`, gaps as `{{c1::..}}`, media by name.

Markdown is parsed as for web pages, so raw HTML is shown as text.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from studykit.cards.card import GAP, Card
from studykit.cards.front_matter import Macros, filled_in
from studykit.cards.markdown import new_parser, parse
from studykit.formats.anki_package import SOUNDS
from studykit.formats.field_markdown import GAP_CLOSE, GAP_OPEN, gap_number, gap_sign

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

MediaName = Callable[[str], str | None]
"""Returns the name in the package of a linked file, or None if the file is not in it."""

_GAP_MARK = re.compile(f"{GAP_OPEN}(.)")
_GAP_WORDS = re.compile(f"(?<={GAP_OPEN}.)[^{GAP_CLOSE}]*(?={GAP_CLOSE})")
_SOUND = re.compile(r'<a href="([^"]+)">[^<]*</a>')
_IMAGE = re.compile(r'<img src="([^"]*)" alt="([^"]*)"[^>]*>')


def html_of(markdown: str, media: MediaName, macros: Macros = ()) -> str:
    """Render a text as HTML. A single paragraph has no element, as in Anki's own editor."""
    parser = _parser()
    tokens = parse(filled_in(markdown, dict(macros)), parser)
    html = str(parser.renderer.render(tokens, parser.options, {})).strip()
    if html.startswith("<p>") and html.count("<p>") == 1 and html.endswith("</p>"):
        html = html[3:-4]
    html = _IMAGE.sub(lambda match: _picture(match, media), html)
    return _SOUND.sub(lambda match: _sound(match, media), html)


def cloze_html(cards: Sequence[Card], media: MediaName, macros: Macros = ()) -> str | None:
    """Return the HTML of a cloze note with gaps c1, c2, ..., or None if gaps overlap or one is not found."""
    full, places = cards[0].full, list[tuple[int, int]]()
    for card in cards:
        place = _place(card.prompt, full)
        if place is None:
            return None
        places.append(place)
    text, at = list[str](), 0
    for number, (start, end) in sorted(enumerate(places, 1), key=lambda one: one[1]):
        if start < at:
            return None
        text += (full[at:start], gap_sign(number), full[start:end], GAP_CLOSE)
        at = end
    return _with_marks(html_of("".join((*text, full[at:])), media, macros))


def _with_marks(html: str) -> str:
    """Replace gap signs by Anki's marks, and escape literal braces and colons that look like them."""
    html = html.replace("{{c", "&#123;{c")
    html = _GAP_WORDS.sub(lambda match: match[0].replace("}}", "} }").replace("::", ":&#58;"), html)
    html = _GAP_MARK.sub(lambda match: f"{{{{c{gap_number(match[1])}::", html)
    return html.replace(GAP_CLOSE, "}}")


def _place(prompt: str, full: str) -> tuple[int, int] | None:
    """Return the start and end of a prompt's gap in the whole text, or None if it is not found."""
    at = prompt.find(GAP)
    while at >= 0:
        rest = prompt[at + len(GAP) :]
        if full.startswith(prompt[:at]) and full.endswith(rest) and at <= len(full) - len(rest):
            return at, len(full) - len(rest)
        at = prompt.find(GAP, at + 1)
    return None


def _picture(match: re.Match[str], media: MediaName) -> str:
    name = media(match[1])
    if name is None:
        return f"[{match[2] or match[1]}]"
    alt = f' alt="{match[2]}"' if match[2] else ""
    return f"[sound:{name}]" if name.lower().endswith(SOUNDS) else f'<img src="{escape(name)}"{alt}>'


def _sound(match: re.Match[str], media: MediaName) -> str:
    if not match[1].lower().endswith(SOUNDS) or "://" in match[1]:
        return match[0]
    return f"[sound:{media(match[1]) or unquote(match[1]).rpartition('/')[2]}]"


@cache
def _parser() -> "MarkdownIt":
    parser = new_parser()
    parser.add_render_rule("math_inline", _rule("\\(", "\\)"))
    parser.add_render_rule("math_inline_double", _rule("\\[", "\\]"))
    parser.add_render_rule("math_block", _rule("\\[", "\\]"))
    return parser


def _rule(start: str, end: str) -> Callable[..., str]:
    """Return a rule that writes a formula's source between these signs."""

    def render(_renderer: object, tokens: Sequence[Any], at: int, _options: object, _env: object) -> str:
        return f"{start}{escape(tokens[at].content.strip(), quote=False)}{end}"

    return render
