"""Test that a hostile package is refused in one sentence and leaves nothing behind."""

import json
import os
import sqlite3
import struct
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, date
from pathlib import Path

import pytest
from anki_packages import BASIC, SampleNote, collection_bytes, message, streamed
from shell import Shell

from studykit.errors import StudyError
from studykit.formats import anki_package, anki_tables
from studykit.formats.anki_decks import read
from studykit.formats.foreign_notes import FormatError, ReadOptions
from studykit.store import untrusted_file

NOTES = [SampleNote("n", BASIC, ("question", "answer"))]
GOOD = collection_bytes(NOTES, newer=False)
NEWER = collection_bytes(NOTES, newer=True)
OPTIONS = ReadOptions(date(2026, 11, 23), UTC)
Members = Sequence[tuple[str, bytes]]


def pack_archive(path: Path, members: Members, compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return path


def older(*more: str) -> Members:
    return [("collection.anki2", collection_bytes(NOTES, newer=False, more=more)), ("media", b"{}")]


def media(name: str) -> Members:
    return [("collection.anki2", GOOD), ("media", json.dumps({"0": name}).encode()), ("0", b"x")]


HOSTILE: dict[str, tuple[Members, str]] = {
    "a path out of the folder": ([("../../x", b"x"), ("collection.anki2", GOOD)], "holds '../../x'"),
    "an absolute path": ([("/etc/x", b"x"), ("collection.anki2", GOOD)], "holds '/etc/x'"),
    "a path of Windows": ([("..\\x", b"x"), ("collection.anki2", GOOD)], "holds"),
    "a bomb of zeros": ([("collection.anki2", GOOD), ("0", bytes(30_000_000))], "would unpack to"),
    "a bomb of Zstandard": ([("collection.anki21b", streamed(bytes(30_000_000)))], "to more than"),
    "a broken database": ([("collection.anki2", GOOD[:4096] + b"x" * 20_000)], "has a"),
    "no database": ([("collection.anki2", b"hello")], "has a database that is broken"),
    "a database of something else": ([("collection.anki2", b"")], "has a database that is broken"),
    "no collection": ([("media", b"{}")], "holds no collection"),
    "wrong protobuf": (
        [("collection.anki21b", streamed(NEWER)), ("media", streamed(b"\xff" * 40))],
        "list of media",
    ),
    "protobuf that is cut": (
        [("collection.anki21b", streamed(NEWER)), ("media", streamed(message(1, b"abc")[:-1]))],
        "list of media",
    ),
    "media that are not an object": ([("collection.anki2", GOOD), ("media", b"[1]")], "list of media"),
    "media nested too deep": ([("collection.anki2", GOOD), ("media", b"[" * 100_000)], "list of media"),
    "a media name that leads out": (media("../../.bashrc"), "has a media file called '../../.bashrc'"),
    "a media name with a folder": (media("a/b.png"), "has a media file called"),
    "a media name of dots": (media(".."), "has a media file called"),
    "a media name that drives a terminal": (media("\x1b[2Ja.png"), "has a media file called"),
    "a trigger": (older("CREATE TRIGGER t AFTER INSERT ON notes BEGIN DELETE FROM cards; END"), "would run"),
    "a view": (older("DROP TABLE revlog", "CREATE VIEW revlog AS SELECT * FROM notes"), "would run"),
    "a virtual table": (older("CREATE VIRTUAL TABLE v USING fts5(x)"), "would run"),
    "a generated column": (older("ALTER TABLE notes ADD COLUMN g GENERATED ALWAYS AS (hex(id))"), "would run"),
    "a reckoned column in few signs": (older("ALTER TABLE notes ADD COLUMN g AS(hex(zeroblob(id)))"), "would run"),
    "a reckoned column and a remark": (older("ALTER TABLE cards ADD COLUMN g AS/**/(hex(id))"), "would run"),
    "no notes": (older("DROP TABLE notes"), "has a database that is broken"),
    "note types that are not JSON": (older("UPDATE col SET models = '{'"), "has a collection that cannot be read"),
    "note types nested too deep": (older(f"UPDATE col SET models = '{'[' * 50_000}'"), "cannot be read"),
    "a file twice": ([("collection.anki2", GOOD), ("media", b"{}"), ("media", b"{}")], "holds a file twice"),
}


def files_below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_package_gets_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    members, reason = HOSTILE[what]
    path = pack_archive(tmp_path / "x.apkg", members)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(anki_package, "_FREE_BYTES", 1_000_000)  # a small bomb does

    with pytest.raises(
        FormatError, match=r"not an Anki package, or it is damaged, so nothing was imported"
    ) as refused:
        read(path, OPTIONS)

    assert reason in str(refused.value) or "is not an Anki package" in reason
    assert "\n" not in str(refused.value)
    assert "\x1b" not in str(refused.value)
    assert files_below(tmp_path) == {"x.apkg"}


def test_package_claiming_two_gigabytes_is_refused(tmp_path: Path) -> None:
    path = pack_archive(tmp_path / "x.apkg", [("collection.anki2", GOOD), ("0", b"x" * 99)], zipfile.ZIP_STORED)
    data = path.read_bytes()
    path.write_bytes(data.replace(struct.pack("<II", 99, 99), struct.pack("<II", 99, 2_000_000_000)))

    with pytest.raises(FormatError, match=r"would unpack to 2,000,\d{3},\d{3} bytes, and its largest file is 0"):
        read(path, OPTIONS)


@pytest.mark.parametrize("compression", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_package_with_unknown_compression_is_refused(tmp_path: Path, compression: int) -> None:
    path = pack_archive(tmp_path / "x.apkg", older(), compression)

    with pytest.raises(FormatError, match="packed in a way that Anki does not know"):
        read(path, OPTIONS)


@pytest.mark.parametrize("which", [0, 1])
def test_package_with_undecodable_member_name_is_refused(tmp_path: Path, which: int) -> None:
    path = pack_archive(tmp_path / "x.apkg", [("0", b"x"), ("\xe9", b"x"), ("collection.anki2", GOOD)])
    parts = path.read_bytes().split("\xe9".encode())  # in the file itself, and in the list of files
    marks = [b"\xff\xff" if number == which else "\xe9".encode() for number in range(2)]
    path.write_bytes(parts[0] + marks[0] + parts[1] + marks[1] + parts[2])

    with pytest.raises(FormatError, match="is not an Anki package"):
        read(path, OPTIONS)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_truncated_package_is_refused(tmp_path: Path, share: float) -> None:
    path = pack_archive(tmp_path / "x.apkg", older())
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])

    with pytest.raises(FormatError, match="is not an Anki package"):
        read(path, OPTIONS)


