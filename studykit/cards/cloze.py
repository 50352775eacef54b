r"""Find the hidden words of a cloze: the `[brackets]` that belong neither to Markdown nor to TeX or code.

A gap may contain math or code, and may lie inside math: `$[6]ND$` hides the 6. Images, links, footnotes and `\[`
are not gaps, nor are brackets of TeX commands in math (`\sqrt[3]{x}`, `\left[`). Of nested brackets the outer pair
is the gap. Brackets in code are gaps only if the note has no other gap.
"""

import re
from dataclasses import dataclass

from studykit.cards.card import GAP
from studykit.cards.markdown import Markup, Region, regions, rewritten

Gap = Region
"""Hidden words, from their `[` to after their `]`, and the markup around the brackets."""

_BRACKET = re.compile(r"\\.|!\[|\[|\]", re.DOTALL)
_LINK = re.compile(r'\((?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"\n]*"|\'[^\'\n]*\'))?\)')
_COMMAND = re.compile(r"\\(?:sqrt|left|right|[bB]igg?[lmr]?|x(?:left|right)arrow|\\)$")
_RIGHT = re.compile(r"\\(?:right|left|[bB]igg?[lmr]?)$")
_MAX_COMMAND_CHARACTERS = 12


def gaps(text: str) -> tuple[list[Gap], int | None]:
    """Return the gaps in order, and the index of a bracket that is never closed, or None."""
    areas = regions(text)
    outside_code, unclosed = _gaps(text, areas)
    if outside_code or unclosed is not None:
        return outside_code, unclosed
    return _gaps(text, [area for area in areas if area.markup is Markup.MATH], areas)


def hidden(text: str, gap: Gap) -> str:
    """Return the hidden words as Markdown, in dollars or backticks of their own if needed."""
    inner = text[gap.start + 1 : gap.end - 1].strip()
    match gap.markup:
        case Markup.MATH:
            return f"${_unescaped(inner)}$"
        case Markup.CODE:
            return f"`{inner}`"
        case Markup.TEXT:
            return inner


def gap_text(text: str, hiding: list[Gap], asked: Gap | None) -> str:
    """Return the text without the brackets of its gaps, and with `GAP` for the words of the asked gap."""
    parts: list[str] = []
    at = 0
    for gap in hiding:
        parts.append(text[at : gap.start])
        words = GAP if gap is asked else text[gap.start + 1 : gap.end - 1]
        # `^` and `_` apply to one token, so `x^[18]` must become `x^{18}` and not `x^18`.
        script = gap.markup is Markup.MATH and text[gap.start - 1 : gap.start] in {"^", "_"}
        parts.append(f"{{{words}}}" if script else words)
        at = gap.end
    parts.append(text[at:])
    joined = "".join(parts)
    if r"\[" not in joined and r"\]" not in joined:
        return joined
    return rewritten(joined, Markup.MATH, _unescaped)


@dataclass(slots=True)
class _OpenBracket:
    """Hold an open bracket, and the math or code that contains it."""

    at: int
    is_gap: bool
    area: Region | None


def _gaps(text: str, areas: list[Region], named: list[Region] | None = None) -> tuple[list[Gap], int | None]:
    """Return the gaps outside the code of `areas`, and the index of a bracket that is never closed, or None.

    Brackets in math pair only within their formula. `named` are areas that give the gaps their markup instead.
    """
    closed: list[Gap] = []
    waiting: list[_OpenBracket] = []
    index, skip = 0, 0
    for match in _BRACKET.finditer(text):
        at, sign = match.start(), match.group()
        while index < len(areas) and areas[index].end <= at:
            while waiting and waiting[-1].area is areas[index]:
                waiting.pop()
            index += 1
        area = areas[index] if index < len(areas) and areas[index].start <= at else None
        if at < skip or sign[0] == "\\" or (area and area.markup is Markup.CODE):
            continue
        if sign != "]":
            literal = bool(waiting) or sign == "![" or _literal(text, at, area)
            waiting.append(_OpenBracket(at, not literal, area))
            continue
        if (
            not waiting
            or waiting[-1].area is not area
            or (area and _RIGHT.search(text, max(0, at - _MAX_COMMAND_CHARACTERS), at))
        ):
            continue
        bracket = waiting.pop()
        link = None if area else _LINK.match(text, match.end())
        if link and not waiting:
            skip = link.end()
        elif bracket.is_gap:
            around = (area.markup for area in named or areas if area.start <= bracket.at < area.end)
            closed.append(Gap(bracket.at, match.end(), next(around, Markup.TEXT)))
    waiting = [bracket for bracket in waiting if bracket.is_gap and bracket.area is None]
    return closed, waiting[0].at if waiting else None


def _literal(text: str, at: int, area: Region | None) -> bool:
    """Return whether a bracket belongs to a footnote or a TeX command."""
    if area is None:
        return text.startswith("[^", at)
    return _COMMAND.search(text, max(area.start, at - _MAX_COMMAND_CHARACTERS), at) is not None


def _unescaped(math: str) -> str:
    """Remove the backslash of escaped brackets, which TeX would read as the start of a display."""
    return math.replace(r"\[", "[").replace(r"\]", "]")
