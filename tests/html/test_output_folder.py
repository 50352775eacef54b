"""Test that an export writes all files to the author's folder or none, and touches no others."""

import json
import os
import signal
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import pytest

from studykit.errors import StudyError
from studykit.html import output_folder
from studykit.html.output_folder import MADE, write
from studykit.ordinary_file import fresh_file


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_files_are_written_with_a_record_of_them(tmp_path: Path) -> None:
    write(tmp_path / "out", {"a.html": b"a", "sub/b.html": b"b"})

    assert names(tmp_path) == [".studykit-export.json", "a.html", "b.html"]


def test_a_second_writing_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": b"a"})
    before = (tmp_path / ".studykit-export.json").stat().st_mtime_ns

    second = write(tmp_path, {"a.html": b"a"})

    assert second.unchanged == ("a.html",)
    assert second.written == ()
    assert (tmp_path / ".studykit-export.json").stat().st_mtime_ns == before


def test_export_removes_only_its_own_unchanged_files(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": b"a", "b.html": b"b", "c.html": b"c"})
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "c.html").write_text("changed by hand")

    changes = write(tmp_path, {"a.html": b"a"})

    assert changes.removed == ("b.html",)
    assert names(tmp_path) == [".studykit-export.json", "a.html", "c.html", "mine.txt"]
    assert (tmp_path / "c.html").read_text() == "changed by hand"


@pytest.mark.parametrize(
    ("foreign", "folder", "page", "message"),
    [
        ("index.html", "", "index.html", r"index\.html was not made by studykit"),
        ("sub", "", "sub/b.html", "cannot be written"),
        ("out", "out", "b.html", r"out is a file\. Give -o a folder"),
    ],
    ids=["page", "where a folder must be", "folder of the pages"],
)
def test_foreign_file_stays_and_nothing_is_written(
    tmp_path: Path, foreign: str, folder: str, page: str, message: str
) -> None:
    (tmp_path / foreign).write_text("the course's own")

    with pytest.raises(StudyError, match=message):
        write(tmp_path / folder, {"a.html": b"a", page: b"ours"})

    assert names(tmp_path) == [foreign]


