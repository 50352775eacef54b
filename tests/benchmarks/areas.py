"""What has a budget, measured area by area; each runs in a process of its own and prints its rows as JSON.

python tests/benchmarks/areas.py start --folder /tmp/studykit-bench
"""

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path

import bench_decks
import bench_exercises
import bench_find
import bench_grade
import bench_replay
import bench_review
import bench_start
from budget_row import BudgetRow, Floor
from machine import fsync_ms, median_of
from measure import ANKI, Command, interleaved
from sample import TODAY, open_sample, sample

from studykit.cards.parser import parse_deck
from studykit.cards.query import parse_query
from studykit.cards.relink import relink
from studykit.store.sqlite import SqliteDatabase

CARDS, REVIEWS = 10_000, 100_000
LARGE_CARDS, LARGE_REVIEWS = 100_000, 1_000_000
SUPPORT = Path(__file__).resolve().parents[1] / "support"
BROWSER = Path(__file__).resolve().parents[1] / "browser"
PYTHON = [sys.executable, "-P"]
STUDY = [*PYTHON, "-c", bench_start.STUDY]
SUBMISSIONS = 240
LIBRARY = "dataclasses, datetime, enum, json, pathlib, pkgutil, random, re, sqlite3, typing, uuid, zoneinfo"
"""What authors' exercises and the log need of the standard library."""
Rows = list[BudgetRow]


def start(folder: Path, runs: int) -> Rows:
    """Whole processes, up to what is waited for, beside bare Python and Anki's library."""
    path = folder / "start.db"
    shutil.copyfile(sample(folder, CARDS, REVIEWS), path)
    environment = {
        "STUDYKIT_DB": str(path),
        "STUDYKIT_NOW": "2026-11-23T09:00:00+00:00",
        "STUDYKIT_BACKUP": "0",
        "TZ": "UTC",
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
    }
    commands = {
        "bare": Command([*PYTHON, "-c", "pass"]),
        "--help": Command([*STUDY, "--help"]),
        "due --short": Command([*STUDY, "due", "--short"]),
        "due --json": Command([*STUDY, "due", "--json"], b"waiting"),
        "review, first question": Command([*STUDY, "review", "--plain"], b"Question:"),
        "show": Command([*STUDY, "show", "card-17"], b"17"),
        "answer": Command([*STUDY, "answer", "card-17", "good"]),
        "exercise, first prompt": Command([*STUDY, "exercise", "napkin-math", "--plain"], b"Question:"),
        "import typer": Command([*PYTHON, "-c", "import typer"]),
        "library": Command([*PYTHON, "-c", f"import {LIBRARY}"]),
    }
    if ANKI:
        collection = anki_collection(folder)
        commands["Anki"] = Command([ANKI, "-c", bench_start.ANKI_START, str(collection)])
    timed = interleaved(commands, runs, environment)
    bare, typer = timed["bare"].p50, timed["import typer"].p50
    beside = f"bare Python {bare:.1f} ms"
    rows = [
        BudgetRow(
            "study --help, the process",
            60,
            timed["--help"].p50,
            "ms",
            f"{beside}, import typer alone {typer:.0f} ms",
        ),
        BudgetRow("study due --short, the process", 30, timed["due --short"].p50, "ms", beside),
    ]
    first = timed["review, first question"].p50
    theirs = timed["Anki"].p50 if ANKI else None
    note = (
        f"{first:.0f} ms; Anki's {theirs:.0f} ms" if theirs else f"{first:.0f} ms; Anki's library is not installed"
    )
    rows.append(BudgetRow("first question of a review", 0.33, first / theirs if theirs else None, "x Anki", note))
    for name in ("review, first question", "due --json", "show", "answer", "exercise, first prompt"):
        spent, own = timed[name].p50, statistics.median(timed[name].cpu_ms)
        note, floor = f"{spent:.0f} ms, cpu {own:.0f}", None
        if name.startswith("exercise"):
            floor = Floor("what it imports of the standard library alone", timed["library"].p50 / bare)
        rows.append(BudgetRow(f"study {name}", 6, spent / bare, "x bare Python", note, floor=floor))
    return rows


def anki_collection(folder: Path) -> Path:
    """A collection of Anki's with as many cards, made once."""
    path = folder / f"review-{CARDS}.anki2"
    if ANKI and not path.exists():
        bench_review.anki(ANKI, path, CARDS)
    return path


