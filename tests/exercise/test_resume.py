"""Check that Ctrl-C in a practice or a quiz prints one line and keeps the answers."""

import io
import sys
from pathlib import Path

import pytest

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


Case = tuple[tuple[str, ...], str, str]


class Interrupted(io.StringIO):
    """A learner who types some lines and then Ctrl-C."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        line = super().readline(size)
        if not line:
            raise KeyboardInterrupt
        return line


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Return a folder with its own database, deck and configuration."""
    (tmp_path / "mine.md").write_text(DECK)
    monkeypatch.setenv("STUDYKIT_DB", str(tmp_path / "study.db"))
    monkeypatch.setenv("STUDYKIT_DECKS", str(tmp_path / "mine.md"))
    monkeypatch.setenv("STUDYKIT_CONFIG", str(tmp_path / "config.toml"))


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "case",
    [
        (
            ("exercise", "flops.matmul"),
            "",
            "0 answers saved.\nNext: study exercise flops.matmul --seed 1 --plain\n",
        ),
        (
            ("exercise", "flops.matmul"),
            ":steps\n:steps\n",
            "1 answer saved.\nNext: study exercise flops.matmul --seed 1 --plain\n",
        ),
        (
            ("exercise", "flops.matmul", "-n", "2"),
            ":steps\n:steps\n\n:undo\n",
            "0 answers saved.\nNext: study exercise flops.matmul -n 2 --seed 1 --plain\n",
        ),
        (
            ("exercise", "rewrite.split_heads"),
            "",
            "0 answers saved.\nNext: study exercise rewrite.split_heads --seed 1 --plain\n",
        ),
        (
            ("exercise", "flops.matmul"),
            "5e3\n12\n",
            "1 answer saved.\nNext: study exercise flops.matmul --seed 1 --plain\n",
        ),
        (
            ("exercise", "rewrite.split_heads"),
            "b s (d h) -> b h s d\n",
            "1 answer saved.\nNext: study exercise rewrite.split_heads --seed 1 --plain\n",
        ),
        (
            ("exercise", "einops", "split_heads"),
            "",
            "0 answers saved.\nNext: study exercise einops split_heads --seed 1 --plain\n",
        ),
        (
            ("exercise", "mem.max_model", "n=8", "--rough"),
            "",
            "0 answers saved.\nNext: study exercise mem.max_model n=8 --seed 1 --rough --plain\n",
        ),
        (("exercise", "scenario"), "", "0 answers saved.\nNext: study exercise scenario --plain\n"),
        (("quiz", "mine"), "", "0 answers saved.\nNext: study quiz mine --seed 1 --plain\n"),
        (("quiz", "mine"), "none\ny\n", "1 answer saved.\nNext: study quiz mine --seed 1 --plain\n"),
    ],
    ids=[
        *(
            "exercise",
            "answered exercise",
            "taken back",
            "rewrite",
            "tried exercise",
            "tried rewrite",
            "inside a set",
            "pinned",
            "scenario",
        ),
        *("quiz", "answered quiz"),
    ],
)
def test_interruption_keeps_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], case: Case
) -> None:
    words, typed, told = case
    monkeypatch.setattr(sys, "stdin", Interrupted(typed))

    code = run_program(run, [*words, "--plain", "--seed", "1"])

    assert (code, capsys.readouterr().err) == (130, told)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("name", ["stride", "einops", "napkin-math", "flops.matmul", "scenario"])
def test_drawn_set_goes_on_without_a_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setattr(sys, "stdin", Interrupted())

    run_program(run, ["exercise", name, "--plain"])

    assert capsys.readouterr().err == f"0 answers saved.\nNext: study exercise {name} --plain\n"


@pytest.mark.usefixtures("home")
def test_tries_at_a_rewrite_are_kept(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("b s (d h) -> b h s d\n:quit\n"))

    code = run_program(run, ["exercise", "rewrite.split_heads", "--plain", "--seed", "1"])

    output = capsys.readouterr().out
    assert (code, output.endswith("Your tries are kept.\n")) == (0, True)


@pytest.mark.usefixtures("home")
def test_interrupted_verb_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("studykit.cli.commands.grade.named_in", stopped)

    code = run_program(run, ["grade", "rewrite.merge_heads", "mine.py"])

    assert (code, capsys.readouterr().err) == (130, "study: Interrupted. Everything you answered is saved.\n")
