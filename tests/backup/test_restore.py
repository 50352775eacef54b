"""Test that one command restores everything from one backup file and removes nothing."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from foreign_files import foreign_link, lay
from revisions import of_revision
from shell import Shell
from stores import opened

from studykit.backup.archive import BackupSource, Manifest, read_manifest, write_archive
from studykit.backup.backup_folder import BackupFolder
from studykit.cards.card import CardId
from studykit.exercise.trust import fingerprint
from studykit.help_pages import PAGES
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.store import sql

DECK = "Q: What is one? {#one}\nA: Two.\n\n![](plot.png)\n"
DEFAULTS = {"STUDYKIT_DB": "", "STUDYKIT_CONFIG": "", "STUDYKIT_BACKUP": "1"}


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Set up a learner whose log, settings and copies are in their default places."""
    (home := tmp_path / "home").mkdir()
    environ = {**DEFAULTS, "XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "settings")}
    shell = Shell(home, monkeypatch, capsys, **environ)
    shell.database = home / "data" / "studykit" / "study.db"
    return shell


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    return tmp_path / "stick"


def add_files(study: Shell) -> Shell:
    """Add a deck, its picture, an exercise folder, an edited copy, a setting and an answer."""
    study.write("notes/mine.md", DECK)
    study.write("notes/plot.png", "a picture")
    study.write("notes/film.mp4", "no business of a backup")
    study.write("course/own.py", "EXERCISES = ()\n")
    study.write("data/studykit/decks/copied.md", "Q: Three? {#three}\nA: Four.\n")
    study("deck", "add", "notes")
    study("config", "set", "exercises", str(study.home / "course"))
    study("config", "set", "review.new_per_day", "3")
    study("answer", "one", "good")
    study("card", "flag", "three")
    return study


def files(home: Path) -> dict[str, bytes]:
    """Map the paths of the learner's decks, pictures, exercises and settings to their contents."""
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and path.suffix in {".md", ".png", ".py", ".toml"}
    }


def card_states(study: Shell) -> object:
    return study("show", "one", "--json").json["history"], study("card", "list", "--json").json


def remove_files(home: Path) -> None:
    for path in home.iterdir():
        shutil.rmtree(path)


def test_whoever_deletes_everything_is_back_by_one_command(study: Shell, stick: Path) -> None:
    add_files(study)
    assert study("backup", "create", "--to", str(stick)).code == 0
    before, cards_before = files(study.home), card_states(study)
    remove_files(study.home)

    page = (PAGES / "backup.md").read_text("utf-8")
    command = re.search(r"^\$ study (.+ restore) /media/stick", page, re.MULTILINE)
    assert command is not None
    result = study(*command[1].split(), str(stick))

    assert (result.code, result.err) == (0, "")
    assert "Brought back: 2 events" in result.out
    assert files(study.home) == before
    assert card_states(study) == cards_before
    assert study("config", "get", "review.new_per_day").out == "3\n"
    assert study("doctor", "--json").json["problems"] == 0


