"""Test what the doctor reports: places, backups, syncs, and events that are only on this disk."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from shell import Shell


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    (tmp_path / "home").mkdir()
    return Shell(tmp_path / "home", monkeypatch, capsys)


def line(study: Shell, name: str) -> tuple[bool, str]:
    checks = {check["name"]: check for check in study("doctor", "--json").json["checks"]}
    return (checks[name]["ok"], checks[name]["detail"]) if name in checks else (True, "")


def test_what_is_kept_where(study: Shell) -> None:
    study.write("notes/a.md", "Q: One?\nA: Two.\n")
    study("deck", "add", "notes")

    _, detail = line(study, "kept")

    assert f"log: {study.database}" in detail
    assert f"own decks: {study.home / 'notes'}" in detail
    assert f"settings: {study.home / 'config.toml'}" in detail


def test_when_it_was_saved(study: Shell) -> None:
    assert line(study, "backup") == (False, "none yet; make one with: study backup create")
    study("answer", "six", "good")
    name = Path(study("backup", "create", "--json").json["path"]).name

    study.at("2026-11-23T12:10:00+00:00")
    assert line(study, "backup") == (True, f"3.2 h ago: {name}")
    study.at("2026-12-23T12:10:00+00:00")
    assert line(study, "backup") == (False, f"30 days ago: {name}")


def test_when_it_was_synced(study: Shell, tmp_path: Path) -> None:
    assert line(study, "sync")[0]
    study("config", "set", "sync_folder", str(tmp_path / "shared"))
    assert line(study, "sync") == (False, f"never with {tmp_path / 'shared'}")
    study("sync", str(tmp_path / "shared"))
    study.at("2026-11-23T09:05:00+00:00")

    assert line(study, "sync") == (True, f"5 min ago with {tmp_path / 'shared'}")


@pytest.mark.parametrize("at", ["1e30", "1e999", "-1e30", "[" * 100_000, "NaN", "null"])
def test_a_standing_that_no_program_wrote_is_none(study: Shell, at: str) -> None:
    study("answer", "six", "good")
    output = f'{{"positions":{{}},"count":0,"last":"","at":{at}}}'
    with closing(sqlite3.connect(study.database)) as connection:
        connection.execute("INSERT INTO setting VALUES ('me', 'sync /shared', ?)", (output,))
        connection.commit()

    assert line(study, "sync") == (True, "not set up; `study help sync` says how")


@pytest.fixture
def other_disk(tmp_path: Path) -> Iterator[Path]:
    """Make a folder on another disk than the log."""
    second = Path("/dev/shm")
    if not second.is_dir() or second.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("needs a second disk")
    with tempfile.TemporaryDirectory(dir=second) as folder:
        yield Path(folder)


def test_what_this_disk_alone_holds(study: Shell, other_disk: Path) -> None:
    assert line(study, "at risk") == (True, "no event was recorded yet")
    study("answer", "six", "good")
    study("answer", "six", "again")
    assert line(study, "at risk")[1].startswith("2 events of 2 only on this disk")
    study("sync", str(other_disk / "shared"))
    assert line(study, "at risk") == (True, "every event is in another place as well")

    study("answer", "six", "good")

    assert line(study, "at risk")[1].startswith("1 event of 3 only on this disk")


def test_events_that_left_the_folder_are_at_risk(study: Shell, other_disk: Path) -> None:
    shared = other_disk / "shared"
    study("answer", "six", "good")
    study("sync", str(shared))
    study("answer", "six", "again")
    study("sync", str(shared))
    (segment,) = shared.glob("log/*/*.jsonl")
    segment.write_bytes(segment.read_bytes().splitlines(keepends=True)[0])

    assert line(study, "at risk")[1].startswith("1 event of 2 only on this disk")
    shutil.rmtree(shared)
    assert line(study, "at risk")[1].startswith("2 events of 2 only on this disk")
    assert f"{shared} cannot be used to sync" in line(study, "at risk")[1]


def test_sync_folder_on_the_same_disk_saves_nothing(study: Shell, tmp_path: Path) -> None:
    study("answer", "six", "good")
    study("sync", str(tmp_path / "shared"))

    is_ok, detail = line(study, "at risk")

    assert not is_ok
    assert detail.startswith("1 event of 1 only on this disk")
    assert f" saves them. {tmp_path / 'shared'} is on this disk too" in detail


def test_backup_on_another_disk_counts_by_its_events(study: Shell, other_disk: Path) -> None:
    study("config", "set", "backup_folder", str(other_disk))
    study("answer", "six", "good")
    first = study("backup", "create", "--json").json["path"]
    study("answer", "six", "again")
    study.at("2026-11-23T09:05:00+00:00")
    assert "on the same disk" not in study("backup", "create").out
    assert line(study, "at risk") == (True, "every event is in another place as well")

    study("config", "set", "backup_folder", "")
    study("backup", "restore", first)
    study("config", "set", "backup_folder", str(other_disk))
    study("answer", "six", "hard")

    assert line(study, "at risk")[1].startswith("1 event of 2 only on this disk")


def test_folder_on_the_same_disk_saves_nothing(study: Shell, tmp_path: Path) -> None:
    (tmp_path / "second").mkdir()
    study("config", "set", "backup_folder", str(tmp_path / "second"))
    study("answer", "six", "good")

    assert study("backup", "create").out.endswith(", on the same disk\n")
    assert line(study, "at risk")[1].startswith("1 event of 1 only on this disk")


def test_watched_folder_is_reported_once_outside_doctor(study: Shell) -> None:
    (study.home / ".stfolder").mkdir()

    first, second = study("answer", "six", "good"), study("answer", "six", "again")

    assert "in a folder of Syncthing" in first.err
    assert "study sync FOLDER" in first.err
    assert second.err == ""
    for _ in range(2):
        ok, detail = line(study, "place")
        assert not ok
        assert f"{study.database} lies in a folder of Syncthing" in detail
    assert study("doctor").code == 0  # a note, nothing to repair


def test_an_ordinary_place_is_not_mentioned(study: Shell) -> None:
    assert study("answer", "six", "good").err == ""
    assert line(study, "place") == (True, "")
