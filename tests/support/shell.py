"""Run `study` as a learner types it, in the test's own process with its own home."""

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

import pytest

from studykit.cli.app import run
from studykit.cli.context import Context
from studykit.cli.exit import run_program
from studykit.exercise import catalog


class Result(NamedTuple):
    """Hold the exit code and output of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - a document
        return json.loads(self.out)


class Shell:
    """Run commands one after another, with an environment that points into this folder only."""

    def __init__(
        self, home: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str], **environ: str
    ) -> None:
        self.home = home
        self.database = home / "study.db"
        self._patch = patch
        self._capture = capture
        own = [name for name in os.environ if name.startswith("STUDYKIT_")]
        for name in (*own, "EDITOR", "VISUAL", "NO_COLOR"):
            patch.delenv(name, raising=False)
        environment = {
            "HOME": str(home),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CONFIG_HOME": str(home),
            "STUDYKIT_DB": str(self.database),
            "STUDYKIT_CONFIG": str(home / "config.toml"),
            "STUDYKIT_NOW": "2026-11-23T09:00:00+00:00",
            "STUDYKIT_BACKUP": "0",
            "TZ": "UTC",
        }
        for name, value in (environment | environ).items():
            patch.setenv(name, value)
        patch.chdir(home)
        catalog.set_author_source(tuple)  # a run in this process left its own, with streams that are closed

    def with_environ(self, **environ: str) -> Self:
        """Set variables of the environment, and return the shell."""
        for name, value in environ.items():
            self._patch.setenv(name, value)
        return self

    def at(self, moment: str) -> None:
        """Set the learner's clock to this moment, in ISO 8601."""
        self._patch.setenv("STUDYKIT_NOW", moment)

    def write(self, name: str, text: str) -> Path:
        """Write a file below the home and return its path."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def with_deck(self, name: str, text: str) -> Self:
        """Let the learner review only this deck, and return the shell."""
        self._patch.setenv("STUDYKIT_DECKS", str(self.write(name, text)))
        self.write("config.toml", 'course = "off"\n')
        return self

    def edit_by(self, script: str) -> None:
        """Use a shell script as the editor: `$1` is `+LINE`, `$2` the file."""
        path = self.write("vi", f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        self._patch.setenv("EDITOR", str(path))

    def __call__(self, *words: str, typed: str = "") -> Result:
        self._patch.setattr(sys, "stdin", io.StringIO(typed))
        self._capture.readouterr()
        code = run_program(run, words)
        return Result(code, *self._capture.readouterr())


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell with an empty home. A test file may override this fixture."""
    return Shell(tmp_path, monkeypatch, capsys)


def context_in(folder: Path, typed: str = "", **environ: str) -> Context:
    """Return a learner's context in this folder, with strings as its standard streams."""
    surroundings = {
        "STUDYKIT_NOW": "2026-11-23T09:00:00+00:00",
        "STUDYKIT_SEED": "7",
        "STUDYKIT_CONFIG": str(folder / "config.toml"),
        "TZ": "UTC",
    }
    streams = io.StringIO(typed), io.StringIO(), io.StringIO()
    return Context(surroundings | environ, str(folder / "study.db"), *streams)


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    """Yield a learner's context in the test's own folder."""
    surroundings = context_in(tmp_path)
    yield surroundings
    surroundings.store.close()


@pytest.fixture
def on_terminal(study: Shell, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return a function that runs a command as if on a terminal of the given columns."""

    def show(*words: str, columns: int) -> Result:
        monkeypatch.setattr(Context, "on_terminal", True)
        monkeypatch.setenv("COLUMNS", str(columns))
        return study(*words)

    return show
