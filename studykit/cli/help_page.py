"""A page of `study help` on a terminal: its title stands out, so do the words that it explains."""

import re
from typing import TYPE_CHECKING

from rich.table import Table

from studykit.cli.drawing import WIDEST, Drawing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from studykit.cli.context import Context

_LEAST = 60  # columns under which a page is only broken into lines
_EXPLAINED = re.compile(r"(?P<word>\s+\S.*?)\s{2,}(?P<means>\S.*)")


def write_page(context: "Context", page: str) -> None:
    """Print a page; a pipe, a narrow terminal and plain mode get its text, broken between words."""
    columns = context.columns or WIDEST
    if not context.on_terminal or context.plain or columns < _LEAST:
        context.write(page, widest=WIDEST)
        return
    drawing = Drawing(context, columns=min(WIDEST, columns))
    drawing.write(*_parts(drawing, page))


def _parts(drawing: Drawing, page: str) -> "Iterator[RenderableType]":
    title, *lines = page.split("\n")
    yield drawing.title(title)
    grid: Table | None = None
    for line in lines:
        explained = _EXPLAINED.fullmatch(line)
        if explained is None:
            if grid is not None:
                yield grid
            grid = None
            yield drawing.text(line)
            continue
        grid = _grid() if grid is None else grid
        grid.columns[0].min_width = max(grid.columns[0].min_width or 0, explained.start("means") - 2)
        grid.add_row(drawing.text(explained["word"], "key"), drawing.text(explained["means"]))
    if grid is not None:
        yield grid


def _grid() -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    return grid
