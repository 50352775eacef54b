"""Markdown laid out in cells: no line is wider than asked, and nothing that was written is left out."""

import re
from collections.abc import Iterable, Sequence
from typing import assert_never

from studykit.terminal.glyphs import ASCII, UNICODE
from studykit.terminal.markdown.blocks import (
    Block,
    Code,
    Display,
    Heading,
    Item,
    Paragraph,
    Quote,
    Rule,
    Table,
    blocks,
)
from studykit.terminal.markdown.code import highlighted
from studykit.terminal.markdown.inline import Manner, inline
from studykit.terminal.markdown.maths import formula
from studykit.terminal.spans import Line, Look, Span, chop, clean, line, looking, plain, width, wrap

_NARROWEST_TABLE = 24  # columns; below it a table is told as sentences


def render(markdown: str, columns: int, manner: Manner | None = None) -> list[Line]:
    """The text as lines of at most `columns` cells."""
    text = clean(markdown)
    try:
        return _render(text, max(8, columns), manner or Manner())
    except RecursionError:  # quotes in quotes in quotes: as they were written
        return [wrapped for part in text.split("\n") for wrapped in wrap(line(part), max(8, columns))]


def _render(markdown: str, columns: int, manner: Manner) -> list[Line]:
    lines: list[Line] = []
    before: Block | None = None
    for block in blocks(markdown):
        if before is not None and not _close(before, block):
            lines.append(())
        lines += _block(block, columns, manner)
        before = block
    return lines


def _close(before: Block, block: Block) -> bool:
    """Whether no blank line stands between two blocks: items of a list, and a list under its first words."""
    return isinstance(block, Item) and isinstance(before, Item | Paragraph)


def _block(block: Block, columns: int, manner: Manner) -> Iterable[Line]:  # noqa: PLR0911 - one for each kind
    match block:
        case Paragraph(text):
            return _paragraph(text, columns, manner)
        case Heading(text):
            return [looking(spans, Look.BOLD) for spans in _paragraph(text, columns, manner)]
        case Code(text, language):
            return _code(text, language, columns)
        case Display(tex):
            return _display(tex, columns, manner)
        case Item(mark, text):
            return _item(mark, text, columns, manner)
        case Quote(text):
            return _indented("| " if manner.ascii else "│ ", text, columns, manner)
        case Table(rows):
            return _table(rows, columns, manner)
        case Rule():
            return [line(("-" if manner.ascii else "─") * min(columns, 20))]
        case _:
            assert_never(block)


def _paragraph(text: str, columns: int, manner: Manner) -> list[Line]:
    return [wrapped for part in text.split("\n") for wrapped in wrap(inline(part, manner), columns)]


def _code(text: str, language: str, columns: int) -> list[Line]:
    room = max(4, columns - 2)
    lines: list[Line] = []
    for spans in highlighted(text, language):
        prose = language == "text" and not re.match(r" |.*  ", plain(spans))  # what is aligned stays so
        columnar = language == "text" and re.search(r"\S\s{2,}\S", plain(spans))
        if (language == "python" or columnar) and width(spans) > room:
            pieces = _continued(spans, room)
        else:
            pieces = (wrap if prose else chop)(spans, room) if spans else [()]
        lines += [(Span("  "), *piece) if piece else () for piece in pieces]
    return lines


def _continued(spans: Line, room: int) -> Sequence[Line]:
    """A long line of code in rows: broken at a space, four deeper; cut anywhere only where it has none."""
    text = plain(spans)
    deep = len(text) - len(text.lstrip())
    if deep + 12 > room:
        return chop(spans, room)
    return wrap(spans, room, indent=" " * deep, hanging=" " * (deep + 4))


def _display(tex: str, columns: int, manner: Manner) -> list[Line]:
    shown = formula(tex, manner.macros, ascii=manner.ascii)
    if shown is not None:
        return wrap([Span(shown)], columns, indent="    ", hanging="      ")
    parts = f"$${tex}$$".split("\n")
    return [wrapped for part in parts for wrapped in wrap([Span(part)], columns, indent="    ")]


def _item(mark: str, text: str, columns: int, manner: Manner) -> list[Line]:
    sign = (ASCII if manner.ascii else UNICODE).bullet if mark in "-*+" else mark
    inner = _render(text, columns - len(sign) - 1, manner) or [()]
    starts = [sign + " ", *[" " * (len(sign) + 1)] * (len(inner) - 1)]
    return [(Span(start), *spans) if spans else () for start, spans in zip(starts, inner, strict=True)]


def _indented(start: str, text: str, columns: int, manner: Manner) -> list[Line]:
    return [(Span(start), *spans) for spans in _render(text, columns - len(start), manner)]


def _table(rows: Sequence[Sequence[str]], columns: int, manner: Manner) -> list[Line]:
    count = max(len(row) for row in rows)
    cells = [[inline(cell, manner) for cell in (*row, *[""] * (count - len(row)))] for row in rows]
    widths = [max(width(row[column]) for row in cells) for column in range(count)]
    if sum(widths) + 3 * (count - 1) > columns or columns < _NARROWEST_TABLE:
        return _told(cells, columns)
    upright, across, cross = (" | ", "-", "-+-") if manner.ascii else (" │ ", "─", "─┼─")
    rule = line(cross.join(across * room for room in widths))
    head, *body = [_joined(row, widths, upright) for row in cells]
    return [looking(head, Look.BOLD), rule, *body]


def _joined(row: Sequence[Sequence[Span]], widths: Sequence[int], upright: str) -> Line:
    spans: list[Span] = []
    for place, (cell, room) in enumerate(zip(row, widths, strict=True)):
        spans += [Span(upright)] if place else []
        spans += cell
        if place < len(widths) - 1:
            spans.append(Span(" " * (room - width(cell))))
    return tuple(spans)


def _told(cells: Sequence[Sequence[Sequence[Span]]], columns: int) -> list[Line]:
    """A table that is too wide, as `header: value` lines with a blank line between rows."""
    header, *body = cells
    lines: list[Line] = []
    for number, row in enumerate(body or [[() for _ in header]]):
        lines += [()] if number else []
        for name, cell in zip(header, row, strict=False):
            label = [*looking(name, Look.BOLD), Span(": ")] if name else []
            lines += wrap([*label, *cell], columns, hanging="  ") if label or cell else []
        for cell in row[len(header) :]:
            lines += wrap(list(cell), columns)
    return lines


def told(markdown: str, manner: Manner | None = None) -> list[str]:
    """The text as lines for plain mode: one for each paragraph, tables as sentences, nothing wrapped."""
    text = clean(markdown)
    try:
        rows = _render_told(text, manner or Manner())
    except RecursionError:
        return text.split("\n")
    return ["".join(span.text for span in row) for row in rows]


def _render_told(markdown: str, manner: Manner) -> list[Line]:
    endless = 100_000
    lines: list[Line] = []
    for block in blocks(markdown):
        match block:
            case Table(rows):
                lines += _told([[inline(cell, manner) for cell in row] for row in rows], endless)
            case Rule():
                pass
            case Quote(text):
                lines += [(Span("quote: "), *spans) for spans in _render_told(text, manner)]
            case _:
                lines += _block(block, endless, manner)
    return [spans for spans in lines if spans]
