"""Test how much a review writes: pages of the write-ahead log, and commits, which are slow on some disks."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from stores import Clock, opened

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.store.sqlite import SqliteDatabase
from studykit.store.store import Store

CARDS = 60
MOST_PAGES = 8.5  # of each review on average
STATEMENTS = 7  # the last asks whether the event is there
HEADER, FRAME = 32, 4096 + 24  # bytes of a write-ahead log, and of a page in it


def test_review_writes_few_pages(store: Store, clock: Clock) -> None:
    for number in range(CARDS):
        clock.now += timedelta(seconds=1)
        store.log.record(EventKind.ANSWER, CardId(f"card-{number}"), grade=Grade.GOOD)
    database = store._database
    assert isinstance(database, SqliteDatabase)
    writer = database._writer
    assert isinstance(writer, sqlite3.Connection)
    assert writer.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL: one sync of the log for each commit
    for pragma in ("wal_autocheckpoint=0", "wal_checkpoint(TRUNCATE)"):
        writer.execute(f"PRAGMA {pragma}").fetchall()
    ran: list[str] = []
    writer.set_trace_callback(ran.append)

    clock.days(1)
    for number in range(CARDS):
        clock.now += timedelta(seconds=1)
        store.log.record(EventKind.ANSWER, CardId(f"card-{number}"), grade=Grade.GOOD)

    frames = pages_of_log(store)
    assert ran.count("COMMIT") == CARDS
    assert len(ran) == STATEMENTS * CARDS
    assert frames / CARDS <= MOST_PAGES, frames / CARDS


def test_answers_leave_the_file_until_a_pause(tmp_path: Path) -> None:
    with opened(tmp_path / "study.db", origin="here") as store:
        answer_all(store, CARDS)
        before = file_of(store).read_bytes()
        answer_all(store, CARDS)
        assert file_of(store).read_bytes() == before

        store.checkpoint()
        assert file_of(store).read_bytes() != before
        assert pages_of_log(store) > CARDS

    assert not log_of(store).exists()


def test_the_log_stays_short_where_there_are_pauses(store: Store) -> None:
    for _ in range(2 * CARDS):
        answer_all(store, 1)
        store.checkpoint()

    assert pages_of_log(store) <= 25 * MOST_PAGES


def test_log_is_bounded_without_pauses(store: Store) -> None:
    answer_all(store, 5 * CARDS)

    assert 800 < pages_of_log(store) <= 1000 + 2 * MOST_PAGES


def test_a_pause_waits_for_no_other_program(store: Store) -> None:
    with closing(sqlite3.connect(file_of(store), isolation_level=None)) as other:
        answer_all(store, CARDS)
        other.execute("BEGIN")
        row = other.execute("SELECT count(*) FROM event").fetchone()
        other_writer = sqlite3.connect(file_of(store), isolation_level=None)
        other_writer.execute("BEGIN IMMEDIATE")
        try:
            store.checkpoint()
        finally:
            other_writer.close()

        answer_all(store, CARDS)
        assert other.execute("SELECT count(*) FROM event").fetchone() == row
        assert store.log.count() == 2 * CARDS


def answer_all(store: Store, cards: int) -> None:
    for number in range(cards):
        store.log.record(EventKind.ANSWER, CardId(f"card-{number}"), grade=Grade.GOOD)


def file_of(store: Store) -> Path:
    return Path(store.name)


def log_of(store: Store) -> Path:
    return file_of(store).with_name(file_of(store).name + "-wal")


def pages_of_log(store: Store) -> float:
    return (log_of(store).stat().st_size - HEADER) / FRAME
