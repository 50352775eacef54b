"""Draw listings, bars and text with Rich. A listing becomes lines where it does not fit.

Text from a deck, a log or a file goes through `Drawing.text`, so that it is never read as markup and cannot
control a terminal. Loading Rich takes 40 ms, so this is imported only where something is drawn, never before a
first question, a shell prompt's words or `--help`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, TextIO

from rich.cells import cell_len
from rich.console import Console, Group, OverflowMethod, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.segment import Segment
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from studykit.scheduling.figure import Figure, ListingColumn
from studykit.terminal.spans import Span, StyledLine, TextStyle, paint, plain
from studykit.text import printable

if TYPE_CHECKING:
    from rich.style import Style

    from studykit.cli import console

BAR = 12  # columns
_NOTHING = ("", "-")
_HEIGHTS, _ASCII_HEIGHTS = " ▁▂▃▄▅▆▇█", " .:-=+*#@"
_MIN_NAME_COLUMNS = 18  # columns in which a long name can be read, on two rows or cut
_ANY_WIDTH = 1_000_000  # columns of a pipe: nothing is broken or cut there
_INDENT = 2
_MAX_CELL_CHARACTERS = 1000  # characters: a longer name would widen every other row
_MIN_TABLE_COLUMNS = 60  # columns; a narrower terminal gets lines
_THEME = Theme(
    {
        "title": "bold",
        "key": "bold cyan",
        "chrome": "dim",  # rules and dots, never words: on Solarized faint words cannot be read
        "right": "bold green",
        "wrong": "bold red",
        "close": "bold magenta",  # yellow cannot be read on white
        "heat": "cyan",
        "bar.back": "dim",
        "bar.complete": "cyan",
        "bar.finished": "cyan",
        "bar.pulse": "cyan",
        "table.header": "none",
    }
)
"""Styles in the terminal's own 16 colors, which only repeat what a word or a sign says already."""


class TextConsole(Console):
    """Draw without hiding the cursor, and in ASCII if other characters cannot be shown."""

    def __init__(self, file: TextIO, *, columns: int | None, color: bool, ascii_only: bool) -> None:
        """Take the columns of the terminal, or None for a pipe, which gets neither styles nor line breaks."""
        self._ascii = ascii_only
        super().__init__(
            file=file,
            width=columns or _ANY_WIDTH,
            height=24,
            force_terminal=columns is not None,
            force_interactive=columns is not None,
            force_jupyter=False,
            legacy_windows=False,
            color_system=None if columns is None else "standard",
            no_color=not color,
            theme=_THEME,
            markup=False,
            emoji=False,
            highlight=False,
        )

    @property
    def encoding(self) -> str:
        """Return the encoding by which Rich chooses its boxes and bars."""
        return "ascii" if self._ascii else "utf-8"

    def show_cursor(self, show: bool = True) -> bool:
        """Do nothing, because a killed run could not show the cursor again."""
        return show


@dataclass(frozen=True, slots=True)
class ShareBar:
    """Hold a share between 0 and 1 that a cell shows as a bar. Another cell of the row has its numbers."""

    value: float
    columns: int = BAR


Cell = str | ShareBar | Text


