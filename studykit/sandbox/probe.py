"""Try each protection that `SECURITY.md` promises, in a process that is locked down like a child.

It runs as a small program of its own, so that an attempt that is not refused cannot harm the caller.
"""

import ctypes
import errno
import json
import mmap
import os
import resource
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from studykit.sandbox import landlock, lockdown
from studykit.sandbox.bubblewrap import output_of
from studykit.sandbox.landlock import libc
from studykit.sandbox.lockdown import MIB, Limits

LINES = {
    "files": "code can read only Python's libraries and write no files",
    "network": "code cannot open or reach sockets",
    "processes": "code cannot start processes or threads",
    "others": "code cannot signal, limit or read other processes",
    "memory": "code cannot exceed its memory: private, shared or stack",
    "time": "code cannot raise its limits, and is killed even if it blocks signals",
    "kernel": "code cannot use rules, keys, rings or memory files of the kernel",
}
PROBE_S = 10.0
_LIMITS = Limits(memory_bytes=64 * MIB)
_STACK_LIKE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100  # MAP_GROWSDOWN
_WRITER, _RULESET = 3, 4
_NEWER_CALLS = (424, 425, 426, 427, 428, 434, 438, 440, 444, 445, 446, 451, 457, 458)  # the same everywhere


def working_protections() -> dict[str, bool]:
    """Return which protections hold on this machine, by name. Empty if none can be tried."""
    command = [sys.executable, "-E", "-P", "-m", "studykit.sandbox.probe"]
    try:
        lines: dict[str, bool] = json.loads(output_of(command, PROBE_S))
    except ValueError:
        return {}
    return lines


def main() -> None:
    """Try every protection from a locked process, and print as JSON which hold."""
    # A caller may ignore SIGCHLD, which this process would inherit: `waitpid` could then not report how a child
    # ended.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # The caller's umask may deny this process access to the files that it makes itself.
    os.umask(0o077)
    with tempfile.TemporaryDirectory(prefix="study-") as folder, socket.socket() as listening:
        secret = Path(folder, "secret")
        secret.write_text("secret")
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        grants = landlock.grants(sys.path)
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            _try_locked(writer, secret, listening.getsockname(), grants.ruleset())
        os.close(writer)
        with os.fdopen(reader, "rb") as reply:
            results = json.loads(reply.read() or b"{}")
        os.waitpid(pid, 0)
        results["files"] = results.get("files", False) and secret.exists()
        results["time"] = results.get("time", False) and _sleeper_ends()
    sys.stdout.write(json.dumps({line: results.get(line, False) for line in LINES}))


def _try_locked(writer: int, secret: Path, address: tuple[str, int], ruleset: int | None) -> None:
    """Lock this process down, try each protection, send which hold, and exit."""
    parent = os.getppid()
    try:
        descriptors = [os.dup2(writer, _WRITER), None if ruleset is None else os.dup2(ruleset, _RULESET)]
        os.closerange(_RULESET + (ruleset is not None), lockdown.MAX_DESCRIPTORS)
        lockdown.lock(_LIMITS, lockdown.confine(descriptors[1]))
        attempts: dict[str, tuple[Callable[[], object], ...]] = {
            "files": (secret.read_text, secret.with_name("new").touch, secret.unlink),
            "network": (
                socket.socket,
                lambda: socket.socket(socket.AF_UNIX),
                lambda: socket.create_connection(address, timeout=1).close(),
            ),
            "processes": (_fork, threading.Thread(target=int).start),
            "others": (
                lambda: os.kill(parent, 0),
                lambda: resource.prlimit(parent, resource.RLIMIT_NOFILE),
                Path(f"/proc/{parent}/environ").read_bytes,
            ),
            "memory": (
                lambda: bytearray(2 * _LIMITS.memory_bytes),
                lambda: mmap.mmap(-1, MIB),
                lambda: mmap.mmap(-1, 2 * _LIMITS.memory_bytes, flags=_STACK_LIKE),
            ),
            "time": (lambda: resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY,) * 2),),
            "kernel": tuple(partial(_call_newer, number) for number in _NEWER_CALLS),
        }
        results = {line: all(map(_is_refused, tries)) for line, tries in attempts.items()}
        os.write(_WRITER, json.dumps(results).encode())
    finally:
        os._exit(0)


def _is_refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, MemoryError, RuntimeError, ValueError, AttributeError):  # the last if Python lacks it here
        return True
    return False


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _call_newer(number: int) -> None:
    if libc.syscall(number, 0, 0, 0, 0, 0) == -1 and ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}:
        raise PermissionError


def _sleeper_ends() -> bool:
    """Return whether a process that blocks every signal can be killed."""
    pid = os.fork()
    if pid == 0:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        time.sleep(PROBE_S)
        os._exit(0)
    os.kill(pid, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(pid, 0)[1])


if __name__ == "__main__":
    main()
