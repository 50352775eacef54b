"""Measure one area of `budgets.py` in this process, and print {budget: [value, note]} as JSON.

python tests/benchmarks/areas.py start --folder /tmp/studykit-bench
"""

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "browser"))

import bench_find
import bench_review
from measure import ANKI, Command, best_ms, interleaved
from sample import TODAY, open_sample, sample
from stores import NOW

from studykit.cards.card import Card
from studykit.cards.parser import parse_deck
from studykit.cards.query import parse_query
from studykit.cards.relink import relink
from studykit.collection.collection import Collection
from studykit.collection.files import Origin, Source

CARDS, REVIEWS = 10_000, 100_000
LARGE_CARDS, LARGE_REVIEWS = 100_000, 1_000_000
PYTHON = [sys.executable, "-P"]
PROGRAM = "from studykit.__main__ import main; main()"
STUDY = [*PYTHON, "-c", PROGRAM]
NOTES = 75  # a file
SUBMISSIONS = 240
ANSWERS = ("8.4e22", "84 ZFLOP", "6*7e9*2e12", "140 GB / 3.35 TB/s", "8.4×10²²")  # noqa: RUF001 - as pasted
ANKI_START = """
import sys
from anki.collection import Collection
collection = Collection(sys.argv[1])
print(len(collection.sched.get_queued_cards(fetch_limit=1).cards))
collection.close()
"""
Values = dict[str, tuple[float | None, str]]


def start(folder: Path, runs: int) -> Values:
    """Time whole processes up to the output that a learner waits for."""
    path = folder / "start.db"
    shutil.copyfile(sample(folder, CARDS, REVIEWS), path)
    environment = {
        "STUDYKIT_DB": str(path),
        "STUDYKIT_NOW": NOW.isoformat(),
        "STUDYKIT_BACKUP": "0",
        "TZ": "UTC",
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
    }
    question = "study review, first question"
    commands = {
        "python": Command([*PYTHON, "-c", "pass"]),
        "study --help": Command([*STUDY, "--help"]),
        "study due --short": Command([*STUDY, "due", "--short"]),
        "study due --json": Command([*STUDY, "due", "--json"], b"waiting"),
        question: Command([*STUDY, "review", "--plain"], b"Question:"),
        "study show": Command([*STUDY, "show", "card-17"], b"17"),
        "study answer": Command([*STUDY, "answer", "card-17", "good"]),
        "study exercise, first prompt": Command([*STUDY, "exercise", "napkin-math", "--plain"], b"Question:"),
    }
    if ANKI:
        collection = folder / f"review-{CARDS}.anki2"
        if not collection.exists():
            bench_review.anki_reviews(collection, CARDS)
        commands["Anki"] = Command([ANKI, "-c", ANKI_START, str(collection)])
    times = {name: timed.p50 for name, timed in interleaved(commands, runs, environment).items()}
    bare, anki = f"bare Python {times.pop('python'):.1f} ms", times.pop("Anki", None)
    ratio = (
        (times[question] / anki, f"Anki's {anki:.0f} ms") if anki else (None, "Anki's library is not installed")
    )
    return {name: (value, bare) for name, value in times.items()} | {"study review beside Anki's library": ratio}


def review(folder: Path, _runs: int) -> Values:
    """Time one review, alternating with Anki's library."""
    ours, anki = bench_review.reviews(sample(folder, CARDS, REVIEWS), folder, CARDS)
    names = {"one review, p50": "p50", "one review, p99": "p99"}
    if anki is None:
        return {
            name: (None, f"{getattr(ours, at):.2f} ms; Anki's library is not installed")
            for name, at in names.items()
        }
    return {
        name: (
            getattr(ours, at) / getattr(anki, at),
            f"{getattr(ours, at):.2f} ms, Anki's {getattr(anki, at):.2f}",
        )
        for name, at in names.items()
    }


