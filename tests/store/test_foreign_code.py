"""Test databases with another program's triggers and views: the doctor names them, and every verb ends."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from revisions import change
from shell import Shell
from verb_calls import CALLS

IGNORING = "CREATE TRIGGER quiet BEFORE INSERT ON event BEGIN SELECT raise(IGNORE); END"
REMOVING = """CREATE TRIGGER quiet AFTER INSERT ON event BEGIN DELETE FROM event WHERE id = new.id; END"""
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT {} FROM n"

EVERY_VERB = """
import json, sys
from studykit.__main__ import _application
from studykit.cli.exit import run_program

codes = {" ".join(words[:1]): run_program(_application, words) for words in json.loads(sys.argv[1])}
print()
print(json.dumps(codes))
"""


@pytest.fixture
def study(study: Shell) -> Shell:
    study.with_deck("mine.md", "---\nname = 'mine'\n---\nQ: One? {#mine}\nA: Two.\n")
    assert study("answer", "mine", "good").code == 0
    return study


def problems(study: Shell) -> str:
    checks = study("doctor", "--json").json["checks"]
    return next(str(check["detail"]) for check in checks if check["name"] == "database" and not check["ok"])


def test_sound_database_runs_nothing_foreign(study: Shell) -> None:
    study("find", "one")

    assert study("doctor", "--json").json["problems"] == 0


@pytest.mark.parametrize("trigger", [IGNORING, REMOVING])
def test_answer_reports_nothing_saved_under_foreign_trigger(study: Shell, trigger: str) -> None:
    change(study.database, "DROP TRIGGER event_refuses_delete", trigger)

    result = study("answer", "mine", "good")

    assert result.code == 5
    assert "Saved" not in result.out
    assert "nothing was saved" in result.err
    assert "the trigger 'quiet' is not studykit's" in problems(study)
    backup = study("backup", "create")
    assert (backup.code, backup.err.startswith(f"study: {study.database} is damaged")) == (5, True)


def test_ignored_import_is_not_said_to_be_taken(study: Shell) -> None:
    study("export", "progress", "-o", "log.json")
    other = str(study.home / "other.db")
    study("due", "--db", other)
    change(Path(other), IGNORING)

    assert study("import", "log.json", "--db", other).code == 5


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["CREATE VIEW mine AS SELECT 1"], "the view 'mine' is not studykit's"),
        (["DROP TRIGGER event_refuses_update"], "'event_refuses_update', which protects the log, is missing"),
        (
            [
                "DROP TRIGGER event_refuses_delete",
                "CREATE TRIGGER event_refuses_delete BEFORE DELETE ON event BEGIN SELECT 1; END",
            ],
            "the trigger 'event_refuses_delete' is not studykit's",
        ),
        (["ALTER TABLE event RENAME TO log", "CREATE VIEW event AS SELECT * FROM log"], "event is a view"),
    ],
)
def test_doctor_names_foreign_code(study: Shell, statements: list[str], words: str) -> None:
    change(study.database, *statements)

    assert words in problems(study)


@pytest.mark.parametrize("table", ["event", "alembic_version"])
def test_endless_view_ends_every_verb_with_a_sentence(study: Shell, table: str) -> None:
    with closing(sqlite3.connect(study.database)) as connection:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    query = ENDLESS.format(", ".join(f"i AS {name}" for name in columns))
    change(study.database, f"ALTER TABLE {table} RENAME TO elsewhere", f"CREATE VIEW {table} AS {query}")
    calls = [[*verb.split(), *words] for verb, words in CALLS.items()]
    # The limit does not measure anything: without it a failure would never end.
    result = subprocess.run(
        [sys.executable, "-c", EVERY_VERB, json.dumps(calls)],
        cwd=study.home,
        timeout=100,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        text=True,
    )

    codes = json.loads(result.stdout.splitlines()[-1])
    assert result.stderr.count(f"{table} is a view") > len(calls) / 2
    assert codes["answer"] == codes["due"] == codes["stats"] == 5
    assert 70 not in codes.values()
