"""Test that a database on a network drive or in a synchronized folder is recognized, and no other."""

from pathlib import Path

import pytest

from studykit.store.unsafe_place import place_of, unsafe_place

MOUNTS = r"""
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 0:21 / /proc rw - proc proc rw
30 22 0:40 / /home/ann/nfs rw,relatime - nfs4 server:/export rw
31 30 8:2 / /home/ann/nfs/local rw - ext4 /dev/sdb1 rw
32 22 0:41 / /mnt/my\040share rw - cifs //server/share rw
33 22 0:42 / /mnt/c rw - 9p drvfs rw
34 22 0:43 / /home/ann/ssh rw - fuse.sshfs ann@host:/ rw
35 22 0:44 / /media/over rw - nfs server:/a rw
36 22 8:3 / /media/over rw - ext4 /dev/sdc1 rw
nonsense
37 22 - xfs
"""


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("/home/ann/nfs/study.db", "on NFS"),
        ("/mnt/my share/deep/study.db", "on SMB"),
        ("/mnt/c/Users/ann/study.db", "on 9P"),
        ("/home/ann/ssh/study.db", "on SSHFS"),
        ("/home/ann/Dropbox/study.db", "in a folder of Dropbox"),
        ("/home/ann/Dropbox (Personal)/a/study.db", "in a folder of Dropbox"),
        ("/home/ann/OneDrive - School/study.db", "in a folder of OneDrive"),
        ("/Users/ann/Library/Mobile Documents/x/study.db", "in a folder of iCloud"),
        ("/home/ann/Google Drive/study.db", "in a folder of Google Drive"),
        ("/home/ann/Nextcloud/study.db", "in a folder of Nextcloud"),
        ("/home/ann/.local/share/studykit/study.db", None),
        ("/home/ann/nfs/local/study.db", None),
        ("/home/ann/nfs2/study.db", None),
        ("/media/over/study.db", None),
        ("/home/ann/my Dropbox notes/study.db", None),
        ("/mnt/my/study.db", None),
        ("/study.db", None),
    ],
)
def test_only_an_unsafe_place_has_a_name(file: str, why: str | None) -> None:
    assert unsafe_place(file, MOUNTS) == why


@pytest.mark.parametrize(
    ("mark", "why"),
    [(".stfolder", "in a folder of Syncthing"), (".dropbox.cache", "in a folder of Dropbox"), (".git", None)],
)
def test_folder_is_known_by_a_file_in_it(mark: str, why: str | None, tmp_path: Path) -> None:
    (tmp_path / mark).touch()

    assert unsafe_place(str(tmp_path / "deep" / "er" / "study.db"), MOUNTS) == why


def test_a_link_into_a_watched_folder_is_followed(tmp_path: Path) -> None:
    (watched := tmp_path / "watched").mkdir()
    (watched / ".stfolder").mkdir()
    (tmp_path / "data").symlink_to(watched)

    assert place_of(tmp_path / "data" / "study.db") == "in a folder of Syncthing"
    assert place_of(tmp_path / "study.db") is None
