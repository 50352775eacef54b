r"""A card's Markdown as HTML of a field: formulas as `\(..\)`, gaps as `{{c1::..}}`, media by their names.

It is read as pages read it; raw HTML is shown, never obeyed.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from studykit.cards.card import Card
from studykit.cards.cloze import GAP
from studykit.cards.markdown import new_parser, parse
from studykit.formats.field_markdown import GAP_CLOSE, GAP_OPEN, gap_number, gap_sign

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

MediaName = Callable[[str], str | None]
"""The name under which a file goes along that a deck links to; None where it does not."""

_GAP_MARK = re.compile(f"{GAP_OPEN}(.)")
_INSIDE = re.compile(f"(?<={GAP_OPEN}.)[^{GAP_CLOSE}]*(?={GAP_CLOSE})")
_SOUND = re.compile(r'<a href="([^"]+)">[^<]*</a>')
_SOUNDS = (
    ".mp3",
    ".ogg",
    ".oga",
    ".opus",
    ".wav",
    ".m4a",
    ".aac",
    ".flac",
    ".mp4",
    ".webm",
    ".mkv",
    ".mov",
    ".spx",
)
_IMAGE = re.compile(r'<img src="([^"]*)" alt="([^"]*)"[^>]*>')
_MACRO = re.compile(r"\\[A-Za-z]+")


def html_of(markdown: str, media: MediaName, macros: Sequence[tuple[str, str]] = ()) -> str:
    """A text as HTML; a paragraph alone stands without its element, as Anki's own editor writes it."""
    parser = _parser()
    drawn = str(parser.renderer.render(parse(markdown, parser), parser.options, {"macros": tuple(macros)})).strip()
    if drawn.startswith("<p>") and drawn.count("<p>") == 1 and drawn.endswith("</p>"):
        drawn = drawn[3:-4]
    drawn = _IMAGE.sub(lambda found: _picture(found, media), drawn)
    return _SOUND.sub(lambda found: _sound(found, media), drawn)


def cloze_html(cards: Sequence[Card], media: MediaName, macros: Sequence[tuple[str, str]] = ()) -> str | None:
    """The note of some cloze siblings, the first one's words as gap 1; None where their places cannot be told."""
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
    """Signs as Anki's marks; braces and colons of the words themselves are kept apart from them."""
    html = _INSIDE.sub(lambda found: found[0].replace("}}", "} }").replace("::", ":&#58;"), html)
    html = _GAP_MARK.sub(lambda found: f"{{{{c{gap_number(found[1])}::", html)
    return html.replace(GAP_CLOSE, "}}")


def _place(prompt: str, full: str) -> tuple[int, int] | None:
    """Where in the whole text the gap of a prompt is."""
    at = prompt.find(GAP)
    while at >= 0:
        rest = prompt[at + len(GAP) :]
        if full.startswith(prompt[:at]) and full.endswith(rest) and at <= len(full) - len(rest):
            return at, len(full) - len(rest)
        at = prompt.find(GAP, at + 1)
    return None


def _picture(found: re.Match[str], media: MediaName) -> str:
    name = media(found[1])
    if name is None:
        return f"[{found[2] or found[1]}]"
    alt = f' alt="{found[2]}"' if found[2] else ""
    return f'<img src="{escape(name)}"{alt}>'


def _sound(found: re.Match[str], media: MediaName) -> str:
    if not found[1].lower().endswith(_SOUNDS) or "://" in found[1]:
        return found[0]
    return f"[sound:{media(found[1]) or unquote(found[1]).rpartition('/')[2]}]"


@cache
def _parser() -> "MarkdownIt":
    parser = new_parser()
    parser.add_render_rule("math_inline", _rule("\\(", "\\)"))
    parser.add_render_rule("math_inline_double", _rule("\\[", "\\]"))
    parser.add_render_rule("math_block", _rule("\\[", "\\]"))
    return parser


def _rule(start: str, end: str) -> Callable[..., str]:
    """How a formula is written; macros that occur in it are defined before it, for nobody else knows them."""

    def drawn(_renderer: object, tokens: Sequence[Any], at: int, _options: object, env: dict[str, Any]) -> str:
        tex = tokens[at].content.strip()
        used = set(_MACRO.findall(tex))
        defined = "".join(_definition(name, text) for name, text in env.get("macros", ()) if name in used)
        return f"{start}{escape(defined + tex, quote=False)}{end}"

    return drawn


def _definition(name: str, text: str) -> str:
    arguments = "".join(f"#{number}" for number in range(1, 10) if f"#{number}" in text)
    return rf"\def{name}{arguments}{{{text}}}"
