"""Wrap, cut and measure styled text, color verdicts, and convert it to a terminal's escape sequences."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Flag

from studykit.terminal.glyphs import in_ascii
from studykit.text import REPLACED


class TextStyle(Flag):
    """Name styles of text. Color only repeats what a word or a sign says already."""

    PLAIN = 0
    BOLD = 1
    ITALIC = 2
    UNDERLINE = 4
    REVERSE = 8
    RED = 16
    GREEN = 32
    CYAN = 64
    MAGENTA = 128
    DIM = 256


RIGHT = TextStyle.GREEN | TextStyle.BOLD
WRONG = TextStyle.RED | TextStyle.BOLD
CLOSE = TextStyle.MAGENTA | TextStyle.BOLD  # yellow cannot be read on white
ACCENT = TextStyle.CYAN | TextStyle.BOLD  # the gap of a card, and the key that goes on
CHROME = TextStyle.DIM  # rules and dots, never words: on Solarized faint words cannot be read
_SIGNS = {"✓": RIGHT, "✗": WRONG, "≈": CLOSE}
_SIGN = re.compile("([✓✗≈])")
_ONE_CELL_EACH = re.compile(
    "[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u2013-\u2026\u2500-\u25fc\u2713\u2717\u2800-\u28ff]*"
)
"""Characters of one cell, which most screens consist of, so that Rich's tables of widths need not be loaded."""


@dataclass(frozen=True, slots=True)
class Span:
    """Hold text of one style, without line breaks."""

    text: str
    style: TextStyle = TextStyle.PLAIN


StyledLine = tuple[Span, ...]

_CODES = {
    TextStyle.BOLD: "1",
    TextStyle.DIM: "2",
    TextStyle.ITALIC: "3",
    TextStyle.UNDERLINE: "4",
    TextStyle.REVERSE: "7",
    TextStyle.RED: "31",
    TextStyle.GREEN: "32",
    TextStyle.CYAN: "36",
    TextStyle.MAGENTA: "35",
}
_COLORS = TextStyle.RED | TextStyle.GREEN | TextStyle.CYAN | TextStyle.MAGENTA
RESET = "\x1b[0m"


def clean(text: str) -> str:
    """Replace control and direction characters by �, so that text cannot drive a terminal, and tabs by spaces."""
    if text.isascii() and text.isprintable():
        return text
    return text.replace("\r\n", "\n").expandtabs(4).translate(REPLACED)


def line(text: str, style: TextStyle = TextStyle.PLAIN) -> StyledLine:
    """Return a line of one style."""
    return (Span(text, style),) if text else ()


def cell_count(text: str) -> int:
    """Count the cells that a text takes."""
    if _ONE_CELL_EACH.fullmatch(text):
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def width(spans: Iterable[Span]) -> int:
    """Count the cells that a line takes."""
    return sum(cell_count(span.text) for span in spans)


def plain(spans: Iterable[Span]) -> str:
    """Return the line without its styles."""
    return "".join(span.text for span in spans)


def styled(spans: Iterable[Span], style: TextStyle) -> StyledLine:
    """Add a style to the line."""
    return tuple(replace(span, style=span.style | style) for span in spans)


def with_verdicts(spans: StyledLine) -> StyledLine:
    """Color the line's signs of right and wrong, and the bold word after each."""
    if not any(_SIGN.search(span.text) for span in spans):
        return spans
    result: list[Span] = []
    meaning = TextStyle.PLAIN
    for span in spans:
        for part in filter(None, _SIGN.split(span.text)):
            meaning = _SIGNS.get(part, meaning)
            result.append(Span(part, meaning if part in _SIGNS or TextStyle.BOLD in span.style else span.style))
    return tuple(result)


