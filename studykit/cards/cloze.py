r"""Which words of a cloze are hidden: the `[brackets]` that are not Markdown's, not TeX's and not code's.

A gap may hold math or code and may lie inside math: `$[6]ND$` hides the 6. Images, links, footnotes and `\[` are
no gaps; inside math neither is the bracket of a command (`\sqrt[3]{x}`, `\left[`); of nested brackets the outer
pair is the gap. Brackets in code are code, unless the note has no other gap.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import Enum, auto

GAP = "[…]"


class Markup(Enum):
    """What a stretch of text is written in."""

    TEXT = auto()
    MATH = auto()
    CODE = auto()


@dataclass(frozen=True, slots=True)
class Gap:
    """Hidden words: the place of their brackets in the text."""

    start: int  # of "["
    end: int  # behind "]"
    markup: Markup


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of math or code."""

    start: int
    end: int
    markup: Markup


# Where each part begins with a sign that is written out, `re` goes from one such sign to the next.
_PLAIN = re.compile(r"[\\`$!~]")
_BRACKET = re.compile(r"\\.|!\[|\[|\]", re.DOTALL)
_SIGNS = r"\\`+|``*|\\.|\$\$?"
_MARK = re.compile(_SIGNS, re.DOTALL)
_MARK_OR_TILDES = re.compile(rf"^ {{0,3}}~{{3,}}|{_SIGNS}", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r'\((?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"\n]*"|\'[^\'\n]*\'))?\)')
_COMMAND = re.compile(r"\\(?:sqrt|left|right|[bB]igg?[lmr]?|x(?:left|right)arrow|\\)$")
_RIGHT = re.compile(r"\\(?:right|left|[bB]igg?[lmr]?)$")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")
_LONGEST_COMMAND = 12


def gaps(text: str) -> tuple[list[Gap], int | None]:
    """The gaps in order, and the place of a bracket that is never closed."""
    if not _PLAIN.search(text):
        return _gaps(text, [])
    areas = regions(text)
    outside_code, unclosed = _gaps(text, areas)
    if outside_code or unclosed is not None:
        return outside_code, unclosed
    return _gaps(text, [area for area in areas if area.markup is Markup.MATH], areas)


def cut_by_math(text: str) -> int:
    """The place of a bracket that opens inside a formula and closes outside of it; 0 where there is none."""
    areas = [area for area in regions(text) if area.markup is Markup.MATH]
    for area in areas:
        depth, opened = 0, 0
        for match in _BRACKET.finditer(text, area.start, area.end):
            if match.group() == "]":
                depth = max(0, depth - 1)
            elif match.group()[0] == "[" and not _literal(text, match.start(), area):
                depth, opened = depth + 1, opened if depth else match.start()
        if depth and "]" in text[area.end :]:
            return opened
    return 0


def hidden(text: str, gap: Gap) -> str:
    """The hidden words as Markdown that stands on its own."""
    inner = text[gap.start + 1 : gap.end - 1].strip()
    match gap.markup:
        case Markup.MATH:
            return f"${_unescaped(inner)}$"
        case Markup.CODE:
            return f"`{inner}`"
        case Markup.TEXT:
            return inner


def gap_text(text: str, hiding: list[Gap], but: Gap | None) -> str:
    """The text without the brackets of its gaps; the words of the one gap `but` are left out."""
    pieces: list[str] = []
    at = 0
    for gap in hiding:
        pieces.append(text[at : gap.start])
        words = GAP if gap is but else text[gap.start + 1 : gap.end - 1]
        # TeX raises and lowers one token only: `x^[18]` must not become `x^18`.
        script = gap.markup is Markup.MATH and text[gap.start - 1 : gap.start] in {"^", "_"}
        pieces.append(f"{{{words}}}" if script else words)
        at = gap.end
    pieces.append(text[at:])
    return _math_unescaped("".join(pieces))


def regions(text: str) -> list[Region]:
    """Stretches of code and math, in order, none inside another."""
    marks = _Marks(text)
    areas: list[Region] = []
    index = 0
    while index < len(marks.all):
        closing = marks.closing(index)
        if closing is None:
            index += 1
            continue
        start, mark = marks.all[index]
        at, end = marks.all[closing]
        areas.append(Region(start, at + len(end), Markup.MATH if mark[0] == "$" else Markup.CODE))
        index = closing + 1
    return areas


