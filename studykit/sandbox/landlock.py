"""Landlock: what a child may read, and that it writes nothing, by three system calls without a library."""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on every architecture
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_IOCTL_DEVICE = 1 << 15
_REFER_SINCE, _TRUNCATE_SINCE, _NETWORK_SINCE, _IOCTL_SINCE, _SCOPES_SINCE = 2, 3, 4, 5, 6  # Landlock's versions
READABLE = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/share/zoneinfo",
    "/etc/ld.so.cache",
    "/etc/localtime",
)
FACTS = ("/dev/urandom", "/dev/random", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system")
_NVIDIA = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-caps")

libc = ctypes.CDLL(None, use_errno=True)


def abi() -> int:
    """The kernel's Landlock version; 0 where there is none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))))


def prepare(*, cuda: bool = False) -> int | None:
    """A descriptor of a finished ruleset, made once and used by every child; None where Landlock is missing."""
    version = abi()
    if not version:
        return None
    handled = _handled(version)
    network, scopes = version >= _NETWORK_SINCE, version >= _SCOPES_SINCE
    attributes = struct.pack("QQQ", handled, 3 * network, 3 * scopes)
    size = 8 * (1 + network + scopes)  # the struct grew with these versions
    ruleset = libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(size), ctypes.c_uint32(0))
    if ruleset < 0:
        return None
    _grant(ruleset, (*readable(sys.path), *READABLE, *FACTS), _EXECUTE | _READ_FILE | _READ_DIR)
    _grant(ruleset, ("/dev/null", "/dev/zero"), _READ_FILE | _WRITE_FILE)
    if cuda:
        nodes = [*_NVIDIA, *(str(node) for node in Path("/dev").glob("nvidia[0-9]*"))]
        _grant(ruleset, nodes, (_READ_FILE | _WRITE_FILE | _READ_DIR | _IOCTL_DEVICE) & handled)
        _grant(ruleset, ("/proc/driver/nvidia", "/proc/self/task"), _READ_FILE | _READ_DIR | _WRITE_FILE)
    return int(ruleset)


def restrict(ruleset: int) -> None:
    """Bind this thread and its children to the ruleset, for good; `no_new_privs` must be set."""
    if libc.syscall(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0)) != 0:
        raise OSError(ctypes.get_errno(), "landlock_restrict_self")


def readable(folders: Iterable[str]) -> Iterator[str]:
    """The entries of Python's own folders, without studykit's: solutions and references stay out of sight."""
    for folder in folders:
        if not Path(folder).is_dir():
            continue
        for entry in os.scandir(folder):
            if not entry.name.startswith(("studykit", "__editable__", "site-packages", "dist-packages")):
                yield entry.path
    yield from (str(Path(sys.base_prefix, "lib", name)) for name in _libraries())


def _libraries() -> list[str]:
    folder = Path(sys.base_prefix, "lib")
    return [entry.name for entry in folder.glob("lib*.so*")] if folder.is_dir() else []


def _handled(version: int) -> int:
    bits = 13 + (version >= _REFER_SINCE) + (version >= _TRUNCATE_SINCE)
    return (1 << bits) - 1 | (_IOCTL_DEVICE if version >= _IOCTL_SINCE else 0)


def _grant(ruleset: int, paths: Iterable[str], access: int) -> None:
    for path in paths:
        try:
            opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue  # not on this machine
        try:
            allowed = access if Path(path).is_dir() else access & ~_READ_DIR
            rule = struct.pack("=Qi", allowed, opened)
            libc.syscall(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint32(0))
        finally:
            os.close(opened)
