"""What a child uses of what no limit of the kernel bounds exactly, as the kernel tells its worker (Linux)."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_UTIME, _STIME = 11, 12  # of what stands behind the name in /proc/PID/stat


@dataclass(frozen=True, slots=True)
class Usage:
    """The use of one process so far."""

    written_bytes: int  # private memory, in the swap too
    tables_bytes: int  # that the kernel needs to know where memory is
    cpu_s: float  # exact, where RLIMIT_CPU counts ticks: who sleeps over each of them is not there when it counts


def usage_of(pid: int) -> Usage:
    """The use of a process; nothing where there is none of this number, or no /proc."""
    told = _memory(pid)
    written = told.get("RssAnon", 0) + told.get("VmSwap", 0)
    return Usage(written, told.get("VmPTE", 0), _cpu_s(pid))


def data_bytes(pid: int) -> int:
    """The private memory that a process may write to, touched or not; 0 where it is not told."""
    return _memory(pid).get("VmData", 0)


def _memory(pid: int) -> dict[str, int]:
    """Lines about memory, in bytes: of any thread that lives, for the first may have ended alone."""
    for path in _statuses(pid):
        try:
            lines = (line.split() for line in path.read_text().splitlines())
        except OSError:
            continue
        found = {line[0][:-1]: int(line[1]) << 10 for line in lines if line[2:] == ["kB"]}
        if found:
            return found
    return {}


def _statuses(pid: int) -> Iterator[Path]:
    yield Path(f"/proc/{pid}/status")
    with contextlib.suppress(OSError):
        yield from (thread / "status" for thread in Path(f"/proc/{pid}/task").iterdir())


def _cpu_s(pid: int) -> float:
    try:
        told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(told[_UTIME]) + int(told[_STIME])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0
