"""`study stats --compare`: what it says of a log that is too short, one that is long enough, and of none."""

from pathlib import Path

import pytest
from shell import Shell


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    study = Shell(tmp_path, monkeypatch, capsys)
    (tmp_path / "deck.md").write_text("Q: What? {#a}\nA: That.\n")
    study("config", "set", "decks", str(tmp_path / "deck.md"))
    return study
