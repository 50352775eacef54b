"""Test that a hostile or damaged archive is refused in one sentence and leaves nothing on the disk."""

import bz2
import io
import json
import os
import random
import stat
import struct
import tracemalloc
import zipfile
import zlib
from hashlib import sha256
from pathlib import Path

import pytest

from studykit.backup.archive import Manifest, read_manifest, unpack, write_archive
from studykit.errors import BadDataError, StudyError


def part(name: str, data: bytes, **fields: object) -> dict[str, object]:
    return {"name": name, "size": len(data), "sha256": sha256(data).hexdigest(), **fields}


def manifest(*parts: dict[str, object], **fields: object) -> str:
    document = {"kind": "studykit-backup", "schema": 1, "made": "", "reason": "", "machine": "", "events": 0}
    return json.dumps({**document, "parts": parts, "origins": [], **fields})


def archive(path: Path, files: dict[str, bytes], text: str | None = None) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in files.items():
            package.writestr(name, data)
        package.writestr("manifest.json", text or manifest(*(part(name, data) for name, data in files.items())))
    return path


def refusal(path: Path, folder: Path) -> str:
    (work := folder / "work").mkdir()
    before = {file for file in folder.rglob("*") if work not in file.parents}
    with pytest.raises(StudyError) as error:
        unpack(path, work)
    assert {file for file in folder.rglob("*") if work not in file.parents} == before
    assert "\n" not in str(error.value)
    return str(error.value)


ORIGIN = {"kind": "decks", "number": 0, "place": "~/x", "folder": True}
WAYS_OUT = (
    *("../evil.md", "decks/0/../../../evil.md", "/etc/evil.md", "decks/0//evil.md", "decks/0/./evil.md"),
    *("decks\\0\\evil.md", "decks/0/evil\x1b[2J.md", "decks/evil.md", "evil.md", "decks/0/evil.md/", "C:evil.md"),
)
NUMBERS = ("1e999", "-2", "0.5", "1e30", "null", '"1"', "true")
MALFORMED: dict[str, tuple[dict[str, bytes], str | None]] = {
    **{name: ({name: b"x"}, None) for name in WAYS_OUT},
    "unnamed part": ({"study.db": b"x", "config.toml": b""}, manifest(part("study.db", b"x"))),
    "two origins": (
        {"decks/0/x.md": b"x"},
        manifest(part("decks/0/x.md", b"x"), origins=[ORIGIN, {**ORIGIN, "place": "~/y"}]),
    ),
    **{
        f"origin {changed}": ({}, manifest(origins=[{**ORIGIN, **changed}]))
        for changed in ({"kind": "bin"}, {"place": "~/\x1b"}, {"place": "~/" + "b/" * 40})
    },
    **{f"events {number}": ({}, manifest(events=12345).replace("12345", number)) for number in NUMBERS},
    **{
        f"number {number}": ({}, manifest(origins=[{**ORIGIN, "number": 12345}]).replace("12345", number))
        for number in NUMBERS
    },
    **{
        f"size {size}": ({}, manifest({"name": "study.db", "size": size, "sha256": ""}))
        for size in (-1, 10**30, "1")
    },
    "list": ({}, "[]"),
    "nothing": ({}, "{}"),
    "deep": ({}, "[" * 100_000),
    "kind": ({}, manifest(kind="another")),
}


@pytest.mark.parametrize("what", MALFORMED)
def test_malformed_archive_is_refused(tmp_path: Path, what: str) -> None:
    assert "not a backup made by studykit" in refusal(archive(tmp_path / "a.zip", *MALFORMED[what]), tmp_path)


def test_part_of_a_deep_name_is_refused(tmp_path: Path) -> None:
    name = "/".join(["decks/0", *["a"] * 70, "x.md"])

    assert "it holds decks/0/a/a" in refusal(archive(tmp_path / "a.zip", {name: b"x"}), tmp_path)


