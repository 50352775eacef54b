"""How long an export takes, process included, and how large its pages are, beside what was promised.

python tests/benchmarks/bench_html.py
"""

import gzip
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
from make_pages import many, numbers

PROMISED_S = {200: 0.5, 1000: 1.0}
PROMISED_BYTES = {"raw": 150_000, "gzip": 30_000}
RUNS = 7


def export(deck: Path, out: Path) -> float:
    """Seconds of one export in a process of its own."""
    began = perf_counter()
    command = [sys.executable, "-c", "from studykit.__main__ import main; main()", "export", "html", str(deck)]
    subprocess.run([*command, "-o", str(out)], check=True, capture_output=True, timeout=60)
    return perf_counter() - began


def cpu_of_growth(folder: Path, mark: str, text: str) -> None:
    """What a card costs in decks of three sizes; the same where the whole grows in line with the cards."""
    for count in (15_000, 30_000, 60_000):
        deck = folder / f"{mark}{count}.md"
        deck.write_text("".join(text.format(number) for number in range(count)))
        before = os.times().children_user
        command = [sys.executable, "-c", "from studykit.__main__ import main; main()", "export", "html", str(deck)]
        subprocess.run([*command, "-o", str(folder / mark)], check=False, capture_output=True, timeout=600)
        spent = os.times().children_user - before
        print(f"{count:>6} cards, {mark}: {spent:6.1f} s of CPU time, {1000 * spent / count:.3f} ms a card")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count, promised in PROMISED_S.items():
            deck = folder / f"deck{count}.md"
            deck.write_text(many(count))
            seconds = [export(deck, folder / f"{count}-{run}") for run in range(RUNS)]
            page = (folder / f"{count}-0" / f"{count}-cards.html").read_bytes()
            print(
                f"{count:>5} cards: {median(seconds):.2f} s, at best {min(seconds):.2f} (promised {promised}); "
                f"page {len(page):,} bytes, {len(gzip.compress(page, 9)):,} with gzip"
            )
        print(f"      promised for 200: {PROMISED_BYTES['raw']:,} and {PROMISED_BYTES['gzip']:,}")
        deck = folder / "numbers.md"
        deck.write_text(numbers())
        export(deck, folder / "numbers")
        for file in ("studykit.css", "studykit.js", "studykit-exercises.js", "numbers.fragment.html"):
            content = (folder / "numbers" / file).read_bytes()
            print(f"{file:<24} {len(content):>8,} bytes, {len(gzip.compress(content, 9)):>7,} with gzip")
        cpu_of_growth(folder, "right", "Q: What is {0} times two? {{#c{0}}}\nA: It is.\n\n")
        cpu_of_growth(folder, "with a mistake each", "Q: What is $\\no{0}$? {{#c{0}}}\nA: It is.\n\n")


if __name__ == "__main__":
    main()
