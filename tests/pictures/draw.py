"""Draws the program's screens as pictures, each from a real session in a pseudo-terminal.

    python tests/pictures/draw.py                          every picture that is kept
    python tests/pictures/draw.py --only wrong --columns 40
    python tests/pictures/draw.py --png FOLDER             to look at: all palettes, by Chromium

The clock, the seeds and the figures of the bet are fixed, so that a second run writes the same bytes. No font is
fetched: the pictures use the reader's own monospaced one, and follow a dark page.
`--palette no-color` draws with NO_COLOR set.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyte

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "support"))

from live import STUDY, Live, environ_of  # noqa: E402 - found beside the tests
from screen_svg import PALETTES, show_faint, svg  # noqa: E402 - the same

from studykit.cli.context import Context  # noqa: E402 - the same
from studykit.scheduling.event_kinds import EventKind  # noqa: E402 - the same
from studykit.scheduling.recall_grade import Grade  # noqa: E402 - the same

NOW = datetime(2026, 11, 20, 8, 30, tzinfo=UTC)
DAYS, NEW_A_DAY = 45, 6
ROWS = {40: 20, 80: 24, 120: 40, 200: 60}
"""The terminals that are drawn: columns, and the rows that go with them."""
SETTLED_SECONDS = 0.5  # the last words of a screen come in one piece with the ones that were waited for
GIVEN_BET = [sys.executable, str(HERE / "given_bet.py")]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
NO_COLOR = "no-color"
_LOW = ("2*30e9*15e12", "not yet")  # a try, and what is said of it


@dataclass(frozen=True, slots=True)
class Scene:
    """A screen that is drawn: the command, what leads to the screen, and what a reader is told of it."""

    described: str
    command: Sequence[str]
    lead: Callable[[Live], None]
    ends: bool = False  # the command ends by itself


def main() -> None:
    """Write the pictures that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=SCENES, default=list(SCENES))
    parser.add_argument("--columns", nargs="+", type=int, choices=ROWS, default=list(ROWS))
    parser.add_argument("--png", type=Path, metavar="FOLDER", help="write pictures to look at, not those kept")
    parser.add_argument("--palette", nargs="+", choices=[*PALETTES, NO_COLOR], default=list(PALETTES))
    chosen = parser.parse_args()
    show_faint()
    with tempfile.TemporaryDirectory(prefix="study-pictures-") as name:
        folder = Path(name)
        for scene in chosen.only:
            for columns in chosen.columns:
                if chosen.png is None:
                    (HERE / f"{scene}-{columns}.svg").write_text(
                        svg(drawn(folder, scene, columns), SCENES[scene].described)
                    )
                    continue
                for palette in chosen.palette:
                    _look_at(chosen.png, folder, scene, columns, palette)


def drawn(folder: Path, name: str, columns: int, *, color: bool = True) -> pyte.Screen:
    """The screen of a scene, after weeks that are the same for all, so that none depends on another."""
    scene = SCENES[name]
    lived, home = folder / "lived", Path(tempfile.mkdtemp(dir=folder)) / "home"
    if not lived.exists():
        lived.mkdir()
        _live_through(lived, environment(lived))
    shutil.copytree(lived, home)
    environ = environment(home) | ({} if color else {"NO_COLOR": "1"})
    live = Live([*scene.command], environ, columns, ROWS[columns])
    try:
        scene.lead(live)
        if scene.ends:
            live.ends()
            return _after_the_screen(live)
        live.linger(SETTLED_SECONDS)
        return live.screen
    finally:
        live.close()


def _after_the_screen(live: Live) -> pyte.Screen:
    """What stands on the terminal after a session gave it back: the emulator knows one screen only."""
    screen = pyte.Screen(live.screen.columns, live.screen.lines)
    pyte.ByteStream(screen).feed(live.seen.rpartition(b"\x1b[?1049l")[2])
    return screen


