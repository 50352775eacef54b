"""Reading the whole log again: to verify the cache, and to make it anew; beside one function call per review.

python tests/benchmarks/bench_replay.py --cards 100000 --reviews 1000000
"""

import sys
from contextlib import closing

from measure import arguments, repeated, report
from sample import TODAY, open_sample, sample

from studykit.scheduling.memory import Grade, Memory, answer
from studykit.store.caches import replay_all


def calls(count: int) -> None:
    """That many reviews by the scheduler alone."""
    memory: Memory | None = None
    for number in range(count):
        _, memory = answer(memory if number % 12 else None, Grade.GOOD, TODAY)


def main() -> None:
    chosen = arguments(__doc__ or "", cards=100_000, reviews=1_000_000)
    path = sample(chosen.folder, chosen.cards, chosen.reviews)
    with closing(open_sample(path)) as store, store._database.reading() as connection:
        replayed = repeated("read and replay the log", lambda: replay_all(connection, "me", None), 3)
    with closing(open_sample(path)) as store:
        verify = repeated("verify the cache (doctor)", store.schedule.disagreements, 3)
        rebuild = repeated("make the cache anew (doctor --fix)", store.schedule.rebuild, 2)
    base = repeated("one scheduler call per review", lambda: calls(chosen.reviews), 3)
    sys.stdout.write(f"{chosen.cards} cards, {chosen.reviews} reviews\n")
    report([base, replayed, verify, rebuild], base)


if __name__ == "__main__":
    main()
