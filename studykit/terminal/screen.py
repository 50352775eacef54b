"""Lay out a full screen: a head, a question that stays, a body that scrolls below it, and a foot."""

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
"""Rows by which each key scrolls a page of text."""
_ONWARD = {"enter", "space"}
_HIDE, _SHOW = "\x1b[?25l", "\x1b[?25h"


@dataclass(frozen=True, slots=True)
class ScreenContent:
    """Hold what a screen shows. Lines must be wrapped already."""

    head: Sequence[StyledLine]
    body: Sequence[StyledLine]
    foot: Sequence[StyledLine]
    pinned: Sequence[StyledLine] = ()  # stays above the body; scrolls with it if both do not fit
    back: str = ""  # key that scrolls back; "" if rows above are not announced
    onward: str = "j"


def heading(left: str, right: str, share: float, columns: int, glyphs: Glyphs, *, after: str = "") -> StyledLine:
    """Lay out the top row: the deck on the left, the remaining cards and the progress on the right."""
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
    """Format keys with their words, so that no pair is broken. The key that goes on is colored."""
    spans: list[Span] = []
    for key, word in pairs:
        if spans:
            spans.append(Span(" " if spans[-1].text.endswith(",") else "   "))
        style = ACCENT if key in _ONWARD else TextStyle.BOLD
        spans += [Span(key.replace(" ", "\u00a0"), style), Span("\u00a0" + word.replace(" ", "\u00a0"))]
    return spans


@dataclass(frozen=True, slots=True)
class Viewport:
    """Hold the rows of a screen's content that a size can show, and how far it can scroll."""

    rows: tuple[StyledLine, ...]
    room: int  # rows between head and foot
    furthest: int  # the last place to scroll to
    pinned: int  # rows of the question that stay


def layout(content: ScreenContent, columns: int, rows: int, scroll: int, glyphs: Glyphs) -> Viewport:
    """Return what a screen of this size shows: a row for each row of the terminal, and how far it can scroll.

    A row between body and foot announces rows that do not fit. `scroll` counts the rows scrolled away: of the body
    below a pinned question, or of question and body if the question does not stay.
    """
    page = min(columns, WIDEST)
    rule = line(glyphs.rule * page, CHROME)
    head = [*content.head, rule] if rows >= _LOW_ROWS and content.head else []
    foot = content.foot[max(0, len(content.foot) - max(0, rows - 2)) :]
    room = max(0, rows - len(head) - len(foot) - 1)
    pinned, body = _split_pinned(content, room)
    furthest = max(0, len(body) - (room - len(pinned)))
    first_row = min(scroll, furthest)
    visible = list(body[first_row : first_row + room - len(pinned)])
    announcement = _announcement(content, page, above=first_row > 0, below=first_row < furthest)
    edge = clip((*line(announcement), Span(glyphs.rule * max(0, page - len(announcement)), CHROME)), page)
    screen_rows = [*head, *pinned, *visible, *[()] * (room - len(pinned) - len(visible)), edge, *foot]
    return Viewport(tuple(screen_rows[:rows]), room, furthest, len(pinned))


def _announcement(content: ScreenContent, columns: int, *, above: bool, below: bool) -> str:
    """Return the text between body and foot that announces more rows, without keys if they do not fit."""
    ways = [("more above", content.back)] if above and content.back else []
    ways += [("more below", content.onward)] if below else []
    announcement = "".join(f"-- {word} ({key}) " for word, key in ways)
    return announcement if len(announcement) <= columns else "".join(f"-- {word} " for word, _ in ways)


def _split_pinned(content: ScreenContent, room: int) -> tuple[list[StyledLine], list[StyledLine]]:
    """Return the rows that stay and those that scroll. If both do not fit, all scroll and none stay."""
    pinned, body = list(content.pinned), list(content.body)
    while body and not body[-1]:
        body.pop()  # do not scroll down to an empty row
    min_rows = min(MIN_BODY_ROWS, len(body))
    if pinned and not pinned[0] and len(pinned) + min_rows > room:
        pinned = pinned[1:]
    return (pinned, body) if len(pinned) + min_rows <= room else ([], [*content.pinned, *body])


class Screen:
    """Draw content on a terminal's alternate screen."""

    def __init__(self, terminal: "Terminal", style: Style) -> None:
        self.terminal = terminal
        self.style = style
        self.glyphs = ASCII if style.ascii else UNICODE

    @property
    def columns(self) -> int:
        """Return the columns for text."""
        return min(self.terminal.size()[0], WIDEST)

    def viewport(self, content: ScreenContent) -> Viewport:
        """Return the viewport of the content before it is scrolled."""
        columns, rows = self.terminal.size()
        return layout(content, columns, rows, 0, self.glyphs)

    def draw(self, content: ScreenContent, scroll: int = 0, *, cursor_after: StyledLine | None = None) -> Viewport:
        """Draw content, and return what is visible of it.

        The cursor stands after `cursor_after` in the last row that starts with it, and is hidden for None.
        """
        columns, rows = self.terminal.size()
        viewport = layout(content, columns, rows, scroll, self.glyphs)
        margin = max(0, columns - WIDEST) // 2
        painted_rows = [self._paint_row(row, columns, margin) for row in viewport.rows]
        # Each row erases only its own rest. Clearing the screen first would make it flicker.
        text = _HIDE + "\x1b[H" + "\x1b[K\r\n".join(painted_rows) + "\x1b[K\x1b[J"
        if cursor_after is not None:
            start = plain(cursor_after)
            row = max((at for at, each in enumerate(viewport.rows) if plain(each).startswith(start)), default=0)
            text += f"\x1b[{row + 1};{min(columns, margin + width(cursor_after) + 1)}H" + _SHOW
        self.terminal.write(text)
        return viewport

    def _paint_row(self, row: StyledLine, columns: int, margin: int) -> str:
        text = paint(clip(row, columns - margin), color=self.style.color, ascii=self.style.ascii)
        return " " * margin + text if row else ""
