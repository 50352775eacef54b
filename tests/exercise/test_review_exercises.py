"""Check exercise cards in a review: asked, judged, accepted, and skipped if a tool is missing."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from live import STUDY, Live, environ_of
from shell import Result, Shell

from studykit.errors import MissingError
from studykit.exercise import registry

DECK = """---
name = "Mine"
---

E: flops.train_total {#total}

Q: a plain card? {#plain}
A: yes
"""
RIGHT = "6*30e9*15e12"

Study = Callable[[str], Result]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder with the deck in it."""
    (tmp_path / "mine.md").write_text(DECK)
    return tmp_path


@pytest.fixture
def shell(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in this folder."""
    return Shell(home, monkeypatch, capsys, **environ_of(home), STUDYKIT_SEED="42")


@pytest.fixture
def study(shell: Shell) -> Study:
    """Run `study review mine --plain` with these lines typed."""
    return lambda typed: shell("review", "mine", "--plain", typed=typed)


def logged(home: Path) -> list[tuple[object, ...]]:
    """Return card, grade, template, seed, answer and verdict of every answer."""
    with contextlib.closing(sqlite3.connect(home / "study.db")) as connection:
        text = "SELECT card_id, grade, template, seed, answer, verdict FROM event WHERE kind = 'answer'"
        return connection.execute(text + " ORDER BY moment").fetchall()


def test_right_answer_suggests_good_and_is_logged(study: Study, home: Path) -> None:
    _, out, _ = study(f"{RIGHT}\n\nq\n")

    assert "Enter means good." in out
    assert logged(home) == [("total", 4, "flops.train_total", 42, RIGHT, "correct")]


def test_exercise_without_its_tool_is_skipped(study: Study, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> object:
        raise MissingError("exercise flops.train_total needs torch, which is not installed here.")

    monkeypatch.setattr(registry, "kind_of", missing)

    code, out, err = study("\n3\n")

    assert code == 0
    assert "Question: a plain card?" in out
    assert err.count("needs torch, which is not installed here.") == 1
    assert [row[0] for row in logged(home)] == ["plain"]


@pytest.fixture
def live(home: Path) -> Iterator[Live]:
    """Start the review in a terminal."""
    running = Live([*STUDY, "review", "mine"], environ_of(home) | {"STUDYKIT_SEED": "42"})
    try:
        yield running
    finally:
        running.close()


def test_exercise_on_screen_can_be_undone(live: Live, home: Path) -> None:
    live.see("FLOP>")
    live.press("6*30e9*15e13", "6*30e9*15e13")
    live.send("\x1bb\x0b15e12\r")  # alt-b goes back over the last word, and ctrl-k removes it
    live.see("a plain card?")
    live.see("✓ right: 2.7e24 FLOP; good, next 21 Nov (1 d); u brings it back")
    assert [row[:2] for row in logged(home)] == [("total", 4)]

    live.press("u", "undone")
    assert "How many FLOPs does" in live.text
    assert "✓ right: 2.7e24 FLOP" in live.text
    live.press("s", "1. ")
    live.press("q", "= good")


def test_statistics_count_exercises_of_a_review(study: Study, shell: Shell) -> None:
    study(f"{RIGHT}\n3\n\n3\n")

    assert "1 exercise\n" in shell("stats").out
