"""A terminal's screen as a picture: SVG that takes the reader's own monospaced font and follows a dark page."""

import json
from collections.abc import Iterator
from html import escape
from itertools import groupby

import pyte.graphics
import pyte.screens
from data_files import DATA

CELL, ROW, MARGIN = 8.4, 19, 14

COLORS = {"red": "red", "green": "green", "brown": "yellow", "blue": "blue", "magenta": "magenta", "cyan": "cyan"}
"""A terminal's colors by the names that the emulator gives them."""
PALETTES: dict[str, dict[str, str]] = json.loads((DATA / "palettes.json").read_text("utf-8"))
"""Colors by palette; "eight" is what a console without more colors shows."""
_FONT = (
    "text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; "
    "white-space: pre; }\n"
    ".b { font-weight: 700; } .i { font-style: italic; } .u { text-decoration: underline; } .d { opacity: 0.6; }"
)


def show_faint() -> None:
    """Let the emulator remember faint text, which it has no word for, as blinking text; nothing here blinks."""
    pyte.graphics.TEXT[2] = "+blink"


def svg(screen: pyte.Screen, described: str, palette: str = "") -> str:
    """A screen as a picture: every run of one look is a text of its own, at its own place.

    Without a palette it is light, and dark where the page around it is.
    """
    rows = [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]
    while rows and not "".join(cell.data for cell in rows[-1]).strip():
        rows.pop()
    wide, high = round(screen.columns * CELL) + 2 * MARGIN, len(rows) * ROW + 2 * MARGIN
    pieces = [piece for y, row in enumerate(rows) for piece in _row(row, MARGIN + y * ROW)]
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        f'role="img" aria-label="{escape(described)}">'
    )
    paper = f'<rect class="paper" x="0.5" y="0.5" width="{wide - 1}" height="{high - 1}" rx="8"/>'
    title = f"<title>{escape(described)}</title>"
    return "\n".join([opening, title, f"<style>\n{_style(palette)}</style>", paper, *pieces, "</svg>\n"])


def _style(palette: str) -> str:
    if palette:
        return f"{_FONT}\n{_rules(PALETTES[palette])}\n"
    light, dark = _rules(PALETTES["light"]), _rules(PALETTES["dark"])
    return f"{_FONT}\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"


def _rules(colors: dict[str, str]) -> str:
    fills = " ".join(f".{name} {{ fill: {colors[name]}; }}" for name in COLORS.values())
    paper = f".paper {{ fill: {colors['paper']}; stroke: {colors['edge']}; }}"
    reverse = f".r {{ fill: {colors['paper']}; }} rect.r {{ fill: {colors['text']}; }}"
    return f"text {{ fill: {colors['text']}; }} {paper} {fills} {reverse}"


def _row(row: list[pyte.screens.Char], y: int) -> Iterator[str]:
    x = 0
    for look, cells in groupby(row, key=_look):
        text = "".join(cell.data for cell in cells)  # the second cell of a wide sign is empty
        length = len(text)
        if "r" in look.split():
            place = f'x="{MARGIN + x * CELL:.1f}" y="{y}" width="{length * CELL:.1f}" height="{ROW}"'
            yield f'<rect class="r" {place}/>'
        if text.strip():
            start = x + len(text) - len(text.lstrip())
            word = text.strip()
            place = f'x="{MARGIN + start * CELL:.1f}" y="{y + 14}" textLength="{len(word) * CELL:.1f}"'
            attribute = f' class="{look}"' if look else ""
            yield f"<text {place}{attribute}>{escape(word)}</text>"
        x += length


def _look(cell: pyte.screens.Char) -> str:
    looks = [("b", cell.bold), ("i", cell.italics), ("u", cell.underscore), ("d", cell.blink), ("r", cell.reverse)]
    color = [COLORS[cell.fg]] if cell.fg in COLORS else []
    return " ".join([*(name for name, has in looks if has), *color])