def on_another_machine(study: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Rename the old home, and return a new, empty home with another name."""
    study.home.rename(tmp_path / "gone")
    (home := tmp_path / "bob").mkdir()
    for name, value in {"HOME": home, "XDG_DATA_HOME": home / "d", "XDG_CONFIG_HOME": home / "c"}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.chdir(home)
    return home


def test_folders_follow_home(study: Shell, stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_files(study)
    study("backup", "create", "--to", str(stick))
    home = on_another_machine(study, tmp_path, monkeypatch)

    assert study("backup", "restore", str(stick)).err == ""

    assert study("config", "get", "decks").out == f"{home}/notes\n"
    assert (home / "notes" / "plot.png").read_text() == "a picture"
    assert study("show", "one", "--json").json["memory"]["repetition"] == 1


KILLED = """
import os, signal, sys, types
from studykit.backup import restore
from studykit.__main__ import main

def copy(source, target):
    data = source.read()
    target.write(data[:9])
    target.flush()
    if source.name.endswith("mine.md"):
        os.kill(os.getpid(), signal.SIGKILL)
    target.write(data[9:])

restore.shutil = types.SimpleNamespace(copyfileobj=copy)
main()
"""


def test_killed_restore_resumes(
    study: Shell, stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_files(study)
    study("backup", "create", "--to", str(stick))
    home = on_another_machine(study, tmp_path, monkeypatch)
    command = [sys.executable, "-c", KILLED, "backup", "restore", str(stick)]
    assert subprocess.run(command, check=False, capture_output=True, timeout=60).returncode == -signal.SIGKILL
    assert not (home / "notes/mine.md").exists()

    result = study("backup", "restore", str(stick))

    assert (result.code, "lie in" in result.out) == (0, False)
    assert (home / "notes/mine.md").read_text() == DECK
    assert (home / "notes/mine.md").stat().st_mode & 0o777 == 0o600
    assert study("config", "get", "decks").out == f"{home}/notes\n"
    assert [path.name for path in (home / "notes").iterdir() if path.suffix == ".part"] == []


def test_the_present_state_becomes_a_backup_first(study: Shell) -> None:
    add_files(study)
    study("backup", "create")
    study("answer", "three", "again")
    history = study("show", "three", "--json").json["history"]

    first = study("backup", "restore")
    assert len(study("show", "three", "--json").json["history"]) == 1
    study("backup", "restore", first.out.split()[-1])

    assert study("show", "three", "--json").json["history"] == history


def test_no_file_is_overwritten(study: Shell) -> None:
    add_files(study)
    study("backup", "create")
    study.write("notes/mine.md", DECK + "\nQ: New? {#new}\nA: Yes.\n")
    study("config", "set", "review.new_per_day", "7")
    before = files(study.home)

    result = study("backup", "restore")

    beside = Path(result.out.partition("lie in ")[2].split("\n")[0])
    assert {name: data for name, data in files(study.home).items() if "restored-" not in name} == before
    assert (beside / "decks" / "1" / "mine.md").read_text() == DECK
    assert "new_per_day = 3" in (beside / "config.toml").read_text()


def test_deck_outside_the_home_is_put_aside(study: Shell, tmp_path: Path) -> None:
    (elsewhere := tmp_path / "elsewhere").mkdir()
    (elsewhere / "far.md").write_text(DECK)
    hidden = study.write(".hidden/secret.md", "Q: Five? {#five}\nA: Six.\n")
    for path in (elsewhere, hidden.parent):
        study("deck", "add", str(path))
    study("backup", "create")
    for path in (elsewhere, hidden.parent):
        shutil.rmtree(path)

    study("backup", "restore")

    assert not elsewhere.exists()
    assert not hidden.parent.exists()
    back = {path.name for path in (study.home / "data" / "studykit").glob("restored-*/decks/*/*.md")}
    assert back == {"far.md", "secret.md"}


HARMFUL = [
    ("exercises", "~/venv/site-packages", "sitecustomize.py"),
    ("decks", "~/../up", "a.md"),
    ("decks", "~/.ssh", "a.txt"),
    ("decks", "/etc", "a.md"),
    ("decks", "~/notes", ".git/a.md"),
    ("decks", "~/notes", "run.py"),
    ("decks", "~/notes", "run.sh"),
    ("decks", "~/notes", "pyproject.toml"),
    ("decks", "~/notes", "package.json"),
    ("decks", "~/notes", "requirements.txt"),
    ("decks", "~/notes", "CLAUDE.md"),
    ("decks", "~/notes", "deep/AGENTS.override.md"),
    ("decks", "~/new", "GEMINI.md"),
    ("decks", "~/notes", "README.md"),
    ("decks", "~/notes", "OBEYED.md"),
    ("decks", "~/notes", "deep/THIS_TOO-2.md"),
    ("decks", "~/notes/new", "OBEYED.md"),
    ("decks", "~/new", "Qwen.md"),
    ("decks", "~/notes", "linked/a.md"),
    ("decks", "~/notes", "open/deep/a.md"),
    ("decks", "~/notes", "settings/trusted.json"),
    ("decks", "~/new", "trusted.json"),
    ("decks", "~/settings/studykit", "a.md"),
    ("decks", "~/Settings/StudyKit", "a.md"),
    ("decks", "~/settings", "studykit/trusted.json"),
    ("decks", "~/data/studykit", "a.md"),
    ("exercises", "~/settings/studykit", "trusted.json"),
    ("exercises", "~/node_modules/x", "package.json"),
    ("exercises", "~/Node_Modules", "x/package.json"),
    ("exercises", "~/numpy", "__init__.py"),
    ("exercises", "~/notes/tests", "conftest.py"),
    ("copies", "~/x", "pyproject.toml"),
]
"""Kinds, places and names of files. The home has `notes`, with links to other folders."""


@pytest.mark.parametrize(("kind", "place", "name"), HARMFUL)
def test_foreign_backup_does_no_harm(study: Shell, stick: Path, kind: str, place: str, name: str) -> None:
    for folder in ("venv/site-packages", ".ssh", "notes"):
        (study.home / folder).mkdir(parents=True)
    (study.home / "notes/linked").symlink_to("../.ssh")
    (study.home / "notes/open").symlink_to("../venv")
    origin = BackupSource(kind, 0, place, folder=True)
    strange = foreign_backup(study, stick, {f"{kind}/0/{name}": "print()"}, origin)
    before = outside_of_backups(study.home)

    assert study("backup", "restore", str(strange)).code == 0

    assert outside_of_backups(study.home) == before
    assert not Path(f"/etc/{name}").exists()
    assert not (study.home.parent / "up").exists()
    assert len([*study.home.glob(f"data/studykit/restored-*/{kind}/0/{name}")]) == (
        not name.endswith(("sh", "run.py"))
    )


def test_nothing_goes_to_the_library_of_macos(study: Shell, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studykit.backup.restore._HIDDEN", frozenset({"library"}))
    origin = BackupSource("exercises", 0, "~/Library/Python", folder=True)

    study("backup", "restore", str(foreign_backup(study, stick, {"exercises/0/usercustomize.py": ""}, origin)))

    assert not (study.home / "Library").exists()


def foreign_backup(study: Shell, stick: Path, parts: dict[str, str], *origins: BackupSource) -> Path:
    """Make a backup by hand, with a log of one answer and these files, and return its path."""
    stick.mkdir()
    with opened(stick / "study.db") as store:
        store.log.record(EventKind.ANSWER, CardId("six-nd"), grade=Grade.GOOD)
    packed = [("study.db", stick / "study.db")]
    for number, (name, text) in enumerate(parts.items()):
        (stick / str(number)).write_text(text)
        packed.append((name, stick / str(number)))
    write_archive(stick / "a.zip", packed, Manifest("", "", "", 1, origins=origins))
    return stick / "a.zip"


def outside_of_backups(home: Path) -> set[str]:
    """Return the paths in a home, except the log, backups, deck copies and what a restore put aside."""
    paths = {path.relative_to(home).as_posix() for path in home.rglob("*")}
    own = re.compile(r"data(/studykit)?$|data/studykit/(restored-|backups|study\.db|decks$)")
    return {name for name in paths if not own.match(name)}


def test_single_deck_brings_macros_and_pictures(study: Shell, stick: Path) -> None:
    names = (
        "a.md",
        "b.md",
        "macros.tex",
        "plot.png",
        "pyproject.toml",
        "symbols.toml",
        "x.txt",
        "deep/macros.tex",
    )
    origin = BackupSource("decks", 0, "~/a.md", folder=False)
    strange = foreign_backup(study, stick, {f"decks/0/{name}": "x" for name in names}, origin)
    before = outside_of_backups(study.home)

    output = study("backup", "restore", str(strange)).out

    assert outside_of_backups(study.home) - before == {"a.md", "macros.tex", "plot.png"}
    assert "3 files put back" in output
    beside = Path(output.partition("lie in ")[2].split("\n")[0])
    assert {path.name for path in beside.rglob("*") if path.is_file()} == {*names[1:2], *names[4:7], "macros.tex"}


def test_deck_in_capitals_needs_a_new_folder(study: Shell, stick: Path) -> None:
    origins = [BackupSource("decks", 0, "~/gone", folder=True), BackupSource("decks", 1, "~/GPU.md", folder=False)]
    strange = foreign_backup(study, stick, {"decks/0/GPU.md": "x", "decks/1/GPU.md": "x"}, *origins)

    study("backup", "restore", str(strange))

    back = {path.relative_to(study.home).as_posix() for path in study.home.rglob("GPU.md")}
    assert {name for name in back if "restored-" not in name} == {"gone/GPU.md"}
    assert len(back) == 2


def test_blocked_file_is_put_aside(study: Shell, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("unreadable.md", "file/a.md", "last.md")
    origin = BackupSource("decks", 0, "~/notes", folder=True)
    strange = foreign_backup(study, stick, {f"decks/0/{name}": "x" for name in names}, origin)
    study.write("notes/unreadable.md", "y")
    study.write("notes/file", "no folder")

    def refused(*_: object, **__: object) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("filecmp.cmp", refused)

    assert study("backup", "restore", str(strange)).code == 0
    assert (study.home / "notes/last.md").read_text() == "x"
    (beside,) = study.home.glob("data/studykit/restored-*/decks/0")
    assert {path.name for path in beside.rglob("*.*")} == {"unreadable.md", "a.md"}


def test_foreign_trust_is_ignored(study: Shell, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYKIT_CONFIG", str(study.home / "own" / "config.toml"))
    code = f"open({str(study.home / 'ran')!r}, 'w')\n"
    folder = study.home / "course"
    trust = {str(folder): fingerprint({"evil.py": code.encode()})}
    strange = foreign_backup(
        study,
        stick,
        {
            "config.toml": f'exercises = ["{folder}"]\n',
            "exercises/0/evil.py": code,
            "decks/1/trusted.json": json.dumps(trust),
            "exercises/2/trusted.json": json.dumps(trust),
        },
        BackupSource("exercises", 0, "~/course", folder=True),
        BackupSource("decks", 1, "~/own", folder=True),
        BackupSource("exercises", 2, "~/own", folder=True),
    )

    study("backup", "restore", str(strange))
    listing = study("exercise", "list")

    assert (folder / "evil.py").read_text() == code
    assert "is not trusted" in listing.err
    assert not (study.home / "ran").exists()


SENDING = """review.new_per_day = 3
sync_folder = "~/cloud"
backup_folder = "/media/stick"
[editor]
command = "/bin/sh -c 'touch ran' x"
[sandbox]
unconfined = "always"
"""


def test_risky_settings_wait_for_a_look(study: Shell, stick: Path) -> None:
    strange = foreign_backup(study, stick, {"config.toml": SENDING})

    result = study("backup", "restore", str(strange))

    assert study("config", "get", "review.new_per_day").out == "3\n"
    for name in ("editor.command", "sync_folder", "backup_folder"):
        assert study("config", "get", name).out == '""\n'
    assert study("config", "get", "sandbox.unconfined").out == "ask\n"
    assert "editor.command, sync_folder, backup_folder, sandbox.unconfined" in result.out
    beside = Path(result.out.partition("If what ")[2].partition(" says of them")[0])
    assert beside.read_text() == SENDING
    study.home.joinpath("settings/studykit/config.toml").unlink()
    study.at("2026-11-23T10:00:00+00:00")
    outcome = study("backup", "restore", str(strange), "--json").json["settings_left_out"]
    assert outcome == ["editor.command", "sync_folder", "backup_folder", "sandbox.unconfined"]


@pytest.mark.parametrize("text", ["sync_folder = 1", "[editor", 'sync_folder = "a"\nx = ' + "[" * 300 + "]" * 300])
def test_settings_that_cannot_be_read_lie_beside(study: Shell, stick: Path, text: str) -> None:
    result = study("backup", "restore", str(foreign_backup(study, stick, {"config.toml": text + "\n"})))

    assert result.code == 0
    assert not (study.home / "settings/studykit/config.toml").exists()
    assert len([*study.home.glob("data/studykit/restored-*/config.toml")]) == 1


def test_exercises_return_only_to_trusted_projects(study: Shell) -> None:
    study.write("project/own/own.py", "EXERCISES = ()\n")
    study("config", "set", "exercises", str(study.home / "project/own"))
    backup_name = study("backup", "create", "--json").json["path"]

    shutil.rmtree(study.home / "project/own")
    study("backup", "restore", backup_name)
    assert not (study.home / "project/own").exists()

    study.write("project/own/own.py", "EXERCISES = ()\n")
    assert "Trusted" in study("exercise", "trust", str(study.home / "project/own"), typed="y\n").out
    shutil.rmtree(study.home / "project/own")
    study.at("2026-11-23T10:00:00+00:00")
    study("backup", "restore", backup_name)
    assert (study.home / "project/own/own.py").exists()


def test_new_folder_is_restored_whole(study: Shell) -> None:
    names = {"mine.md", "macros.tex", "symbols.toml", "plot.png", "README.md", "words.txt"}
    for name in names:
        study.write(f"there/notes/{name}", "Q: One? {#one}\nA: Two.\n")
    for name in ("own.py", "data.json", "helpers/__init__.py"):
        study.write(f"there/notes/course/{name}", "EXERCISES = ()\n")
    study("deck", "add", "there/notes")
    study("config", "set", "exercises", str(study.home / "there/notes/course"))
    backup_name = study("backup", "create", "--json").json["path"]
    before = outside_of_backups(study.home)

    shutil.rmtree(study.home / "there")
    gone = study("backup", "restore", backup_name)
    assert (outside_of_backups(study.home), "lie in" in gone.out) == (before, False)

    for name in names:
        (study.home / "there/notes" / name).unlink()
    assert "4 files put back" in study("backup", "restore", backup_name).out
    lacking = before - outside_of_backups(study.home)
    assert {Path(name).name for name in lacking} == {"README.md", "words.txt"}
    assert {path.name for path in study.home.glob("data/studykit/restored-*/decks/*/*")} == {
        "README.md",
        "words.txt",
    }


def test_a_damaged_database_is_moved_aside_and_replaced(study: Shell) -> None:
    add_files(study)
    study("backup", "create")
    cards_before = card_states(study)
    data = bytearray(study.database.read_bytes())
    data[4096 : len(data) // 2] = bytes(len(data) // 2 - 4096)
    study.database.write_bytes(data)

    result = study("backup", "restore")

    assert result.code == 0
    assert card_states(study) == cards_before
    aside = next(study.database.parent.glob("study.db.replaced-*"))
    assert aside.read_bytes() == bytes(data)
    assert str(aside) in result.out


def test_stale_write_ahead_log_is_ignored(study: Shell) -> None:
    add_files(study)
    study("backup", "create")
    cards_before = card_states(study)
    with closing(sqlite3.connect(study.database)) as open_:  # a reader, so that the log of writes stays
        open_.execute("SELECT count(*) FROM event").fetchone()
        study("answer", "three", "good")
        stale_files = {path.name: path.read_bytes() for path in study.database.parent.glob("study.db-*")}
    study.database.unlink()
    for name, data in stale_files.items():
        (study.database.parent / name).write_bytes(data)

    study("backup", "restore")

    assert stale_files["study.db-wal"]
    assert card_states(study) == cards_before
    assert study("doctor", "--json").json["problems"] == 0


def test_backup_includes_the_write_ahead_log(study: Shell, tmp_path: Path) -> None:
    study("due")
    with closing(sqlite3.connect(study.database)) as killed:  # whose log of writes was never worked into the file
        killed.execute("SELECT count(*) FROM event").fetchone()
        for _ in range(3):
            study("answer", "six", "good")
        shutil.copyfile(study.database, tmp_path / "copy.db")
        document = study("backup", "create", "--json").json

    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("SELECT count(*) FROM event").fetchone() == (0,)
    assert document["events"] == 3


def test_open_session_sees_the_restored_log(study: Shell) -> None:
    add_files(study)
    study("backup", "create")
    with closing(sqlite3.connect(study.database)) as other:
        study("answer", "three", "good")
        assert other.execute("SELECT count(*) FROM event").fetchone() == (3,)

        study("backup", "restore")

        assert other.execute("SELECT count(*) FROM event").fetchone() == (2,)


def test_copy_before_a_migration_is_restored(study: Shell, tmp_path: Path) -> None:
    with opened(tmp_path / "new.db") as store:
        store.log.record(EventKind.ANSWER, CardId("six"), grade=Grade.GOOD)
    study.database.parent.mkdir(parents=True)
    of_revision("0001", tmp_path / "new.db", study.database)
    study("answer", "six", "good")

    result = study("backup", "restore", f"{study.database}.before-{sql.REVISION}")

    assert result.code == 0
    assert len(study("show", "six", "--json").json["history"]) == 1


def test_changed_backup_is_refused(study: Shell) -> None:
    add_files(study)
    backup = Path(study("backup", "create", "--json").json["path"])
    data = bytearray(backup.read_bytes())
    data[200] ^= 1
    backup.write_bytes(data)
    before = {path: path.stat().st_mtime_ns for path in study.home.rglob("*") if path.is_file()}

    check_result, restored = study("backup", "check"), study("backup", "restore")

    assert check_result.code == 1
    assert check_result.out.startswith("NO")
    assert restored.code == 5
    assert restored.err.count("\n") == 1
    assert {path: path.stat().st_mtime_ns for path in study.home.rglob("*") if path.is_file()} == before


def test_a_database_of_another_program_is_refused(study: Shell) -> None:
    with closing(sqlite3.connect(study.home / "other.db")) as other:
        other.execute("CREATE TABLE t (x)")

    result = study("backup", "restore", "other.db")

    assert (result.code, result.err.count("\n")) == (5, 1)
    assert "other.db cannot be brought back" in result.err
    assert not study.database.exists()


def test_automatic_backup_runs_every_half_hour(study: Shell) -> None:
    for moment in ("09:00", "09:29", "09:31", "11:00"):
        study.at(f"2026-11-23T{moment}:00+00:00")
        study("answer", "six", "good")
    study.at("2026-11-23T12:00:00+00:00")
    study("due", "--short")
    study("stats")

    listing = study("backup", "list", "--json").json["backups"]

    assert [row["made"][11:16] for row in listing] == ["11:00", "09:31", "09:00"]
    assert [row["events"] for row in listing] == [4, 3, 1]
    assert {row["reason"] for row in listing} == {"session"}


def test_import_is_preceded_by_a_backup(study: Shell) -> None:
    study("answer", "six", "good")
    study("answer", "six", "again")
    study("export", "progress", "-o", "progress.json")
    study("import", "progress.json")
    study("import", "progress.json")  # the log has not grown since

    assert [row["reason"] for row in study("backup", "list", "--json").json["backups"]] == ["import", "session"]


def test_none_is_made_where_it_is_switched_off(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYKIT_BACKUP", "0")

    study("answer", "six", "good")

    assert not (study.database.parent / "backups").exists()


def test_failed_backup_keeps_the_answer(study: Shell) -> None:
    study.write("data/studykit/backups", "a file where a folder should be")

    result = study("answer", "six", "good")

    assert result.code == 0
    assert "No backup could be made" in result.err
    assert len(study("show", "six", "--json").json["history"]) == 1


def test_backup_goes_to_the_second_disk(study: Shell, stick: Path) -> None:
    study("config", "set", "backup_folder", str(stick))
    first = study("answer", "six", "good")
    assert f"No copy in {stick}, which is not there." in study("backup", "create").out
    stick.mkdir()
    study.at("2026-11-23T12:00:00+00:00")

    second = study("answer", "six", "good")

    assert (first.err, second.err) == ("", "")
    assert [path.name[-20:] for path in stick.iterdir()] == ["20261123T120000Z.zip"]
    shutil.rmtree(study.database.parent)
    assert study("backup", "restore").code == 0
    assert len(study("show", "six", "--json").json["history"]) == 2


def test_killed_backup_leaves_no_archive(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    study("backup", "create")
    before = study("backup", "list").out
    monkeypatch.setattr("studykit.backup.creation.write_archive", interrupt)

    result = study("answer", "six", "good")
    study.at("2026-11-23T12:00:00+00:00")
    later = study("answer", "six", "again")

    assert result.code == later.code == 0
    assert "backup was left out" in later.err
    assert study("backup", "list").out == before
    assert [path.name for path in (study.database.parent / "backups").iterdir() if path.is_dir()] == []


def test_leftovers_are_removed_a_day_later(study: Shell) -> None:
    study("answer", "six", "good")
    leftovers = [study.database.parent / name / ".unfinished-x" for name in (".", "backups")]
    for path in leftovers:
        (path / "decks").mkdir(parents=True)
        os.utime(path, (1, 1))

    study("backup", "restore")

    assert [path.exists() for path in leftovers] == [False, False]


@pytest.mark.parametrize("what", ["dangling link", "pipe", "folder"])
def test_odd_file_named_like_a_backup_is_ignored(study: Shell, stick: Path, what: str) -> None:
    study("answer", "six", "good")
    backup = Path(study("backup", "create", "--to", str(stick), "--json").json["copy"])
    study("config", "set", "backup_folder", str(stick))
    kind = backup.name.rpartition("-")[0]
    for year in (*range(2001, 2012), 2099):
        lay(what, stick / f"{kind}-{year}0101T000000Z.zip", stick / "target")
    before = {*stick.iterdir()}

    study.at("2026-11-23T12:00:00+00:00")
    assert study("answer", "six", "good").code == 0
    assert study("backup", "create").code == 0
    assert study("backup", "create", "--to", str(stick)).code == 0
    assert study("backup", "restore", str(stick)).code == 0
    assert study("backup", "check", str(stick)).code == 0
    assert before < {*stick.iterdir()}
    shutil.rmtree(study.database.parent / "backups")
    assert study("backup", "restore").code == 0

    refused = study("backup", "restore", str(stick / f"{kind}-20990101T000000Z.zip"))
    assert refused.code in {3, 5}


def test_backup_named_by_a_link_is_restored(study: Shell) -> None:
    study("answer", "six", "good")
    (study.home / "mine.zip").symlink_to(study("backup", "create", "--json").json["path"])

    assert study("backup", "restore", "mine.zip").out.startswith("Brought back: 1 event")


@pytest.mark.parametrize("name", ["a\\b.md", "/".join(["a"] * 70) + "/c.md"])
def test_unrestorable_name_is_left_out(study: Shell, name: str) -> None:
    add_files(study).write(f"notes/{name}", DECK)

    document = study("backup", "create", "--json").json

    assert [Path(path).name for path in document["left_out"]] == [Path(name).name]
    assert study("backup", "check").code == 0


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_pruning_removes_only_what_it_may(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in range(1, 7):
        study.at(f"2026-11-{day:02}T09:00:00+00:00")
        study("backup", "create")
        study.at(f"2026-11-{day:02}T10:00:00+00:00")
        study("backup", "create")
    study.at("2027-06-01T10:00:00+00:00")

    def count() -> int:
        return len(study("backup", "list", "--json").json["backups"])

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    before = count()
    with monkeypatch.context() as then:
        then.setattr(Path, "unlink", refused)
        assert study("backup", "create").code == 0
    assert count() == before + 1
    study("backup", "create")

    assert count() < before


def test_foreign_link_is_not_followed(study: Shell, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (study.home / "private").mkdir()
    foreign_link(stick, study.home / "private", monkeypatch)

    for place in (stick, stick / "new"):
        result = study("backup", "create", "--to", str(place))
        assert (result.code, "is somebody else's link" in result.err) == (1, True)

    assert list((study.home / "private").iterdir()) == []


def test_backups_are_private(study: Shell, stick: Path) -> None:
    study("answer", "six", "good")
    study("backup", "create", "--to", str(stick))
    remove_files(study.home)
    study("backup", "restore", str(stick))
    study("backup", "create")

    paths = [*stick.iterdir(), study.database, study.database.parent, *study.database.parent.glob("backups/*")]
    assert {path.stat().st_mode & 0o077 for path in paths} == {0}
    assert study("doctor", "--json").json["problems"] == 0


def test_the_list_of_a_newcomer_is_empty(study: Shell) -> None:
    assert study("backup", "list", "--json").json["backups"] == []
    assert study("backup", "check").code == 0
    assert study("backup", "restore").code == 3
    assert not study.database.exists()


def test_copies_before_a_migration_are_listed(study: Shell) -> None:
    study("answer", "six", "good")
    earlier = study.database.with_name(f"{study.database.name}.before-0003")
    earlier.touch()

    assert study("backup", "list", "--json").json["before_migration"] == [str(earlier)]
    assert f"before a migration: {earlier}\n" in study("backup", "list").out


def test_the_manifest_says_what_is_in_it(study: Shell) -> None:
    add_files(study)
    manifest = read_manifest(Path(study("backup", "create", "--json").json["path"]))

    assert manifest.events == 2
    assert {part.name for part in manifest.parts} == {
        *("study.db", "config.toml", "copies/0/copied.md"),
        *("decks/1/mine.md", "decks/1/plot.png", "exercises/2/own.py"),
    }
    assert [origin.place for origin in manifest.origins] == ["~/data/studykit/decks", "~/notes", "~/course"]


LOSES_ANSWERS = {
    "a trigger": "CREATE TRIGGER x BEFORE INSERT ON event BEGIN SELECT RAISE(IGNORE); END;",
    "a trigger of a known name": "DROP TRIGGER event_refuses_delete;"
    "CREATE TRIGGER event_refuses_delete AFTER INSERT ON event BEGIN DELETE FROM event; END;",
    "an index": "CREATE UNIQUE INDEX x ON event (kind);",
    "a table that replaces rows": "CREATE TABLE y AS SELECT * FROM setting; DROP TABLE setting;"
    "CREATE TABLE setting (learner TEXT, name TEXT, value TEXT, UNIQUE (learner) ON CONFLICT REPLACE);"
    "INSERT INTO setting SELECT * FROM y; DROP TABLE y;",
}


@pytest.mark.parametrize("what", LOSES_ANSWERS)
def test_foreign_database_gives_only_rows(study: Shell, tmp_path: Path, what: str) -> None:
    study.write("mine.md", "Q: One? {#one}\nA: 1\n\nQ: Two? {#two}\nA: 2\n")
    study("deck", "add", "mine.md")
    study("answer", "one", "good")
    tables = schema(study.database)
    shutil.copy(study.database, strange := tmp_path / "strange.db")
    with closing(sqlite3.connect(strange)) as connection:
        connection.executescript(LOSES_ANSWERS[what])

    assert study("backup", "restore", str(strange)).out.startswith("Brought back: 1 event")

    assert schema(study.database) == tables
    assert study("answer", "two", "good").code == 0
    assert len(study("show", "two", "--json").json["history"]) == 1
    assert study("doctor", "--json").json["problems"] == 0


def test_link_target_is_not_packed(study: Shell) -> None:
    secret = study.write("private/key.txt", "SECRET")
    study.write("private/p.png", "SECRET")
    study.write("notes/mine.md", "Q: One? {#one}\nA: 1\n")
    (study.home / "notes/x.txt").symlink_to(secret)
    study.write("alone/one.md", "Q: Two? {#two}\nA: ![](p.png) ![](sub/p.png)\n")
    for link, target in (("p.png", "p.png"), ("macros.tex", "key.txt"), ("sub", "")):
        (study.home / "alone" / link).symlink_to(study.home / "private" / target)
    study("deck", "add", "notes")
    study("deck", "add", "alone/one.md")

    document = study("backup", "create", "--json").json

    with zipfile.ZipFile(document["path"]) as archive:
        assert {Path(name).name for name in archive.namelist()} >= {"mine.md", "one.md"}
        assert not [name for name in archive.namelist() if b"SECRET" in archive.read(name)]
    assert {Path(name).name for name in document["left_out"]} == {"x.txt", "p.png", "macros.tex"}


def test_foreign_files_push_no_backup_out(study: Shell, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study("answer", "six", "good")
    backup = Path(study("backup", "create", "--to", str(stick), "--json").json["path"]).name
    kind = re.sub(r"-\d{8}T\d{6}Z.*", "", backup)
    strange = [stick / f"{kind}-{year}0101T000000Z.zip" for year in range(2100, 2106)]
    for number, file in enumerate(strange):
        file.touch()
        os.truncate(file, 0 if number else 10**12)  # of which nothing is on the disk
    true_lstat = Path.lstat

    def lstat(path: Path) -> os.stat_result:
        status = true_lstat(path)
        return os.stat_result((*status[:4], status.st_uid + (path in strange), *status[5:10]))

    monkeypatch.setattr(Path, "lstat", lstat)
    backups = BackupFolder(stick, *kind.rsplit("-", 1))
    assert backups.prune(datetime(2026, 11, 23, 12, tzinfo=UTC)) == []
    monkeypatch.undo()

    gone = backups.prune(datetime(2026, 11, 23, 12, tzinfo=UTC), backup)  # as if all were one's own
    assert (backup in {copy.name for copy in gone}, (stick / backup).exists()) == (False, True)


def test_backup_is_checked_on_a_fresh_machine(study: Shell, stick: Path) -> None:
    study("answer", "six", "good")
    result = study("backup", "create", "--to", str(stick), "--json").json["copy"]
    shutil.rmtree(study.database.parent)
    assert study("backup", "check", result).code == 0

    shutil.rmtree(study.database.parent)
    study.database.parent.touch()
    refused = study("backup", "check", result)
    assert (refused.code, "cannot be written" in refused.err) == (1, True)


@pytest.mark.parametrize("place", ["{home}/victim", "../../victim"])
def test_foreign_origin_is_not_a_path(study: Shell, tmp_path: Path, place: str) -> None:
    study("answer", "six", "good")
    shutil.copy(study.database, strange := tmp_path / "strange.db")
    rows = [("origin", place.format(home=study.home)), ("strange", "x"), ("told one", "kept")]
    with closing(sqlite3.connect(strange)) as connection:
        connection.executemany("INSERT OR REPLACE INTO setting VALUES ('me', ?, ?)", rows)
        connection.commit()
    study("backup", "restore", str(strange))

    with closing(sqlite3.connect(study.database)) as connection:
        settings = dict(connection.execute("SELECT name, value FROM setting"))
        connection.executemany("INSERT OR REPLACE INTO setting VALUES ('me', ?, ?)", rows[:1])
        connection.commit()
    assert ("origin" in settings, "strange" in settings, settings["told one"]) == (False, False, "kept")
    (shared := study.home / "shared").mkdir()
    study("answer", "six", "good")

    assert study("sync", str(shared)).code == 0
    assert list(tmp_path.rglob("victim")) == []
    (folder,) = (shared / "log").iterdir()
    assert re.fullmatch("[0-9a-f]{8}", folder.name)


def schema(database: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