def bulk(folder: Path, _runs: int) -> Values:
    """Time reading deck text into new databases, and relinking after typos."""
    values: Values = {}
    texts: dict[str, str] = {}
    with tempfile.TemporaryDirectory(dir=folder) as name:
        for files in (100, 1000):
            home = Path(name, str(files))
            decks = home / "decks"
            decks.mkdir(parents=True)
            draw = random.Random(1)
            for file in range(files):
                text = texts[f"{file}.md"] = deck_text(file, draw)
                (decks / f"{file:04}.md").write_text(text, encoding="utf-8")
            spent, count, scan = load(home, decks)
            values[f"{count:,} cards of text into a new database"] = (spent, f"{files:,} files, migrations too")
            values[f"scan, nothing changed in {files:,} files"] = (scan, "")
    first = {path: texts[path] for path in list(texts)[:100]}
    before, after = basic_cards(first), basic_cards({p: t.replace("What", "Wat") for p, t in first.items()})
    seconds = best_ms(lambda: relink(before, after), 2) / 1000
    values["relink after typos in half of 9,900 cards"] = (seconds, f"{len(before):,} cards")
    return values


def deck_text(file: int, words: random.Random) -> str:
    """Return a deck of 75 typical notes: half questions, a third clozes, some code and math."""
    vocabulary = [
        start + end for start in ("ten", "mem", "flo", "roo", "int") for end in ("sor", "ory", "ps", "f")
    ]
    notes = [f'---\nname = "Deck {file}"\nobjectives = ["flops"]\n---\n']
    for note in range(NOTES):
        phrase = " ".join(words.choices(vocabulary, k=8)) + f" {file}.{note}"
        name = f"{file}-{note}"
        if note % 6 < 3:
            notes.append(f"Q: What does {phrase} cost? {{#q-{name} .flops}}\nA: $2mnk$ and\n\n- {phrase}\n")
        elif note % 6 < 5:
            notes.append(f"C: The {phrase} costs [{note}] FLOPs of $x[i]$ {{#c-{name}}}\ncheck: 1 + 1 = 2\n")
        else:
            notes.append(f"Q: {phrase}?\n```python\nQ: x = y[0]\n```\nA: `{phrase}`\n")
    return "\n".join(notes)


def basic_cards(texts: Mapping[str, str]) -> list[Card]:
    """Return the basic cards of these deck texts."""
    cards = (card for path, text in texts.items() for card in parse_deck(text, path)[0].cards)
    return [card for card in cards if card.kind == "basic"]


def load(home: Path, decks: Path) -> tuple[float, int, float]:
    """Return the best seconds to read decks into a new database, the card count, and the ms of a second scan."""
    spent = []
    for number in range(3):
        began = time.perf_counter()
        with open_sample(home / f"{number}.db") as store:
            collection = Collection(store, [Source(decks, Origin.OWN)], copies=home / "copies")
            collection.refresh()
            spent.append(time.perf_counter() - began)
            count, scan = len(store.cards.ids()), best_ms(collection.refresh)
    return min(spent), count, scan


def replay(folder: Path, _runs: int) -> Values:
    """Time a replay of the whole log, as in `study doctor`, and measure its memory."""
    with open_sample(sample(folder, LARGE_CARDS, LARGE_REVIEWS)) as store:
        store.cards.card(store.cards.ids()[0])
        seconds = best_ms(store.schedule.disagreements, 2, time.process_time) / 1000
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "verify 1,000,000 reviews": (seconds, "of the processor"),
        "memory of it": (memory, "most of the process"),
    }


def daily(folder: Path, _runs: int) -> Values:
    """Time statistics, the agenda and the search of a large collection."""
    with open_sample(sample(folder, LARGE_CARDS, LARGE_REVIEWS)) as store:
        stats = best_ms(lambda: store.schedule.stats(TODAY))
        agenda = best_ms(lambda: store.schedule.agenda(TODAY))
    values: Values = {
        "study stats of 1,000,000 reviews, its queries": (stats, ""),
        "agenda of 100,000 cards": (agenda, ""),
    }
    cards, vocabulary = bench_find.collection(LARGE_CARDS)
    with (
        tempfile.TemporaryDirectory(dir=folder) as name,
        bench_find.filled(str(Path(name, "find.db")), cards) as store,
    ):
        texts = {"a rare word": vocabulary[9000], "two words": f"{vocabulary[200]} {vocabulary[3000]}"}
        for words, text in texts.items():
            find = partial(store.search.find, parse_query(text), bench_find.NOON.date(), leech=bench_find.LEECH)
            values[f"find {words} in 100,000 cards"] = (best_ms(find), "")
    return values


