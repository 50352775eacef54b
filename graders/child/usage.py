"""Measure a child's use of resources that the kernel does not limit exactly (Linux)."""

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_UTIME, _STIME, _THREADS = 11, 12, 17  # fields of /proc/PID/stat, counted after the program's name
_MAX_FILE_BYTES = 1 << 14


@dataclass(frozen=True, slots=True)
class Usage:
    """Hold the usage of one process so far."""

    written_bytes: int  # private memory including swap, and shared memory without a file
    tables_bytes: int  # page tables
    cpu_s: float  # exact; RLIMIT_CPU counts whole ticks, and a process that sleeps at each tick is never counted
    threads: int  # living ones, and the first one even if only it has ended
    hidden: bool = False  # there are threads whose memory cannot be read


@dataclass(slots=True)
class ProcessFiles:
    """Keep the files of one process in /proc open.

    If /proc is mounted with `hidepid`, as on machines with many users, the files of a locked child cannot be
    opened any more. Those opened before stay readable.
    """

    pid: int
    status: int = -1  # -1 if it cannot be opened
    stat: int = -1

    @classmethod
    def of(cls, pid: int) -> "ProcessFiles":
        """Open the files of a process that is not locked yet."""
        return cls(pid, *(_opened(f"/proc/{pid}/{name}") for name in ("status", "stat")))

    def whole(self) -> bool:
        """Return whether a child can be watched: both files are open, and are the child's. True outside Linux."""
        # If /proc belongs to another PID namespace, the child's id may be another process there.
        if sys.platform != "linux":
            return True
        with contextlib.suppress(OSError):
            own = Path("/proc/self").readlink()
            return self.stat >= 0 and f"\nPPid:\t{own}\n" in _read(self.status)
        return False

    def usage(self) -> Usage:
        """Return the usage of the process, or zeros if it is gone or there is no /proc."""
        memory, facts = self._memory(), self._facts()
        written_bytes = sum(memory.get(name, 0) for name in ("RssAnon", "RssShmem", "VmSwap"))
        cpu_s = (facts[_UTIME] + facts[_STIME]) / os.sysconf("SC_CLK_TCK") if facts else 0.0
        threads = facts[_THREADS] if facts else 0
        return Usage(written_bytes, memory.get("VmPTE", 0), cpu_s, threads, hidden=threads > 1 and not memory)

    def threads(self) -> int:
        """Return how many threads the process has, or 0 if unknown."""
        facts = self._facts()
        return facts[_THREADS] if facts else 0

    def close(self) -> None:
        """Close the files."""
        for descriptor in (self.status, self.stat):
            if descriptor >= 0:
                os.close(descriptor)
        self.status = self.stat = -1

    def _memory(self) -> dict[str, int]:
        """Return the amounts of memory in bytes, from any living thread, because the first may have ended."""
        sizes = _in_bytes(_read(self.status))
        for path in () if sizes else _of_threads(self.pid):
            with contextlib.suppress(OSError):
                sizes = sizes or _in_bytes(path.read_text())
        return sizes

    def _facts(self) -> list[int]:
        words = _read(self.stat).rpartition(")")[2].split()
        return [0, *map(int, words[1:])] if words else []


def data_bytes(pid: int) -> int:
    """Return the private memory that a process may write to, touched or not, or 0 if unknown."""
    files = ProcessFiles.of(pid)
    try:
        return _in_bytes(_read(files.status)).get("VmData", 0)
    finally:
        files.close()


def _opened(path: str) -> int:
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1


def _read(descriptor: int) -> str:
    try:
        return os.pread(descriptor, _MAX_FILE_BYTES, 0).decode("utf-8", "replace")
    except OSError:  # no such file, or the process is gone
        return ""


def _in_bytes(status: str) -> dict[str, int]:
    lines = (line.split() for line in status.splitlines())
    return {line[0][:-1]: int(line[1]) << 10 for line in lines if line[2:] == ["kB"]}


def _of_threads(pid: int) -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield from (thread / "status" for thread in Path(f"/proc/{pid}/task").iterdir())