def environment(home: Path) -> dict[str, str]:
    """Return the surroundings of a session at a fixed moment, with the decks that ship."""
    environ = environ_of(home) | {"STUDYKIT_NOW": NOW.isoformat(), "STUDYKIT_SEED": "42"}
    del environ["STUDYKIT_DECKS"]
    return environ


def _look_at(target: Path, folder: Path, scene: str, columns: int, palette: str) -> None:
    """A picture of one palette as PNG, by Chromium."""
    target.mkdir(parents=True, exist_ok=True)
    screen = drawn(folder, scene, columns, color=palette != NO_COLOR)
    text = svg(screen, SCENES[scene].described, "dark" if palette == NO_COLOR else palette)
    source = folder / "look.svg"
    source.write_text(text)
    wide, high = (text.partition(f'{side}="')[2].partition('"')[0] for side in ("width", "height"))
    picture = target.resolve() / f"{scene}-{columns}-{palette}.png"
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={wide},{high}"]
    words = [CHROMIUM, *options, f"--user-data-dir={folder / 'chromium'}", f"--screenshot={picture}", str(source)]
    subprocess.run(words, check=True, capture_output=True, timeout=60)


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


def _question(live: Live) -> None:
    for _ in range(3):
        _reveal(live)
        live.send("3")
        live.see_gone("1 again")
    live.see("space reveal")


def _answer(live: Live) -> None:
    _question(live)
    _reveal(live)


def _reveal(live: Live) -> None:
    """Turn the card, whether it waits for a key or for a typed answer."""
    typed = live.see_one("space reveal", "enter compare") == "enter compare"
    live.press("\r" if typed else " ", "1 again")


def _estimate(*tries: tuple[str, str]) -> Callable[[Live], None]:
    def lead(live: Live) -> None:
        live.see("FLOP>")
        for answer, verdict in tries:
            live.press(f"{answer}\r", verdict)

    return lead


def _rewrite(live: Live) -> None:
    live.see("f =")
    live.press("rearrange(x, 'b s (e h) -> b h s e', h=h)\r", "values")


def _bet(live: Live) -> None:
    live.see("compute, memory or overhead>")
    live.press("m\r", "time>")
    live.press("4.2ms\r", "80% interval")
    live.press("\r", "close: 9.9 ms")


def _ending(live: Live) -> None:
    for grade in "331333":
        _reveal(live)
        live.send(grade)
        live.see_gone("1 again")
    _reveal(live)  # the missed one comes back
    live.press("3", "first-try recall")
    live.linger(SETTLED_SECONDS)
    live.screen = _after_the_screen(live)


def _stats(live: Live) -> None:
    live.see("quit")


def _nothing(_: Live) -> None:
    """The command shows its screen by itself."""


SCENES = {
    "question": Scene("A card's question in study review", [*STUDY, "review", "--new", "0"], _question),
    "review": Scene(
        "A card's answer, with what each grade would bring", [*STUDY, "review", "--new", "0"], _answer
    ),
    "right": Scene(
        "An estimate that was right at the second try",
        [*STUDY, "exercise", "flops.train_total", "--seed", "42"],
        _estimate(_LOW, ("6*30e9*15e12", "right at try 2")),
    ),
    "wrong": Scene(
        "An estimate that names the slip in a wrong answer",
        [*STUDY, "exercise", "flops.train_total", "--seed", "42"],
        _estimate(_LOW),
    ),
    "rewrite": Scene(
        "An einops rewrite with its axes in the wrong order", [*STUDY, "exercise", "rewrite.split_heads"], _rewrite
    ),
    "bet": Scene("A timing bet, measured", [*GIVEN_BET, "exercise", "bet.add", "--device", "cpu"], _bet),
    "ending": Scene("The end of a review", [*STUDY, "review", "--new", "0", "-n", "6"], _ending),
    "home": Scene("study alone: decks, streak and what to do next", [*STUDY], _nothing, ends=True),
    "stats": Scene("study stats", [*STUDY, "stats"], _stats),
}


if __name__ == "__main__":
    main()
