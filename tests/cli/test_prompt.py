"""Test that `due --short` runs without Typer, and everything else with it."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from shell import Shell

from studykit.__main__ import _application
from studykit.cli import app
from studykit.cli.exit import run_program

BY_PROMPT = [
    ["due", "--short"],
    ["--learner", "me", "due", "--short"],
    ["due", "--short", "--db=study.db"],
    ["due", "--short", "--config", "none.toml"],
]
BY_TYPER = [
    [],
    ["due"],
    ["due", "--short", "--json"],
    ["due", "mine", "--short"],
    ["due", "--shor"],
    ["due", "--short", "--db"],
    ["--short", "due"],
    ["review", "--plain"],
    ["--help"],
]


@pytest.fixture
def study(study: Shell, tmp_path: Path) -> Shell:
    study.write("mine.md", "Q: The number one? {#one}\nA: Two.\n")
    study.write("config.toml", f'course = "off"\ndecks = ["{tmp_path}"]\n')
    assert study("answer", "one", "again").code == 0
    return study


def words_for_typer(patch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """Return a list of the command lines that Typer gets from now on."""
    read: list[Sequence[str]] = []

    def run(words: Sequence[str]) -> int:
        read.append(words)
        return 0

    patch.setattr(app, "run", run)
    return read


@pytest.mark.parametrize("words", BY_PROMPT, ids=" ".join)
def test_prompt_agrees_with_typer(study: Shell, capsys: pytest.CaptureFixture[str], words: Sequence[str]) -> None:
    by_typer = study(*words)

    code = run_program(_application, words)

    assert (code, *capsys.readouterr()) == by_typer


def test_typer_reads_all_but_the_prompt(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    read = words_for_typer(monkeypatch)

    for words in (*BY_PROMPT, *BY_TYPER):
        run_program(_application, words)

    assert study.home.exists()
    assert read == BY_TYPER


def test_completion_is_never_answered_by_the_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    read = words_for_typer(monkeypatch)
    monkeypatch.setenv("_STUDY_COMPLETE", "complete_bash")

    _application(["due", "--short"])

    assert read == [["due", "--short"]]


@pytest.mark.parametrize(
    "verb", ["show WORD", "show --json WORD", "answer WORD good", "card suspend WORD", "edit WORD"]
)
def test_word_outside_utf8_names_no_card(study: Shell, verb: str) -> None:
    result = study(*verb.replace("WORD", "\udcff").split())

    assert result.code == 3
    assert result.err.startswith("study: No card has the id '\\udcff'")
