"""A full screen: a head, a body that scrolls, a foot that never does."""

from collections.abc import Sequence
from dataclasses import dataclass

from studykit.terminal.glyphs import ASCII, UNICODE, Glyphs
from studykit.terminal.input.tty import Terminal
from studykit.terminal.mode import Style
from studykit.terminal.spans import StyledLine, clip, line, paint, width

WIDEST = 88  # columns of running text; longer lines are hard to read
_LOW = 16  # rows; a lower terminal gets no head
_HIDE, _SHOW = "\x1b[?25l", "\x1b[?25h"


@dataclass(frozen=True, slots=True)
class ScreenContent:
    """What to show on a whole screen: every line fits its columns already."""

    head: Sequence[StyledLine]
    body: Sequence[StyledLine]
    foot: Sequence[StyledLine]
    back: str = ""  # the key that shows what has scrolled away above; empty: it is not announced
    onward: str = "j"


@dataclass(frozen=True, slots=True)
class Viewport:
    """The part of a screen's content that a size can show: its rows, and how far it can scroll."""

    rows: tuple[StyledLine, ...]
    room: int  # rows of the body that can be seen
    furthest: int  # the last place to scroll to


def layout(content: ScreenContent, columns: int, rows: int, scroll: int, glyphs: Glyphs) -> Viewport:
    """The rows of a screen, exactly as many as the terminal has; what does not fit is announced."""
    rule = line(glyphs.rule * min(columns, WIDEST))
    head = [*content.head, rule] if rows >= _LOW and content.head else []
    foot = [rule, *content.foot][-max(1, rows - 1) :]
    room = max(0, rows - len(head) - len(foot))
    furthest = max(0, len(content.body) - room)
    at = min(scroll, furthest)
    seen = list(content.body[at : at + room])
    if len(content.body) - at > room and room:
        seen[-1] = line(f"-- more below ({content.onward}) --")
    if at and content.back and room > 1:
        seen[0] = line(f"-- more above ({content.back}) --")
    filled = [*head, *seen, *[()] * (room - len(seen)), *foot]
    return Viewport(tuple(filled[:rows]), room, furthest)


class Screen:
    """Draws content on a terminal's alternate screen."""

    def __init__(self, terminal: Terminal, style: Style) -> None:
        self.terminal = terminal
        self.style = style
        self.glyphs = ASCII if style.ascii else UNICODE

    @property
    def columns(self) -> int:
        """Columns for text."""
        return min(self.terminal.size()[0], WIDEST)

    def furthest(self, content: ScreenContent) -> int:
        """How far the content can scroll here; 0 where all of it fits."""
        columns, rows = self.terminal.size()
        return layout(content, columns, rows, 0, self.glyphs).furthest

    def draw(self, content: ScreenContent, scroll: int = 0, *, cursor_after: StyledLine | None = None) -> Viewport:
        """Show content; `cursor_after` is the line of the foot, or its start, that the cursor stands behind."""
        columns, rows = self.terminal.size()
        viewport = layout(content, columns, rows, scroll, self.glyphs)
        painted = [self._painted(row, columns) for row in viewport.rows]
        text = _HIDE + "\x1b[H" + "\x1b[K\r\n".join(painted) + "\x1b[K\x1b[J"
        if cursor_after is not None:
            row = next(
                (
                    place
                    for place in range(len(viewport.rows) - 1, -1, -1)
                    if _starts(viewport.rows[place], cursor_after)
                ),
                0,
            )
            text += f"\x1b[{row + 1};{min(columns, width(cursor_after) + 1)}H" + _SHOW
        self.terminal.write(text)
        return viewport

    def _painted(self, row: StyledLine, columns: int) -> str:
        return paint(clip(row, columns), colour=self.style.colour, ascii=self.style.ascii)


def _starts(row: StyledLine, start: StyledLine) -> bool:
    return "".join(span.text for span in row).startswith("".join(span.text for span in start))
