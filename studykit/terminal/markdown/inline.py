"""Markdown inside a paragraph: emphasis, code, formulas, links and images as styled spans.

What is not surely markup stays as it was written: on a card about arithmetic `2*3*4` is a product.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from studykit.formula import formula
from studykit.terminal.glyphs import in_ascii
from studykit.terminal.spans import Span, TextStyle

_ATOMS = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?:(?<!`)|(?<=\\`))(?P<ticks>`++)(?P<code>.{1,2000}?)(?<!`)(?P=ticks)(?!`)"
    r"|\$\$(?P<display>[^$]+?)\$\$"
    r"|\$(?P<math>(?!\s)(?:\\.|[^$\\])+?(?<!\s))\$(?!\d)"
    r"|!\[(?P<alt>[^\]]{0,2000}+)\]\((?P<image>[^)\s]{0,2000}+)(?:\s+\"[^\"]{0,2000}+\")?\)"
    r"|\[(?P<label>[^\[\]]{1,2000}+)\]\((?P<url>[^)\s]{0,2000}+)(?:\s+\"[^\"]{0,2000}+\")?\)"
    r"|<(?P<auto>https?://[^>\s]{1,2000}+)>"
    r"|(?P<run>\*{1,3}|_{1,3}|~~)",
    re.DOTALL,
)
"""The end of a link or of code is looked for within 2,000 characters, and not twice: text may be made to last."""
_PLAYED = dict.fromkeys((".mp3", ".m4a", ".ogg", ".opus", ".wav", ".flac"), "audio") | dict.fromkeys(
    (".mp4", ".webm", ".ogv"), "video"
)
_FAR = 100  # pieces between two marks of emphasis that are a pair
_RUN_STYLES = {1: TextStyle.ITALIC, 2: TextStyle.BOLD, 3: TextStyle.BOLD | TextStyle.ITALIC}


@dataclass(frozen=True, slots=True)
class Notation:
    """How formulas and signs are written here."""

    ascii: bool = False
    macros: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of emphasis marks; turned into styles when a partner is found, else shown as it is."""

    marks: str
    opens: bool
    closes: bool


def inline(text: str, notation: Notation | None = None) -> list[Span]:
    """The spans of a text that holds no blocks."""
    return _emphasised(list(_tokens(text, notation or Notation())))


def _tokens(text: str, notation: Notation) -> Iterable[Span | _Run]:
    at = 0
    for match in _ATOMS.finditer(text):
        if match.start() > at:
            yield Span(text[at : match.start()])
        if match["run"]:
            yield _run(text, match)
        else:
            yield from _atom(match, notation)
        at = match.end()
    if at < len(text):
        yield Span(text[at:])


def _run(text: str, match: re.Match[str]) -> _Run:
    before, after = text[: match.start()][-1:], text[match.end() :][:1]
    opens = bool(after.strip()) and not before.isalnum()
    closes = bool(before.strip()) and not after.isalnum()
    return _Run(match[0], opens, closes)


def _atom(match: re.Match[str], notation: Notation) -> Iterable[Span]:
    shown: dict[str, Callable[[str], Iterable[Span]]] = {
        "escape": lambda escape: [Span(escape[1:])],
        "code": lambda code: [Span(_unpadded(code), TextStyle.BOLD)],
        "display": lambda tex: [Span(_maths(tex, "$$", notation))],
        "math": lambda tex: [Span(_maths(tex, "$", notation))],
        "image": lambda path: _picture(path, match["alt"]),
        "label": lambda label: [*inline(label, notation), *_address(label, match["url"])],
        "auto": lambda url: [Span(url, TextStyle.UNDERLINE)],
    }
    for name, show in shown.items():
        if (value := match[name]) is not None:
            yield from show(value)
            return


def _picture(path: str, alt: str) -> list[Span]:
    """An image in words; a sound or a film as a link that says what it is."""
    what = _PLAYED.get(path[path.rfind(".") :].lower())
    if what is None:
        return [Span(f"[image: {alt or 'without a description'}, {path}]")]
    return [Span(f"[{what}: {alt + ', ' if alt else ''}"), Span(path, TextStyle.UNDERLINE), Span("]")]


def _unpadded(code: str) -> str:
    """Code without the one space that sets it apart from its backticks."""
    padded = code[:1] == code[-1:] == " " and bool(code.strip())
    return (code[1:-1] if padded else code).replace("\n", " ")


def _address(label: str, url: str) -> list[Span]:
    return [] if not url or url == label else [Span(" ("), Span(url, TextStyle.UNDERLINE), Span(")")]


def one_line(tex: str, notation: Notation) -> str | None:
    """The formula on one line; None where only the TeX itself is sure to be right, here or in ASCII."""
    shown = formula(tex, notation.macros)
    if shown is None or not notation.ascii:
        return shown
    plain = in_ascii(shown)
    return None if "?" in plain or "sqrt" in plain else plain


def _maths(tex: str, fence: str, notation: Notation) -> str:
    shown = one_line(tex, notation)
    return f"{fence}{tex}{fence}".replace("\n", " ") if shown is None else shown


def _emphasised(tokens: list[Span | _Run]) -> list[Span]:
    """Pair the runs from the inside out and put their styles on what they enclose."""
    for place, token in enumerate(tokens):
        if isinstance(token, _Run) and token.closes and (start := _partner(tokens, place, token)) is not None:
            style = TextStyle.PLAIN if token.marks == "~~" else _RUN_STYLES[len(token.marks)]
            for inside in range(start + 1, place):
                tokens[inside] = _with(tokens[inside], style)
            if token.marks != "~~":  # nothing strikes text through here, so its marks stay
                tokens[start] = tokens[place] = Span("")
    return [Span(token.marks) if isinstance(token, _Run) else token for token in tokens if token != Span("")]


def _partner(tokens: list[Span | _Run], place: int, closer: _Run) -> int | None:
    for start in range(place - 1, max(-1, place - _FAR), -1):
        opener = tokens[start]
        if isinstance(opener, _Run) and opener.opens and opener.marks == closer.marks and start < place - 1:
            return start
    return None


def _with(token: Span | _Run, style: TextStyle) -> Span:
    """A span with a style more; a run left alone inside emphasis is text."""
    return Span(token.marks, style) if isinstance(token, _Run) else Span(token.text, token.style | style)
