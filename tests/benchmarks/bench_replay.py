"""Reading the whole log again: to verify the cache, and to make it anew; beside one function call per review.

python tests/benchmarks/bench_replay.py --cards 100000 --reviews 1000000
"""

import sys
from collections import deque
from collections.abc import Callable
from contextlib import closing
from functools import partial

from measure import arguments, repeated, report
from sample import TODAY, open_sample, sample

from studykit.scheduling.memory import Grade, Memory, answer
from studykit.store import sql
from studykit.store.caches import replay_all
from studykit.store.rows import memory_row, memory_values
from studykit.store.store import Store

EMPTY = "DELETE FROM memory WHERE learner = :learner"


def anew(store: Store, timed: Callable[[Callable[[], object]], float]) -> float:
    """A rebuild with no memory there, which would be kept where it is right."""
    with store._database.writing("me") as connection:
        connection.execute(EMPTY, {"learner": "me"})
    return timed(store.schedule.rebuild)


def calls(count: int) -> None:
    """That many reviews by only the scheduler."""
    memory: Memory | None = None
    for number in range(count):
        _, memory = answer(memory if number % 12 else None, Grade.GOOD, TODAY)


def database_alone(store: Store, timed: Callable[[Callable[[], object]], float]) -> tuple[float, float]:
    """What SQLite takes to give the rows that are folded, and to write the memories that come of them."""
    who = {"learner": "me"}
    with store._database.reading() as connection:
        rows = partial(connection.execute, sql.TIMED_REPLAY, who)
        fetch = timed(lambda: deque(rows(), 0))
    with store._database.writing("me") as connection:
        memories = [memory_values("me", row[0], memory_row(row)) for row in connection.execute(sql.MEMORIES, who)]

        def write() -> None:
            connection.execute(EMPTY, who)
            connection.executemany(sql.INSERT_MEMORY, memories)

        return fetch, timed(write)


def main() -> None:
    options = arguments(__doc__ or "", cards=100_000, reviews=1_000_000)
    path = sample(options.folder, options.cards, options.reviews)
    with closing(open_sample(path)) as store, store._database.reading() as connection:
        replayed = repeated("read and replay the log", lambda: replay_all(connection, "me", None), 3)
    with closing(open_sample(path)) as store:
        verify = repeated("verify the cache (doctor)", store.schedule.disagreements, 3)
        rebuild = repeated("make the cache anew (doctor --fix)", store.schedule.rebuild, 2)
    base = repeated("one scheduler call per review", lambda: calls(options.reviews), 3)
    sys.stdout.write(f"{options.cards} cards, {options.reviews} reviews\n")
    report([base, replayed, verify, rebuild], base)


if __name__ == "__main__":
    main()
