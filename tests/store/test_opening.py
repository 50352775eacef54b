"""Test opening a database in any state: new, older, newer, locked, damaged, foreign, read-only."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from revisions import change, of_revision
from schema import migrated_schema, some_values, texts
from stores import NOW, opened

from studykit import paths
from studykit.cards.card import CardId
from studykit.errors import BadDataError, BusyError, StudyError, UsageError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.store import sql, sqlite
from studykit.store.sql import SCHEMA

CURRENT = sql.REVISION


def answered(path: Path) -> Path:
    """Return a database with one answer in it."""
    with opened(path) as store:
        store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)
    return path


def script() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(paths.migrations()))
    return ScriptDirectory.from_config(config)


def test_schema_equals_the_migrations(tmp_path: Path) -> None:
    assert Path(SCHEMA).read_text() == migrated_schema(tmp_path), "run: python tests/support/schema.py"
    assert script().get_current_head() == sql.REVISION


@pytest.mark.parametrize("name", sorted(texts()))
def test_every_query_fits_the_tables(migrated: Path, name: str) -> None:
    text = texts()[name]

    with closing(sqlite3.connect(migrated)) as connection:
        steps = connection.execute(f"EXPLAIN {text}", some_values(text) or ("",) * text.count("?")).fetchall()

    assert steps


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "study.db"
    opened(path).close()
    return path


@pytest.mark.parametrize("name", ["what?.db", "a#b.db", "100%20.db", "a b.db", "ünï.db"])
def test_database_keeps_its_exact_name(tmp_path: Path, name: str) -> None:
    opened(tmp_path / name).close()

    assert name in {path.name for path in tmp_path.iterdir()}


def test_a_database_is_opened_safe_against_power_loss(tmp_path: Path) -> None:
    answered(tmp_path / "study.db")

    with opened(tmp_path / "study.db") as store, store._database.writing() as connection:
        read = {
            name: connection.execute(f"PRAGMA {name}").fetchone()
            for name in ("journal_mode", "synchronous", "foreign_keys", "recursive_triggers", "busy_timeout")
        }

    assert read == {
        "journal_mode": ("wal",),
        "synchronous": (2,),
        "foreign_keys": (1,),
        "recursive_triggers": (1,),
        "busy_timeout": (10_000,),
    }


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET grade = 5",
        "DELETE FROM event",
        "INSERT OR REPLACE INTO event SELECT * FROM event",
        "INSERT INTO event SELECT * FROM event WHERE true ON CONFLICT (id) DO UPDATE SET grade = 5",
    ],
    ids=["update", "delete", "replace", "upsert"],
)
def test_the_log_refuses_to_be_changed(tmp_path: Path, statement: str) -> None:
    answered(tmp_path / "study.db")

    with opened(tmp_path / "study.db") as store:
        with pytest.raises(StudyError, match="append-only"), store._database.writing() as connection:
            connection.execute(statement)

        assert [event.grade for event in store.log.events()] == [Grade.GOOD]


@pytest.mark.parametrize("revision", ["x", "", "0000", "-1", "0003x", None])
def test_an_unknown_revision_is_refused(tmp_path: Path, revision: str | None) -> None:
    path = answered(tmp_path / "study.db")
    change(path, "DELETE FROM alembic_version")
    if revision is not None:
        change(path, f"INSERT INTO alembic_version VALUES ('{revision}')")

    with pytest.raises(BadDataError, match="has the unknown revision"):
        opened(path)


UNUSABLE: dict[str, tuple[Callable[[Path], object], type[StudyError], str]] = {
    "newer": (
        lambda path: change(answered(path), "UPDATE alembic_version SET version_num = '9999'"),
        BadDataError,
        "newer studykit",
    ),
    "foreign": (lambda path: change(path, "CREATE TABLE things (id INTEGER)"), BadDataError, "another program"),
    "text": (lambda path: path.write_text("my notes, not a database"), BadDataError, "not a database"),
    "damaged": (
        lambda path: path.write_bytes(answered(path).read_bytes()[:100].ljust(90_000, b"\xff")),
        BadDataError,
        "damaged",
    ),
    "folder": (Path.mkdir, UsageError, "is a folder"),
    "pipe": (os.mkfifo, UsageError, "is not an ordinary file"),
}


@pytest.mark.parametrize("what", UNUSABLE)
def test_unusable_database_is_refused_and_untouched(tmp_path: Path, what: str) -> None:
    make, error, message = UNUSABLE[what]
    make(path := tmp_path / "study.db")
    before = path.read_bytes() if path.is_file() else b""

    with pytest.raises(error, match=message):
        opened(path)

    assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(StudyError, match="cannot be opened"):
        opened(tmp_path / "file" / "study.db")


def test_a_database_that_another_program_holds_is_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = answered(tmp_path / "study.db")
    monkeypatch.setattr(sqlite, "WAITING_SECONDS", 0.05)

    with opened(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(BusyError, match="locked by another program"):
            store.log.record(EventKind.ANSWER, CardId("a"), grade=Grade.GOOD)


def test_review_reads_only_its_cards_events(migrated: Path) -> None:
    with closing(sqlite3.connect(migrated)) as connection:
        values = {"learner": "me", "card": "a", "origin": "here"}
        steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql.CARD_STATE}", values)]

    looked = [step for step in steps if "event" in step]
    assert looked == [
        "SEARCH event USING COVERING INDEX event_card (learner=? AND card_id=?)",
        "SEARCH event USING INDEX event_target (learner=? AND target=?)",
        "SCAN event",  # by id from the newest on, and only as far as the first of this installation
    ]


def test_reading_waits_for_no_writer(tmp_path: Path) -> None:
    path = answered(tmp_path / "study.db")

    with opened(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")

        assert len(store.schedule.memories()) == 1


@pytest.mark.parametrize("url", ["mysql://host/db", "nonsense://x", "://"])
def test_a_database_of_an_unknown_kind_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        opened(url)


READ_ONLY = """
import os, sys
from datetime import UTC, datetime, timedelta
from studykit.errors import StudyError
from studykit.store.migrate import migrate
from studykit.store.sql import SCHEMA
from studykit.store.opening import open_store
def opened():
    return open_store(sys.argv[1], clock=lambda: datetime.now(UTC), zone_name="UTC", zone=UTC)
