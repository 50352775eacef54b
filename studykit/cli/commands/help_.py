"""`study help`: the pages of `studykit/help`, with the tables that the code knows filled in."""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cards.symbols import FILE, read_symbols
from studykit.cli.commands.config import setting_text
from studykit.cli.context import Context, context_of
from studykit.cli.display import WIDEST
from studykit.cli.options import Plain
from studykit.config import SETTINGS
from studykit.errors import NotFoundError
from studykit.help_pages import PAGES
from studykit.paths import decks
from studykit.scheduling.figure_definitions import DEFINITIONS
from studykit.text import meant

if TYPE_CHECKING:
    from rich.console import RenderableType

_MIN_COLUMNS = 60  # a narrower terminal gets plain lines
_EXPLANATION = re.compile(r"(?P<word>\s+\S.*?)\s{2,}(?P<means>\S.*)")
_TABLE = re.compile(r"^\{(\w+)\}$", re.MULTILINE)


def topics(incomplete: str = "") -> list[str]:
    """The names of the pages that start with `incomplete`."""
    names = sorted(page.stem for page in PAGES.glob("*.md"))
    return [name for name in names if name.startswith(incomplete)]


Topic = Annotated[
    str | None,
    typer.Argument(metavar="[TOPIC]", help="One of the topics; none lists them.", autocompletion=topics),
]


def help_(ctx: typer.Context, topic: Topic = None, _plain: Plain = False) -> None:  # its pages are plain lines
    """Explain keys, environment, exit codes, settings, decks, imports, finding, schedulers, figures and more."""
    context = context_of(ctx)
    names = topics()
    if topic is None:
        context.write(f"Topics: {', '.join(names)}.")
        context.write("Each command explains itself: study COMMAND --help")
        return
    if topic not in names:
        hint = meant(topic, names, f"there are {', '.join(names)}.")
        raise NotFoundError(f"there is no help on {topic!r}; {hint}")
    _write_page(context, _page(topic))


def _page(topic: str) -> str:
    """The text of a page: its title, a line for each paragraph, and the indented rows of its code blocks."""
    markdown = (PAGES / f"{topic}.md").read_text("utf-8").removeprefix("# ")
    lines: list[str] = []
    in_code = is_open = False  # is_open: the next line of Markdown goes on with the last one
    for line in _TABLE.sub(lambda name: _TABLES[name[1]](), markdown).splitlines():
        if line.startswith("```"):
            in_code, is_open = not in_code, False
            continue
        if is_open and line and line.startswith("  ") >= in_code:
            lines[-1] += " " + line.strip()
        else:
            lines.append(f"  {line}" if in_code and line else line)
        is_open = bool(line)
    return "\n".join(lines)


def _write_page(context: Context, page: str) -> None:
    """Print a page: on a terminal its title stands out, and so do the words that it explains.

    A pipe, a narrow terminal and plain mode get its text, broken between words.
    """
    columns = context.columns or WIDEST
    if not context.on_terminal or context.plain or columns < _MIN_COLUMNS:
        context.write(page, widest=WIDEST)
        return
    from rich.table import Table

    from studykit.cli.drawing import Drawing

    drawing = Drawing(context, columns=min(WIDEST, columns))
    title, *lines = page.split("\n")
    parts: list[RenderableType] = [drawing.title(title)]
    for line in lines:
        explanation = _EXPLANATION.fullmatch(line)
        if explanation is None:
            parts.append(drawing.text(line))
            continue
        grid = parts[-1]
        if not isinstance(grid, Table):
            grid = Table.grid(padding=(0, 2, 0, 0))
            grid.add_column(no_wrap=True)
            grid.add_column()
            parts.append(grid)
        grid.columns[0].min_width = max(grid.columns[0].min_width or 0, explanation.start("means") - 2)
        grid.add_row(drawing.text(explanation["word"], "key"), drawing.text(explanation["means"]))
    drawing.write(*parts)


def _rows(explanations: Mapping[str, str]) -> str:
    """A code block with a row for each word and what it means."""
    width = max(map(len, explanations))
    return "\n".join(["```text", *(f"{word:<{width}}  {means}" for word, means in explanations.items()), "```"])


def _settings() -> str:
    settings = {key.name: f"{key.help} (default: {setting_text(key.default)})" for key in SETTINGS}
    return _rows({**settings, "keys.ACTION": "the key of an action of the review: see `study help keys`"})


def _symbols() -> str:
    symbols, _ = read_symbols((decks() / FILE).read_text(encoding="utf-8"), FILE)
    return _rows({symbol.letter: symbol.means for symbol in symbols})


_TABLES: Mapping[str, Callable[[], str]] = {
    "settings": _settings,
    "figures": lambda: _rows(DEFINITIONS),
    "symbols": _symbols,
}
"""What stands in a page for a table: `{settings}` on a line of its own."""
