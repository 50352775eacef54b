r"""TeX between `\(` and `\)`, or `\[` and `\]`, as the dollars that everything else here reads.

One rule serves decks of hashcards 0.4, where these are math, and those where `\[` is a bracket: `\(...\)` is
math; `\[...\]` is displayed math where `\[` begins a line of its own and its `\]` ends one. Everywhere else `\[`
and `\]` are brackets.
"""

import re
from collections.abc import Callable

from studykit.cards.markdown import regions

_INLINE = re.compile(r"(?<!\\)((?:\\\\)*)\\\(((?:[^\\$\n]|\\[^()]|\n(?![ \t]*\n))+?)\\\)")
_DISPLAY = re.compile(r"(?<=\n)([ \t]{0,3})\\\[((?:[^\\$]|\\[^\[\]])+?)\\\][ \t]*(?=\n|\Z)")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


def dollars(text: str) -> str:
    """Return the text with its TeX in dollars. Its first line follows a marker, so it is not a line of its own.

    Code keeps what it says, and so do formulas that stand in dollars already.
    """
    if "\\(" in text:
        text = _outside(_INLINE, text, _inline)
    return _outside(_DISPLAY, text, _display) if "\n" in text and "\\[" in text else text


def _outside(pattern: re.Pattern[str], text: str, rewrite: Callable[[re.Match[str]], str]) -> str:
    """Rewrite what a pattern finds outside code and math."""
    areas = regions(text)
    pieces: list[str] = []
    at = 0
    for match in pattern.finditer(text):
        if any(area.start < match.end() and match.start() < area.end for area in areas):
            continue
        pieces += (text[at : match.start()], rewrite(match))
        at = match.end()
    return "".join(pieces) + text[at:]


def _inline(match: re.Match[str]) -> str:
    tex = match[2].strip()
    if not tex:
        return match[0]
    # A dollar next to a digit is money.
    before = " " if match.string[: match.start()][-1:].isdigit() else ""
    after = " " if match.string[match.end() :][:1].isdigit() else ""
    return f"{match[1]}{before}${tex}${after}"


def _display(match: re.Match[str]) -> str:
    if not match[2].strip() or _PARAGRAPH.search(match[2]):
        return match[0]
    return f"{match[1]}$${match[2]}$$"
