"""Markdown as blocks: what a card's text is made of, before anything is laid out."""

import re
from dataclasses import dataclass

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$")
_HEADING = re.compile(r" {0,3}#{1,6}\s+(.*)")
_RULE = re.compile(r" {0,3}([-*_])(?:\s*\1){2,}\s*$")
_ITEM = re.compile(r"( {0,3})([-*+]|\d{1,9}[.)])(\s+)(?=\S)")
_QUOTE = re.compile(r" {0,3}> ?")
_DELIMITER = re.compile(r":?-+:?")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; a line break in it is meant."""

    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A title inside a card."""

    text: str


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Fenced code with its language."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class DisplayFormula:
    """A formula on lines of its own, as TeX."""

    tex: str


@dataclass(frozen=True, slots=True)
class ListItem:
    """One item of a list: its mark and the Markdown inside."""

    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """Quoted Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the first one the header."""

    rows: tuple[tuple[str, ...], ...]


class HorizontalRule:
    """A line across."""


Block = Paragraph | Heading | CodeBlock | DisplayFormula | ListItem | Quote | Table | HorizontalRule


def blocks(markdown: str) -> list[Block]:
    """The blocks of a text; whatever is not known to be something else is a paragraph."""
    lines = markdown.split("\n")
    read: list[Block] = []
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        block, at = _next(lines, at)
        read.append(block)
    return read


def _next(lines: list[str], at: int) -> tuple[Block, int]:
    """The block that begins at a line, and the line behind it."""
    for reader in (_code, _display, _heading, _rule, _table, _quote, _item):
        if (block := reader(lines, at)) is not None:
            return block
    return _paragraph(lines, at)


def _code(lines: list[str], at: int) -> tuple[Block, int] | None:
    if (fence := _FENCE.match(lines[at])) is None:
        return None
    end = at + 1
    while end < len(lines) and not re.fullmatch(rf" {{0,3}}{re.escape(fence[1])}[`~]*\s*", lines[end]):
        end += 1
    return CodeBlock("\n".join(lines[at + 1 : end]), fence[2]), end + 1


def _display(lines: list[str], at: int) -> tuple[Block, int] | None:
    """A display formula; running text where its end is missing or words follow it."""
    if not lines[at].strip().startswith("$$"):
        return None
    text = ""
    for end in range(at, len(lines)):
        text += ("\n" if text else "") + lines[end].strip()
        if len(text) > len("$$$$") and text.endswith("$$"):
            tex = text[2:-2]
            return _paragraph(lines, at) if "$" in tex else (DisplayFormula(tex.strip()), end + 1)
        if not lines[end].strip():
            break
    return _paragraph(lines, at)


def _heading(lines: list[str], at: int) -> tuple[Block, int] | None:
    if (heading := _HEADING.match(lines[at])) is None:
        return None
    text = heading[1].strip()
    bare = text.rstrip("#")  # a heading may be closed by as many signs as it likes
    return Heading(text if bare and not bare[-1].isspace() else bare.rstrip()), at + 1


def _rule(lines: list[str], at: int) -> tuple[Block, int] | None:
    return (HorizontalRule(), at + 1) if _RULE.match(lines[at]) else None


def _is_table(lines: list[str], at: int) -> bool:
    if at + 1 >= len(lines) or "|" not in lines[at]:
        return False
    delimiters = _cells(lines[at + 1])
    return all(map(_DELIMITER.fullmatch, delimiters)) and len(delimiters) == len(_cells(lines[at]))


def _cells(line: str) -> tuple[str, ...]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner))


def _table(lines: list[str], at: int) -> tuple[Block, int] | None:
    if not _is_table(lines, at):
        return None
    header = _cells(lines[at])
    rows, end = [header], at + 2
    while end < len(lines) and lines[end].strip() and "|" in lines[end]:
        cells = _cells(lines[end])
        rows.append((*cells, *[""] * (len(header) - len(cells))))
        end += 1
    return Table(tuple(rows)), end


def _quote(lines: list[str], at: int) -> tuple[Block, int] | None:
    end = at
    while end < len(lines) and _QUOTE.match(lines[end]):
        end += 1
    inside = [_QUOTE.sub("", line, count=1) for line in lines[at:end]]
    return (Quote("\n".join(inside)), end) if inside else None


def _item(lines: list[str], at: int) -> tuple[Block, int] | None:
    """An item with the lines that are indented under it or run on from it."""
    if (item := _ITEM.match(lines[at])) is None:
        return None
    inside = len(item[0])
    taken, end = [lines[at][inside:]], at + 1
    while end < len(lines):
        line = lines[end]
        indented = line.startswith(" " * min(inside, 2)) and len(line) - len(line.lstrip()) >= min(inside, 2)
        lazy = bool(taken[-1].strip()) and not _starts_block(lines, end)
        if line.strip() and not indented and not lazy:
            break
        if not line.strip() and not (end + 1 < len(lines) and lines[end + 1].startswith(" " * min(inside, 2))):
            break
        taken.append(line[min(inside, len(line) - len(line.lstrip())) :])
        end += 1
    return ListItem(item[2], "\n".join(taken)), end


def _starts_block(lines: list[str], at: int) -> bool:
    line = lines[at]
    marked = (_FENCE, _HEADING, _RULE, _QUOTE, _ITEM)
    return line.strip().startswith("$$") or any(mark.match(line) for mark in marked) or _is_table(lines, at)


def _paragraph(lines: list[str], at: int) -> tuple[Block, int]:
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _interrupts(lines, end):
        end += 1
    text = ""
    for line in lines[at:end]:
        broken = line.endswith(("  ", "\\"))
        text += line.strip().removesuffix("\\" if broken else "").rstrip() + ("\n" if broken else " ")
    return Paragraph(text.rstrip()), end


def _interrupts(lines: list[str], at: int) -> bool:
    """Whether a line ends the paragraph above it; a number only does as 1, else `1024. ` in running text would."""
    item = _ITEM.match(lines[at])
    return _starts_block(lines, at) and not (item and item[2][0].isdigit() and item[2][:-1] != "1")
