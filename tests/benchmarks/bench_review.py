"""One review: next card, log, cache, commit, at full durability; beside Anki's library doing the same.

And beside SQLite alone: the same statements with values made before, on a bare connection. No program that keeps
these tables can be faster. The leanest that a log with a memory can be is measured too: two rows and no index.

STUDYKIT_ANKI_PYTHON=.../python python tests/benchmarks/bench_review.py --cards 10000 --reviews 100000
"""

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from measure import ANKI, Timed, arguments, report
from sample import NOW, TODAY, open_sample, sample

from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.memory import Grade
from studykit.scheduling.replay import WHOLE_DAY, Tally
from studykit.scheduling.review_rule import COUNTED_IN, answer
from studykit.scheduling.study_day import microseconds
from studykit.store import sql
from studykit.store.rows import memory_row, memory_values, tally_values
from studykit.store.sqlite import prepare

ROUNDS = 5
REVIEWS = 200
PAUSES = 20  # reviews between two checkpoints of a bare connection, as the store has it
LEARNER = {"learner": "me"}
Statement = tuple[str, dict[str, object]]
ANKI_REVIEWS = """
import json, os, sys, time
from anki.collection import Collection
path, cards, reviews = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
fresh = not os.path.exists(path)
collection = Collection(path)
if fresh:
    basic = collection.models.by_name("Basic")
    from anki.collection import AddNoteRequest
    requests = []
    for number in range(cards):
        note = collection.new_note(basic)
        note["Front"], note["Back"] = f"What is item {number}?", f"About {number} FLOPs."
        requests.append(AddNoteRequest(note, deck_id=1))
    collection.add_notes(requests)
    config = collection.decks.config_dict_for_deck_id(1)
    config["new"]["perDay"] = config["rev"]["perDay"] = 9999
    collection.decks.update_config(config)
    today = collection.sched.today
    collection.db.execute(
        "update cards set type=2, queue=2, ivl=30, factor=2500, reps=4, due=? + (id % 200) - 20 "
        "where id % 5 > 0", today)
spent = []
for _ in range(reviews + 1):
    start, used = time.perf_counter(), time.process_time()
    queued = collection.sched.get_queued_cards(fetch_limit=1).cards[0]
    card = collection.get_card(queued.card.id)
    card.start_timer()
    card.question(), card.answer()
    answer = collection.sched.build_answer(card=card, states=queued.states, rating=2)
    collection.sched.answer_card(answer)
    spent.append(((time.perf_counter() - start) * 1000, (time.process_time() - used) * 1000))
collection.close()
print(json.dumps(spent[1:]))
"""


class Reviews(NamedTuple):
    """Milliseconds of each review, by the clock and of the processor, and of each pause between two."""

    each: list[tuple[float, float]]
    pauses: list[float]


def studykit_reviews(path: Path) -> Reviews:
    """Text, memory, and the answer on disk; what is done while the learner reads is counted by itself."""
    pauses = []
    with open_sample(path) as store:
        store.log._clock = lambda: datetime.now(UTC).replace(year=TODAY.year, month=TODAY.month, day=TODAY.day)
        due = store.schedule.agenda(TODAY).due
        spent = []
        for card in due[: REVIEWS + 1]:
            start, used = time.perf_counter(), time.process_time()
            text = store.cards.card(card)
            memory = store.schedule.memory(card)
            store.log.record(EventKind.ANSWER, card, grade=Grade.GOOD, took_ms=3000)
            spent.append(((time.perf_counter() - start) * 1000, (time.process_time() - used) * 1000))
            pauses.append(ms(store.checkpoint))
            if text is None or not memory:
                raise RuntimeError(f"{card} is not there")
    return Reviews(spent[1:], pauses)


def bare(path: Path) -> list[tuple[float, float]]:
    """The statements of such a review by SQLite alone."""
    with closing(sqlite3.connect(path)) as connection:
        prepare(connection)
        return executed(connection, [whole_review(*each) for each in due_memories(connection)])


def leanest(path: Path) -> list[tuple[float, float]]:
    """A row of the log and one of a memory, in tables without an index, by SQLite alone."""
    with closing(sqlite3.connect(path)) as connection:
        prepare(connection)
        due = due_memories(connection)
        for index in (
            "event_card",
            "event_moment",
            "event_target",
            "event_template",
            "memory_due",
            "memory_parts",
        ):
            connection.execute(f"DROP INDEX {index}")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return executed(connection, [lean_review(*each) for each in due])


def due_memories(connection: sqlite3.Connection) -> list[tuple[str, int, dict[str, object]]]:
    """Cards that are due, what a good answer counts as, and the values of their memory after it."""
    rows = connection.execute(sql.DUE, {**LEARNER, "day": TODAY.toordinal()}).fetchmany(REVIEWS + 1)
    result = []
    for card, *_ in rows:
        row = connection.execute(sql.MEMORY, {**LEARNER, "card": card}).fetchone()
        score, memory = answer(memory_row(row), Grade.GOOD, TODAY.toordinal())
        result.append((card, score, memory_values("me", card, memory)))
    return result


