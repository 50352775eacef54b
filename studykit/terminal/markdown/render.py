"""Markdown laid out in cells: no line is wider than asked, and nothing that was written is left out."""

import re
from collections.abc import Sequence
from typing import assert_never

from studykit.terminal.glyphs import ASCII, UNICODE
from studykit.terminal.markdown.blocks import (
    Block,
    CodeBlock,
    DisplayFormula,
    Heading,
    HorizontalRule,
    ListItem,
    Paragraph,
    Quote,
    Table,
    blocks,
)
from studykit.terminal.markdown.inline import Notation, inline, one_line
from studykit.terminal.spans import Span, StyledLine, TextStyle, chop, clean, line, plain, styled, width, wrap

_NARROWEST_TABLE = 24  # columns; below it a table is told as sentences
_CODE_STYLES = (
    ("Token.Keyword", TextStyle.BOLD),
    ("Token.Name.Function", TextStyle.BOLD),
    ("Token.Name.Class", TextStyle.BOLD),
    ("Token.Operator.Word", TextStyle.BOLD),
    ("Token.Comment", TextStyle.ITALIC),
    ("Token.Literal.String", TextStyle.GREEN),
    ("Token.Literal.Number", TextStyle.CYAN),
)
_LONGEST = 20_000  # characters that are worth colouring


def render(markdown: str, columns: int, notation: Notation | None = None) -> list[StyledLine]:
    """The text as lines of at most `columns` cells."""
    text = clean(markdown)
    try:
        return _render(text, max(8, columns), notation or Notation())
    except RecursionError:  # quotes in quotes in quotes: as they were written
        return [wrapped for part in text.split("\n") for wrapped in wrap(line(part), max(8, columns))]


def _render(markdown: str, columns: int, notation: Notation) -> list[StyledLine]:
    lines: list[StyledLine] = []
    before: Block | None = None
    for block in blocks(markdown):
        if before is not None and not _close(before, block):
            lines.append(())
        lines += _block(block, columns, notation)
        before = block
    return lines


def _close(before: Block, block: Block) -> bool:
    """Whether no blank line stands between two blocks: items of a list, and a list under its first words."""
    return isinstance(block, ListItem) and isinstance(before, ListItem | Paragraph)


def _block(block: Block, columns: int, notation: Notation) -> Sequence[StyledLine]:
    lines: Sequence[StyledLine]
    match block:
        case Paragraph(text):
            lines = _paragraph(text, columns, notation)
        case Heading(text):
            lines = [styled(spans, TextStyle.BOLD) for spans in _paragraph(text, columns, notation)]
        case CodeBlock(text, language):
            lines = _code(text, language, columns)
        case DisplayFormula(tex):
            lines = _display(tex, columns, notation)
        case ListItem(mark, text):
            lines = _item(mark, text, columns, notation)
        case Quote(text):
            lines = _indented("| " if notation.ascii else "│ ", text, columns, notation)
        case Table(rows):
            lines = _table(rows, columns, notation)
        case HorizontalRule():
            lines = [line(("-" if notation.ascii else "─") * min(columns, 20))]
        case _:
            assert_never(block)
    return lines


def _paragraph(text: str, columns: int, notation: Notation) -> list[StyledLine]:
    return [wrapped for part in text.split("\n") for wrapped in wrap(inline(part, notation), columns)]


def _code(text: str, language: str, columns: int) -> list[StyledLine]:
    room = max(4, columns - 2)
    lines: list[StyledLine] = []
    for spans in _highlighted(text, language):
        prose = language == "text" and not re.match(r" |.*  ", plain(spans))  # what is aligned stays so
        columnar = language == "text" and re.search(r"\S\s{2,}\S", plain(spans))
        if (language == "python" or columnar) and width(spans) > room:
            pieces = _continued(spans, room)
        else:
            pieces = (wrap if prose else chop)(spans, room) if spans else [()]
        lines += [(Span("  "), *piece) if piece else () for piece in pieces]
    return lines