class Drawing:
    """Draw for standard output, or for a screen."""

    def __init__(self, context: "console.Console", *, columns: int | None = None) -> None:
        """Set the columns of a screen, or by default the width of standard output."""
        self.context = context
        self.ascii = context.style.ascii
        self.plain = context.plain
        self.columns = columns or (context.terminal_size[0] if context.on_terminal else None)
        self._console = TextConsole(
            StringIO(),
            columns=self.columns,
            color=False,  # without color Rich leaves out a bar's track, which looks like the bar; see `paint`
            ascii_only=self.ascii,
        )

    def text(self, content: str, style: str = "") -> Text:
        """Return a text without control characters, which is not read as markup."""
        return Text(printable(content), style=style)

    def title(self, content: str) -> Text:
        """Return a heading."""
        return self.text(content, "title")

    def listing(
        self, title: str, headings: Sequence[ListingColumn], rows: Iterable[Sequence[Cell]]
    ) -> RenderableType:
        """Return a table, or lines if it does not fit. `title` names the first column, `headings` the others."""
        all_rows = [list(row) for row in rows]
        if not self.plain:
            for columns, cells in (headings, all_rows), _without_bars(headings, all_rows):
                table = self._table(title, columns, cells)
                if self.columns is None or self._fits(table, columns, cells, self.columns):
                    return table
        lines: list[RenderableType] = [self.title(title)] if title else []
        for first, *rest in all_rows:
            name, words = _words(first), ", ".join(_numbers(rest, headings))
            if self.plain:
                lines.append(self.text(f"{name}: {words}" if words else name))
            else:
                lines += [self.text(name), *([Padding(self.text(words), (0, 0, 0, _INDENT))] if words else [])]
        return Group(*lines)

    def figure(self, figure: Figure, max_rows: int | None = None, bar: int = BAR) -> RenderableType:
        """Return a figure's rows under its title, or only the first `max_rows` with a note in the title.

        Without rows, return the title and the sentence that explains it.
        """
        if not figure.rows:
            return Group(self.title(figure.title), self.text(figure.sentence))
        rows: list[Sequence[Cell]] = [*figure.rows]
        if figure.bars:
            rows = [(*row, ShareBar(mark, bar)) for row, (_, mark, _) in zip(rows, figure.bars, strict=True)]
        headings = [*figure.columns[1:], *([ListingColumn()] if figure.bars else [])]
        is_cut = max_rows is not None and len(rows) > max_rows
        title = f"{figure.title} ({max_rows} of {len(rows)})" if is_cut else figure.title
        return self.listing(title, headings, rows[:max_rows])

    def sparkline(self, counts: Sequence[int]) -> str:
        """Return a row of blocks, one for each count, with heights in proportion."""
        heights = _ASCII_HEIGHTS if self.ascii else _HEIGHTS
        highest = max(counts, default=0) or 1
        return "".join(heights[-(-count * (len(heights) - 1) // highest)] for count in counts)

    def grid(self, *columns: RenderableType, gap: int = 4) -> Table:
        """Return a table that puts parts side by side."""
        grid = Table.grid(padding=(0, gap, 0, 0))
        grid.add_row(*columns)
        return grid

    def rows(self, rows: Iterable[Sequence[Cell]]) -> RenderableType:
        """Return columns without headings, the last one wrapped, or sentences if they would be narrow."""
        if self.plain or (self.columns is not None and self.columns < _MIN_TABLE_COLUMNS):
            return Group(*(self.text(" ".join(filter(None, map(_words, row)))) for row in rows))
        return self._columns(rows)

    def pairs(self, rows: Iterable[tuple[Cell, Cell]]) -> RenderableType:
        """Return names and their values in two columns."""
        if self.plain:
            return Group(*(self.text(f"{_words(name)}: {_words(value)}") for name, value in rows))
        return self._columns(rows)

    def _columns(self, rows: Iterable[Sequence[Cell]]) -> Table:
        grid = Table.grid(padding=(0, 2, 0, 0))
        for row in rows:
            grid.add_row(*map(self._cell, row))
        for column in grid.columns[:-1]:
            column.no_wrap = True
        grid.columns[-1].overflow = "fold"
        return grid

    def lines(self, *parts: RenderableType) -> list[StyledLine]:
        """Render the parts as rows. A string is a part of plain text."""
        rows: list[StyledLine] = []
        for part in parts:
            renderable = self.text(part) if isinstance(part, str) else part
            rows += map(_styled_line, Segment.split_lines(self._console.render(renderable)))
        return rows

    def write(self, *parts: RenderableType) -> None:
        """Print the parts below each other on standard output."""
        context = self.context
        if self.columns is None:
            lines = [context.spelled(plain(row)) for row in self.lines(*parts)]
        else:
            color = context.style.color
            lines = [paint(row, color=color, ascii=self.ascii) for row in self.lines(*parts)]
        context.copy("\n".join(lines))

    def _fits(
        self, table: Table, headings: Sequence[ListingColumn], rows: Sequence[Sequence[Cell]], columns: int
    ) -> bool:
        """Return whether the table is readable in `columns`, after narrowing its column that may be cut."""
        wide = self._console.options.update(width=_ANY_WIDTH)
        columns_missing = Measurement.get(self._console, wide, table).maximum - columns
        if columns_missing <= 0:
            return True
        cut_place = next((place for place, heading in enumerate(headings, start=1) if heading.cut), 0)
        room = max((cell_len(_words(row[cut_place])) for row in rows), default=0) - columns_missing
        if cut_place:
            table.columns[0].no_wrap = True
            table.columns[cut_place].max_width = room
        return room >= _MIN_NAME_COLUMNS

    def _table(self, title: str, headings: Sequence[ListingColumn], rows: Sequence[Sequence[Cell]]) -> Table:
        has_header = bool(title) or any(heading.name for heading in headings)
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=has_header)
        table.add_column(self.title(title), overflow="fold")
        for heading in headings:
            name = self.text(heading.name)
            overflow: OverflowMethod = "ellipsis" if heading.cut else "fold"
            table.add_column(name, justify="right" if heading.right else "left", no_wrap=True, overflow=overflow)
        for row in rows:
            table.add_row(*map(self._cell, row))
        return table

    def _cell(self, cell: Cell) -> RenderableType:
        if isinstance(cell, ShareBar):
            return ProgressBar(total=1, completed=min(1.0, max(0.0, cell.value)), width=cell.columns)
        return cell if isinstance(cell, Text) else Text(_words(cell))


def _without_bars(
    headings: Sequence[ListingColumn], rows: Sequence[Sequence[Cell]]
) -> tuple[list[ListingColumn], list[list[Cell]]]:
    """Return the headings and the rows of a listing without those of bars."""
    bars = {place for row in rows[:1] for place, cell in enumerate(row) if isinstance(cell, ShareBar)}
    columns = [heading for place, heading in enumerate(headings, start=1) if place not in bars]
    return columns, [[cell for place, cell in enumerate(row) if place not in bars] for row in rows]


def _numbers(cells: Sequence[Cell], headings: Sequence[ListingColumn]) -> list[str]:
    """Return the cells of a row as words, each with its heading. Bars and empty cells are left out."""
    return [
        f"{_words(cell)} {'' if heading.cut or heading.alone else heading.name}".rstrip()
        for cell, heading in zip(cells, headings, strict=True)
        if not isinstance(cell, ShareBar) and _words(cell).strip() not in _NOTHING
    ]


def _words(cell: Cell) -> str:
    if isinstance(cell, ShareBar):
        return f"{cell.value:.0%}"
    return cell.plain if isinstance(cell, Text) else printable(cell, _MAX_CELL_CHARACTERS).replace("\n", " ")


def _styled_line(segments: Iterable[Segment]) -> StyledLine:
    """Convert a row of Rich to a StyledLine without trailing spaces."""
    spans = [Span(segment.text, _style(segment.style)) for segment in segments if not segment.control]
    while spans and not spans[-1].text.strip():
        spans.pop()
    if spans:
        spans[-1] = Span(spans[-1].text.rstrip(), spans[-1].style)
    return tuple(spans)


def _style(style: "Style | None") -> TextStyle:
    if style is None:
        return TextStyle.PLAIN
    flags = TextStyle.BOLD if style.bold else TextStyle.PLAIN
    flags |= TextStyle.DIM if style.dim else TextStyle.PLAIN
    flags |= TextStyle.REVERSE if style.reverse else TextStyle.PLAIN
    color = style.color.name.upper() if style.color else ""
    return flags | TextStyle.__members__.get(color, TextStyle.PLAIN)