def test_a_link_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as package:
        link = zipfile.ZipInfo("decks/0/link.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        package.writestr(link, "/etc/passwd")
        package.writestr("manifest.json", manifest(part("decks/0/link.md", b"/etc/passwd")))

    assert "decks/0/link.md" in refusal(path, tmp_path)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    text = manifest({**part("study.db", b"x"), "size": 200_000_000})
    path = archive(tmp_path / "a.zip", {"study.db": b"x"}, text)

    assert "would unpack to 200,000,000 bytes" in refusal(path, tmp_path)


def test_bomb_is_cut_off(tmp_path: Path) -> None:
    data = bytes(5_000_000)
    text = manifest({**part("study.db", data), "size": 10})

    assert "is not what was saved" in refusal(archive(tmp_path / "a.zip", {"study.db": data}, text), tmp_path)
    assert (tmp_path / "work" / "study.db").stat().st_size <= 1 << 20


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("study.db", b"x")
        package.writestr("study.db", b"x")
        package.writestr("manifest.json", manifest(part("study.db", b"x"), part("study.db", b"x")))

    assert "not a backup" in refusal(path, tmp_path)


def test_one_of_a_newer_version_says_so(tmp_path: Path) -> None:
    assert "newer studykit" in refusal(archive(tmp_path / "a.zip", {}, manifest(schema=2)), tmp_path)


def test_any_damage_is_found(tmp_path: Path) -> None:
    file = tmp_path / "deck.md"
    file.write_bytes(random.Random(1).randbytes(3000))
    path = tmp_path / "a.zip"
    write_archive(path, [("decks/0/deck.md", file)], Manifest("", "", "", 0))
    whole, generator = path.read_bytes(), random.Random(2)

    for number in range(80):
        damaged_bytes = bytearray(whole)
        damaged_bytes[generator.randrange(len(whole))] ^= 1 << generator.randrange(8)
        path.write_bytes(damaged_bytes[: generator.randrange(len(whole))] if number % 4 == 0 else damaged_bytes)
        (work := tmp_path / f"w{number}").mkdir()
        try:
            unpack(path, work)
        except StudyError:
            continue
        assert (work / "decks/0/deck.md").read_bytes() == file.read_bytes()  # the damage was in no part of it


@pytest.mark.parametrize("data", [b"", b"PK", b"not a zip", bytes(1000)])
def test_what_is_no_archive_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(data)

    with pytest.raises(BadDataError):
        read_manifest(tmp_path / "a.zip")


def test_an_encrypted_archive_is_refused(tmp_path: Path) -> None:
    buffer = io.BytesIO(archive(tmp_path / "a.zip", {"study.db": b"x"}).read_bytes())
    data = buffer.getvalue().replace(b"PK\x03\x04\x14\x00\x00", b"PK\x03\x04\x14\x00\x01")
    (tmp_path / "a.zip").write_bytes(
        data.replace(b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01")
    )

    assert refusal(tmp_path / "a.zip", tmp_path)


def packed_otherwise(path: Path, method: int, files: dict[str, bytes], packed: dict[str, bytes]) -> Path:
    """Write an archive in which the files in `packed` are compressed by `method`, and return its path."""
    local, central = b"", b""
    for name, data in {
        **files,
        "manifest.json": manifest(*(part(*one) for one in files.items())).encode(),
    }.items():
        by, raw = (method, packed[name]) if name in packed else (zipfile.ZIP_STORED, data)
        rest = struct.pack("<IIIHH", zlib.crc32(data), len(raw), len(data), len(name), 0)
        head = struct.pack("<HHHHH", 63, 0, by, 0, 33)
        place = struct.pack("<HHHII", 0, 0, 0, 0, len(local))
        central += b"PK\1\2" + struct.pack("<H", 63) + head + rest + place + name.encode()
        local += b"PK\3\4" + head + rest + name.encode() + raw
    end = struct.pack("<HHHHIIH", 0, 0, len(files) + 1, len(files) + 1, len(central), len(local), 0)
    path.write_bytes(local + central + b"PK\5\6" + end)
    return path


@pytest.mark.parametrize("name", ["study.db", "manifest.json"])
@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_only_what_unpacks_in_small_pieces_is_read(tmp_path: Path, name: str, method: int) -> None:
    packed = {
        zipfile.ZIP_BZIP2: bz2.compress(bytes(50_000_000)),
        zipfile.ZIP_LZMA: b"\x09\x04\x05\0" + b"\xff" * 50,
    }
    path = packed_otherwise(tmp_path / "a.zip", method, {"study.db": b"x"}, {name: packed[method]})

    tracemalloc.start()
    try:
        with pytest.raises(BadDataError, match="is not a backup"):
            read_manifest(path)
        assert "is not a backup" in refusal(path, tmp_path)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_a_part_without_a_name_is_refused(tmp_path: Path) -> None:
    path = packed_otherwise(tmp_path / "a.zip", zipfile.ZIP_STORED, {"": b"x"}, {})

    assert "not a backup made by studykit" in refusal(path, tmp_path)


@pytest.mark.parametrize(
    "values", ['"parts": [' + "[]," * 700_000 + "[]]", '"left_out": [' + "{}," * 700_000 + "1]"]
)
def test_manifest_of_many_values_is_refused(tmp_path: Path, values: str) -> None:
    path = archive(tmp_path / "a.zip", {}, manifest().removesuffix("}") + f", {values}}}")
    tracemalloc.start()
    try:
        with pytest.raises(BadDataError, match="not a backup made by studykit"):
            read_manifest(path)
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()


def test_backup_of_many_files_is_read(tmp_path: Path) -> None:
    parts = [part(f"decks/0/notes, old, [{number}]/{'long ' * 20}{number}.md", b"x") for number in range(49_000)]

    assert len(read_manifest(archive(tmp_path / "a.zip", {}, manifest(*parts))).parts) == 49_000


@pytest.mark.parametrize("kind", ["pipe", "folder", "name that is not text"])
def test_odd_archive_is_not_awaited(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.zip"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        data = archive(path, {"decks/0/\N{SNOWMAN}.md": b"x"}).read_bytes()
        path.write_bytes(data.replace("\N{SNOWMAN}".encode(), b"\xe2\x98x"))

    with pytest.raises(StudyError):
        read_manifest(path)