if os.getuid() == 0:
    # Nobody may be unable to read the program's own files, so all that it loads late is loaded before.
    import importlib, pkgutil
    import alembic.command, sqlalchemy, studykit.store
    for module in pkgutil.iter_modules(studykit.store.__path__, "studykit.store."):
        importlib.import_module(module.name)
    sqlalchemy.create_engine("sqlite://").connect().close()
    opened().close()
    os.setgid(65534); os.setuid(65534)
try:
    opened()
except StudyError as error:
    print(error.exit_code, error)
"""


@pytest.mark.parametrize(("folder", "file"), [(0o555, 0o444), (0o755, 0o444), (0o000, 0o644)])
def test_missing_permission_is_explained(tmp_path: Path, folder: int, file: int) -> None:
    home = tmp_path / "home"
    home.mkdir()
    path = answered(home / "study.db")
    path.chmod(file)
    home.chmod(folder)
    for above in list(home.parents)[:3]:
        above.chmod(above.stat().st_mode | 0o055)

    try:
        result = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(path)], capture_output=True, text=True, timeout=60, check=False
        )
    finally:
        home.chmod(0o755)

    assert result.stderr == ""
    assert result.stdout.startswith("1 ")
    assert "--db" in result.stdout


def test_migration_keeps_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = answered(tmp_path / "study.db")
    with_a_later_revision(tmp_path, monkeypatch, "op.execute('CREATE TABLE later (id INTEGER)')")

    opened(path).close()

    with closing(sqlite3.connect(tmp_path / "study.db.before-9999")) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchall() == [(CURRENT,)]
        assert copy.execute("SELECT count(*) FROM event").fetchone() == (1,)


def test_failed_migration_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = answered(tmp_path / "study.db")
    before = objects(path)
    body = "op.execute('CREATE TABLE later (id INTEGER)'); op.execute('ALTER TABLE nothing ADD COLUMN x INTEGER')"
    with_a_later_revision(tmp_path, monkeypatch, body)

    with pytest.raises(StudyError):
        opened(path)

    monkeypatch.undo()
    assert objects(path) == before
    with opened(path) as store:
        assert len(store.schedule.memories()) == 1


def with_a_later_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    folder = tmp_path / "migrations"
    shutil.copytree(paths.migrations(), folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / "9999_later.py").write_text(
        f"from alembic import op\nrevision = '9999'\ndown_revision = {CURRENT!r}\ndef upgrade():\n    {body}\n"
    )
    monkeypatch.setattr(paths, "migrations", lambda: folder)
    monkeypatch.setattr(sql, "REVISION", "9999")


def test_first_revision_is_upgraded(tmp_path: Path) -> None:
    new = answered(tmp_path / "new.db")
    old = of_revision("0001", new, tmp_path / "old.db")
    assert definitions(old) != definitions(new)

    opened(old).close()

    with opened(old) as store:
        assert definitions(old) == definitions(new)
        assert (store.log.count(), store.schedule.disagreements(), store.problems()) == (1, (), ())


def test_old_answers_are_counted_by_hour(tmp_path: Path) -> None:
    old = of_revision("0006", answered(tmp_path / "new.db"), tmp_path / "old.db")
    opened(old).close()

    with opened(old) as store:
        counts = store.schedule.answer_counts()
        assert [count.introduced for count in counts.grades] == [0, 0, 0, 0, 1, 0]
        assert store.schedule.disagreements() == ()


def test_old_cards_become_the_learners_own(tmp_path: Path) -> None:
    old = of_revision("0005", answered(tmp_path / "new.db"), tmp_path / "old.db")
    change(
        old,
        "INSERT INTO card (id, note, deck, kind, path, present) VALUES ('a', 'a', 'd', 'basic', 'd.md', 1)",
        "INSERT INTO card (id, note, deck, kind, path, present) VALUES ('gone', 'gone', 'd', 'basic', 'd.md', 0)",
        "INSERT INTO card_text (card, text) VALUES ('a', 'a?')",
        "CREATE VIRTUAL TABLE card_trigram USING fts5(text, content = 'card_text', tokenize = 'trigram')",
        "CREATE TRIGGER card_text_added AFTER INSERT ON card_text BEGIN "
        "INSERT INTO card_trigram (rowid, text) VALUES (new.number, new.text); END",
        "INSERT INTO deckfile (path, deck, name) VALUES ('d.md', 'd', 'D')",
        "INSERT INTO ceiling (device, name, value) VALUES ('cpu', 'flops', 1e9)",
    )

    with opened(old) as store:
        assert store.cards.ids() == ("a",)
        assert [card.id for card in store.cards.orphans()] == ["gone"]
        assert list(store.cards.deck_files()) == ["d.md"]
        assert store.ceilings.of("cpu")["flops"].value == 1e9
        assert store.schedule.agenda(NOW.date()).new == ()
        assert store.log.origin
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("SELECT learner, card FROM card_text").fetchall() == [("me", "a")]
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        assert names.isdisjoint({"card_trigram", "card_text_added"})
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def definitions(path: Path) -> dict[str, str]:
    """Return the definition of each table, index and trigger, without white space and quotes of names."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return {name: re.sub(r"\s|\"", "", text) for name, text in rows}