def _highlighted(code: str, language: str) -> list[StyledLine]:
    """The lines of a piece of code; without styles where its language is not known."""
    lines: list[list[Span]] = [[]]
    for text, style in _coloured(code, language):
        for number, part in enumerate(text.split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append(Span(part, style))
    return [tuple(spans) for spans in lines]


def _coloured(code: str, language: str) -> list[tuple[str, TextStyle]]:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if not language or len(code) > _LONGEST:
        return [(code, TextStyle.PLAIN)]
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return [(code, TextStyle.PLAIN)]
    return [(text, _style_of(str(kind))) for kind, text in lexer.get_tokens(code)]


def _style_of(kind: str) -> TextStyle:
    return next((style for prefix, style in _CODE_STYLES if kind.startswith(prefix)), TextStyle.PLAIN)


def _continued(spans: StyledLine, room: int) -> Sequence[StyledLine]:
    """A long line of code in rows: broken at a space, four deeper; cut anywhere only where it has none."""
    text = plain(spans)
    deep = len(text) - len(text.lstrip())
    if deep + 12 > room:
        return chop(spans, room)
    return wrap(spans, room, indent=" " * deep, hanging=" " * (deep + 4))


def _display(tex: str, columns: int, notation: Notation) -> list[StyledLine]:
    shown = one_line(tex, notation)
    if shown is not None:
        return wrap([Span(shown)], columns, indent="    ", hanging="      ")
    parts = f"$${tex}$$".split("\n")
    return [wrapped for part in parts for wrapped in wrap([Span(part)], columns, indent="    ")]


def _item(mark: str, text: str, columns: int, notation: Notation) -> list[StyledLine]:
    sign = (ASCII if notation.ascii else UNICODE).bullet if mark in "-*+" else mark
    inner = _render(text, columns - len(sign) - 1, notation) or [()]
    starts = [sign + " ", *[" " * (len(sign) + 1)] * (len(inner) - 1)]
    return [(Span(start), *spans) if spans else () for start, spans in zip(starts, inner, strict=True)]


def _indented(start: str, text: str, columns: int, notation: Notation) -> list[StyledLine]:
    return [(Span(start), *spans) for spans in _render(text, columns - len(start), notation)]


def _table(rows: Sequence[Sequence[str]], columns: int, notation: Notation) -> list[StyledLine]:
    count = max(len(row) for row in rows)
    cells = [[inline(cell, notation) for cell in (*row, *[""] * (count - len(row)))] for row in rows]
    widths = [max(width(row[column]) for row in cells) for column in range(count)]
    if sum(widths) + 3 * (count - 1) > columns or columns < _NARROWEST_TABLE:
        return _table_sentences(cells, columns)
    upright, across, cross = (" | ", "-", "-+-") if notation.ascii else (" │ ", "─", "─┼─")
    rule = line(cross.join(across * room for room in widths))
    head, *body = [_joined(row, widths, upright) for row in cells]
    return [styled(head, TextStyle.BOLD), rule, *body]


def _joined(row: Sequence[Sequence[Span]], widths: Sequence[int], upright: str) -> StyledLine:
    spans: list[Span] = []
    for place, (cell, room) in enumerate(zip(row, widths, strict=True)):
        spans += [Span(upright)] if place else []
        spans += cell
        if place < len(widths) - 1:
            spans.append(Span(" " * (room - width(cell))))
    return tuple(spans)


def _table_sentences(cells: Sequence[Sequence[Sequence[Span]]], columns: int) -> list[StyledLine]:
    """A table that is too wide, as `header: value` lines with a blank line between rows."""
    header, *body = cells
    lines: list[StyledLine] = []
    for number, row in enumerate(body or [[() for _ in header]]):
        lines += [()] if number else []
        for name, cell in zip(header, row, strict=False):
            label = [*styled(name, TextStyle.BOLD), Span(": ")] if name else []
            lines += wrap([*label, *cell], columns, hanging="  ") if label or cell else []
        for cell in row[len(header) :]:
            lines += wrap(list(cell), columns)
    return lines


def plain_lines(markdown: str, notation: Notation | None = None) -> list[str]:
    """The text as lines for plain mode: one for each paragraph, tables as sentences, nothing wrapped."""
    text = clean(markdown)
    try:
        rows = _render_plain(text, notation or Notation())
    except RecursionError:
        return text.split("\n")
    return ["".join(span.text for span in row) for row in rows]


def _render_plain(markdown: str, notation: Notation) -> list[StyledLine]:
    endless = 100_000
    lines: list[StyledLine] = []
    for block in blocks(markdown):
        match block:
            case Table(rows):
                lines += _table_sentences([[inline(cell, notation) for cell in row] for row in rows], endless)
            case HorizontalRule():
                pass
            case Quote(text):
                lines += [(Span("quote: "), *spans) for spans in _render_plain(text, notation)]
            case _:
                lines += _block(block, endless, notation)
    return [spans for spans in lines if spans]
