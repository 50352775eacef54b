"""Draws the moving picture of the README from a real session: an estimate typed wrong, its slip named, then right.

    python tests/pictures/film.py                # writes tests/pictures/estimate.svg
    python tests/pictures/film.py --png FOLDER   # writes each still to look at, by Chromium

The picture is an SVG whose rows appear and vanish by CSS. A reader who asks for less motion sees the last still.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "support"))

from draw import CHROMIUM, environment  # noqa: E402 - found beside this file
from live import STUDY, Live  # noqa: E402 - found beside the tests
from screen_svg import Still, moving_svg, show_faint, still_of  # noqa: E402 - the same

FILE = HERE / "estimate.svg"
DESCRIBED = (
    "A terminal asks for the FLOPs of a training run. 2*30e9*15e12 is too low: is that the forward pass alone? "
    "6*30e9*15e12 is right."
)
COMMAND = [*STUDY, "exercise", "flops.train_total", "--seed", "42", "-n", "1"]
COLUMNS, ROWS = 76, 27
KEYS_PER_STILL = 2
SETTLED_SECONDS = 0.5  # the last words of a screen come in one piece with the ones that were waited for
ANSWERS = [("2*30e9*15e12", "not yet"), ("6*30e9*15e12", "right at try 2")]
QUESTION_SECONDS, KEY_SECONDS, VERDICT_SECONDS = 1.2, 0.16, 2.4


def main() -> None:
    """Write the picture, or its stills."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--png", type=Path, metavar="FOLDER", help="write each still to look at")
    parser.add_argument("--to", type=Path, metavar="FILE", default=FILE, help="write the picture there")
    chosen = parser.parse_args()
    folder: Path | None = chosen.png
    if folder is None:
        chosen.to.write_text(moving_svg(list(stills()), DESCRIBED), "utf-8")
        return
    folder.mkdir(parents=True, exist_ok=True)
    for number, still in enumerate(stills()):
        _photograph(moving_svg([still], DESCRIBED), folder.resolve() / f"{number:02}.png")


def stills() -> Iterator[Still]:
    """Yield what the terminal shows from the question to the right answer, and for how long."""
    show_faint()
    with tempfile.TemporaryDirectory(prefix="study-film-") as home:
        live = Live(COMMAND, environment(Path(home)), COLUMNS, ROWS)
        try:
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
        finally:
            live.close()


def _photograph(svg: str, picture: Path) -> None:
    folder = Path(tempfile.mkdtemp())
    (folder / "look.svg").write_text(svg)
    wide, high = (svg.partition(f'{side}="')[2].partition('"')[0] for side in ("width", "height"))
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={wide},{high}"]
    command = [CHROMIUM, *options, f"--user-data-dir={folder / 'chromium'}", f"--screenshot={picture}"]
    subprocess.run([*command, str(folder / "look.svg")], check=True, capture_output=True, timeout=60)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
