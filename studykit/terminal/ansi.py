"""Styled lines as the bytes that a terminal understands."""

from collections.abc import Iterable

from studykit.terminal.glyphs import in_ascii
from studykit.terminal.spans import Line, Look

_CODES = {
    Look.BOLD: "1",
    Look.ITALIC: "3",
    Look.UNDERLINE: "4",
    Look.REVERSE: "7",
    Look.RED: "31",
    Look.GREEN: "32",
    Look.CYAN: "36",
    Look.MAGENTA: "35",
}
_COLOURS = Look.RED | Look.GREEN | Look.CYAN | Look.MAGENTA
RESET = "\x1b[0m"


def paint(line: Line, *, colour: bool, ascii: bool = False) -> str:  # noqa: A002 - the word that the Face uses too
    """One line with its escape sequences; without colour, bold and reverse are kept."""
    return "".join(_span(in_ascii(span.text) if ascii else span.text, span.look, colour=colour) for span in line)


def _span(text: str, look: Look, *, colour: bool) -> str:
    shown = look if colour else look & ~_COLOURS
    text = text.replace("\u00a0", " ")  # it has kept words together on a line; a copy of the text needs none
    codes = _codes(shown)
    return f"\x1b[{codes}m{text}{RESET}" if codes else text


def _codes(look: Look) -> str:
    return ";".join(code for flag, code in _CODES.items() if flag in look)


def painted(lines: Iterable[Line], *, colour: bool, ascii: bool = False) -> str:  # noqa: A002
    """Several lines, each ended by a line break."""
    return "".join(paint(line, colour=colour, ascii=ascii) + "\n" for line in lines)
