"""Test writing files: permissions are kept, links of others are not followed, and no file is left unfinished."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from foreign_files import foreign_link, lay

from studykit.ordinary_file import fresh_file, make_folder, refuse_strangers_links, replace_file, replacing

UNHARMED = ["link", "hard link", "dangling link", "pipe"]


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    """Set the usual umask, whatever this process was started with."""
    old = os.umask(0o022)
    yield
    os.umask(old)


def modes(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    for mode in (0o600, 0o666, 0o755):
        (tmp_path / "mine").write_text("old")
        (tmp_path / "mine").chmod(mode)

        replace_file(tmp_path / "mine", b"new")

        assert modes(tmp_path / "mine") == mode


@pytest.mark.skipif(os.getuid() != 0, reason="root alone gives a file to any group")
@pytest.mark.parametrize(
    ("may", "mode", "left"), [(True, 0o640, 0o640), (False, 0o640, 0o600), (False, 0o664, 0o644)]
)
def test_replaced_file_keeps_or_loses_its_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, may: bool, mode: int, left: int
) -> None:
    def refused(*_: int) -> None:
        raise PermissionError

    file = tmp_path / "file"
    file.write_bytes(b"old")
    file.chmod(mode)
    os.chown(file, -1, 12345)
    if not may:
        monkeypatch.setattr(os, "fchown", refused)
    replace_file(file, b"new")

    status = file.stat()
    assert (status.st_gid == 12345, status.st_mode & 0o777) == (may, left)


def test_link_never_widens_permissions(tmp_path: Path) -> None:
    os.umask(0o077)
    (tmp_path / "open").write_text("old")
    (tmp_path / "open").chmod(0o666)
    (tmp_path / "link").symlink_to("open")

    replace_file(tmp_path / "link", b"new")

    assert modes(tmp_path / "link") == 0o600
    assert (tmp_path / "open").read_text() == "old"


def test_replaced_foreign_file_stays_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)  # so that every file here is another's
    for theirs, ours in ((0o666, 0o644), (0o600, 0o600)):
        (tmp_path / "results").write_text("old")
        (tmp_path / "results").chmod(theirs)

        replace_file(tmp_path / "results", b"new")

        assert modes(tmp_path / "results") == ours


def test_private_file_is_private_from_the_start(tmp_path: Path) -> None:
    os.umask(0)

    with fresh_file(tmp_path / "a", mode=0o644):
        assert modes(tmp_path / "a") == 0o600
    assert modes(tmp_path / "a") == 0o644


@pytest.mark.parametrize("what", UNHARMED)
@pytest.mark.parametrize("name", [".out.part", "out"])
def test_nothing_is_written_through_what_lies_there(tmp_path: Path, what: str, name: str) -> None:
    (tmp_path / "mine").write_text("mine")
    lay(what, tmp_path / name, tmp_path / "mine")
    if (what, name) == ("pipe", "out"):
        with pytest.raises(OSError, match="it is a pipe"):
            replace_file(tmp_path / "out", b"new")
    else:
        replace_file(tmp_path / "out", b"new")

        assert (tmp_path / "out").read_bytes() == b"new"
        assert not (tmp_path / "out").is_symlink()
    assert (tmp_path / "mine").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "out"]


def test_folder_at_a_draft_is_named(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old")
    (tmp_path / ".out.part").mkdir()

    with pytest.raises(OSError, match=r"\.out\.part is in the way: it is a folder"):
        replace_file(tmp_path / "out", b"new")

    assert (tmp_path / "out").read_text() == "old"


def test_unfinished_file_is_not_put_in_place(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old")

    def half() -> None:
        with replacing(tmp_path / "out") as file:
            file.write(b"half")
            raise OSError(28, "full")

    with pytest.raises(OSError, match="full"):
        half()

    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out", "old")]


def test_draft_of_another_process_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old")

    def first() -> None:
        with replacing(tmp_path / "out") as file:
            file.write(b"first")
            second.__enter__().write(b"second")

    second = replacing(tmp_path / "out")
    with pytest.raises(OSError, match="another process writes it at the same time"):
        first()
    assert (tmp_path / "out").read_text() == "old"
    second.__exit__(None, None, None)

    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out", "second")]


def test_foreign_link_in_a_path_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/in").mkdir()
    foreign_link(tmp_path / "theirs", tmp_path / "mine", monkeypatch)

    for path in ("theirs", "theirs/in", "theirs/new/folder"):
        with pytest.raises(OSError, match="theirs is somebody else's link"):
            make_folder(tmp_path / path)
    with pytest.raises(OSError, match="theirs is somebody else's link"):
        replace_file(tmp_path / "theirs/in/file", b"new")

    assert [path.name for path in (tmp_path / "mine").rglob("*")] == ["in"]


def test_foreign_link_behind_an_own_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "shared").mkdir()
    (tmp_path / "share").symlink_to(tmp_path / "shared" / "current")
    (tmp_path / "up").symlink_to("shared/../share")
    (tmp_path / "shared" / "current").symlink_to(tmp_path / "mine")
    lstat_of_os = os.lstat

    def lstat(path: Path) -> os.stat_result:
        status = lstat_of_os(path)
        theirs = Path(path).name == "current"
        return os.stat_result((*status[:4], os.geteuid() + 1, *status[5:])) if theirs else status

    monkeypatch.setattr(Path, "lstat", lstat)
    for path in ("share", "share/new", "up"):
        with pytest.raises(OSError, match="shared/current is somebody else's link"):
            make_folder(tmp_path / path)

    assert [*(tmp_path / "mine").iterdir()] == []


def test_a_link_to_itself_ends(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")

    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        refuse_strangers_links(tmp_path / "loop" / "in")


def test_the_learners_own_link_may_lead_anywhere(tmp_path: Path) -> None:
    (tmp_path / "www").mkdir()
    (tmp_path / "site").symlink_to("www")

    refuse_strangers_links(tmp_path / "site")
    make_folder(tmp_path / "site" / "new")
    replace_file(tmp_path / "site" / "new" / "a", b"a")

    assert (tmp_path / "www/new/a").read_bytes() == b"a"
