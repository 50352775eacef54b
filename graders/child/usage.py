"""What a child uses of what no limit of the kernel bounds exactly, as the kernel tells its worker (Linux)."""

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_UTIME, _STIME, _THREADS = 11, 12, 17  # of what stands behind the name in /proc/PID/stat
_MAX_FILE_BYTES = 1 << 14


@dataclass(frozen=True, slots=True)
class Usage:
    """The use of one process so far."""

    written_bytes: int  # private memory, in the swap too, and shared memory of no file
    tables_bytes: int  # that the kernel needs to know where memory is
    cpu_s: float  # exact, where RLIMIT_CPU counts ticks: who sleeps over each of them is not there when it counts
    threads: int  # that live, the first one even where it has ended alone
    hidden: bool = False  # there are threads whose memory cannot be read


@dataclass(slots=True)
class ProcessFiles:
    """The files in /proc that tell of one process, held open.

    A child that may not be traced cannot be looked up where /proc is mounted with `hidepid`, as on
    machines of many users; what was opened before is still told.
    """

    pid: int
    status: int = -1  # -1 where there is no such file
    stat: int = -1

    @classmethod
    def of(cls, pid: int) -> "ProcessFiles":
        """Return those of a process that can still be seen."""
        return cls(pid, *(_opened(f"/proc/{pid}/{name}") for name in ("status", "stat")))

    def whole(self) -> bool:
        """Return whether a child can be watched: both files are open, and its own. Always true outside Linux.

        Where /proc is that of another namespace of processes, a child's number is another process there.
        """
        if sys.platform != "linux":
            return True
        with contextlib.suppress(OSError):
            own = Path("/proc/self").readlink()
            return self.stat >= 0 and f"\nPPid:\t{own}\n" in _read(self.status)
        return False

    def usage(self) -> Usage:
        """Return what the process uses, nothing if it is gone or there is no /proc."""
        memory, facts = self._memory(), self._facts()
        written_bytes = sum(memory.get(name, 0) for name in ("RssAnon", "RssShmem", "VmSwap"))
        cpu_s = (facts[_UTIME] + facts[_STIME]) / os.sysconf("SC_CLK_TCK") if facts else 0.0
        threads = facts[_THREADS] if facts else 0
        return Usage(written_bytes, memory.get("VmPTE", 0), cpu_s, threads, hidden=threads > 1 and not memory)

    def threads(self) -> int:
        """Return how many threads it has, or 0 if unknown."""
        facts = self._facts()
        return facts[_THREADS] if facts else 0

    def close(self) -> None:
        """Let go of the files."""
        for descriptor in (self.status, self.stat):
            if descriptor >= 0:
                os.close(descriptor)
        self.status = self.stat = -1

    def _memory(self) -> dict[str, int]:
        """Return the lines about memory, in bytes, of any living thread, for the first may have ended."""
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
