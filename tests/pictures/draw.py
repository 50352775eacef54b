"""Draws the README's pictures from a real session in a pseudo-terminal.

Run it as: python tests/pictures/draw.py

The clock and the seeds are fixed, so that a second run writes the same bytes. No font is fetched: the pictures use
the reader's own monospaced one, and follow a dark page.
"""

import random
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import escape
from itertools import groupby
from pathlib import Path

import pyte.screens

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "support"))

from live import STUDY, Live, environ_of  # noqa: E402 - found beside the tests

from studykit.cli.context import Context  # noqa: E402 - the same
from studykit.scheduling.events import EventKind  # noqa: E402 - the same
from studykit.scheduling.memory import Grade  # noqa: E402 - the same

NOW = datetime(2026, 11, 20, 8, 30, tzinfo=UTC)
DAYS, NEW_A_DAY = 45, 6
CELL, ROW, MARGIN = 8.4, 19, 14
COLUMNS, ROWS = 80, 19
_SETTLED_SECONDS = 0.5  # the last words of a screen come in one piece with the ones that were waited for
_STYLE = """
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328;
  white-space: pre; }
.paper { fill: #ffffff; stroke: #d1d9e0; }
.b { font-weight: 700; } .i { font-style: italic; } .u { text-decoration: underline; }
.green { fill: #116329; } .red { fill: #a40e26; } .cyan { fill: #1b7c83; } .magenta { fill: #8250df; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .paper { fill: #0d1117; stroke: #3d444d; }
  .green { fill: #56d364; } .red { fill: #ff7b72; } .cyan { fill: #56d4dd; } .magenta { fill: #d2a8ff; }
}
"""


def main() -> None:
    """Write every picture."""
    with tempfile.TemporaryDirectory(prefix="study-pictures-") as name:
        folder = Path(name)
        environ = environ_of(folder) | {"STUDYKIT_NOW": NOW.isoformat(), "STUDYKIT_SEED": "42"}
        del environ["STUDYKIT_DECKS"]
        _live_through(folder, environ)
        for picture, described, screen in _scenes(environ):
            (HERE / f"{picture}.svg").write_text(svg(screen, described))


def _live_through(folder: Path, environ: dict[str, str]) -> None:
    """Some weeks of a learner's answers, always the same ones."""
    context = Context(environ, str(folder / "study.db"), sys.stdin, sys.stdout, sys.stderr)
    context.collection.refresh()
    chance = random.Random(336)
    for back in range(DAYS, 0, -1):
        if chance.random() < 0.15:
            continue  # a day off
        moment = NOW - timedelta(days=back)
        agenda = context.store.schedule.agenda(moment.date(), new=200)
        new = [
            card for card in map(context.store.cards.card, agenda.new) if card is not None and card.task is None
        ]
        for card in (*agenda.due, *(card.id for card in new[:NEW_A_DAY])):
            moment += timedelta(seconds=chance.randrange(6, 20))
            grade = chance.choices([Grade.AGAIN, Grade.HARD, Grade.GOOD, Grade.EASY], [10, 8, 70, 12])[0]
            context.store.log.record(EventKind.ANSWER, card, grade=grade, took_ms=9000, at=moment)
    context.store.close()


def _scenes(environ: dict[str, str]) -> Iterator[tuple[str, str, pyte.Screen]]:
    with _terminal(environ, "review", "--new", "0") as live:  # new ones may be exercises
        for _ in range(3):
            _reveal(live)
            live.send("3")
            live.see_gone("1 again: today")
        live.see("space reveal")
        live.linger(_SETTLED_SECONDS)
        yield "question", "A card's question in study review", live.screen
        _reveal(live)
        live.linger(_SETTLED_SECONDS)
        yield "review", "A card's answer in study review, with what each grade would bring", live.screen
    with _terminal(environ, "exercise", "flops.train_total", "--seed", "42") as live:
        live.see("FLOP>")
        live.press("2*1e9*3e12\r", "not yet")
        live.see("\nFLOP>\n")  # the prompt for the next answer
        live.linger(_SETTLED_SECONDS)
        yield "exercise", "A numeric exercise that names the slip in a wrong answer", live.screen
    with _terminal(environ) as live:
        live.ends()
        yield "home", "study alone: decks, twelve weeks, the days to come and one next step", live.screen
    with _terminal(environ, "stats") as live:
        live.see("quit")
        yield "stats", "study stats: recall and what is to come, the first of eight views", live.screen


def _reveal(live: Live) -> None:
    """Turn the card, whether it waits for a key or for a typed answer."""
    typed = live.see_one("space reveal", "enter compare") == "enter compare"
    live.press("\r" if typed else " ", "1 again: today")


class _terminal:  # noqa: N801 - reads as a function where it is used
    """A command in a terminal for as long as a picture takes."""

    def __init__(self, environ: dict[str, str], *arguments: str) -> None:
        rows = ROWS if arguments and arguments[0] != "stats" else 24
        self._live = Live([*STUDY, *arguments], environ, COLUMNS, rows)

    def __enter__(self) -> Live:
        return self._live

    def __exit__(self, *_: object) -> None:
        self._live.close()


def svg(screen: pyte.Screen, described: str) -> str:
    """A screen as a picture: every run of one look is a text of its own, at its own place."""
    rows = [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]
    while rows and not "".join(cell.data for cell in rows[-1]).strip():
        rows.pop()
    wide, high = round(COLUMNS * CELL) + 2 * MARGIN, len(rows) * ROW + 2 * MARGIN
    texts = [text for y, row in enumerate(rows) for text in _row(row, MARGIN + y * ROW + 14)]
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        f'role="img" aria-label="{escape(described)}">'
    )
    paper = f'<rect class="paper" x="0.5" y="0.5" width="{wide - 1}" height="{high - 1}" rx="8"/>'
    title = f"<title>{escape(described)}</title>"
    return "\n".join([opening, title, f"<style>{_STYLE}</style>", paper, *texts, "</svg>\n"])


def _row(row: list[pyte.screens.Char], y: int) -> Iterator[str]:
    x = 0
    for look, cells in groupby(row, key=_look):
        text = "".join(cell.data for cell in cells)
        length = len(text)
        if text.strip():
            start = x + len(text) - len(text.lstrip())
            shown = text.strip()
            place = f'x="{MARGIN + start * CELL:.1f}" y="{y}" textLength="{len(shown) * CELL:.1f}"'
            named = f' class="{look}"' if look else ""
            yield f"<text {place}{named}>{escape(shown)}</text>"
        x += length


def _look(cell: pyte.screens.Char) -> str:
    looks = [("b", cell.bold), ("i", cell.italics), ("u", cell.underscore)]
    colour = [cell.fg] if cell.fg in {"green", "red", "cyan", "magenta"} else []
    return " ".join([*(name for name, has in looks if has), *colour])


if __name__ == "__main__":
    main()
