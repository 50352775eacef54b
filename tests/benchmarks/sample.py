"""Make a learner's database of any size, the same every time, for these benchmarks."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from random import Random
from uuid import UUID

from stores import NOW, opened

from studykit.cards.query import EDGE
from studykit.scheduling.memory import Memory, answer
from studykit.scheduling.recall_grade import Grade
from studykit.store.store import Store

TODAY = NOW.date()
MAX_KNOWN_SHARE, MIN_REVIEWS = 0.8, 10  # of cards with a history, and of reviews of each
DUE_SHARE = 0.1  # of cards that are due today
DECKS = 40
GRADES = (Grade.AGAIN, Grade.HARD, Grade.GOOD, Grade.GOOD, Grade.EASY)
LAST_PASSES = 3  # reviews at the end that pass, so that few cards are due every day
MAX_INTERVAL_DAYS = 60  # before a card is forgotten, which keeps histories within some years
DAY_US = 86_400_000_000


def open_sample(path: Path) -> Store:
    """Open the store of a sample, with its clock at `NOW`."""
    return opened(path, NOW, origin="here")


def sample(folder: Path, cards: int, reviews: int) -> Path:
    """Return a database file with so many cards and reviews, made if missing. A tenth of the cards are due."""
    path = folder / f"sample-{cards}-{reviews}.db"
    exists = path.exists()
    open_sample(path).close()  # brings one of an older checkout up to date
    if exists:
        return path
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO card (id, note, deck, rank, position, kind, prompt, answer, path, line, content_hash, "
            "named, objectives, present, fresh) VALUES (?, ?, ?, 0, ?, 'basic', ?, ?, ?, 1, ?, 1, 'flops', 1, 1)",
            _cards(cards),
        )
        connection.execute(
            "INSERT INTO card_text (learner, card, text) "
            "SELECT learner, id, lower(prompt || ' ' || answer || ' ' || id) || ? FROM card",
            (EDGE,),
        )
        connection.execute("CREATE TEMP TABLE heap AS SELECT * FROM event")
        connection.executemany(
            "INSERT INTO heap "
            "(id, learner, origin, kind, card_id, moment, day, zone, grade, took_ms, profile, target) VALUES "
            "(?, 'me', 'here', 'answer', ?, ?, ?, 'UTC', ?, 4000, 'sm2-text', '')",
            _events(cards, reviews),
        )
        connection.execute("INSERT INTO event SELECT * FROM heap ORDER BY id")
        connection.execute("COMMIT")
    with open_sample(path) as store:
        store.schedule.rebuild()
    return path


def _cards(count: int) -> Iterator[tuple[object, ...]]:
    for number in range(count):
        deck = f"deck-{number % DECKS}"
        prompt = f"What does item {number} of the lesson cost, and which term of it dominates?"
        answer = f"About {number} FLOPs: each of the outputs takes a multiply and an add."
        yield f"card-{number}", f"card-{number}", deck, number, prompt, answer, f"{deck}.md", "0" * 32


def _events(cards: int, reviews: int) -> Iterator[tuple[object, ...]]:
    random = Random(7)
    with_history = min(int(cards * MAX_KNOWN_SHARE), reviews // MIN_REVIEWS)
    for number in range(with_history):
        length = reviews // with_history + (number < reviews % with_history)
        if not length:
            return
        yield from _history(random, f"card-{number}", length, due=random.random() < DUE_SHARE / MAX_KNOWN_SHARE)


def _history(random: Random, card: str, length: int, *, due: bool) -> Iterator[tuple[object, ...]]:
    """Yield a card's reviews on its due days, shifted so that the card is due today if `due`, and later if not."""
    memory: Memory | None = None
    on, steps = date(2000, 1, 1), []
    for number in range(length):
        forgotten = memory is not None and memory.interval > MAX_INTERVAL_DAYS and number < length - LAST_PASSES
        last = number >= length - LAST_PASSES
        grade = Grade.AGAIN if forgotten else Grade.GOOD if last else random.choice(GRADES)
        steps.append((on, int(grade)))
        _, memory = answer(memory, grade, on)
        on = memory.due
    interval = memory.interval if memory else 1
    ago = interval + random.randrange(30) if due else random.randrange(1, max(2, interval))
    shift = TODAY - timedelta(days=ago) - steps[-1][0]
    for on, grade_given in steps:
        day = (on + shift).toordinal()
        moment = (day - date(1970, 1, 1).toordinal()) * DAY_US + random.randrange(6 * 3600, 23 * 3600) * 1_000_000
        id_ = UUID(int=(moment // 1000) << 80 | 7 << 76 | 2 << 62 | random.getrandbits(60))
        yield id_.bytes, card, moment, day, grade_given