def test_an_encrypted_archive_is_refused(tmp_path: Path) -> None:
    path = pack_archive(tmp_path / "x.apkg", older(), zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    for at in range(len(data) - 4):
        if data[at : at + 4] == b"PK\x01\x02":
            data[at + 8] |= 1
    path.write_bytes(data)

    with pytest.raises(FormatError, match="is encrypted"):
        read(path, OPTIONS)


def test_a_statement_that_would_never_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anki_tables, "_LOOKS", 1)
    monkeypatch.setattr(untrusted_file, "_STEPS_PER_CHECK", 10)

    with pytest.raises(FormatError, match="has a database that is broken"):
        read(pack_archive(tmp_path / "x.apkg", older()), OPTIONS)


def test_foreign_database_refuses_writing_statements(tmp_path: Path) -> None:
    file = tmp_path / "collection"
    file.write_bytes(GOOD)

    with anki_tables.opened_tables(file) as tables:
        for statement in ("DELETE FROM notes", "ATTACH 'x' AS y", "SELECT load_extension('x')", "SELECT hex(1)"):
            with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited|readonly"):
                tables._connection.execute(statement)


@pytest.mark.parametrize(
    "make",
    [Path.mkdir, lambda path: path.symlink_to("/dev/zero"), os.mkfifo],
    ids=["a folder", "a device", "a pipe"],
)
def test_what_is_no_ordinary_file_is_not_read(tmp_path: Path, make: Callable[[Path], object]) -> None:
    make(tmp_path / "x.apkg")

    with pytest.raises(StudyError, match=r"cannot be read .*is a (folder|device|pipe)"):
        read(tmp_path / "x.apkg", OPTIONS)


def test_oversized_media_takes_the_import_back(
    study: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anki_package, "_FREE_BYTES", 1_000_000)
    members = [
        ("collection.anki21b", streamed(NEWER)),
        ("media", streamed(message(1, message(1, b"a.png")))),
        ("0", streamed(bytes(60_000_000))),
    ]
    pack_archive(tmp_path / "x.apkg", members, zipfile.ZIP_STORED)
    study("due")
    before = files_below(tmp_path)

    result = study("import", "x.apkg", "--yes")

    assert (result.code, result.err.count("\n")) == (5, 1)
    assert files_below(tmp_path) == before
    with closing(sqlite3.connect(study.database)) as connection:
        assert connection.execute("SELECT count(*) FROM event").fetchone() == (0,)
