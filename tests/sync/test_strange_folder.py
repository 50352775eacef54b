"""Test syncing with a folder that others may write to: links and devices in it are not followed."""

import os
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
from foreign_files import foreign_link, lay
from machines import Machine, empty_database

from studykit.errors import StudyError
from studykit.sync.folder import FolderTransport
from studykit.sync.segments import SegmentLine, lines


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[Machine]:
    """Return a machine that has synced with `shared` and answered once more. `mine` is its learner's own file."""
    (tmp_path / "shared").mkdir()
    (tmp_path / "mine").write_text("mine")
    machine = Machine(tmp_path / "laptop", "laptop", empty_database(tmp_path))
    machine.answer("card-0")
    machine.sync(tmp_path / "shared")
    machine.answer("card-1")
    yield machine
    machine.store.close()


@pytest.fixture
def other(laptop: Machine, tmp_path: Path) -> Iterator[Machine]:
    """Return another machine of the same learner."""
    machine = Machine(tmp_path / "other", "other", tmp_path / "empty.db")
    yield machine
    machine.store.close()


@pytest.fixture
def segment(laptop: Machine, tmp_path: Path) -> Path:
    """Return the file with the events that the machine has given."""
    (only,) = (tmp_path / "shared").rglob("*.jsonl")
    return only


def test_linked_segment_is_not_written_through(laptop: Machine, segment: Path, tmp_path: Path) -> None:
    segment.unlink()
    segment.symlink_to(tmp_path / "mine")

    with pytest.raises(StudyError, match="cannot be used to sync"):
        laptop.sync(tmp_path / "shared")

    assert (tmp_path / "mine").read_text() == "mine"


def test_hard_linked_segment_is_not_changed(laptop: Machine, segment: Path, tmp_path: Path) -> None:
    segment.unlink()
    segment.hardlink_to(tmp_path / "mine")

    with pytest.raises(StudyError, match="is linked from elsewhere as well"):
        laptop.sync(tmp_path / "shared")

    assert (tmp_path / "mine").read_text() == "mine"


def test_hard_link_snapshot_begins_a_new_segment(laptop: Machine, segment: Path, tmp_path: Path) -> None:
    (tmp_path / "snapshot.jsonl").hardlink_to(segment)  # as `cp -al` does
    before = segment.read_bytes()

    assert laptop.sync(tmp_path / "shared").sentence() == "sent 1 review"
    laptop.answer("card-2")
    laptop.sync(tmp_path / "shared")

    first, second = sorted((tmp_path / "shared").rglob("*.jsonl"))
    assert (first, first.read_bytes()) == (segment, before)
    assert len(second.read_bytes().splitlines()) == 2


def test_hard_linked_segment_of_another_is_read(laptop: Machine, other: Machine, tmp_path: Path) -> None:
    before = set((tmp_path / "shared").rglob("*.jsonl"))
    other.answer("card-2")
    other.sync(tmp_path / "shared")
    (segment,) = set((tmp_path / "shared").rglob("*.jsonl")) - before
    (tmp_path / "kept.jsonl").hardlink_to(segment)

    laptop.sync(tmp_path / "shared")

    assert laptop.store.log.count() == 3


def test_segment_that_is_a_pipe_is_refused(laptop: Machine, segment: Path, tmp_path: Path) -> None:
    segment.unlink()
    os.mkfifo(segment)

    with pytest.raises(StudyError, match="cannot be used to sync"):
        laptop.sync(tmp_path / "shared")


def test_linked_device_folder_is_not_written_to(laptop: Machine, segment: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    segment.parent.rename(tmp_path / "before")
    segment.parent.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(StudyError, match="is a link"):
        laptop.sync(tmp_path / "shared")

    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_refused_sync_ends_its_transaction(laptop: Machine, segment: Path, tmp_path: Path) -> None:
    segment.parent.rename(tmp_path / "before")
    segment.parent.symlink_to(tmp_path)

    with pytest.raises(StudyError, match="is a link") as refusal:  # its traceback keeps the reader alive
        laptop.sync(tmp_path / "shared")

    laptop.answer("card-2")
    assert (laptop.store.log.count(), refusal.type) == (3, StudyError)


def test_linked_log_is_not_written_to(laptop: Machine, tmp_path: Path) -> None:
    (tmp_path / "shared/log").rename(tmp_path / "before")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "shared/log").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(StudyError, match="is a link"):
        laptop.sync(tmp_path / "shared")

    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize(("what", "kind"), [("dangling link", "a link"), ("pipe", "a pipe")])
@pytest.mark.parametrize("place", ["log", "log/*"])
def test_odd_folder_is_named_and_stays(laptop: Machine, tmp_path: Path, what: str, kind: str, place: str) -> None:
    (folder,) = (tmp_path / "shared").glob(place)
    folder.rename(tmp_path / "before")
    lay(what, folder, tmp_path / "mine")

    with pytest.raises(StudyError, match=rf"{folder.name} is {kind}\)"):
        laptop.sync(tmp_path / "shared")

    assert not (tmp_path / "nowhere").exists()
    assert os.path.lexists(folder)


