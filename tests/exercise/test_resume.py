"""Check that Ctrl-C in a practice or a quiz prints one line and keeps the answers."""

import io
import re
import sys
from collections.abc import Callable

import pytest
from asking import WRONG_HEADS
from shell import Shell

from studykit.cli.app import run
from studykit.cli.exit import run_program

DECK = """---
name = "Mine"
---

Q: What does a matmul cost? {#matmul}
A: 2mnk

Q: Bytes of an fp32 value? {#fp32}
A: 4
"""

Interrupt = Callable[..., tuple[int, str]]


class Interrupted(io.StringIO):
    """Simulate a learner who types some lines and then presses Ctrl-C."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        line = super().readline(size)
        if not line:
            raise KeyboardInterrupt
        return line


@pytest.fixture
def interrupt(study: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Interrupt:
    """Return a function that runs a command with --plain, types some lines and then Ctrl-C."""
    study.write("mine.md", DECK)
    study.with_environ(STUDYKIT_DECKS=str(study.home / "mine.md"))

    def interrupted(words: str, typed: str = "") -> tuple[int, str]:
        monkeypatch.setattr(sys, "stdin", Interrupted(typed))
        return run_program(run, [*words.split(), "--plain"]), capsys.readouterr().err

    return interrupted


@pytest.mark.parametrize(
    ("words", "typed", "saved", "again"),
    [
        ("exercise flops.matmul", "", "0 answers saved, 5 left", "exercise flops.matmul --seed 1"),
        ("exercise flops.matmul", "5e3\n12\n", "1 answer saved, 5 left", "exercise flops.matmul --seed 1"),
        (
            "exercise flops.matmul -n 2",
            ":steps\n" * 2 + "\n:undo\n",
            "0 answers saved, 2 left",
            "exercise flops.matmul -n 2 --seed 1",
        ),
        (
            "exercise rewrite.split_heads",
            f"{WRONG_HEADS}\n",
            "1 answer saved, 1 left",
            "exercise rewrite.split_heads --seed 1",
        ),
        ("exercise einops split_heads", "", "0 answers saved, 1 left", "exercise einops split_heads --seed 1"),
        (
            "exercise mem.max_model n=8 --rough",
            "",
            "0 answers saved, 5 left",
            "exercise mem.max_model n=8 --seed 1 --rough",
        ),
        ("exercise scenario", "", "0 answers saved, 25 left", "exercise scenario"),
        ("quiz mine", "none\ny\n", "1 answer saved, 1 left", "quiz mine --seed 1"),
    ],
    ids=["untried", "tried", "taken back", "tried rewrite", "inside a set", "pinned", "scenario", "quiz"],
)
def test_interruption_keeps_answers(interrupt: Interrupt, words: str, typed: str, saved: str, again: str) -> None:
    code, error = interrupt(f"{words} --seed 1", typed)

    assert (code, error) == (130, f"{saved}.\nNext: study {again} --plain\n")


@pytest.mark.parametrize("name", ["stride", "einops", "napkin-math", "flops.matmul", "scenario"])
def test_drawn_set_goes_on_without_a_seed(interrupt: Interrupt, name: str) -> None:
    assert interrupt(f"exercise {name}")[1].partition("\n")[2] == f"Next: study exercise {name} --plain\n"


def test_tries_at_a_rewrite_are_kept(study: Shell) -> None:
    done = study("exercise", "rewrite.split_heads", "--plain", "--seed", "1", typed=f"{WRONG_HEADS}\n:quit\n")

    assert done.code == 0
    assert done.out.endswith("Your tries are saved.\n\nNext: study exercise napkin-math\n")


def test_end_says_how_many_are_left(study: Shell) -> None:
    left = study("exercise", "flops", "-n", "3", "--plain", typed=":skip\n\n:quit\n").out
    whole = study("exercise", "flops", "-n", "1", "--plain", typed=":skip\n\n").out

    assert re.search(r"\n  2 left    tomorrow \d+ due", left)
    assert " left    tomorrow" not in whole


def test_interrupted_verb_is_reported(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("studykit.cli.commands.grade.named_in", stopped)

    done = study("grade", "rewrite.merge_heads", "mine.py")

    assert (done.code, done.err) == (130, "study: Interrupted. Everything you answered is saved.\n")
