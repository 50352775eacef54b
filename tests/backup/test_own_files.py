"""Test which of a learner's own files a backup holds, and that no file of theirs stops the backup of the log."""

import os
from pathlib import Path

import pytest

from studykit.backup import own_files
from studykit.backup.archive import Manifest, read_manifest, unpack, write_archive
from studykit.backup.own_files import OwnFiles, Packing, packing
from studykit.errors import BadDataError


def pack_files(home: Path, *decks: Path) -> Packing:
    return packing(OwnFiles(home, home / "config.toml", home / "copies", decks=decks))


def names(packing: Packing) -> list[str]:
    return [name for name, _ in packing.files]


@pytest.fixture
def decks(tmp_path: Path) -> Path:
    """Make a folder with one deck."""
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "mine.md").write_text("Q: a\nA: b\n")
    return tmp_path / "decks"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "study.db").write_bytes(b"log")
    return tmp_path / "study.db"


def test_deck_takes_its_pictures_along(decks: Path) -> None:
    for name in ("one.png", "two.png", "three.png", "ä b.png", "c d.png", "other.png", "said.mp3"):
        (decks / name).write_bytes(b"p")
    deck = decks / "mine.md"
    encoded = "![](said.mp3) ![](%C3%A4%20b.png) ![](<c d.png>)"  # a recording stays out, as help says
    images = '![](one.png) ![scores [B, T]](@/two.png) ![a](three.png "t") ![](./one.png) ![](@//two.png)'
    deck.write_text(f"{encoded} {images} ![b](../four.png) [c](mine.md)")

    assert names(pack_files(decks.parent, deck)) == [
        f"decks/0/{name}" for name in ("mine.md", "ä b.png", "c d.png", "one.png", "two.png", "three.png")
    ]


def test_every_deck_of_a_folder_is_packed(decks: Path) -> None:
    for name in ("a.markdown", "b.MD", "readme.md", "c.org"):
        (decks / name).write_text("Q: a\nA: b\n")

    assert names(pack_files(decks.parent, decks)) == [
        f"decks/0/{name}" for name in ("a.markdown", "b.MD", "mine.md", "readme.md")
    ]
    assert [own_files.is_of_decks(name) for name in ("a.markdown", "b.MD", "readme.md")] == [True, True, False]


def test_a_deck_of_brackets_is_looked_through_once(decks: Path) -> None:
    (decks / "mine.md").write_text("![" * 1_000_000)

    assert names(pack_files(decks.parent, decks / "mine.md")) == ["decks/0/mine.md"]


def test_a_link_to_itself_is_left_out_alone(decks: Path) -> None:
    for name in ("loop.png", "loop.md"):
        (decks / name).symlink_to(name)
    (decks / "mine.md").write_text("![](loop.png)")

    assert names(pack_files(decks.parent, decks, decks / "mine.md")) == ["decks/0/mine.md", "decks/1/mine.md"]


def test_unreadable_place_is_left_out(decks: Path) -> None:
    result = pack_files(decks.parent, decks.parent / ("n" * 300), decks)

    assert names(result) == ["decks/0/mine.md"]
    assert result.left_out == [str(decks.parent / ("n" * 300))]


def test_file_below_a_long_path_is_skipped(decks: Path) -> None:
    deep = decks.joinpath(*["f" * 250] * 4)
    deep.mkdir(parents=True)
    (deep / "deck.md").write_text("Q: c\nA: d\n")

    result = pack_files(decks.parent, decks)

    assert (names(result), result.left_out) == (["decks/0/mine.md"], [str(deep / "deck.md")])


def test_names_fill_up_to_the_manifests_bound(decks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (decks / "nine.md").write_text("Q: c\nA: d\n")
    monkeypatch.setattr(own_files, "_MAX_NAMES_BYTES", len("decks/0/mine.md"))

    result = pack_files(decks.parent, decks)

    assert names(result) == ["decks/0/mine.md"]
    assert result.left_out == [str(decks / "nine.md")]


def test_any_written_names_are_read(decks: Path, log: Path, tmp_path: Path) -> None:
    for number in range(3):
        (decks / f"{number:04}{',[{' * 78}.png").write_bytes(b"p")
    files = pack_files(tmp_path, decks).files

    write_archive(tmp_path / "a.zip", [("study.db", log), *files], Manifest("", "", "", 0))

    read = read_manifest(tmp_path / "a.zip")
    assert [part.name for part in read.parts] == ["study.db", *(name for name, _ in files)]
    (tmp_path / "work").mkdir()
    assert len(unpack(tmp_path / "a.zip", tmp_path / "work").parts) == 5


def test_unreadable_file_is_left_out(decks: Path, log: Path, tmp_path: Path) -> None:
    os.mkfifo(decks / "pipe.md")
    (decks / "bad.md").symlink_to("/proc/self/mem")  # opens, and cannot be read from its begin
    files = [(f"decks/0/{name}", decks / name) for name in ("gone.md", "pipe.md", "bad.md", "mine.md")]

    left_out = write_archive(tmp_path / "a.zip", [("study.db", log), *files], Manifest("", "", "", 0))

    assert left_out == [str(decks / name) for name in ("gone.md", "pipe.md", "bad.md")]
    assert [part.name for part in read_manifest(tmp_path / "a.zip").parts] == ["study.db", "decks/0/mine.md"]


def test_without_its_log_no_archive_is_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_archive(tmp_path / "a.zip", [("study.db", tmp_path / "study.db")], Manifest("", "", "", 0))


def test_unrestorable_archive_is_refused(decks: Path, log: Path, tmp_path: Path) -> None:
    twice = [("decks/0/mine.md", decks / "mine.md")] * 2

    with (
        pytest.warns(UserWarning, match="Duplicate name"),
        pytest.raises(BadDataError, match="than its manifest names"),
    ):
        write_archive(tmp_path / "a.zip", [("study.db", log), *twice], Manifest("", "", "", 0))