def test_foreign_folder_link_is_refused(laptop: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "private").mkdir()
    foreign_link(tmp_path / "theirs", tmp_path / "private", monkeypatch)

    with pytest.raises(StudyError, match="theirs is somebody else's link"):
        laptop.sync(tmp_path / "theirs")

    assert list((tmp_path / "private").iterdir()) == []


def test_late_pipe_is_not_awaited(
    laptop: Machine, segment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = FolderTransport._files

    def swapped(folder: FolderTransport, device: str | None = None) -> object:
        result = look(folder, device)
        segment.unlink(missing_ok=True)
        os.mkfifo(segment)
        return result

    monkeypatch.setattr(FolderTransport, "_files", swapped)

    with pytest.raises(StudyError, match="is a pipe"):
        laptop.sync(tmp_path / "shared")


def test_names_are_not_followed_through_links(laptop: Machine, tmp_path: Path) -> None:
    (name,) = (tmp_path / "shared").rglob("name.txt")
    name.unlink()
    name.symlink_to(tmp_path / "mine")
    name.with_name(".name.txt.new").symlink_to(tmp_path / "mine")

    laptop.sync(tmp_path / "shared")

    assert (tmp_path / "mine").read_text() == "mine"
    assert name.read_text() == "laptop\n"
    assert not name.is_symlink()


def test_odd_name_of_another_is_not_awaited(laptop: Machine, other: Machine, tmp_path: Path) -> None:
    other.answer("card-2")
    other.sync(tmp_path / "shared")
    for name in (tmp_path / "shared").rglob("name.txt"):
        name.unlink()
        os.mkfifo(name)

    report = laptop.sync(tmp_path / "shared")

    assert "other" in str(report)


@pytest.mark.parametrize("digits", [13, 300, 4_300])
def test_invalid_numbers_are_damage(laptop: Machine, segment: Path, tmp_path: Path, digits: int) -> None:
    text = segment.read_bytes().splitlines()[0][9:].replace(b'"seq":1', b'"seq":' + b"9" * digits)
    line = b"%08x %s\n" % (zlib.crc32(text), text)
    (segment.parent / "copy.jsonl").write_bytes(line)
    transport = FolderTransport(tmp_path / "shared", "other", "other", "ana")

    assert [*transport.take({})] != []
    assert any("copy.jsonl: 1 damaged line" in remark for remark in transport.remarks)
    laptop.sync(tmp_path / "shared")
    assert len(list(segment.parent.glob("*.jsonl"))) == 2


def test_exhausted_numbers_need_a_name(laptop: Machine, other: Machine, segment: Path, tmp_path: Path) -> None:
    text = segment.read_bytes().splitlines()[0][9:].replace(b'"seq":1', b'"seq":' + b"9" * 12)
    (segment.parent / "copy.jsonl").write_bytes(b"%08x %s\n" % (zlib.crc32(text), text))

    assert laptop.sync(tmp_path / "shared").new_origin
    laptop.answer("card-2")
    laptop.sync(tmp_path / "shared")

    other.sync(tmp_path / "shared")
    assert {event.card for event in other.events()} == {"card-0", "card-1", "card-2"}


def test_name_of_a_damaged_file_is_one_line(laptop: Machine, tmp_path: Path) -> None:
    (tmp_path / "shared" / "log" / "evil").mkdir()
    (tmp_path / "shared" / "log" / "evil" / "a\nstudy: all is lost.jsonl").write_bytes(b"x\n")
    transport = FolderTransport(tmp_path / "shared", "other", "other", "ana")
    list(transport.take({}))

    (remark,) = transport.remarks
    assert "\n" not in remark
    assert "a\\nstudy" in remark


def test_damaged_file_is_read_in_part(
    laptop: Machine, segment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = segment.read_bytes()
    (evil := tmp_path / "shared" / "log" / "evil").mkdir()
    (evil / "copy.jsonl").write_bytes(b"\n" * 4_999 + event + b"\n" * 900_000 + event)
    read = Counter[str]()

    def counting(file: BinaryIO, start: int) -> Iterator[SegmentLine]:
        for line in lines(file, start):
            read[Path(file.name).parent.name] += 1
            yield line

    monkeypatch.setattr("studykit.sync.folder.lines", counting)
    transport = FolderTransport(tmp_path / "shared", "other", "other", "ana")

    cards = [event.card for batch in transport.take({}) for event in batch.events if batch.name == "evil"]

    assert (cards, read["evil"]) == (["card-0"], 5_001)
    assert any("copy.jsonl: 5,000 damaged lines skipped" in one for one in transport.remarks)
    assert laptop.sync(tmp_path / "shared").sentence() == "sent 1 review"
