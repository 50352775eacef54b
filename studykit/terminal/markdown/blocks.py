"""Markdown as blocks: what a card's text is made of, before anything is laid out."""

import re
from dataclasses import dataclass

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$")
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$")
_RULE = re.compile(r" {0,3}([-*_])(?:\s*\1){2,}\s*$")
_ITEM = re.compile(r"( {0,3})([-*+]|\d{1,9}[.)])(\s+)(?=\S)")
_QUOTE = re.compile(r" {0,3}> ?")
_DELIMITERS = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; a line break in it is meant."""

    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A title inside a card."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Fenced code with its language."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Display:
    """A formula on lines of its own, as TeX."""

    tex: str


@dataclass(frozen=True, slots=True)
class Item:
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


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across."""


Block = Paragraph | Heading | Code | Display | Item | Quote | Table | Rule


def blocks(markdown: str) -> list[Block]:
    """The blocks of a text; whatever is not known to be something else is a paragraph."""
    lines = markdown.split("\n")
    found: list[Block] = []
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        block, at = _next(lines, at)
        found.append(block)
    return found


def _next(lines: list[str], at: int) -> tuple[Block, int]:  # noqa: PLR0911 - one line for each kind of block
    line = lines[at]
    if fence := _FENCE.match(line):
        return _code(lines, at, fence)
    if line.strip().startswith("$$"):
        return _display(lines, at)
    if heading := _HEADING.match(line):
        return Heading(heading[2]), at + 1
    if _RULE.match(line):
        return Rule(), at + 1
    if _is_table(lines, at):
        return _table(lines, at)
    if _QUOTE.match(line):
        return _quote(lines, at)
    if item := _ITEM.match(line):
        return _item(lines, at, item)
    return _paragraph(lines, at)


def _code(lines: list[str], at: int, fence: re.Match[str]) -> tuple[Block, int]:
    end = at + 1
    while end < len(lines) and not re.fullmatch(rf" {{0,3}}{re.escape(fence[1])}[`~]*\s*", lines[end]):
        end += 1
    return Code("\n".join(lines[at + 1 : end]), fence[2]), end + 1


def _display(lines: list[str], at: int) -> tuple[Block, int]:
    """A display formula; running text where its end is missing or words follow it."""
    text = ""
    for end in range(at, len(lines)):
        text += ("\n" if text else "") + lines[end].strip()
        if len(text) > 4 and text.endswith("$$"):  # noqa: PLR2004 - the four signs of an empty formula
            tex = text[2:-2]
            return (_paragraph(lines, at)) if "$" in tex else (Display(tex.strip()), end + 1)
        if not lines[end].strip():
            break
    return _paragraph(lines, at)


def _is_table(lines: list[str], at: int) -> bool:
    return (
        at + 1 < len(lines)
        and "|" in lines[at]
        and bool(_DELIMITERS.match(lines[at + 1]))
        and len(_cells(lines[at])) == len(_cells(lines[at + 1]))
    )


def _cells(line: str) -> tuple[str, ...]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner))


def _table(lines: list[str], at: int) -> tuple[Block, int]:
    header = _cells(lines[at])
    rows, end = [header], at + 2
    while end < len(lines) and lines[end].strip() and "|" in lines[end]:
        cells = _cells(lines[end])
        rows.append((*cells, *[""] * (len(header) - len(cells))))
        end += 1
    return Table(tuple(rows)), end


def _quote(lines: list[str], at: int) -> tuple[Block, int]:
    end = at
    while end < len(lines) and _QUOTE.match(lines[end]):
        end += 1
    return Quote("\n".join(_QUOTE.sub("", line, count=1) for line in lines[at:end])), end


def _item(lines: list[str], at: int, item: re.Match[str]) -> tuple[Block, int]:
    """An item with the lines that are indented under it or run on from it."""
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
    return Item(item[2], "\n".join(taken)), end


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
