"""What a review writes: pages of the write-ahead log and commits, which are what one waits for on a slow disk."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

from studykit.cards.card import CardId
from studykit.scheduling.events import EventKind
from studykit.scheduling.memory import Grade
from studykit.store.opening import open_store
from studykit.store.sqlite import SqliteDatabase

MONDAY = datetime(2026, 11, 23, 9, tzinfo=UTC)
CARDS = 60
MOST_PAGES = 8.5  # of each review on average
HEADER, FRAME = 32, 4096 + 24  # bytes of a write-ahead log, and of a page in it


def test_a_review_writes_few_pages_in_one_commit(tmp_path: Path) -> None:
    moment = MONDAY
    file = tmp_path / "study.db"
    with open_store(file, clock=lambda: moment, zone_name="UTC", zone=UTC, origin="here") as store:
        for number in range(CARDS):
            moment += timedelta(seconds=1)
            store.log.record(EventKind.ANSWER, CardId(f"card-{number}"), grade=Grade.GOOD)
        database = store._database
        assert isinstance(database, SqliteDatabase)
        writer = database._writer
        assert isinstance(writer, sqlite3.Connection)
        assert writer.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL: one sync of the log for each commit
        for pragma in ("wal_autocheckpoint=0", "wal_checkpoint(TRUNCATE)"):
            writer.execute(f"PRAGMA {pragma}").fetchall()
        commits: list[str] = []
        writer.set_trace_callback(lambda ran: commits.append(ran) if ran == "COMMIT" else None)

        moment += timedelta(days=1)
        for number in range(CARDS):
            moment += timedelta(seconds=1)
            store.log.record(EventKind.ANSWER, CardId(f"card-{number}"), grade=Grade.GOOD)

        written = (file.with_name("study.db-wal").stat().st_size - HEADER) / FRAME
    assert len(commits) == CARDS
    assert written / CARDS <= MOST_PAGES, written / CARDS