def review(folder: Path, _runs: int) -> Rows:
    """One review by turns with Anki's library, and what it writes, compared with only SQLite and only the disk."""
    sample_path = sample(folder, CARDS, REVIEWS)
    path = folder / "review.db"
    shutil.copyfile(sample_path, path)
    pages = pages_a_review(path)
    path.unlink()
    mine, bare, leanest, theirs, pauses = bench_review.measured(sample_path, folder, CARDS)
    disk = sorted(fsync_ms(folder, round(pages), len(mine.ms)))
    forced = f"{median_of(disk):.2f} ms for {round(pages)} pages by fdatasync alone"
    figures = f"{mine.p50:.2f} ms, cpu {statistics.median(mine.cpu_ms):.2f}"
    rows = [BudgetRow("pages of the log that one review writes", 10, pages, "pages", f"one sync; {forced}")]
    if not theirs.ms:
        return [
            BudgetRow("one review, p50", 0.7, None, "x Anki", f"{figures}; Anki's library is not installed"),
            *rows,
        ]
    their = f"Anki's {theirs.p50:.2f} ms, cpu {statistics.median(theirs.cpu_ms):.2f}"
    tails = f"{mine.p99:.1f} ms, Anki's {theirs.p99:.1f}; the disk alone {disk[int(len(disk) * 0.99)]:.1f}"
    floor = Floor("the same statements by SQLite alone", bare.p50 / theirs.p50)
    least = f"two rows without an index by SQLite alone {leanest.p50 / theirs.p50:.2f} x"
    return [
        BudgetRow(
            "one review, p50",
            0.7,
            mine.p50 / theirs.p50,
            "x Anki",
            f"{figures}; {their}; {forced}; {least}",
            floor=floor,
        ),
        BudgetRow(
            "one review, p99",
            1,
            mine.p99 / theirs.p99,
            "x Anki",
            f"{tails}; of the pauses between keys the longest took {max(pauses.ms):.1f}",
        ),
        *rows,
    ]


def pages_a_review(path: Path) -> float:
    """Frames of the write-ahead log for each of forty reviews."""
    from studykit.scheduling.event_kinds import EventKind
    from studykit.scheduling.memory import Grade

    with open_sample(path) as store:
        assert isinstance(store._database, SqliteDatabase)
        due = store.schedule.agenda(TODAY).due[-41:]
        store.log.record(EventKind.ANSWER, due[0], grade=Grade.GOOD)
        writer = store._database._writer
        assert writer is not None
        for pragma in (
            "wal_autocheckpoint=0",
            "wal_checkpoint(TRUNCATE)",
        ):  # the log begins anew, and is all theirs
            writer.execute(f"PRAGMA {pragma}").fetchall()
        for card in due[1:]:
            store.log.record(EventKind.ANSWER, card, grade=Grade.GOOD, took_ms=3000)
        return path.with_name(path.name + "-wal").stat().st_size / (4096 + 24) / len(due[1:])


def bulk(folder: Path, _runs: int) -> Rows:
    """Deck text into new databases, and relinking after typos."""
    rows = []
    with tempfile.TemporaryDirectory(dir=folder) as name:
        for files, budget in ((100, 0.5), (1000, 5.0)):
            home = Path(name, str(files))
            decks = home / "decks"
            decks.mkdir(parents=True)
            draw = random.Random(1)
            for file in range(files):
                (decks / f"{file:04}.md").write_text(bench_decks.text(file, draw), encoding="utf-8")
            spent, cpu, count = loaded(home, decks)
            note = f"cpu {cpu:.2f} s; {files} files, migrations too"
            rows.append(BudgetRow(f"{count:,} cards of text into a new database", budget, spent, "s", note))
            with bench_decks._store(home / "0.db") as store:
                collection = bench_decks._collection(store, decks, home)
                collection.refresh()
                rows.append(
                    BudgetRow(
                        f"scan, nothing changed in {files} files", files / 10, best_ms(collection.refresh), "ms"
                    )
                )
        texts = {str(path): path.read_text(encoding="utf-8") for path in sorted(decks.iterdir())[:100]}
    before = [
        card for path, one in texts.items() for card in parse_deck(one, path)[0].cards if card.kind == "basic"
    ]
    after = [
        card
        for path, one in texts.items()
        for card in parse_deck(one.replace("What", "Wat"), path)[0].cards
        if card.kind == "basic"
    ]
    spent = best_ms(lambda: relink(before, after), 2) / 1000
    rows.append(BudgetRow(f"relink after typos in {len(before):,} of 9,900 cards", 0.5, spent, "s"))
    return rows


