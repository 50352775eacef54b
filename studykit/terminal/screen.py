"""A full screen: a head, a question that stays, a body that scrolls below it, a foot."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studykit.terminal.glyphs import ASCII, UNICODE, Glyphs
from studykit.terminal.mode import Style
from studykit.terminal.spans import ACCENT, CHROME, Span, StyledLine, TextStyle, clip, line, paint, plain, width

if TYPE_CHECKING:
    from studykit.terminal.input.tty import Terminal

WIDEST = 88  # columns of running text; longer lines are hard to read
_LOW_ROWS = 16  # rows; a lower terminal gets no head
_BAR, _NARROW_COLUMNS = 20, 60  # columns of the bar; columns under which there is none
MIN_BODY_ROWS = 3  # rows of the body that a pinned question leaves
SCROLL_ROWS = {"j": 1, "down": 1, "pgdn": 10, "k": -1, "up": -1, "pgup": -10}
"""How far keys scroll a page of words."""
_ONWARD = {"enter", "space"}
_HIDE, _SHOW = "\x1b[?25l", "\x1b[?25h"


@dataclass(frozen=True, slots=True)
class ScreenContent:
    """What to show on a whole screen: every line fits its columns already."""

    head: Sequence[StyledLine]
    body: Sequence[StyledLine]
    foot: Sequence[StyledLine]
    pinned: Sequence[StyledLine] = ()  # stays above the body; scrolls with it if both do not fit
    back: str = ""  # the key that shows what has scrolled away above; empty: it is not announced
    onward: str = "j"


def heading(left: str, right: str, share: float, columns: int, glyphs: Glyphs, *, after: str = "") -> StyledLine:
    """Lay out the top row: the deck on the left, what is left and the progress on the right."""
    if columns >= _NARROW_COLUMNS:
        cells = round(share * _BAR)
        right += f" {glyphs.bar * cells}{glyphs.track * (_BAR - cells)}"
    right += after
    room = max(1, columns - len(right) - 1)
    name = clip(line(left), room)
    if name != line(left) and not glyphs.ascii:  # three full stops would take the room of a word
        name = (*clip(name, room - 1), Span("…"))
    gap = " " * max(1, columns - width(name) - len(right))
    return (*name, Span(gap + right))


def key_spans(pairs: Iterable[tuple[str, str]]) -> list[Span]:
    """Format keys and their words, each on one line with its key. The key that goes on has the accent."""
    spans: list[Span] = []
    for key, word in pairs:
        if spans:
            spans.append(Span(" " if spans[-1].text.endswith(",") else "   "))
        style = ACCENT if key in _ONWARD else TextStyle.BOLD
        spans += [Span(key.replace(" ", "\u00a0"), style), Span("\u00a0" + word.replace(" ", "\u00a0"))]
    return spans


@dataclass(frozen=True, slots=True)
class Viewport:
    """The part of a screen's content that a size can show: its rows, and how far it can scroll."""

    rows: tuple[StyledLine, ...]
    room: int  # rows between head and foot
    furthest: int  # the last place to scroll to
    pinned: int  # rows of the question that stay


def layout(content: ScreenContent, columns: int, rows: int, scroll: int, glyphs: Glyphs) -> Viewport:
    """Return the rows of a screen, one for each row of the terminal, and announce what does not fit.

    `scroll` counts the rows that are scrolled away: of the body below a pinned question, else of both.
    """
    page = min(columns, WIDEST)
    rule = line(glyphs.rule * page, CHROME)
    head = [*content.head, rule] if rows >= _LOW_ROWS and content.head else []
    foot = content.foot[max(0, len(content.foot) - max(0, rows - 2)) :]
    room = max(0, rows - len(head) - len(foot) - 1)
    pinned, body = _parted(content, room)
    furthest = max(0, len(body) - (room - len(pinned)))
    at = min(scroll, furthest)
    visible = list(body[at : at + room - len(pinned)])
    announcement = _announced(content, page, above=at > 0, below=at < furthest)
    edge = clip((*line(announcement), Span(glyphs.rule * max(0, page - len(announcement)), CHROME)), page)
    filled = [*head, *pinned, *visible, *[()] * (room - len(pinned) - len(visible)), edge, *foot]
    return Viewport(tuple(filled[:rows]), room, furthest, len(pinned))


def _announced(content: ScreenContent, columns: int, *, above: bool, below: bool) -> str:
    """Say what has scrolled away, for the edge between body and foot, without the keys if room lacks."""
    ways = [("more above", content.back)] if above and content.back else []
    ways += [("more below", content.onward)] if below else []
    announcement = "".join(f"-- {word} ({key}) " for word, key in ways)
    return announcement if len(announcement) <= columns else "".join(f"-- {word} " for word, _ in ways)


def _parted(content: ScreenContent, room: int) -> tuple[list[StyledLine], list[StyledLine]]:
    """Split what stays from what scrolls. A question that fits only without its blank first row loses that."""
    pinned, body = list(content.pinned), list(content.body)
    while body and not body[-1]:
        body.pop()  # do not scroll down to an empty row
    least = min(MIN_BODY_ROWS, len(body))
    if pinned and not pinned[0] and len(pinned) + least > room:
        pinned = pinned[1:]
    return (pinned, body) if len(pinned) + least <= room else ([], [*content.pinned, *body])


class Screen:
    """Draws content on a terminal's alternate screen."""

    def __init__(self, terminal: "Terminal", style: Style) -> None:
        self.terminal = terminal
        self.style = style
        self.glyphs = ASCII if style.ascii else UNICODE

    @property
    def columns(self) -> int:
        """Return the columns for text."""
        return min(self.terminal.size()[0], WIDEST)

    def viewport(self, content: ScreenContent) -> Viewport:
        """Return how the content lies here before it is scrolled."""
        columns, rows = self.terminal.size()
        return layout(content, columns, rows, 0, self.glyphs)

    def draw(self, content: ScreenContent, scroll: int = 0, *, cursor_after: StyledLine | None = None) -> Viewport:
        """Show content. `cursor_after` is the line of the foot, or its start, that the cursor stands behind."""
        columns, rows = self.terminal.size()
        viewport = layout(content, columns, rows, scroll, self.glyphs)
        margin = max(0, columns - WIDEST) // 2
        painted = [self._painted(row, columns, margin) for row in viewport.rows]
        text = _HIDE + "\x1b[H" + "\x1b[K\r\n".join(painted) + "\x1b[K\x1b[J"
        if cursor_after is not None:
            start = plain(cursor_after)
            row = max((at for at, each in enumerate(viewport.rows) if plain(each).startswith(start)), default=0)
            text += f"\x1b[{row + 1};{min(columns, margin + width(cursor_after) + 1)}H" + _SHOW
        self.terminal.write(text)
        return viewport

    def _painted(self, row: StyledLine, columns: int, margin: int) -> str:
        text = paint(clip(row, columns - margin), color=self.style.color, ascii=self.style.ascii)
        return " " * margin + text if row else ""
