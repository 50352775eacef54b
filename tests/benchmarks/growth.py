"""What grows with a collection and its log: one table of sizes, and the slope of each column.

python tests/benchmarks/growth.py --folder /tmp/studykit-bench [--long]
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import bench_review
from areas import STUDY
from bench_decks import best
from measure import ANKI, Command, interleaved
from sample import TODAY, open_sample, sample

from studykit.cards.query import parse_query
from studykit.store.store import Store

SIZES = ((1_000, 10_000), (10_000, 100_000), (100_000, 1_000_000))
LONG_SIZES = (*SIZES, (1_000_000, 1_000_000), (1_000_000, 10_000_000))
COLUMNS = ("start ms", "review ms", "due ms", "stats ms", "home ms", "find ms", "export s", "bytes an event")
ANKI_BYTES = """
import os, sys
from anki.collection import Collection
path = sys.argv[1]
collection = Collection(path)
def size():
    collection.db.execute("vacuum")
    return collection.db.scalar("pragma page_count") * collection.db.scalar("pragma page_size")
before, cards = size(), collection.db.list("select id from cards limit 1000")
first = 1600000000000
for number in range(50000):
    collection.db.execute("insert into revlog values (?, ?, -1, 3, 30, 12, 2500, 4000, 1)",
                          first + number * 60000, cards[number % len(cards)])
print((size() - before) / 50000)
"""


def measured(folder: Path, cards: int, reviews: int) -> dict[str, float]:
    """The columns for one size."""
    sample_path = sample(folder, cards, reviews)
    path = folder / "growth.db"
    shutil.copyfile(sample_path, path)
    with open_sample(path) as store:
        store.schedule.agenda(TODAY)
    environment = {
        "STUDYKIT_DB": str(path),
        "STUDYKIT_NOW": "2026-11-23T09:00:00+00:00",
        "STUDYKIT_BACKUP": "0",
        "TZ": "UTC",
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
    }
    timed = interleaved({"start": Command([*STUDY, "review", "--plain"], b"Question:")}, 5, environment)
    values = {"start ms": min(timed["start"].ms)}
    with open_sample(path) as store:
        if store.search.wants_index:
            store.search.make_index()
        for name, call in calls(store).items():
            values[name] = best(call, 3)
    spent = sorted(wall for wall, _ in bench_review.studykit_reviews(path).each)
    values["review ms"] = spent[len(spent) // 2]
    began = time.perf_counter()
    words = [*STUDY, "export", "progress", "--out", str(folder / "growth.json")]
    subprocess.run(words, env={**os.environ, **environment}, check=True, capture_output=True, timeout=600)
    values["export s"] = time.perf_counter() - began
    path.unlink()
    bare = sample(folder, cards, 0) if cards <= SIZES[-1][0] else None
    if bare is not None:
        values["bytes an event"] = (sample_path.stat().st_size - bare.stat().st_size) / reviews
    return values


def calls(store: Store) -> dict[str, Callable[[], object]]:
    """What is timed in one process."""
    query = parse_query('"item 777 "')
    return {
        "due ms": lambda: store.schedule.agenda(TODAY),
        "stats ms": lambda: store.schedule.stats(TODAY),
        "home ms": lambda: store.schedule.dashboard(TODAY),
        "find ms": lambda: store.search.find(query, TODAY, leech=8, limit=50),
    }


def slopes(sizes: list[tuple[int, int]], rows: list[dict[str, float]]) -> dict[str, float]:
    """The exponent of each column from the first size to the last: 0 is flat, 1 is as the log grows."""
    decades = math.log10(sizes[-1][1] / sizes[0][1])
    return {
        name: math.log10(rows[-1][name] / rows[0][name]) / decades
        for name in COLUMNS
        if rows[0].get(name) and rows[-1].get(name)
    }


def anki_bytes(folder: Path, cards: int = 10_000) -> float | None:
    """Bytes that a review takes in a collection of Anki's."""
    collection = folder / f"review-{cards}.anki2"
    if not ANKI or not collection.exists():
        return None
    path = folder / "growth.anki2"
    shutil.copyfile(collection, path)
    result = subprocess.run(
        [ANKI, "-c", ANKI_BYTES, str(path)], capture_output=True, text=True, check=False, timeout=300
    )
    path.unlink()
    return float(result.stdout.split()[-1]) if result.returncode == 0 else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    sizes = list(LONG_SIZES if options.long else SIZES)
    rows = [measured(options.folder, *size) for size in sizes]
    document = {"sizes": sizes, "rows": rows, "slopes": slopes(sizes, rows), "anki": anki_bytes(options.folder)}
    sys.stdout.write(json.dumps(document))


if __name__ == "__main__":
    main()
