"""What a child may use, everything it gives up before it sees a stranger's code, and what of it holds here."""

import ctypes
import os
import resource
import struct
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from studykit.sandbox import landlock, seccomp
from studykit.sandbox.landlock import libc

MIB = 1 << 20
_SET_DEATH_SIGNAL, _SET_SUBREAPER, _SET_NO_NEW_PRIVILEGES, _KILL_SIGNAL = 1, 36, 38, 9
_CAPSET, _CAPABILITIES_V3 = 126, 0x20080522
_DESCRIPTORS = 256


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one child, from its start to its end."""

    wall_s: float = 10.0
    cpu_s: int = 8  # the soft limit; the hard one is a second later
    memory_bytes: int = 1024 * MIB  # on top of what the imported libraries hold
    output_bytes: int = MIB  # standard output and error together
    reply_bytes: int = 64 * MIB  # one reply on the private channel

    def as_header(self) -> dict[str, float]:
        """The same as JSON, for the worker."""
        return asdict(self)

    @classmethod
    def from_header(cls, header: dict[str, float]) -> "Limits":
        """The limits that `as_header` described."""
        return cls(
            wall_s=float(header["wall_s"]),
            cpu_s=int(header["cpu_s"]),
            memory_bytes=int(header["memory_bytes"]),
            output_bytes=int(header["output_bytes"]),
            reply_bytes=int(header["reply_bytes"]),
        )


@dataclass(frozen=True, slots=True)
class Containment:
    """What the sandbox holds a child to on this machine."""

    files: bool
    network: bool
    processes: bool
    memory: bool
    time: bool = True
    wrapped: bool = False  # bubblewrap is around it

    @property
    def whole(self) -> bool:
        """Whether code of strangers is contained, not only bounded."""
        return self.files and self.network and self.processes and self.memory

    def missing(self) -> tuple[str, ...]:
        """What is not containment, in words."""
        named = {"files": self.files, "network": self.network, "processes": self.processes, "memory": self.memory}
        return tuple(word for word, held in named.items() if not held)

    def sentence(self) -> str:
        """One line for `study doctor` and for a grade."""
        if self.whole:
            second = ", with bubblewrap around it" if self.wrapped else ""
            return f"the sandbox limits time, memory, processes, files and network{second}"
        return f"the sandbox limits time{' and memory' if self.memory else ''}; not {', '.join(self.missing())}"


def containment(*, wrapped: bool = False) -> Containment:
    """What holds here, by asking the kernel; nothing is run. `wrapped` says that bubblewrap is around it."""
    filtered = has_filter()
    return Containment(
        files=filtered and (wrapped or landlock.abi() > 0),
        network=filtered,
        processes=filtered,
        memory=True,  # by the kernel on Linux, by the worker's own eyes elsewhere
        wrapped=wrapped,
    )


def has_filter() -> bool:
    """Whether this machine speaks the language of the filter of system calls."""
    return sys.platform == "linux" and os.uname().machine == "x86_64"


def apply(limits: Limits, ruleset: int | None, *, cuda: bool = False) -> None:
    """Give up, for good, all but the limits; raises OSError where something that should hold does not."""
    _bound(limits)
    if sys.platform != "linux":
        return
    _prctl(_SET_NO_NEW_PRIVILEGES, 1)
    _drop_capabilities()
    if ruleset is not None:
        landlock.restrict(ruleset)
    if has_filter():
        seccomp.install(os.getpid(), cuda=cuda)


def die_with_parent() -> None:
    """Be killed when the parent ends, however it ends (Linux)."""
    if sys.platform == "linux":
        _prctl(_SET_DEATH_SIGNAL, _KILL_SIGNAL)


def adopt_orphans() -> None:
    """Become the parent of grandchildren whose parent ends, so that they can be found and killed (Linux)."""
    if sys.platform == "linux":
        _prctl(_SET_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    if libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def _bound(limits: Limits) -> None:
    _limit(resource.RLIMIT_CPU, limits.cpu_s, limits.cpu_s + 1)  # SIGXCPU says "too slow", SIGKILL a second later
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, MIB)
    _limit(resource.RLIMIT_NOFILE, _DESCRIPTORS)
    if sys.platform == "linux":  # private writable mappings; never RLIMIT_AS, which CUDA's reservations break
        _limit(resource.RLIMIT_DATA, _data_bytes() + limits.memory_bytes)


def _limit(what: int, soft: int, hard: int | None = None) -> None:
    ceiling = resource.getrlimit(what)[1]
    wanted = soft if hard is None else hard
    if ceiling != resource.RLIM_INFINITY:
        soft, wanted = min(soft, ceiling), min(wanted, ceiling)
    resource.setrlimit(what, (soft, wanted))


def _data_bytes() -> int:
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmData:"))
    return int(line.split()[1]) * 1024


def _drop_capabilities() -> None:
    """Root without capabilities: it can neither raise its limits again nor signal or read whom it likes."""
    header = struct.pack("Ii", _CAPABILITIES_V3, 0)
    call = _CAPSET if has_filter() else 91  # 91 on aarch64
    libc.syscall(call, header, struct.pack("6I", 0, 0, 0, 0, 0, 0))
