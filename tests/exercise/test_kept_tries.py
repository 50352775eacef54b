"""Wrong tries at a question that is open when the process is killed: in the log with the next exercise, once."""

import contextlib
import os
import signal
import sqlite3
from pathlib import Path

import pytest
from live import STUDY, Live, environ_of

DECK = '---\nname = "Mine"\n---\n\nE: mem.max_model G=8 conv=12 hw="H100 SXM" {#fit}\n'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a deck of one exercise."""
    (tmp_path / "mine.md").write_text(DECK)
    return tmp_path


def killed(home: Path, verb: tuple[str, ...], *lines: str) -> None:
    """Give wrong answers and be killed at the question, once the last of them is marked wrong."""
    terminal = Live([*STUDY, *verb], environ_of(home))
    try:
        terminal.see("typing")
        for line in lines:
            terminal.press(line, f"> {line}\ntyping")
            terminal.press("\r", ">\ntyping")  # it is marked, and the next line can be typed
        os.kill(terminal.child.pid, signal.SIGKILL)
        terminal.child.wait(timeout=10)
    finally:
        terminal.close()


def logged(home: Path) -> list[tuple[str, str, str, int | None]]:
    """Kind, card, answer and grade of every entry."""
    with contextlib.closing(sqlite3.connect(home / "study.db")) as connection:
        return connection.execute("SELECT kind, card_id, answer, grade FROM event ORDER BY moment, id").fetchall()


def begins_and_leaves(home: Path, *verb: str) -> str:
    """What a learner sees of an exercise that they leave at once."""
    terminal = Live([*STUDY, *verb], environ_of(home))
    try:
        terminal.see("typing")
        output = terminal.text
        terminal.send(":quit\r")
        terminal.ends()
    finally:
        terminal.close()
    return output


@pytest.mark.parametrize(
    ("name", "lines", "answer", "grade"),
    [
        ("mem.max_model", ("11B", "12B"), "12B", 1),
        ("scenario.scope_run", ("11 s", "12 s"), "12 s", None),  # a step that is left goes on
        ("rewrite.split_heads", ("b s (d h) -> b h s d",), "b s (d h) -> b h s d", 1),
    ],
)
def test_try_is_logged_once(home: Path, name: str, lines: tuple[str, ...], answer: str, grade: int | None) -> None:
    killed(home, ("exercise", name, "--seed", "1"), *lines)
    assert logged(home) == []

    begins_and_leaves(home, "exercise", "mem.max_model")
    begins_and_leaves(home, "exercise", "mem.max_model")

    ((kind, card, given, graded),) = logged(home)
    assert (kind, card, graded) == ("practice", "", grade)
    assert answer in given


def test_the_tries_at_a_card_are_offered_again(home: Path) -> None:
    killed(home, ("review", "mine"), "11B", "12B")

    assert "Your last answer was 12B" in begins_and_leaves(home, "review", "mine")
    assert logged(home) == [("practice", "fit", "11B", None), ("practice", "fit", "12B", None)]


def test_leaving_a_question_clears_saved_tries(home: Path) -> None:
    terminal = Live([*STUDY, "exercise", "mem.max_model"], environ_of(home))
    try:
        terminal.see("typing")
        terminal.press("11B\r", "not yet")
        terminal.send(":quit\r")
        terminal.ends()
    finally:
        terminal.close()

    begins_and_leaves(home, "exercise", "mem.max_model")

    assert len(logged(home)) == 1