def wrap(spans: Sequence[Span], columns: int, *, indent: str = "", hanging: str | None = None) -> list[StyledLine]:
    """Break a line at spaces into lines of at most `columns` cells. A longer word is cut.

    The first line starts with `indent`, later ones with `hanging` (or with `indent` if that is None).
    """
    later = indent if hanging is None else hanging
    room = max(1, columns - max(cell_count(indent), cell_count(later)))
    lines = _fill_lines(_words(spans, room), room)
    starts = [indent, *[later] * (len(lines) - 1)]
    return [line(start) + _merge_spans(words) for start, words in zip(starts, lines, strict=True)]


def _fill_lines(words: Iterable[tuple[list[Span], int, bool]], room: int) -> list[list[Span]]:
    lines: list[list[Span]] = [[]]
    cells_used = 0
    gap: list[Span] = []
    for spans, cells, is_space in words:
        if is_space:
            gap = spans if cells_used else []
        elif cells_used and cells_used + width(gap) + cells > room:
            lines.append(list(spans))
            cells_used, gap = cells, []
        else:
            lines[-1] += [*gap, *spans]
            cells_used += width(gap) + cells
            gap = []
    return lines


def _words(spans: Sequence[Span], room: int) -> Iterable[tuple[list[Span], int, bool]]:
    """Yield the spans of each word and gap, their cells, and whether it is a gap. Words are cut to the room."""
    word: list[Span] = []
    for span in spans:
        for part, is_space in _parts(span.text):
            if is_space:
                yield from _split_word(word, room)
                word = []
                yield [Span(part.replace("\n", " "), span.style)], len(part), True
            else:
                word.append(Span(part, span.style))
    yield from _split_word(word, room)


def _parts(text: str) -> Iterable[tuple[str, bool]]:
    start = 0
    for position in range(1, len(text) + 1):
        if text[position - 1 : position + 1] == " %" or text[position : position + 2] == " %":
            continue  # `40 %` stays on one line
        if position == len(text) or (text[position] in " \n") != (text[start] in " \n"):
            yield text[start:position], text[start] in " \n"
            start = position


def _split_word(word: list[Span], room: int) -> Iterable[tuple[list[Span], int, bool]]:
    if not word:
        return
    if (cells := width(word)) <= room:
        yield word, cells, False
        return
    for piece in chop(word, room):
        yield list(piece), width(piece), False


def chop(spans: Sequence[Span], room: int) -> list[StyledLine]:
    """Cut a line into pieces of at most `room` cells, anywhere, and keep all spaces."""
    pieces: list[list[Span]] = [[]]
    cells_used = 0
    for span in spans:
        for character in span.text:
            cells = cell_count(character)
            if cells_used + cells > room and pieces[-1]:
                pieces.append([])
                cells_used = 0
            pieces[-1].append(Span(character, span.style))
            cells_used += cells
    return [_merge_spans(piece) for piece in pieces]


def _merge_spans(spans: Sequence[Span]) -> StyledLine:
    result: list[Span] = []
    for span in spans:
        if result and result[-1].style == span.style:
            result[-1] = Span(result[-1].text + span.text, span.style)
        else:
            result.append(span)
    return tuple(result)


def clip(spans: StyledLine, columns: int) -> StyledLine:
    """Cut the line to a number of cells. Use it only for text that is shown in full elsewhere."""
    return chop(spans, columns)[0] if width(spans) > columns else spans


def paint(line: StyledLine, *, color: bool, ascii: bool = False) -> str:
    """Return one line with its escape sequences. Without color, all other styles are kept."""
    return "".join(_span(in_ascii(span.text) if ascii else span.text, span.style, color=color) for span in line)


def _span(text: str, style: TextStyle, *, color: bool) -> str:
    visible_style = style if color else style & ~_COLORS
    text = text.replace("\u00a0", " ")  # only wrapping needs it, not text that is copied
    codes = ";".join(code for flag, code in _CODES.items() if flag in visible_style)
    return f"\x1b[{codes}m{text}{RESET}" if codes else text


def indented(rows: Iterable[StyledLine]) -> list[StyledLine]:
    """Indent the rows. Empty ones stay empty."""
    return [(Span("  "), *row) if row else () for row in rows]
