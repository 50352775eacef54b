"""Verbs that leave Typer aside on their usual words: what they do is what the Typer application does."""

import io
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from shell import Shell

from studykit.__main__ import EXERCISE_COMMANDS, _application
from studykit.cli import app
from studykit.cli.app import VERBS, _loaded
from studykit.cli.exit import run_program
from studykit.exercise import catalog

QUICK = [
    ["due", "--short"],
    ["due", "--json"],
    ["--learner", "me", "due", "--json"],
    ["due", "--json", "--db=other.db"],
    ["review"],  # which no pipe can answer without --plain
    ["review", "--plain"],
    ["r", "--plain", "--plain"],
    ["review", "mine", "--plain"],
    ["review", "--plain", "mine", "numbers"],
    ["review", "mien", "--plain"],
    ["show", "one"],
    ["show", "--json", "one"],
    ["show", "number"],  # words of two cards
    ["show", "numbers"],  # a deck
    ["show", "a b"],
    ["show", "nothing-like-it", "--config", "none.toml"],
    ["answer", "one", "good"],
    ["answer", "one", "4", "--json"],
    ["answer", "one", "GOOD"],
    ["answer", "one", "great"],
    ["answer", "nothing-like-it", "good"],
    ["answer", "--json", "number", "again"],
    ["exercise", "napkin-math", "--plain"],
    ["exercise", "mem.gib", "--plain"],
    ["exercise", "mem.gib"],
    ["exercise", "mem", "--plain"],
    ["exercise", "nothing-like-it", "--plain"],
    ["exercise", "scenario.serving", "--plain"],
    ["--help"],
    ["-h"],
]
"""Words that need no Typer."""
FOR_TYPER = [
    [],
    ["due"],
    ["due", "--short", "--json"],
    ["due", "mine", "--short"],
    ["due", "--json=yes"],
    ["due", "--shor"],
    ["due", "--help"],
    ["review", "--plain", "-n", "1"],
    ["review", "--plain", "--limit=1"],
    ["review", "--plain", "--limit", "no"],
    ["review", "--plain", "--", "mine"],
    ["review", "--plain", "--mode", "--json"],
    ["review", "--json"],
    ["review", "", "--plain"],
    ["--plain", "review"],
    ["--json", "show", "one"],
    ["show"],
    ["show", ""],
    ["show", "one", "two"],
    ["show", "--", "one"],
    ["show", "--", "--json"],
    ["show", "one", "--short"],
    ["show", "one", "--db"],
    ["show", "one", "--db=", "--db", "other.db"],
    ["show", "-1"],
    ["answer", "one"],
    ["answer", "one", "good", "--ms", "900"],
    ["answer", "one", "good", "--ms=900"],
    ["answer", "one", "good", "--at", "--json"],
    ["answer", "one", "good", "--at=2026-11-22T09:00:00Z"],
    ["answer", "one", "good", "more"],
    ["answer", "one", "--choose=1"],
    ["exercise"],
    ["exercise", "list"],
    ["exercise", "SET"],
    ["exercise", "show", "mem.gib"],
    ["exercise", "mem.gib", "--seed", "1", "--answer", "1 GB"],
    ["exercise", "mem.gib", "--seed=1", "--answer=1 GB"],
    ["exercise", "mem.gib", "n=8", "--plain"],
    ["exercise", "mem.gib", "mem.gb"],
    ["exercise", "--plain"],
    ["Show", "one"],
    ["nothing-like-it"],
    ["--version"],
    ["--help", "--json"],
]
"""Words that it reads, and what it says of those that mean nothing."""
DECKS = {
    "decks/mine.md": '---\nname = "mine"\n---\nQ: The number one? {#one}\nA: Two.\n',
    "decks/numbers.md": '---\nname = "numbers"\n---\nQ: Another number, a b? {#two}\nA: Three.\n',
}
IDS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.setattr(catalog, "_AUTHORED", [])
    shell = Shell(tmp_path, monkeypatch, capsys, STUDYKIT_SEED="4", COLUMNS="80")
    for name, text in DECKS.items():
        shell.write(name, text)
    shell.write("config.toml", 'course = "off"\ndecks = ["decks"]\n')
    assert shell("answer", "two", "again").code == 0
    return shell


Way = Callable[[Sequence[str]], int]
Outcome = tuple[int, str, str, list[object]]


def came_of(
    study: Shell, way: Way, words: Sequence[str], capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch
) -> Outcome:
    """Exit code, both streams and the log, of a run on a copy of the database; the copies start out alike."""
    for file in study.home.glob("*.db*"):
        file.unlink()
    shutil.copyfile(study.home / "before", study.database)
    patch.setattr(sys, "stdin", io.StringIO("\n3\nq\n"))
    capsys.readouterr()
    code = run_program(way, words)
    out, err = (IDS.sub("ID", text) for text in capsys.readouterr())
    with closing(sqlite3.connect(study.database)) as connection:
        log = connection.execute("SELECT kind, card_id, day, grade, template, answer FROM event ORDER BY id")
        return code, out, err, log.fetchall()


@pytest.mark.parametrize("verb", ["due", "review", "show", "answer", "exercise", ""])
def test_the_quick_way_and_typer_do_and_say_the_same(
    study: Shell, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    study.database.rename(study.home / "before")
    verbs = {"due", "review", "show", "answer", "exercise"}
    tried = [words for words in (*QUICK, *FOR_TYPER) if (verb in words if verb else verbs.isdisjoint(words))]
    ways = app.run, _application

    done = [[came_of(study, way, words, capsys, monkeypatch) for way in ways] for words in tried]

    assert len(tried) > 6
    assert [words for words, (by_typer, quickly) in zip(tried, done, strict=True) if by_typer != quickly] == []
    assert {code for (code, *_), _ in done} >= {0, 2}  # what is right, and what is refused


def _kept(asked: list[Sequence[str]], words: Sequence[str]) -> int:
    asked.append(words)
    return 0


def test_typer_gets_all_that_is_not_read_without_it(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[str]] = []
    typer = partial(_kept, asked)
    monkeypatch.setattr(app, "run", typer)

    for words in (*QUICK, *FOR_TYPER):
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        run_program(_application, words)

    assert study.home.exists()
    assert asked == FOR_TYPER


@pytest.mark.parametrize("columns", ["20", "79", "80", "200"])
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_the_kept_help_is_that_of_typer_at_any_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str, flag: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)

    assert app.run([flag]) == 0
    by_typer = capsys.readouterr().out
    assert _application([flag]) == 0

    assert capsys.readouterr().out == by_typer


def test_completion_is_never_answered_by_a_verb(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[str]] = []
    typer = partial(_kept, asked)
    monkeypatch.setattr(app, "run", typer)
    monkeypatch.setenv("_STUDY_COMPLETE", "complete_bash")

    _application(["show", "one"])

    assert study.home.exists()
    assert asked == [["show", "one"]]


def test_the_commands_of_exercise_are_known_as_such() -> None:
    (verb,) = (verb for verb in VERBS if verb.name == "exercise")

    assert set(_loaded(verb.name)["exercise"].commands) == EXERCISE_COMMANDS
