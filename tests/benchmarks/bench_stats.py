"""`study stats`, home and the agenda of a large database; beside one scan of the log and, if there, Anki's graphs.

python tests/benchmarks/bench_stats.py --cards 100000 --reviews 1000000
"""

import sqlite3
import sys
from contextlib import closing

from measure import arguments, repeated, report
from sample import TODAY, open_sample, sample

from studykit.scheduling.fsrs import Fsrs


def main() -> None:
    options = arguments(__doc__ or "", cards=100_000, reviews=1_000_000)
    path = sample(options.folder, options.cards, options.reviews)
    with closing(sqlite3.connect(path)) as connection:
        scan = repeated(
            "one scan of the log, grouped by day",
            lambda: connection.execute("SELECT day, count(*), sum(grade >= 3) FROM event GROUP BY day").fetchall(),
            3,
        )
    with open_sample(path) as store:
        stats = repeated("stats", lambda: store.schedule.stats(TODAY), options.runs)
        home = repeated("home", lambda: store.schedule.dashboard(TODAY), options.runs)
        answers = repeated("hours and answers", store.schedule.answer_counts, options.runs)
        year = repeated("year", lambda: store.schedule.year(TODAY), options.runs)
        spread = repeated("spread", store.schedule.spread, options.runs)
        compared = repeated("--compare", lambda: store.schedule.comparison(Fsrs(), TODAY, 60, lambda _: None), 1)
        agenda = repeated("agenda", lambda: store.schedule.agenda(TODAY), options.runs)
    sys.stdout.write(f"{options.cards} cards, {options.reviews} reviews\n")
    report([scan, stats, answers, year, spread, home, agenda, compared], scan)


if __name__ == "__main__":
    main()
