"""Run a program in its own pseudo-terminal, for tests and for the README's film.

Every wait has a deadline, and `close` kills whatever the child has started.
"""

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pyte

PATIENCE_SECONDS = 30.0
OWN_TERMINAL = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
STUDY = [sys.executable, "-c", OWN_TERMINAL + "from studykit.__main__ import main; main()"]
SHELL = [sys.executable, "-c", OWN_TERMINAL + "os.execvp('bash', ['bash', '--norc', '--noprofile', '-i'])"]


class Live:
    """Run a program in its own pseudo-terminal, and hold the screen that it draws."""

    def __init__(self, command: list[str], environ: dict[str, str], columns: int = 80, rows: int = 24) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.seen = b""
        self._master, self.slave = pty.openpty()
        self._set_size(columns, rows)
        self.child = subprocess.Popen(
            command, stdin=self.slave, stdout=self.slave, stderr=self.slave, env=environ, start_new_session=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def send(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def see(self, words: str, times: int = 1) -> None:
        """Wait until the words are on the screen, `times` times."""
        self._until(lambda: self.text.count(words) >= times, f"{words!r} on the screen")

    def see_removed(self, file: Path) -> None:
        """Wait until the file is gone."""
        self._until(lambda: not file.exists(), f"the end of {file.name}")

    def press(self, keys: str, then: str) -> None:
        self.send(keys)
        self.see(then)

    def ends(self) -> int:
        self._until(lambda: self.child.poll() is not None, "the end of the child")
        while self._take(0):
            pass
        return self.child.returncode

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        self._set_size(columns, rows)
        os.killpg(self.child.pid, signal.SIGWINCH)

    @property
    def canonical(self) -> bool:
        """Return whether the terminal echoes and edits lines, as a shell needs it."""
        flags = termios.tcgetattr(self.slave)[3]
        return bool(flags & termios.ICANON) and bool(flags & termios.ECHO)

    def close(self) -> None:
        for pid in [*_session(self.child.pid), self.child.pid]:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        self.child.wait(timeout=10)
        for descriptor in (self._master, self.slave):
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def hang_up(self) -> None:
        """Close both ends of the terminal, as closing its window does."""
        os.close(self.slave)
        os.close(self._master)

    def linger(self, seconds: float) -> None:
        """Read what the child writes for this many seconds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._take(left)

    def _until(self, reached: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not reached():
            if time.monotonic() > end:
                raise AssertionError(f"Waited {PATIENCE_SECONDS:g} s for {what}. The screen is:\n{self.text}")
            self._take(0.02)

    def _take(self, seconds: float) -> bool:
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False
        self.seen += data
        self._stream.feed(data)
        return bool(data)

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def _session(leader: int) -> list[int]:
    """Return the processes of the terminal session that `leader` leads."""
    matches = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getsid(int(entry.name)) == leader:
                matches.append(int(entry.name))
    return matches


def environ_of(folder: Path) -> dict[str, str]:
    """Return environment variables that keep all files of a learner in one folder."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "STUDYKIT_DB": str(folder / "study.db"),
        "STUDYKIT_DECKS": str(folder / "mine.md"),
        "STUDYKIT_CONFIG": str(folder / "config.toml"),
        "STUDYKIT_NOW": "2026-11-20T12:00:00Z",
        "STUDYKIT_BACKUP": "0",
    }
