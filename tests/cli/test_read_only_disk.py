"""Test a log on a read-only disk: reading works, and writing reports that nothing was saved."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from shell import Shell

DECK = "---\nname = 'mine'\n---\nQ: One? {#mine}\nA: Two.\n"
READING = (
    *("due", "due --short", "show mine", "find one", "stats", "card list", "undo --list"),
    *("export html mine -o pages", "export md mine -o text", "export csv mine -o cards.csv"),
    *("export anki mine -o cards.apkg", "export progress -o log.json"),
)


@pytest.fixture
def study(study: Shell, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    """Return the shell of a learner with one answer, whose disk is read-only from now on."""
    disk = study.home / "disk"
    disk.mkdir()
    is_root = os.geteuid() == 0  # whom no permission keeps from writing
    mounting = ["mount", "-t", "tmpfs", "tmpfs", str(disk)]
    if is_root and subprocess.run(mounting, check=False, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    study.database = disk / "study.db"
    monkeypatch.setenv("STUDYKIT_DB", str(study.database))
    study.with_deck("mine.md", DECK)
    try:
        assert study("answer", "mine", "good").code == 0
        if is_root:
            subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        else:
            disk.chmod(0o555)
        yield study
    finally:
        disk.chmod(0o755) if not is_root else subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("call", READING)
def test_reading_works_and_says_what_is_not_kept(study: Shell, call: str) -> None:
    before = sorted(path.name for path in study.database.parent.iterdir())

    result = study(*call.split())

    assert result.code == 0, result.err
    assert call == "due --short" or "study.db cannot be written; no answer" in result.err
    assert sorted(path.name for path in study.database.parent.iterdir()) == before


def test_changed_deck_is_read(study: Shell) -> None:
    study.write("mine.md", DECK + "\nQ: Three? {#other}\nA: Four.\n")

    assert "Three?" in study("find", "three").out


@pytest.mark.parametrize("call", ["answer mine good", "card flag mine", "undo"])
def test_nothing_is_said_to_be_saved(study: Shell, call: str) -> None:
    result = study(*call.split())

    assert result.code == 1
    assert "so nothing was saved" in result.err
    assert "Saved" not in result.out


def test_backup_goes_to_another_disk(study: Shell) -> None:
    other = study.home / "other"
    other.mkdir()

    backup = study("backup", "create", "--to", str(other), "--json")
    refused = study("backup", "create")

    assert (backup.code, backup.json["events"]) == (0, 1)
    assert [Path(backup.json["path"])] == list(other.iterdir())
    assert refused.code == 1
    assert "study backup create --to FOLDER" in refused.err
