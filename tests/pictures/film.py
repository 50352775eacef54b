"""Draw the README's film from a real session: an estimate typed wrong, its slip named, then right.

    python tests/pictures/film.py   # writes tests/pictures/estimate.svg

The picture is an SVG whose rows appear and vanish by CSS. A reader who asks for less motion sees the last still.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "support"))

from live import STUDY, Live, environ_of  # noqa: E402 - in a folder of the tests
from screen_svg import Still, moving_svg, show_faint, still_of  # noqa: E402 - the same

FILE = HERE / "estimate.svg"
DESCRIBED = (
    "A terminal asks for the FLOPs of a training run. 2*30e9*15e12 is too low: is that only the forward pass? "
    "6*30e9*15e12 is right."
)
COMMAND = [*STUDY, "exercise", "flops.train_total", "--seed", "42", "-n", "1"]
COLUMNS, ROWS = 76, 27
KEYS_PER_STILL = 2
SETTLED_SECONDS = 0.5  # the last words of a screen come in one piece with the ones that were waited for
ANSWERS = [("2*30e9*15e12", "not yet"), ("6*30e9*15e12", "right at try 2")]
QUESTION_SECONDS, KEY_SECONDS, VERDICT_SECONDS = 1.2, 0.16, 2.4


def main() -> None:
    """Write the film as SVG to the file that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, metavar="FILE", default=FILE, help="write the picture there")
    parser.parse_args().to.write_text(moving_svg(list(stills()), DESCRIBED), "utf-8")


def stills() -> Iterator[Still]:
    """Yield what the terminal shows from the question to the right answer, and for how long."""
    show_faint()
    with (
        tempfile.TemporaryDirectory(prefix="study-film-") as home,
        Live(COMMAND, environment(Path(home)), COLUMNS, ROWS) as live,
    ):
        live.see("FLOP>")
        live.linger(SETTLED_SECONDS)
        yield still_of(live.screen, QUESTION_SECONDS)
        for answer, verdict in ANSWERS:
            for end in range(KEYS_PER_STILL, len(answer) + 1, KEYS_PER_STILL):
                live.press(answer[end - KEYS_PER_STILL : end], f"> {answer[:end]}")
                live.linger(SETTLED_SECONDS / 5)
                yield still_of(live.screen, KEY_SECONDS)
            live.press("\r", verdict)
            live.linger(SETTLED_SECONDS)
            yield still_of(live.screen, VERDICT_SECONDS)


def environment(home: Path) -> dict[str, str]:
    """Return environment variables of a session at a fixed moment, with the shipped decks."""
    environ = environ_of(home) | {"STUDYKIT_NOW": "2026-11-20T08:30:00+00:00"}
    del environ["STUDYKIT_DECKS"]
    return environ


if __name__ == "__main__":
    main()
