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
    ["show", "\udcff"],  # as Python reads an argument that is not UTF-8
    ["show", "\udcff", "--json"],
    ["answer", "one", "good"],
    ["answer", "one", "4", "--json"],
    ["answer", "one", "GOOD"],
    ["answer", "one", "great"],
    ["answer", "nothing-like-it", "good"],
    ["answer", "\udcff", "good"],
    ["answer", "--json", "number", "again"],
    ["exercise", "napkin-math", "--plain"],
    ["exercise", "mem.gib", "--plain"],
    ["exercise", "mem.gib"],
    ["exercise", "mem", "--plain"],
    ["exercise", "nothing-like-it", "--plain"],
    ["exercise", "scenario.serving", "--plain"],
    ["grade", "rewrite.split_heads", "right.py"],
    ["grade", "--json", "split_heads", "wrong.py"],
    ["grade", "wrong.py", "rewrite.split_heads"],
    ["grade", "right.py"],
    ["grade", "right.py", "--learner", "me"],
    ["grade", "rewrite.split_heads", "none.py"],
    ["grade", "rewrite.split_heads", "decks"],
    ["grade", "rewrite.split_heads", "no-python.py"],
    ["grade", "rewrite.split_heads", "no-text.py"],
    ["grade", "rewrite.nothing-like-it", "right.py"],
    ["grade", "mem.gib", "right.py"],
    ["grade", "none.py"],
    ["grade", "rewrite.split_heads"],
    ["grade", "rewrite.\x1b[2J\udcff", "right.py"],
    ["grade", "rewrite.split_heads", "\x1b[2J\udcff.py"],
    ["grade", "\x1b[2J\udcff"],
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
    ["grade"],
    ["grade", "--json"],
    ["grade", "rewrite.split_heads", "right.py", "wrong.py"],
    ["grade", "rewrite.split_heads", "right.py", "--hint"],
    ["grade", "rewrite.split_heads", "right.py", "--device=tpu"],
    ["grade", "rewrite.split_heads", "right.py", "--plain"],
    ["grade", "rewrite.split_heads", ""],
    ["grade", "rewrite.split_heads", "-"],
    ["grade", "--", "right.py"],
    ["grade", "--batch", "decks", "--watch", "--on"],
    ["Show", "one"],
    ["nothing-like-it"],
    ["--version"],
    ["--help", "--json"],
]
"""Words that it reads, and what it says of those that mean nothing."""
ANSWER = (
    "from einops import rearrange\n\n\ndef f(x, h):  # rewrite.split_heads\n    return rearrange(x, {!r}, h=h)\n"
)
ANSWERS = {
    "right.py": ANSWER.format("b s (h d) -> b h s d"),
    "wrong.py": ANSWER.format("b s (d h) -> b h s d"),
    "no-python.py": "def f(x, h:\n",
    "no-text.py": "\udcff",
}
DECKS = {
    "decks/mine.md": '---\nname = "mine"\n---\nQ: The number one? {#one}\nA: Two.\n',
    "decks/numbers.md": '---\nname = "numbers"\n---\nQ: Another number, a b? {#two}\nA: Three.\n',
}
VARIES = re.compile(r'[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=in )[0-9.]+ s|(?<="seconds": )[0-9.]+')
"""Ids, and how long a grade took."""


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.setattr(catalog, "_AUTHORED", [])
    shell = Shell(tmp_path, monkeypatch, capsys, STUDYKIT_SEED="4", COLUMNS="80")
    for name, text in DECKS.items():
        shell.write(name, text)
    for name, text in ANSWERS.items():
        (tmp_path / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    shell.write("config.toml", 'course = "off"\ndecks = ["decks"]\n')
    assert shell("answer", "two", "again").code == 0
    return shell


TRIED = ("due", "review", "show", "answer", "exercise", "grade")
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
    out, err = (VARIES.sub("_", text) for text in capsys.readouterr())
    with closing(sqlite3.connect(study.database)) as connection:
        log = connection.execute("SELECT kind, card_id, day, grade, template, answer FROM event ORDER BY id")
        return code, out, err, log.fetchall()


@pytest.mark.parametrize("verb", [*TRIED, ""])
def test_the_quick_way_and_typer_do_and_say_the_same(
    study: Shell, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    study.database.rename(study.home / "before")
    others = set(TRIED)
    tried = [words for words in (*QUICK, *FOR_TYPER) if (verb in words if verb else others.isdisjoint(words))]
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


@pytest.mark.parametrize(
    "verb", ["show WORD", "show --json WORD", "answer WORD good", "card suspend WORD", "edit WORD"]
)
def test_a_word_that_is_not_utf_8_is_the_name_of_no_card(study: Shell, verb: str) -> None:
    told = study(*verb.replace("WORD", "\udcff").split())

    assert told.code == 3
    assert told.err.startswith("study: there is no card '\\udcff'")
