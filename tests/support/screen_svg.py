"""Draw a terminal's screen as SVG that uses the reader's monospaced font and follows a dark page."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate, groupby

import pyte.graphics
import pyte.screens
from data_files import DATA

CELL, ROW, MARGIN = 8.4, 19, 14

COLORS = {"red": "red", "green": "green", "brown": "yellow", "blue": "blue", "magenta": "magenta", "cyan": "cyan"}
"""A terminal's colors by the names that the emulator gives them."""
PALETTES: dict[str, dict[str, str]] = json.loads((DATA / "palettes.json").read_text("utf-8"))
_FONT = (
    "text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; "
    "white-space: pre; }\n"
    ".b { font-weight: 700; } .i { font-style: italic; } .u { text-decoration: underline; } .d { opacity: 0.6; }"
)


def show_faint() -> None:
    """Make the emulator record faint text as blinking text, because it has no attribute for faint."""
    pyte.graphics.TEXT[2] = "+blink"


@dataclass(frozen=True)
class Still:
    """Hold what a terminal shows for some seconds, as SVG pieces of each row."""

    columns: int
    rows: tuple[tuple[str, ...], ...]
    seconds: float = 0


def still_of(screen: pyte.Screen, seconds: float = 0) -> Still:
    """Return the screen as SVG pieces, with one text element for each run of cells that look alike."""
    rows = [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]
    pieces = (tuple(_row(row, MARGIN + y * ROW)) for y, row in enumerate(rows))
    return Still(screen.columns, tuple(pieces), seconds)


def moving_svg(stills: Sequence[Still], described: str) -> str:
    """Return an SVG that shows the stills in a loop. A row that stays the same is drawn once."""
    ends = [*accumulate(still.seconds for still in stills)]
    pieces, windows = [], set()
    for y in range(len(stills[0].rows)):
        for row, same in groupby(range(len(stills)), key=lambda number: stills[number].rows[y]):
            first, *_, last = [*same] * 2
            if row:
                windows.add((first, last))
                is_last = " z" if last == len(stills) - 1 else ""
                pieces.append(f'<g class="w{first}-{last}{is_last}">{"".join(row)}</g>')
    rules = [
        "g { visibility: hidden; } .z { visibility: visible; }",
        "@media (prefers-reduced-motion: no-preference) {",
        *(_window(first, last, ends) for first, last in sorted(windows)),
        "}",
    ]
    return _picture(stills[0].columns, len(stills[0].rows), described, _style() + "\n".join(rules), pieces)


def _window(first: int, last: int, ends: Sequence[float]) -> str:
    """Return the rules that show a row from the first to the last of its stills."""
    start, end = ((ends[number] if number >= 0 else 0) / (ends[-1] or 1) for number in (first - 1, last))
    name = f"w{first}-{last}"
    steps = {0.0: "hidden", start: "visible"} | ({end: "hidden"} if end < 1 else {})
    keyframes = " ".join(f"{at:.2%} {{ visibility: {state}; }}" for at, state in steps.items())
    return f"@keyframes {name} {{ {keyframes} }} .{name} {{ animation: {name} {ends[-1]:g}s step-end infinite; }}"


def _picture(columns: int, rows: int, described: str, style: str, pieces: Sequence[str]) -> str:
    wide, high = round(columns * CELL) + 2 * MARGIN, rows * ROW + 2 * MARGIN
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        f'role="img" aria-label="{escape(described)}">'
    )
    paper = f'<rect class="paper" x="0.5" y="0.5" width="{wide - 1}" height="{high - 1}" rx="8"/>'
    title = f"<title>{escape(described)}</title>"
    return "\n".join([opening, title, f"<style>\n{style}</style>", paper, *pieces, "</svg>\n"])


def _style() -> str:
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
