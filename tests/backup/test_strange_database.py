"""Test that a restore takes only the rows of an untrusted database, and runs and inflates nothing in it."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from revisions import of_revision
from stores import opened

from studykit.backup.snapshot import migrate_copy
from studykit.cards.card import CardId
from studykit.errors import BadDataError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.store import sql

ENDLESS = "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
MEGABYTES = 5_000_000


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Make a log with an answer."""
    return add_answer(tmp_path / "study.db")


def add_answer(file: Path) -> Path:
    with opened(file) as store:
        store.log.record(EventKind.ANSWER, CardId("six"), grade=Grade.GOOD)
    return file


def run_script(file: Path, script: str) -> Path:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)
        connection.execute("PRAGMA journal_mode=DELETE")
    return file


def write_database(file: Path, table: str, old: str, new: str) -> Path:
    """Change a table's definition in the file but not its rows, which SQLite then reads by the new one."""
    change = f"UPDATE sqlite_master SET sql = replace(sql, '{old}', '{new}') WHERE name = '{table}'"
    return run_script(file, f"PRAGMA writable_schema=ON; {change}; PRAGMA writable_schema=OFF")


def answers(file: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute("SELECT card_id, grade FROM event").fetchall()


@pytest.mark.parametrize("revision", [f"{number:04}" for number in range(1, int(sql.REVISION))])
def test_migration_runs_nothing_of_the_file(tmp_path: Path, revision: str) -> None:
    log = of_revision(revision, add_answer(tmp_path / "new.db"), tmp_path / "study.db")
    script = "".join(
        f"CREATE TRIGGER t{number} AFTER {verb} ON {table} BEGIN {ENDLESS}; END;"
        for number, (verb, table) in enumerate(
            (verb, table)
            for verb in ("INSERT", "UPDATE", "DELETE")
            for table in ("alembic_version", "deckfile", "tally", "memory", "card")
        )
    )

    assert migrate_copy(run_script(log, script)) == 1

    assert answers(log) == [("six", 4)]
    with closing(sqlite3.connect(log)) as connection:
        triggers = connection.execute("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'").fetchone()
    assert triggers == (2,)  # our own, by which the log is append-only


COMPUTED = ("CREATE TABLE", "CREATE  TABLE", "CREATE/**/TABLE", "create\ttable")


@pytest.mark.parametrize("text", COMPUTED)
def test_computed_column_is_refused(log: Path, text: str) -> None:
    long = f"answer TEXT GENERATED ALWAYS AS (printf('%.*c', {MEGABYTES}, 'x'))"
    with closing(sqlite3.connect(log)) as connection:
        (definition,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'event'").fetchone()
    run_script(log, f"DROP TABLE event; {definition.replace('answer TEXT', long)}")
    write_database(log, "event", "CREATE TABLE", text)

    with pytest.raises(BadDataError, match="event is missing or computed"):
        migrate_copy(log)


def test_no_more_comes_out_than_the_file_holds(log: Path) -> None:
    rows = "".join(f"INSERT INTO setting VALUES ('me', '{number}');" for number in range(20))
    statements = "DROP TABLE setting; CREATE TABLE setting (learner TEXT, name TEXT);"
    run_script(log, f"{statements}{rows}ALTER TABLE setting ADD COLUMN value TEXT DEFAULT '{'x' * MEGABYTES}'")

    with pytest.raises(BadDataError, match="setting is larger than the file"):
        migrate_copy(log)

    assert log.with_name("study.db.fresh").stat().st_size < 3 * MEGABYTES


STRANGE = {
    "view": f"DROP TABLE ceiling; CREATE VIEW ceiling AS {ENDLESS}",
    "view of what is there": "DROP TABLE ceiling; CREATE VIEW ceiling AS SELECT * FROM setting",
    "virtual table": "DROP TABLE ceiling; CREATE VIRTUAL TABLE ceiling USING fts5 (learner, name)",
    "nothing": "DROP TABLE ceiling",
}


@pytest.mark.parametrize("what", STRANGE)
def test_what_is_no_table_of_rows_is_refused(log: Path, what: str) -> None:
    with pytest.raises(BadDataError, match="ceiling is missing or computed"):
        migrate_copy(run_script(log, STRANGE[what]))


def test_endless_schema_is_not_read(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = "".join(f"CREATE TABLE t{number} (x);" for number in range(2000))
    run_script(log, f"BEGIN; {tables} COMMIT")
    monkeypatch.setattr("studykit.store.untrusted_file._STEPS_PER_CHECK", 1)
    monkeypatch.setattr("studykit.backup.strange_database._LOOKS", 1)

    with pytest.raises(BadDataError, match="it holds code that would run"):
        migrate_copy(log)


@pytest.mark.parametrize("revision", ["00001", "7", "0000", "000x", "9999", "", "x" * 1000])
def test_a_revision_that_no_studykit_wrote_is_refused(log: Path, revision: str) -> None:
    with pytest.raises(BadDataError, match="revision"):
        migrate_copy(run_script(log, f"UPDATE alembic_version SET version_num = '{revision}'"))


def test_other_views_and_tables_do_not_matter(log: Path) -> None:
    run_script(log, f"CREATE VIEW v AS {ENDLESS}; CREATE TABLE t (x, y AS (zeroblob(1000000000)))")

    assert migrate_copy(log) == 1


@pytest.fixture
def wide_texts(tmp_path: Path) -> Iterator[Path]:
    """Make a database that is almost full of text, in characters of two and of three bytes."""
    file = add_answer(tmp_path / "study.db")
    with closing(sqlite3.connect(file)) as connection:
        names = ((f"told {number}", "\N{GREEK SMALL LETTER ALPHA}\N{SNOWMAN}" * 50_000) for number in range(50))
        connection.executemany("INSERT INTO setting VALUES ('me', ?, ?)", names)
        connection.commit()
        connection.execute("PRAGMA journal_mode=DELETE")
    yield file
    file.unlink()


def test_a_large_log_comes_back_whole(wide_texts: Path, tmp_path: Path) -> None:
    shutil.copy(wide_texts, before := tmp_path / "before.db")

    migrate_copy(wide_texts)

    settings = "SELECT * FROM setting WHERE name LIKE 'told %' ORDER BY name"
    for query in (settings, "SELECT * FROM event", "SELECT * FROM memory"):
        with closing(sqlite3.connect(before)) as old, closing(sqlite3.connect(wide_texts)) as new:
            assert new.execute(query).fetchall() == old.execute(query).fetchall()


@pytest.mark.parametrize("scheduler", ["", "fsrs-6 0.9"])
def test_caches_are_rebuilt_for_every_learner(tmp_path: Path, scheduler: str) -> None:
    for learner in ("me", "her"):
        with opened(tmp_path / "study.db", learner=learner, scheduler=scheduler) as store:
            store.log.record(EventKind.ANSWER, CardId("six"), grade=Grade.GOOD)
            store.log.record(EventKind.FLAG, CardId("six"))
    low = -(2**63)
    wrong = (
        f"UPDATE tally SET introduced = {low}, took_ms = {low}; UPDATE memory SET interval = {low}, ease = {low};"
    )

    migrate_copy(run_script(tmp_path / "study.db", wrong + "DELETE FROM mark"))

    for learner in ("me", "her"):
        with opened(tmp_path / "study.db", learner=learner) as store:
            assert store.schedule.scheduler == (scheduler or "sm2-text")
            assert store.schedule.disagreements() == ()
