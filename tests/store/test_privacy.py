"""Test that the log on disk is private, and that a password in a database's address is never shown."""

import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from shell import Shell

from studykit.store.opening import open_store
from studykit.text import hide_passwords

ADDRESSES = (
    "postgresql+psycopg://u:geheim@127.0.0.1:1/x",
    "postgresql://127.0.0.1:1/x?user=u&password=geheim",
    "postgresql://127.0.0.1:1/x?user=u&p%61ssword=geheim",
    "postgresql://u:ge%68eim@127.0.0.1:1/x?sslpassword=geheim",
    "postgresql://127.0.0.1:1/x?bogus=geheim&passfile=geheim",
    "mysql://u:geheim@h/x",
    "post gres://u:geheim@h/x?PASSWORD=geheim",
    "post gres://h/x?p%61ssword=geheim",
    "postgresql://u:geheim@[::1/x",
)


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> str:
    return oct(stat.S_IMODE(path.stat().st_mode))


@pytest.mark.parametrize(
    ("address", "words"),
    [
        *((address, ("class", "export", "logs")) for address in ADDRESSES),
        *((ADDRESSES[0], words) for words in (("doctor", "--json"), ("due", "--debug"))),
    ],
)
def test_a_password_in_an_address_is_shown_nowhere(
    study: Shell, monkeypatch: pytest.MonkeyPatch, address: str, words: tuple[str, ...]
) -> None:
    pytest.importorskip("psycopg")

    monkeypatch.setenv("STUDYKIT_DB", address)
    done = study(*words)

    assert done.code in {1, 2}
    assert "geheim" not in done.out + done.err
    assert "heim" not in done.out + done.err
    assert done.err or "database" in done.out


@pytest.mark.parametrize(
    ("address", "words"),
    [
        *((address, ("stats",)) for address in ADDRESSES if "passfile" not in address),
        *((ADDRESSES[0], words) for words in (("due", "--short"), ("review",), ("doctor", "--json"))),
    ],
)
def test_password_on_the_command_line_is_refused(study: Shell, address: str, words: tuple[str, ...]) -> None:
    done = study(*words, "--db", address)

    assert (done.code, done.out) == (2, "")
    assert "~/.pgpass" in done.err
    assert "heim" not in done.err


def test_a_bug_of_ours_shows_no_password(study: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def break_class(*_: object, **__: object) -> None:
        raise RuntimeError(f"cannot open {os.environ['STUDYKIT_DB']}")

    monkeypatch.setattr("studykit.classroom.class_database.opened_class", break_class)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "kept"))
    (tmp_path / "kept").mkdir()

    monkeypatch.setenv("STUDYKIT_DB", ADDRESSES[0])
    debug_result = study("class", "export", "logs", "--debug")
    monkeypatch.setenv("STUDYKIT_DB", ADDRESSES[1])
    plain_result = study("class", "export", "logs")

    (file,) = (tmp_path / "kept").iterdir()
    assert (debug_result.code, plain_result.code) == (70, 70)
    assert "cannot open postgresql+psycopg://u:***@127.0.0.1:1/x" in debug_result.err
    assert "user=u&password=***" in file.read_text()


@pytest.mark.parametrize(
    "text", ["study exercise show x tokens=4096", "see https://h:80/a?page=3 at noon", "decks/a.md:3: x@y", "h=8"]
)
def test_text_without_password_is_unchanged(text: str) -> None:
    assert hide_passwords(text) == text


def test_new_log_is_private(tmp_path: Path) -> None:
    file = tmp_path / "studykit" / "study.db"
    store = open_store(file, clock=lambda: datetime.now(UTC), zone_name="UTC", zone=UTC)
    modes = {path.name: mode(path) for path in file.parent.iterdir()}
    store.close()

    assert mode(file.parent) == "0o700"
    assert modes["study.db"] == "0o600"
    assert set(modes.values()) == {"0o600"}