def loaded(home: Path, decks: Path) -> tuple[float, float, int]:
    """Seconds by the clock and of the processor to read decks into a new database, at best; and the cards."""
    best, count = (float("inf"), float("inf")), 0
    for number in range(3):
        began, used = time.perf_counter(), time.process_time()
        with bench_decks._store(home / f"{number}.db") as store:
            bench_decks._collection(store, decks, home).refresh()
            best = min(best, (time.perf_counter() - began, time.process_time() - used))
            count = len(store.cards.ids())
    return *best, count


def best_ms(call: Callable[[], object], times: int = 5) -> float:
    """Milliseconds of the fastest run."""
    return bench_decks.best(call, times)


def replay(folder: Path, _runs: int) -> Rows:
    """The whole log read again, beside one call of the scheduler per review; by the processor's time."""
    path = sample(folder, LARGE_CARDS, LARGE_REVIEWS)
    with closing(open_sample(path)) as store:
        store.cards.card(store.cards.ids()[0])
        verify, rebuild, base = [], [], []
        for _ in range(3):
            base.append(cpu_s(lambda: bench_replay.calls(LARGE_REVIEWS)))
            verify.append(cpu_s(store.schedule.disagreements))
            rebuild.append(bench_replay.anew(store, cpu_s))
        fetch, write = bench_replay.database_alone(store, cpu_s)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    note = f"cpu; the calls alone {min(base):.2f} s, SQLite's rows alone {fetch:.2f} s"
    writing = f"{note}, its writing alone {write:.2f} s"
    return [
        BudgetRow(
            "verify 1,000,000 reviews", 1.4, min(verify) / min(base), "x calls", f"{min(verify):.2f} s {note}"
        ),
        BudgetRow(
            "rebuild of 1,000,000", 1.4, min(rebuild) / min(base), "x calls", f"{min(rebuild):.2f} s {writing}"
        ),
        BudgetRow("memory of both", 200, memory, "MB", "most of the process"),
    ]


def cpu_s(call: Callable[[], object]) -> float:
    """Seconds of the processor that a call takes."""
    began = time.process_time()
    call()
    return time.process_time() - began


def daily(folder: Path, _runs: int) -> Rows:
    """Statistics, the agenda and the search of a large collection."""
    path = sample(folder, LARGE_CARDS, LARGE_REVIEWS)
    with closing(open_sample(path)) as store:
        stats = best_ms(lambda: store.schedule.stats(TODAY))
        agenda = best_ms(lambda: store.schedule.agenda(TODAY))
    cards, vocabulary = bench_find.collection(LARGE_CARDS)
    with (
        tempfile.TemporaryDirectory(dir=folder) as name,
        bench_find.filled(str(Path(name, "find.db")), cards) as store,
    ):
        if store.search.wants_index:
            store.search.make_index()
        day = bench_find.NOON.date()
        texts = {"a rare word": vocabulary[9000], "two words": f"{vocabulary[200]} {vocabulary[3000]}"}
        times = {
            words: best_ms(partial(store.search.find, parse_query(text), day, leech=8, limit=50))
            for words, text in texts.items()
        }
    return [
        BudgetRow("study stats of 1,000,000 reviews, its queries", 50, stats, "ms"),
        BudgetRow("agenda of 100,000 cards", 50, agenda, "ms"),
        *(BudgetRow(f"find {words} in 100,000 cards", 5, spent, "ms") for words, spent in times.items()),
    ]


def export(folder: Path, runs: int) -> Rows:
    """Pages of a deck, the process included."""
    sys.path.insert(0, str(BROWSER))
    from bench_html import PROMISED_S
    from bench_html import export as exported
    from make_pages import many

    rows = []
    with tempfile.TemporaryDirectory(dir=folder) as name:
        for count, promised in PROMISED_S.items():
            deck = Path(name, f"deck{count}.md")
            deck.write_text(many(count), encoding="utf-8")
            spent = [exported(deck, Path(name, f"{count}-{number}")) for number in range(min(runs, 5))]
            rows.append(
                BudgetRow(
                    f"export {count:,} cards as a page", promised, median_of(spent), "s", f"best {min(spent):.2f}"
                )
            )
    return rows


