"""Lay out Markdown in lines of a width, without leaving anything out."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from studykit.cards.markdown import blocks, is_plain, paragraphs, parse
from studykit.terminal.glyphs import ASCII, UNICODE
from studykit.terminal.markdown.inline import Notation, one_line, span_rows
from studykit.terminal.spans import Span, StyledLine, TextStyle, chop, clean, line, plain, styled, width, wrap

if TYPE_CHECKING:
    from markdown_it.token import Token

_MIN_COLUMNS = 8  # columns of a text; below, quotes and lists are indented no further
_NARROWEST_TABLE = 24  # columns; below it a table becomes sentences
_CODE_STYLES = {
    ("Token.Keyword", "Token.Name.Function", "Token.Name.Class", "Token.Operator.Word"): TextStyle.BOLD,
    ("Token.Comment",): TextStyle.ITALIC,
    ("Token.Literal.String",): TextStyle.GREEN,
    ("Token.Literal.Number",): TextStyle.CYAN,
}
_LISTS = ("bullet_list_open", "ordered_list_open")
_ENDLESS = 100_000  # columns
_MAX_COLORED_CHARACTERS = 20_000  # characters that are worth coloring


def render(markdown: str, columns: int, notation: Notation | None = None) -> list[StyledLine]:
    """Render the text as lines of at most `columns` cells."""
    text, room = clean(markdown), max(_MIN_COLUMNS, columns)
    if is_plain(text):
        lines: list[StyledLine] = []
        for words in paragraphs(text):
            lines += [*([()] if lines else []), *wrap([Span(words)], room)]
        return lines
    return _render(parse(text), room, notation or Notation())


def _render(tokens: "Sequence[Token]", columns: int, notation: Notation) -> list[StyledLine]:
    """Render the blocks with blank lines between them, except between a paragraph and its list."""
    lines: list[StyledLine] = []
    before = ""
    for token, inside in blocks(tokens):
        if before and not (before == "paragraph_open" and token.type in _LISTS):
            lines.append(())
        lines += _block(token, inside, columns, notation)
        before = token.type
    return lines


def _block(token: "Token", inside: "Sequence[Token]", columns: int, notation: Notation) -> Sequence[StyledLine]:
    lines: Sequence[StyledLine]
    match token.type:
        case "heading_open":
            lines = [styled(row, TextStyle.BOLD) for row in _paragraph(inside, columns, notation)]
        case "fence" | "code_block":
            lines = _code(token.content.removesuffix("\n"), token.info.strip().partition(" ")[0], columns)
        case "math_block":
            lines = _display(token.content, columns, notation)
        case "bullet_list_open" | "ordered_list_open":
            lines = _list(token, inside, columns, notation)
        case "blockquote_open":
            lines = _indented("| " if notation.ascii else "│ ", inside, columns, notation)
        case "table_open":
            lines = _table(_rows(inside, notation), columns, notation)
        case "hr":
            lines = [line(("-" if notation.ascii else "─") * min(columns, 20))]
        case _:
            lines = _paragraph(inside, columns, notation)
    return lines


def _paragraph(inside: "Sequence[Token]", columns: int, notation: Notation) -> list[StyledLine]:
    rows = [row for token in inside for row in span_rows(token.children or (), notation)]
    return [wrapped for row in rows for wrapped in wrap(row, columns)]


def _code(text: str, language: str, columns: int) -> list[StyledLine]:
    room = max(4, columns - 2)
    lines: list[StyledLine] = []
    for spans in _highlighted(text, language):
        prose = language == "text" and not re.match(r" |.*  ", plain(spans))  # aligned text must not be wrapped
        columnar = language == "text" and re.search(r"\S\s{2,}\S", plain(spans))
        if (language == "python" or columnar) and width(spans) > room:
            pieces = _continued(spans, room)
        else:
            pieces = (wrap if prose else chop)(spans, room) if spans else [()]
        lines += [(Span("  "), *piece) if piece else () for piece in pieces]
    return lines


def _highlighted(code: str, language: str) -> list[StyledLine]:
    """Return the lines of a piece of code, without styles if it is long or its language is unknown."""
    lines: list[list[Span]] = [[]]
    for span in _colored(code, language):
        first, *others = span.text.split("\n")
        lines[-1].append(Span(first, span.style))
        lines += [[Span(text, span.style)] for text in others]
    return [tuple(span for span in spans if span.text) for spans in lines]


def _colored(code: str, language: str) -> list[Span]:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if language and len(code) <= _MAX_COLORED_CHARACTERS:
        with suppress(ClassNotFound):
            tokens = get_lexer_by_name(language, stripnl=False, ensurenl=False).get_tokens(code)
            return [Span(text, _code_style(str(kind))) for kind, text in tokens]
    return [Span(code)]


def _code_style(kind: str) -> TextStyle:
    return next((style for prefixes, style in _CODE_STYLES.items() if kind.startswith(prefixes)), TextStyle.PLAIN)


def _continued(spans: StyledLine, room: int) -> Sequence[StyledLine]:
    """Break a long line of code at spaces and indent the rest by four more, or cut it if that does not fit."""
    text = plain(spans)
    deep = len(text) - len(text.lstrip())
    if deep + 12 > room:
        return chop(spans, room)
    return wrap(spans, room, indent=" " * deep, hanging=" " * (deep + 4))


def _display(tex: str, columns: int, notation: Notation) -> list[StyledLine]:
    if (text := one_line(tex, notation)) is not None:
        return wrap([Span(text)], columns, indent="    ", hanging="      ")
    parts = f"$${tex}$$".split("\n")
    return [wrapped for part in parts for wrapped in wrap([Span(part)], columns, indent="    ")]


def _list(token: "Token", inside: "Sequence[Token]", columns: int, notation: Notation) -> list[StyledLine]:
    """Render the items of a list under one another, with later lines indented to the first word."""
    lines: list[StyledLine] = []
    bullet = (ASCII if notation.ascii else UNICODE).bullet
    for number, (item, content) in enumerate(blocks(inside), int(token.attrs.get("start", 1))):
        sign = f"{bullet} " if token.tag == "ul" else f"{number}{item.markup} "
        hanging = _indented(" " * len(sign), content, columns, notation) or [(Span(" " * len(sign)),)]
        lines += [(Span(sign), *hanging[0][1:]) if hanging[0] else line(sign.rstrip()), *hanging[1:]]
    return lines


def _indented(start: str, inside: "Sequence[Token]", columns: int, notation: Notation) -> list[StyledLine]:
    room = columns - len(start)
    if room < _MIN_COLUMNS:
        return [(Span(""), *row) for row in _render(inside, columns, notation)]
    return [(Span(start), *row) if row or start.strip() else () for row in _render(inside, room, notation)]


def _rows(inside: "Sequence[Token]", notation: Notation) -> list[list[list[Span]]]:
    """Return the cells of a table row by row, first the header."""
    rows = [row for _, part in blocks(inside) for _, row in blocks(part)]
    return [[span_rows(cell[0].children or (), notation)[0] for _, cell in blocks(row)] for row in rows]


def _table(cells: Sequence[Sequence[Sequence[Span]]], columns: int, notation: Notation) -> list[StyledLine]:
    count = len(cells[0])
    widths = [max(width(row[column]) for row in cells) for column in range(count)]
    if sum(widths) + 3 * (count - 1) > columns or columns < _NARROWEST_TABLE:
        return _table_sentences(cells, columns)
    upright, across, cross = (" | ", "-", "-+-") if notation.ascii else (" │ ", "─", "─┼─")
    rule = line(cross.join(across * room for room in widths))
    head, *body = [_joined(row, widths, upright) for row in cells]
    return [styled(head, TextStyle.BOLD), rule, *body]


def _joined(row: Sequence[Sequence[Span]], widths: Sequence[int], upright: str) -> StyledLine:
    spans: list[Span] = []
    for cell, room in zip(row, widths, strict=True):
        spans += [*cell, Span(" " * (room - width(cell))), Span(upright)]
    return tuple(spans[:-2])


def _table_sentences(cells: Sequence[Sequence[Sequence[Span]]], columns: int) -> list[StyledLine]:
    """Render a wide table as `header: value` lines with a blank line between rows."""
    header, *body = cells
    lines: list[StyledLine] = []
    for number, row in enumerate(body or [[() for _ in header]]):
        lines += [()] if number else []
        for name, cell in zip(header, row, strict=True):
            label = [*styled(name, TextStyle.BOLD), Span(": ")] if name else []
            lines += wrap([*label, *cell], columns, hanging="  ") if label or cell else []
    return lines


def plain_lines(markdown: str, notation: Notation | None = None) -> list[str]:
    """Render the text for plain mode: a line for each paragraph, tables as sentences, nothing wrapped."""
    text = clean(markdown)
    if is_plain(text):
        return paragraphs(text)
    rows = _plain_rows(parse(text), notation or Notation())
    return ["".join(span.text for span in row) for row in rows]


def _plain_rows(tokens: "Sequence[Token]", notation: Notation) -> list[StyledLine]:
    lines: list[StyledLine] = []
    for token, inside in blocks(tokens):
        match token.type:
            case "table_open":
                lines += _table_sentences(_rows(inside, notation), _ENDLESS)
            case "hr":
                pass
            case "blockquote_open":
                lines += [(Span("quote: "), *row) for row in _plain_rows(inside, notation)]
            case _:
                lines += _block(token, inside, _ENDLESS, notation)
    return [row for row in lines if row]


def one_line_text(markdown: str, notation: Notation | None = None) -> str:
    """Return the words of a text on one line: links without addresses, pictures by their words or names."""
    rows = plain_lines(markdown, replace(notation or Notation(), brief=True))
    return " ".join(row.strip() for row in rows if row.strip())
