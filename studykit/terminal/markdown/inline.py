"""Render Markdown inside a paragraph as styled spans: emphasis, code, formulas, links and pictures."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from studykit.cards.markdown import label_text, media_type
from studykit.terminal.glyphs import in_ascii
from studykit.terminal.spans import Span, TextStyle, clean

if TYPE_CHECKING:
    from markdown_it.token import Token

_NOT_ASCII = re.compile(r"(?:%[89A-F][0-9A-F])+")  # bytes of an address, which also works with its letters


@dataclass(frozen=True, slots=True)
class Notation:
    """Say how to write formulas, signs and links."""

    ascii: bool = False
    macros: Mapping[str, str] = field(default_factory=dict)
    brief: bool = False  # links without their addresses, pictures by their words or names


def span_rows(tokens: "Sequence[Token]", notation: Notation) -> list[list[Span]]:
    """Return the spans of inline tokens, in rows that the author's hard line breaks separate."""
    rows: list[list[Span]] = [[]]
    styles = [TextStyle.PLAIN]
    label, url = "", ""
    for token in tokens:
        if token.nesting < 0:
            styles.pop()
        if token.type == "hardbreak":
            rows.append([])
        elif token.type == "link_open":
            label, url = "", clean(_NOT_ASCII.sub(lambda match: unquote(match[0]), str(token.attrs["href"])))
        elif token.type == "link_close":
            rows[-1] += _after_label(label, url, notation)
        else:
            pieces = [
                Span(piece.text, piece.style | styles[-1]) for piece in _pieces(token, notation) if piece.text
            ]
            rows[-1] += pieces
            label += "".join(piece.text for piece in pieces)
        if token.nesting > 0:
            styles.append(styles[-1] | _style(token))
    return rows


def _style(token: "Token") -> TextStyle:
    if token.tag == "a":
        return TextStyle.UNDERLINE if token.info == "auto" else TextStyle.PLAIN
    return {"em": TextStyle.ITALIC, "strong": TextStyle.BOLD}.get(token.tag, TextStyle.PLAIN)


def _pieces(token: "Token", notation: Notation) -> list[Span]:
    """Return the text of one token. The caller adds the styles around it."""
    match token.type:
        case "image":
            return _picture(clean(unquote(str(token.attrs["src"]))), label_text(token.children or ()), notation)
        case "code_inline":
            return [Span(token.content, TextStyle.BOLD)]
        case "math_inline":
            text = _maths(token.content, "$", notation)
        case "math_inline_double":
            text = _maths(token.content, "$$", notation)
        case "softbreak":
            text = " "
        case "s_open" | "s_close":  # nothing strikes text through here, so its marks stay
            text = "~~"
        case _:
            text = clean(token.content).replace("\n", " ")  # `&#x202e;` and `&#10;` are signs by now
    return [Span(text)]


def _after_label(label: str, url: str, notation: Notation) -> list[Span]:
    """Return what follows the words of a link: its address, unless it is in the words or links are brief."""
    if notation.brief:
        return [] if label else [Span(f"[{url.rpartition('/')[2]}]")]
    if not label:
        return [Span(url, TextStyle.UNDERLINE)]
    if label in {url, url.removeprefix("mailto:")}:
        return []
    return [Span(" ("), Span(url, TextStyle.UNDERLINE), Span(")")]


def _picture(path: str, alt: str, notation: Notation) -> list[Span]:
    """Describe an image, sound or film in brackets: its kind, words and path, or if brief, its words or name."""
    if notation.brief:
        return [Span(f"[{alt or path.rpartition('/')[2]}]")]
    kind = media_type(path).partition("/")[0]
    if kind not in {"audio", "video"}:
        return [Span(f"[image: {alt or 'without a description'}, {path}]")]
    return [Span(f"[{kind}: {alt + ', ' if alt else ''}"), Span(path, TextStyle.UNDERLINE), Span("]")]


def one_line(tex: str, notation: Notation) -> str | None:
    """Render a formula on one line, or return None if its TeX must be shown, as when ASCII lacks its signs."""
    from studykit.formula import formula

    text = formula(tex, notation.macros)
    if text is None or not notation.ascii:
        return text
    plain = in_ascii(text)
    return None if "?" in plain or "sqrt" in plain else plain


def _maths(tex: str, fence: str, notation: Notation) -> str:
    text = one_line(tex, notation)
    return f"{fence}{tex}{fence}".replace("\n", " ") if text is None else text