def answers(_folder: Path, runs: int) -> Rows:
    """Reading what was typed at an estimate."""
    from studykit.quantity.reading import read
    from studykit.quantity.units import want

    spent = [
        1e6 * bench_exercises.best(partial(read, each, want("FLOP")), 2000) for each in bench_exercises.ANSWERS
    ]
    commands = {
        "import": Command([*PYTHON, "-c", "import studykit.quantity.reading"]),
        "bare": Command([*PYTHON, "-c", "pass"]),
    }
    timed = interleaved(commands, runs, {})
    import_ms = timed["import"].p50 - timed["bare"].p50
    return [
        BudgetRow("read an answer, the slowest of five kinds", 30, max(spent), "us"),
        BudgetRow("import of studykit.quantity", 20, import_ms, "ms", "above bare Python"),
    ]


def grade(folder: Path, _runs: int) -> Rows:
    """Rewrites: a verdict while a worker waits, and a batch."""
    from studykit.sandbox.worker import has_torch

    if not has_torch():
        return [BudgetRow("warm verdict on a rewrite", 0.1, None, "s", "torch is not installed")]
    with tempfile.TemporaryDirectory(prefix="study-", dir="/tmp") as home:
        bench_grade.grade(home, bench_grade.PROGRAM)
        warm = [bench_grade.grade(home, bench_grade.PROGRAM) for _ in range(7)]
    with tempfile.TemporaryDirectory(prefix="study-", dir="/tmp") as home:
        rate, note = batch_rate(home)
    wholes = [whole for _, whole in warm]
    return [
        BudgetRow(
            "warm verdict on a rewrite",
            0.1,
            bench_grade.verdict(warm),
            "s",
            f"whole command {median_of(wholes):.2f}",
        ),
        BudgetRow("batch of rewrites", 1000, rate, "a minute", note, least=True),
    ]


def batch_rate(home: str) -> tuple[float, str]:
    """Submissions a minute between an eighth of a batch and its end, so without the start of its workers."""
    sys.path.insert(0, str(SUPPORT))
    from submissions_of_a_class import RIGHT

    folder = Path(home, "handed-in")
    folder.mkdir()
    for number in range(SUBMISSIONS):
        text = RIGHT if number % 3 else RIGHT.replace("(h d)", "(d h)")
        (folder / f"{number:05}.py").write_text(text, encoding="utf-8")
    environ = {key: value for key, value in os.environ.items() if not key.startswith("STUDYKIT_")}
    environ |= {"XDG_RUNTIME_DIR": home, "HOME": home, "XDG_DATA_HOME": f"{home}/data", "STUDYKIT_SEED": "7"}
    words = [*PYTHON, "-m", "studykit", "grade", "split_heads", "--batch", "handed-in", "--results", "r.json"]
    log = Path(home, "r.json.graded")
    began = time.monotonic()
    marks: list[tuple[float, int]] = []
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(
        words, cwd=home, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as run:
        while run.poll() is None:
            time.sleep(0.05)
            marks.append((time.monotonic(), log.read_bytes().count(b"\n") if log.exists() else 0))
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = ended.ru_utime + ended.ru_stime - used.ru_utime - used.ru_stime
    warm = next((mark for mark in marks if mark[1] >= SUBMISSIONS // 8), marks[0])
    last = next(mark for mark in marks if mark[1] == marks[-1][1])
    rate = 60 * (last[1] - warm[1]) / (last[0] - warm[0])
    whole = marks[-1][0] - began
    return rate, f"after the start of the workers; {SUBMISSIONS} in {whole:.0f} s with it, cpu {cpu:.0f} s"


AREAS: Mapping[str, Callable[[Path, int], Rows]] = {
    each.__name__: each for each in (start, review, bulk, replay, daily, export, answers, grade)
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("area", choices=AREAS)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    sys.stdout, output = sys.stderr, sys.stdout  # what a benchmark prints is for who watches
    rows = AREAS[options.area](options.folder, options.runs)
    output.write(json.dumps([row.document() for row in rows]))


if __name__ == "__main__":
    main()
