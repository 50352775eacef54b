"""A learner's shell, and commands whose output is a terminal."""

from collections.abc import Callable
from pathlib import Path

import pytest
from shell import Result, Shell

from studykit.cli.context import Context


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Commands of a learner in a home of their own; a file of tests may put another one in its place."""
    return Shell(tmp_path, monkeypatch, capsys)


@pytest.fixture
def on_terminal(study: Shell, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Commands whose output is a terminal of so many columns."""

    def show(*words: str, columns: int) -> Result:
        monkeypatch.setattr(Context, "on_terminal", True)
        monkeypatch.setenv("COLUMNS", str(columns))
        return study(*words)

    return show