class _Marks:
    """Everything in a text that may open or close math or code; each look-up is a bisection."""

    def __init__(self, text: str) -> None:
        pattern = _MARK_OR_TILDES if "~~~" in text else _MARK
        self.all = [(mark.start(), mark.group()) for mark in pattern.finditer(text)]
        self._text = text
        self._closers: dict[str, list[int]] = {}
        for index, (at, mark) in enumerate(self.all):
            if mark != "$" or not (text[at - 1].isspace() or text[at + 1 : at + 2].isdigit()):
                self._closers.setdefault(_key(mark), []).append(index)
        self._paragraphs = [end.start() for end in _PARAGRAPH_END.finditer(text)] if "$" in text else []

    def closing(self, index: int) -> int | None:
        """The mark that ends what a mark opens; None where it opens nothing."""
        start, mark = self.all[index]
        if mark[0] == "\\" or (mark == "$" and self._is_money(start)):
            return None
        closers = self._closers.get(_key(mark), [])
        place = bisect_right(closers, index)
        if place == len(closers):
            return None
        closing = closers[place]
        return closing if mark[0] != "$" or self.all[closing][0] < self._paragraph_end(start) else None

    def _is_money(self, at: int) -> bool:
        following = self._text[at + 1 : at + 2]
        return not following.strip() or self._text[max(0, at - 1) : at].isdigit()

    def _paragraph_end(self, at: int) -> int:
        place = bisect_right(self._paragraphs, at)
        return self._paragraphs[place] if place < len(self._paragraphs) else len(self._text)


def _key(mark: str) -> str:
    return "~~~" if "~" in mark else mark.lstrip("\\")


@dataclass(slots=True)
class _OpenBracket:
    """A bracket that waits for its partner; `area` is the stretch it stands in."""

    at: int
    is_gap: bool
    area: Region | None


def _gaps(text: str, areas: list[Region], named: list[Region] | None = None) -> tuple[list[Gap], int | None]:
    """Walk the brackets; `areas` are passed over if code and searched apart if math."""
    closed: list[Gap] = []
    waiting: list[_OpenBracket] = []
    index, skip = 0, 0
    for match in _BRACKET.finditer(text):
        at = match.start()
        while index < len(areas) and areas[index].end <= at:
            while waiting and waiting[-1].area is areas[index]:
                waiting.pop()
            index += 1
        area = areas[index] if index < len(areas) and areas[index].start <= at else None
        if at < skip or match.group()[0] == "\\" or (area and area.markup is Markup.CODE):
            continue
        if match.group() != "]":
            literal = bool(waiting) or match.group() == "![" or _literal(text, at, area)
            waiting.append(_OpenBracket(at, not literal, area))
            continue
        if (
            not waiting
            or waiting[-1].area is not area
            or (area and _RIGHT.search(text, max(0, at - _LONGEST_COMMAND), at))
        ):
            continue
        bracket = waiting.pop()
        link = None if area else _LINK.match(text, match.end())
        if link and not waiting:
            skip = link.end()
        elif bracket.is_gap:
            closed.append(Gap(bracket.at, match.end(), _markup(bracket.at, areas, named)))
    waiting = [bracket for bracket in waiting if bracket.is_gap and bracket.area is None]
    return closed, waiting[0].at if waiting else None


def _literal(text: str, at: int, area: Region | None) -> bool:
    """Whether a bracket is a footnote's or a TeX command's own."""
    if area is None:
        return text.startswith("[^", at)
    return _COMMAND.search(text, max(area.start, at - _LONGEST_COMMAND), at) is not None


def _markup(at: int, areas: list[Region], named: list[Region] | None) -> Markup:
    for area in named or areas:
        if area.start <= at < area.end:
            return area.markup
    return Markup.TEXT


def _unescaped(math: str) -> str:
    """TeX would read an escaped bracket as the start of a display."""
    return math.replace(r"\[", "[").replace(r"\]", "]")


def _math_unescaped(text: str) -> str:
    if r"\[" not in text and r"\]" not in text:
        return text
    pieces: list[str] = []
    at = 0
    for area in regions(text):
        if area.markup is Markup.MATH:
            pieces += (text[at : area.start], _unescaped(text[area.start : area.end]))
            at = area.end
    return "".join(pieces) + text[at:]
