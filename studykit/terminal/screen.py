"""A full screen: a head, a body that scrolls, a foot that never does."""

from collections.abc import Sequence
from dataclasses import dataclass

from studykit.terminal.ansi import paint
from studykit.terminal.glyphs import ASCII, UNICODE, Glyphs
from studykit.terminal.input.tty import Terminal
from studykit.terminal.mode import Style
from studykit.terminal.spans import Line, clip, line, width

WIDEST = 88  # columns of running text; longer lines are hard to read
_LOW = 16  # rows; a lower terminal gets no head
_HIDE, _SHOW = "\x1b[?25l", "\x1b[?25h"


@dataclass(frozen=True, slots=True)
class Frame:
    """What to show: every line fits its columns already."""

    head: Sequence[Line]
    body: Sequence[Line]
    foot: Sequence[Line]
    back: str = ""  # the key that shows what has scrolled away above; empty: it is not announced
    onward: str = "j"


@dataclass(frozen=True, slots=True)
class Laid:
    """A frame laid out for a size: the rows, and how far it can scroll."""

    rows: tuple[Line, ...]
    room: int  # rows of the body that can be seen
    furthest: int  # the last place to scroll to


def layout(frame: Frame, columns: int, rows: int, scroll: int, glyphs: Glyphs) -> Laid:
    """The rows of a frame, exactly as many as the terminal has; what does not fit is announced."""
    rule = line(glyphs.rule * min(columns, WIDEST))
    head = [*frame.head, rule] if rows >= _LOW and frame.head else []
    foot = [rule, *frame.foot][-max(1, rows - 1) :]
    room = max(0, rows - len(head) - len(foot))
    furthest = max(0, len(frame.body) - room)
    at = min(scroll, furthest)
    seen = list(frame.body[at : at + room])
    if len(frame.body) - at > room and room:
        seen[-1] = line(f"-- more below ({frame.onward}) --")
    if at and frame.back and room > 1:
        seen[0] = line(f"-- more above ({frame.back}) --")
    filled = [*head, *seen, *[()] * (room - len(seen)), *foot]
    return Laid(tuple(filled[:rows]), room, furthest)


class Screen:
    """Draws frames on a terminal's alternate screen."""

    def __init__(self, terminal: Terminal, style: Style) -> None:
        self.terminal = terminal
        self.style = style
        self.glyphs = ASCII if style.ascii else UNICODE

    @property
    def columns(self) -> int:
        """Columns for text."""
        return min(self.terminal.size()[0], WIDEST)

    def furthest(self, frame: Frame) -> int:
        """How far a frame can scroll here; 0 where all of it fits."""
        columns, rows = self.terminal.size()
        return layout(frame, columns, rows, 0, self.glyphs).furthest

    def draw(self, frame: Frame, scroll: int = 0, *, cursor_after: Line | None = None) -> Laid:
        """Show a frame; `cursor_after` is the line of the foot, or its start, that the cursor stands behind."""
        columns, rows = self.terminal.size()
        laid = layout(frame, columns, rows, scroll, self.glyphs)
        painted = [self._painted(row, columns) for row in laid.rows]
        text = _HIDE + "\x1b[H" + "\x1b[K\r\n".join(painted) + "\x1b[K\x1b[J"
        if cursor_after is not None:
            row = next(
                (place for place in range(len(laid.rows) - 1, -1, -1) if _starts(laid.rows[place], cursor_after)),
                0,
            )
            text += f"\x1b[{row + 1};{min(columns, width(cursor_after) + 1)}H" + _SHOW
        self.terminal.write(text)
        return laid

    def _painted(self, row: Line, columns: int) -> str:
        return paint(clip(row, columns), colour=self.style.colour, ascii=self.style.ascii)


def _starts(row: Line, start: Line) -> bool:
    return "".join(span.text for span in row).startswith("".join(span.text for span in start))