def objects(path: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT type, name FROM sqlite_master ORDER BY type, name").fetchall()
        return [*rows, ("version", connection.execute(sql.VERSION).fetchone()[0])]


@pytest.mark.thorough
def test_processes_may_create_one_database_together(tmp_path: Path) -> None:
    code = (
        "import sys; from datetime import UTC, datetime; from studykit.store.opening import open_store; "
        "open_store(sys.argv[1], clock=lambda: datetime.now(UTC), zone_name='UTC', zone=UTC).close()"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "study.db")]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE, env=dict(os.environ)) for _ in range(4)]

    try:
        errors = [process.communicate(timeout=60)[1] for process in started]
    finally:
        for process in started:
            process.kill()

    assert errors == [b"", b"", b"", b""]


IMPORTED = """
import sys
from datetime import UTC, date, datetime
from studykit.store.opening import open_store
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
store = open_store(sys.argv[1], clock=lambda: datetime.now(UTC), zone_name="UTC", zone=UTC)
store.log.record(EventKind.ANSWER, "b", grade=Grade.GOOD), store.log.undo()
store.schedule.agenda(date(2026, 11, 23)), store.schedule.stats(date(2026, 11, 23))
list(store.cards.all()), store.log.history("a")
print("sqlalchemy" in sys.modules, "alembic" in sys.modules)
"""


def test_current_database_needs_no_sqlalchemy(tmp_path: Path) -> None:
    answered(tmp_path / "study.db")

    for path in ("study.db", "new.db"):
        result = subprocess.run(
            [sys.executable, "-c", IMPORTED, str(tmp_path / path)],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )

        assert result.stdout == "False False\n"


def test_a_reader_may_ask_while_it_reads(tmp_path: Path) -> None:
    with opened(answered(tmp_path / "study.db")) as store:
        assert [store.log.history(event.card) for event in store.log.events()] == [tuple(store.log.events())]