def export(folder: Path, runs: int) -> Values:
    """Time the export of a deck's pages, including the process."""
    from make_pages import many

    values: Values = {}
    with tempfile.TemporaryDirectory(dir=folder) as name:
        for count in (200, 1000):
            deck = Path(name, f"deck{count}.md")
            deck.write_text(many(count), encoding="utf-8")
            spent = []
            for number in range(min(runs, 5)):
                words = [*STUDY, "export", "html", str(deck), "-o", str(Path(name, f"{count}-{number}"))]
                began = time.perf_counter()
                subprocess.run(words, check=True, capture_output=True, timeout=60)
                spent.append(time.perf_counter() - began)
            values[f"export {count:,} cards as a page"] = (median(spent), f"best {min(spent):.2f}")
    return values


def answers(_folder: Path, runs: int) -> Values:
    """Time parsing typed answers to an estimate."""
    from studykit.quantity.reading import read
    from studykit.quantity.units import target_unit

    rounds = 2000

    def repeat(answer: str) -> None:
        for _ in range(rounds):
            read(answer, target_unit("FLOP"))

    spent = max(1000 * best_ms(partial(repeat, answer)) / rounds for answer in ANSWERS)
    commands = {
        "import": Command([*PYTHON, "-c", "import studykit.quantity.reading"]),
        "bare": Command([*PYTHON, "-c", "pass"]),
    }
    times = interleaved(commands, runs, {})
    return {
        "read an answer, the slowest of five kinds": (spent, ""),
        "import of studykit.quantity": (times["import"].p50 - times["bare"].p50, "above bare Python"),
    }


def grade(_folder: Path, _runs: int) -> Values:
    """Time rewrites: a verdict with a waiting worker, and a batch."""
    from submissions_of_a_class import RIGHT

    from studykit.sandbox.worker import has_torch

    if not has_torch():
        return {"warm verdict on a rewrite, CPU": (None, "torch is not installed")}
    with tempfile.TemporaryDirectory(prefix="study-", dir="/tmp") as home:
        file = Path(home, "mine.py")
        file.write_text(RIGHT, encoding="utf-8")
        command = Command([*STUDY, "grade", "rewrite.split_heads", str(file)], b"Passed")
        warm = interleaved({"warm": command}, 7, program_environment(home))["warm"].p50 / 1000
    with tempfile.TemporaryDirectory(prefix="study-", dir="/tmp") as home:
        return {"warm verdict on a rewrite, CPU": (warm, ""), "batch of rewrites": batch_rate(home, RIGHT)}


def program_environment(home: str) -> dict[str, str]:
    """Return variables for running the program with its worker and files in `home`."""
    return {
        "XDG_RUNTIME_DIR": home,
        "HOME": home,
        "XDG_DATA_HOME": f"{home}/data",
        "STUDYKIT_DB": f"{home}/s.db",
        "STUDYKIT_SEED": "7",
    }


def batch_rate(home: str, right: str) -> tuple[float, str]:
    """Return the submissions graded per minute after the first eighth of a batch, and a note on its whole time.

    The first eighth is not counted because its time includes the start of the workers.
    """
    folder = Path(home, "handed-in")
    folder.mkdir()
    for number in range(SUBMISSIONS):
        text = right if number % 3 else right.replace("(h d)", "(d h)")
        (folder / f"{number:05}.py").write_text(text, encoding="utf-8")
    words = [*STUDY, "grade", "split_heads", "--batch", "handed-in", "--results", "r.json"]
    log = Path(home, "r.json.graded")
    began = time.monotonic()
    marks: list[tuple[float, int]] = []
    environment = {**os.environ, **program_environment(home)}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(words, cwd=home, env=environment, stdout=quiet, stderr=quiet) as run:
        while run.poll() is None:
            time.sleep(0.05)
            marks.append((time.monotonic(), log.read_bytes().count(b"\n") if log.exists() else 0))
    warm = next(mark for mark in marks if mark[1] >= SUBMISSIONS // 8)
    last = next(mark for mark in marks if mark[1] == marks[-1][1])
    rate = 60 * (last[1] - warm[1]) / (last[0] - warm[0])
    return rate, f"{SUBMISSIONS} in {marks[-1][0] - began:.0f} s with the start of the workers"


AREAS: Mapping[str, Callable[[Path, int], Values]] = {
    each.__name__: each for each in (start, review, bulk, replay, daily, export, answers, grade)
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("area", choices=AREAS)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    sys.stdout, output = sys.stderr, sys.stdout  # what a benchmark prints is for who watches
    output.write(json.dumps(AREAS[options.area](options.folder, options.runs)))


if __name__ == "__main__":
    main()
