r"""Convert TeX in `\(...\)` and `\[...\]` to dollars, which all other code here expects.

In decks of hashcards 0.4 these are math, in other decks `\[` is a bracket. One rule serves both: `\(...\)` is
always math, and `\[...\]` is displayed math only if `\[` begins a line and `\]` ends one.
"""

import re
from collections.abc import Callable

from studykit.cards.markdown import regions

_INLINE = re.compile(r"(?<!\\)((?:\\\\)*)\\\(((?:[^\\$\n]|\\[^()]|\n(?![ \t]*\n))+?)\\\)")
_DISPLAY = re.compile(r"(?<=\n)([ \t]{0,3})\\\[((?:[^\\$]|\\[^\[\]])+?)\\\][ \t]*(?=\n|\Z)")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


def dollars(text: str) -> str:
    r"""Return the text with its TeX in dollars. Code, and formulas already in dollars, are unchanged.

    The first line follows a marker such as `Q:`, so `\[` cannot begin a display there.
    """
    if "\\(" in text:
        text = _outside(_INLINE, text, _inline)
    return _outside(_DISPLAY, text, _display) if "\n" in text and "\\[" in text else text


def _outside(pattern: re.Pattern[str], text: str, rewrite: Callable[[re.Match[str]], str]) -> str:
    """Rewrite the matches of a pattern outside code and math."""
    areas = regions(text)

    def rewritten(match: re.Match[str]) -> str:
        is_inside = any(area.start < match.end() and match.start() < area.end for area in areas)
        return match[0] if is_inside else rewrite(match)

    return pattern.sub(rewritten, text)


def _inline(match: re.Match[str]) -> str:
    tex = match[2].strip()
    if not tex:
        return match[0]
    # A dollar next to a digit is money, so keep them apart.
    before = " " if match.string[: match.start()][-1:].isdigit() else ""
    after = " " if match.string[match.end() :][:1].isdigit() else ""
    return f"{match[1]}{before}${tex}${after}"


def _display(match: re.Match[str]) -> str:
    if not match[2].strip() or _PARAGRAPH.search(match[2]):
        return match[0]
    return f"{match[1]}$${match[2]}$$"
