"""Where the program and its worker meet: a private folder, a lock, and sockets that may be old or odd."""

import contextlib
import fcntl
import os
import shutil
import socket
import stat
import sys
import time
from pathlib import Path

PREFIX, SOCKET = "study-", "w.sock"  # of a private worker
PATH_BYTES = 100  # AF_UNIX allows 104 to 108
LOCK_S = 15.0  # who holds the lock tries bubblewrap, for five seconds at most
LEFT_S = 60.0


def safe(folder: Path | None) -> Path | None:
    """The folder, made if need be; None where it is not this user's alone, or its name too long for a socket."""
    if folder is None or len(os.fsencode(folder)) > PATH_BYTES - 40:
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    private = folder.is_dir() and not folder.is_symlink() and found.st_uid == os.getuid()
    return folder if private and found.st_mode & 0o077 == 0 else None


def lock(folder: Path) -> int | None:
    """The right to start a shared worker, waited for a while; None where it is not to be had."""
    try:
        held = os.open(folder / "start.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except OSError:
        return None
    until = time.monotonic() + LOCK_S
    while stat.S_ISREG(os.fstat(held).st_mode):
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > until:
                break
            time.sleep(0.02)
        else:
            return held
    os.close(held)
    return None


def answers(path: Path) -> bool:
    """Whether a process of this user listens there."""
    if not path.exists():
        return False
    with socket.socket(socket.AF_UNIX) as trial, contextlib.suppress(OSError):
        trial.settimeout(2)
        connect(trial, path)
        return True
    return False


def connect(connection: socket.socket, path: Path) -> None:
    """Connect to a worker of this user; PermissionError where it is somebody else's."""
    connection.connect(str(path))
    if owner_of(connection) != os.getuid():
        raise PermissionError("it is another user's")


def owner_of(connection: socket.socket) -> int:
    """Whose process is at the other end; elsewhere than on Linux the folder's mode alone decides."""
    if not hasattr(socket, "SO_PEERCRED"):
        return os.getuid()
    peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return int.from_bytes(peer[4:8], sys.byteorder)


def sweep(folder: Path) -> None:
    """Remove the folders of private workers whose owner was killed, and could not."""
    now = folder.stat().st_mtime
    for path in folder.parent.glob(f"{PREFIX}*/{SOCKET}"):
        with contextlib.suppress(OSError):
            found = path.lstat()
            if found.st_uid == os.getuid() and now - found.st_mtime > LEFT_S and not answers(path):
                shutil.rmtree(path.parent)
