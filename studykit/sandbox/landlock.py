"""Restrict a child with Landlock to reading certain files and writing none, by three system calls."""

import ctypes
import os
import resource
import stat
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import cache_from_source
from itertools import islice
from pathlib import Path

from studykit.sandbox import gpu

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on every architecture
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _IOCTL_DEVICE = 1 << 14, 1 << 15
_REFER_SINCE, _TRUNCATE_SINCE, _NETWORK_SINCE, _IOCTL_SINCE, _SCOPES_SINCE, _LOG_SINCE = 2, 3, 4, 5, 6, 7
"""The first version of Landlock with each feature."""
_LOG_SAME_EXEC_OFF = 1
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
_NULL_DEVICES = ("/dev/null", "/dev/zero")
DRIVER_LIBRARIES = ("/usr/local/nvidia",)
"""Where containers mount NVIDIA's libraries. A CUDA context loads them after the child gave up its files."""
_PREFIXES = ("studykit", "__editable__", "site-packages", "dist-packages")

libc = ctypes.CDLL(None, use_errno=True)


def abi() -> int:
    """Return the kernel's Landlock version, or 0 if it has none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))))


@dataclass(frozen=True, slots=True)
class Grants:
    """Hold open descriptors of all files that children may read, so making a ruleset takes under 1 ms."""

    version: int  # of Landlock, 0 if the kernel has none
    rules: tuple[bytes, ...] = ()
    driver: tuple[bytes, ...] = ()  # for a child that uses a GPU

    def ruleset(self, *, cuda: bool = False) -> int | None:
        """Create a ruleset for one child and return its descriptor, or None without Landlock.

        Raise OSError if the kernel refuses it. Children never share a ruleset: a child could add rules to it for
        the next one.
        """
        if not self.version:
            return None
        network, scopes = self.version >= _NETWORK_SINCE, self.version >= _SCOPES_SINCE
        attributes = struct.pack("QQQ", _handled(self.version), 3 * network, 3 * scopes)
        # The struct grew with these versions, and an older kernel refuses the longer one.
        size = ctypes.c_size_t(8 * (1 + network + scopes))
        ruleset = int(libc.syscall(_CREATE_RULESET, attributes, size, ctypes.c_uint32(0)))
        if ruleset < 0:
            raise OSError(ctypes.get_errno(), "the kernel refuses landlock_create_ruleset")
        for rule in self.rules + (self.driver if cuda else ()):
            _add(ruleset, rule)
        return ruleset


def grants(folders: Iterable[str]) -> Grants:
    """Return grants for Python's `folders`, the system's libraries, GPU drivers and facts about the machine."""
    version = abi()
    if not version:
        return Grants(0)
    handled = _handled(version)
    # Each rule holds a descriptor, and the worker needs the other half for its children.
    max_paths = resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2
    paths = islice((*READABLE, *FACTS, *_NULL_DEVICES, *readable(folders)), max_paths)
    rules = tuple(_rules(paths, _EXECUTE | _READ_FILE | _READ_DIR))
    nodes = [node for driver in gpu.drivers() for node in gpu.files(driver.nodes)]
    facts = [fact for driver in gpu.drivers() for fact in gpu.files(driver.facts)]
    driver_rules = (
        *_rules(nodes, (_READ_FILE | _WRITE_FILE | _READ_DIR | _IOCTL_DEVICE) & handled),
        *_rules((*facts, *DRIVER_LIBRARIES), _EXECUTE | _READ_FILE | _READ_DIR),
    )
    return Grants(version, rules, driver_rules)


def restrict(ruleset: int, *, cuda: bool = False) -> None:
    """Bind this thread and its later threads to the ruleset for good, and close it. Needs `no_new_privs`."""
    try:
        if cuda:
            # The driver names its threads by truncating and writing /proc files, and reads its own memory map.
            thread_names = (_READ_FILE | _READ_DIR | _WRITE_FILE | _TRUNCATE) & _handled(abi())
            own = _rules(("/proc/self/maps", "/proc/self/status"), _READ_FILE)
            for rule in (*_rules(("/proc/self/task",), thread_names), *own):
                _add(ruleset, rule)
        # Untrusted code could flood the kernel's audit log with refusals.
        flags = _LOG_SAME_EXEC_OFF if abi() >= _LOG_SINCE else 0
        if libc.syscall(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(flags)) != 0:
            raise OSError(ctypes.get_errno(), "the kernel refuses landlock_restrict_self")
    finally:
        os.close(ruleset)


def readable(folders: Iterable[str]) -> Iterator[str]:
    """Yield the entries of Python's folders and its libraries, without studykit's own, which hold solutions."""
    listed = [Path(folder) for folder in folders]
    for folder in filter(_is_python, listed):
        if folder.parent in listed and not folder.name.startswith(_PREFIXES):
            continue  # its parent yields it
        for entry in _entries(str(folder)):
            is_ours = entry.name.startswith(_PREFIXES) or entry.name.endswith(".dist-info")
            if not is_ours and not _cached(entry):
                yield entry.path
    libraries = _entries(str(Path(sys.base_prefix, "lib")))
    yield from (entry.path for entry in libraries if entry.name.startswith("lib") and ".so" in entry.name)


def _is_python(folder: Path) -> bool:
    """Return whether a folder belongs to the interpreter or holds packages, unlike a learner's project."""
    is_packages = folder.name in {"site-packages", "dist-packages", "lib-dynload"}
    # Not sys.prefix: the folder of a virtual environment may be the learner's project.
    library = Path(os.__file__).parent
    return is_packages or folder.is_relative_to(library)


def _cached(entry: os.DirEntry[str]) -> bool:
    """Return whether Python reads this module from `__pycache__`, so that its source needs no rule."""
    return entry.name.endswith(".py") and Path(cache_from_source(entry.path)).exists()


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:  # missing, a zip file on the path, or unreadable
        return []


def _handled(version: int) -> int:
    bits = 13 + (version >= _REFER_SINCE) + (version >= _TRUNCATE_SINCE)
    return (1 << bits) - 1 | (_IOCTL_DEVICE if version >= _IOCTL_SINCE else 0)


def _rules(paths: Iterable[str], access: int) -> Iterator[bytes]:
    """Yield a rule for each existing path. The descriptors stay open as long as this process runs."""
    for path in paths:
        try:
            opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue  # missing on this machine, or unreadable
        yield struct.pack("=Qi", access if stat.S_ISDIR(os.fstat(opened).st_mode) else access & ~_READ_DIR, opened)


def _add(ruleset: int, rule: bytes) -> None:
    """Add a rule. Raise OSError naming its path if the kernel refuses it."""
    if libc.syscall(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint32(0)) != 0:
        number = ctypes.get_errno()
        _, opened = struct.unpack("=Qi", rule)
        path = f"descriptor {opened}"
        with suppress(OSError):
            path = str(Path(f"/proc/self/fd/{opened}").readlink())
        raise OSError(number, f"Landlock refuses a rule ({os.strerror(number)})", path)