def whole_review(card: str, counted: int, memory: dict[str, object]) -> list[Statement]:
    """The statements of a review and their values."""
    which: dict[str, object] = {**LEARNER, "card": card}
    tally = Tally(**dict.fromkeys(COUNTED_IN[counted], 1), took_ms=3000)
    keys = (TODAY.toordinal(), *WHOLE_DAY), (TODAY.replace(day=1).toordinal(), 9, 4)
    return [
        (sql.CARD, which),
        (sql.MEMORY, which),
        ("BEGIN IMMEDIATE", {}),
        (sql.CARD_STATE, {**which, "origin": "here"}),
        (sql.INSERT_EVENT, event_of_now(card)),
        (sql.UPDATE_MEMORY, memory),
        *((sql.ADD_TALLY, tally_values("me", key, tally)) for key in keys),
        ("COMMIT", {}),
    ]


def lean_review(card: str, _: int, memory: dict[str, object]) -> list[Statement]:
    """The fewest statements that keep an answer and what follows from it."""
    return [
        ("BEGIN IMMEDIATE", {}),
        (sql.INSERT_EVENT, event_of_now(card)),
        (sql.UPDATE_MEMORY, memory),
        ("COMMIT", {}),
    ]


def event_of_now(card: str) -> dict[str, object]:
    """The columns of an answer; ids and moments count up."""
    moment = microseconds(NOW) + time.monotonic_ns() // 1000 % 10**9
    milliseconds, rest = divmod(moment, 1000)
    return {
        **LEARNER, "id": (milliseconds << 80 | 7 << 76 | rest << 64 | 2 << 62).to_bytes(16, "big"),
        "origin": "here", "kind": "answer", "card_id": card, "moment": moment, "day": TODAY.toordinal(),
        "zone": "UTC", "grade": 4, "took_ms": 3000, "profile": "sm2-text", "target": "",
        **dict.fromkeys(("template", "version", "seed", "parameters", "answer", "verdict", "slips")),
    }  # fmt: skip


def executed(connection: sqlite3.Connection, reviews: list[list[Statement]]) -> list[tuple[float, float]]:
    """Milliseconds of each review's statements, by the clock and of the processor; checkpoints between them."""
    spent = []
    for number, statements in enumerate(reviews):
        start, used = time.perf_counter(), time.process_time()
        for statement, values in statements:
            connection.execute(statement, values).fetchone()
        spent.append(((time.perf_counter() - start) * 1000, (time.process_time() - used) * 1000))
        if number % PAUSES == PAUSES - 1:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    return spent[1:]


def ms(call: Callable[[], object]) -> float:
    """Milliseconds of a call."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def anki(interpreter: str, path: Path, cards: int) -> list[tuple[float, float]]:
    """The same by Anki, in a collection made for it."""
    path.unlink(missing_ok=True)
    result = subprocess.run(
        [interpreter, "-c", ANKI_REVIEWS, str(path), str(cards), str(REVIEWS)],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return [(float(wall), float(cpu)) for wall, cpu in json.loads(result.stdout.splitlines()[-1])]


class Measured(NamedTuple):
    """Reviews of each kind, measured by turns."""

    mine: Timed
    bare: Timed
    leanest: Timed
    theirs: Timed  # empty where Anki's library is not installed
    pauses: Timed


def measured(sample_path: Path, folder: Path, cards: int) -> Measured:
    """Reviews of copies of a sample, by turns with SQLite alone and with Anki's library."""
    mine, pauses = Timed("studykit, one review", ()), Timed("while the learner reads", ())
    same, least = Timed("SQLite alone, the same statements", ()), Timed("SQLite alone, two rows, no index", ())
    theirs = Timed("Anki's library, one review", ())
    path = folder / "review-run.db"
    for _ in range(ROUNDS):
        shutil.copyfile(sample_path, path)
        reviews = studykit_reviews(path)
        mine = added(mine, reviews.each)
        pauses = replace(pauses, ms=(*pauses.ms, *reviews.pauses))
        shutil.copyfile(sample_path, path)
        same = added(same, bare(path))
        shutil.copyfile(sample_path, path)
        least = added(least, leanest(path))
        path.unlink()
        if ANKI:
            theirs = added(theirs, anki(ANKI, folder / f"review-{cards}.anki2", cards))
    return Measured(mine, same, least, theirs, pauses)


def added(timed: Timed, more: list[tuple[float, float]]) -> Timed:
    """The measurements with more of them."""
    wall, cpu = zip(*more, strict=True)
    return replace(timed, ms=(*timed.ms, *wall), cpu_ms=(*timed.cpu_ms, *cpu))


def main() -> None:
    options = arguments(__doc__ or "")
    sample_path = sample(options.folder, options.cards, options.reviews)
    results = measured(sample_path, options.folder, options.cards)
    sys.stdout.write(f"{options.cards} cards, {options.reviews} reviews; {ROUNDS} x {REVIEWS} reviews\n")
    timed = [results.mine, results.bare, results.leanest]
    if results.theirs.ms:
        report([results.theirs, *timed], results.theirs)
        sys.stdout.write(f"at p99 {results.mine.p99 / results.theirs.p99:.2f} x\n")
    else:
        report(timed)
    report([results.pauses])


if __name__ == "__main__":
    main()