def test_export_refuses_to_overwrite_a_changed_file(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": b"a", "b.md": b"b"})
    (tmp_path / "b.md").write_text("cards of mine")

    with pytest.raises(StudyError, match=r"b\.md was changed since its export. Move it away"):
        write(tmp_path, {"a.md": b"new", "b.md": b"new"})

    assert (tmp_path / "a.md").read_text() == "a"
    assert (tmp_path / "b.md").read_text() == "cards of mine"


def test_export_accepts_a_changed_file_of_equal_content(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": b"old"})
    (tmp_path / "a.html").write_text("new")  # another copy of the same pages was put there

    assert write(tmp_path, {"a.html": b"new"}).unchanged == ("a.html",)
    assert write(tmp_path, {"a.html": b"newer"}).written == ("a.html",)


def kill_write(folder: Path, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, *, after: int) -> None:
    """Write files, and kill this process after so many of them were put in place."""
    targets: list[Path] = []
    replace = Path.replace

    def dying(draft: Path, target: Path) -> Path:
        targets.append(replace(draft, target))
        if len(targets) == after:
            os.kill(os.getpid(), signal.SIGKILL)
        return target

    with monkeypatch.context() as then:
        then.setattr(Path, "replace", dying)
        if (child := os.fork()) == 0:
            write(folder, files)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


@pytest.mark.parametrize("after", [1, 2, 3])
def test_killed_export_can_be_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    write(tmp_path, {"a.html": b"oldest", "stale.html": b"oldest"})
    kill_write(tmp_path, {"a.html": b"old", "b.html": b"old"}, monkeypatch, after=after)
    kill_write(tmp_path, {"a.html": b"other", "b.html": b"other"}, monkeypatch, after=after)

    write(tmp_path, {"a.html": b"new", "b.html": b"new"})

    assert names(tmp_path) == sorted((MADE, "a.html", "b.html"))
    assert {(tmp_path / name).read_bytes() for name in ("a.html", "b.html")} == {b"new"}
    (tmp_path / "b.html").write_bytes(b"other")  # an older export's, which the learner put back
    with pytest.raises(StudyError, match="was changed since its export"):
        write(tmp_path, {"a.html": b"new", "b.html": b"newer"})


def test_export_record_is_writable_by_its_owner_only(tmp_path: Path) -> None:
    before = os.umask(0o002)
    try:
        write(tmp_path, {"a.html": b"a"})
    finally:
        os.umask(before)

    assert (tmp_path / MADE).stat().st_mode & 0o777 == 0o644
    assert (tmp_path / "a.html").stat().st_mode & 0o777 == 0o664


def test_record_writable_by_others_removes_no_file(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": b"a", "b.html": b"b"})
    (tmp_path / MADE).chmod(0o664)

    assert write(tmp_path, {"a.html": b"new"}).written == ("a.html",)
    assert (tmp_path / "b.html").read_text() == "b"
    assert (tmp_path / MADE).stat().st_mode & 0o777 == 0o644


def test_record_naming_outside_files_removes_nothing(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("x")
    out = tmp_path / "out"
    out.mkdir()
    mark = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    (out / ".studykit-export.json").write_text(f'{{"made": {{"../precious": "{mark}"}}}}')

    write(out, {"a.html": b"a"})

    assert (tmp_path / "precious").exists()


def test_damaged_record_is_ignored(tmp_path: Path) -> None:
    (tmp_path / ".studykit-export.json").write_text("[[[")

    assert write(tmp_path, {"a.html": b"a"}).written == ("a.html",)


def test_a_failure_half_way_leaves_the_old_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a.html": b"old", "b.html": b"old"})

    def full(path: Path, *, max_mode: int) -> AbstractContextManager[BinaryIO]:
        if "b.html" in path.name:
            raise OSError(28, "No space left on device")
        return fresh_file(path, max_mode=max_mode)

    monkeypatch.setattr(output_folder, "fresh_file", full)
    with pytest.raises(StudyError, match="No space left on device"):
        write(tmp_path, {"a.html": b"new", "b.html": b"new"})

    assert names(tmp_path) == [".studykit-export.json", "a.html", "b.html"]
    assert (tmp_path / "a.html").read_bytes() == b"old"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Make a folder beside the folder of the pages, with a file whose content an attacker could guess."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".bashrc").write_text("known")
    (tmp_path / "out").mkdir()
    return tmp_path / "home"


def test_a_strangers_record_removes_nothing_through_a_link(home: Path) -> None:
    out = home.with_name("out")
    (out / "in").symlink_to(home)
    (out / MADE).write_text(json.dumps({"made": {"in/.bashrc": sha256(b"known").hexdigest()}}))

    changes = write(out, {"a.html": b"a"})

    assert changes.removed == ()
    assert (home / ".bashrc").read_text() == "known"


@pytest.mark.parametrize("record", ["{}", '{"made": {"in/.bashrc": "0"}}'])
def test_export_refuses_to_write_through_a_folder_link(home: Path, record: str) -> None:
    out = home.with_name("out")
    (out / "in").symlink_to(home)
    (out / MADE).write_text(record)

    with pytest.raises(StudyError, match=r"in leads out of .*out. Move it away"):
        write(out, {"in/.bashrc": b"a"})

    assert (home / ".bashrc").read_text() == "known"


def test_linked_page_is_replaced_without_its_target(home: Path) -> None:
    out = home.with_name("out")
    (out / "a.html").symlink_to(home / ".bashrc")
    (out / ".a.html.part").symlink_to(home / ".bashrc")
    (out / MADE).write_text('{"made": {"a.html": "0"}}')

    write(out, {"a.html": b"a"})

    assert (home / ".bashrc").read_text() == "known"
    assert (out / "a.html").read_bytes() == b"a"


def test_folder_at_a_draft_is_named(tmp_path: Path) -> None:
    (tmp_path / ".a.html.part").mkdir()

    with pytest.raises(StudyError, match=r"a\.html\.part is in the way: it is a folder"):
        write(tmp_path, {"a.html": b"a"})

    assert names(tmp_path) == []


def test_pipes_in_output_folder_do_not_block_export(home: Path) -> None:
    out = home.with_name("out")
    os.mkfifo(out / MADE)
    write(out, {"a.html": b"a"})
    os.mkfifo(out / "b.html")

    with pytest.raises(StudyError, match="was not made by studykit"):
        write(out, {"b.html": b"b"})


def test_record_of_another_owner_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("thesis.tex", "a.html"):
        (tmp_path / name).write_text("mine")
    hashes = dict.fromkeys(("thesis.tex", "a.html"), sha256(b"mine").hexdigest())
    (tmp_path / MADE).write_text(json.dumps({"schema": 1, "made": hashes}))
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)  # so that the record is another's

    with pytest.raises(StudyError, match=r"a\.html was not made by studykit"):
        write(tmp_path, {"a.html": b"a"})
    changes = write(tmp_path, {"b.html": b"b"})

    assert changes.removed == ()
    assert names(tmp_path) == [MADE, "a.html", "b.html", "thesis.tex"]


def test_oversized_record_is_named(tmp_path: Path) -> None:
    (tmp_path / MADE).touch()
    os.truncate(tmp_path / MADE, (16 << 20) + 1)

    with pytest.raises(StudyError, match=r"studykit-export\.json is larger than 16,777,216 bytes. Remove it"):
        write(tmp_path, {"a.html": b"a"})

    assert names(tmp_path) == [MADE]
