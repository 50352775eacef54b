"""Lock a child down before it sees untrusted code, and report what this machine can enforce."""

import contextlib
import ctypes
import os
import resource
import signal
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path

from studykit.sandbox import landlock, seccomp
from studykit.sandbox.landlock import libc

MIB = 1 << 20
_SET_DEATH_SIGNAL, _SET_DUMPABLE, _SET_SUBREAPER, _SET_NO_NEW_PRIVILEGES, _KILL_SIGNAL = 1, 4, 36, 38, 9
_CAPABILITIES_V3 = 0x20080522
MAX_DESCRIPTORS = 4096  # of a process that forks children
_MAX_CHILD_DESCRIPTORS = 256
_MAX_STACK_BYTES = 8 * MIB
HANDED_ON = (
    resource.RLIMIT_AS,
    resource.RLIMIT_DATA,
    resource.RLIMIT_STACK,
    resource.RLIMIT_CPU,
    resource.RLIMIT_NOFILE,
    resource.RLIMIT_NPROC,
)
"""Limits that a worker inherits from the command that started it, and its children from the worker."""
_GROUPS, _MOUNTED = "/proc/self/cgroup", "/sys/fs/cgroup"
# The files of each limit by controller. Version 2 of control groups has one folder for all controllers ("").
_GROUP_LIMITS = {
    "": (("cpu.max",), ("memory.max",)),
    "cpu": (("cpu.cfs_quota_us", "cpu.cfs_period_us"),),
    "memory": (("memory.limit_in_bytes",),),
}
_UNLIMITED = ("max", "-1")
# glibc reserves this much address space for each thread: 8 MiB of stack and a heap arena of its own.
_THREAD_BYTES = 144 * MIB


@dataclass(frozen=True, slots=True)
class Limits:
    """Hold the limits of one child, from its start to its end."""

    wall_s: float = 10.0
    cpu_s: int = 8
    memory_bytes: int = 1024 * MIB  # on top of what the imported libraries hold
    output_bytes: int = MIB  # standard output and error together
    reply_bytes: int = 64 * MIB  # one reply on the private channel


@dataclass(frozen=True, slots=True)
class Containment:
    """Hold what the sandbox can enforce on this machine."""

    files: bool
    network: bool
    processes: bool
    memory: bool
    wrapped: bool = False  # bubblewrap is around it

    @property
    def whole(self) -> bool:
        """Return whether everything is enforced, so that untrusted code may run."""
        return not self.missing()

    def missing(self) -> tuple[str, ...]:
        """Return the names of the protections that cannot be enforced."""
        return tuple(name for name in ("files", "network", "processes", "memory") if not getattr(self, name))

    def sentence(self) -> str:
        """Describe the containment in one line, for `study doctor` and for a grade."""
        if self == UNCONFINED:
            return "it ran outside the sandbox, which limited its time only"
        if self.whole:
            second = ", with bubblewrap around it" if self.wrapped else ""
            return f"the sandbox limits time, memory, processes, files and network{second}"
        return f"the sandbox limits time{' and memory' if self.memory else ''}; not {', '.join(self.missing())}"


UNCONFINED = Containment(files=False, network=False, processes=False, memory=False)
"""What holds for a child outside the sandbox."""


def containment(*, wrapped: bool = False) -> Containment:
    """Ask the kernel what the sandbox can enforce here. `wrapped` means that bubblewrap is around it."""
    filtered = seccomp.available()
    return Containment(
        files=filtered and (wrapped or landlock.abi() > 0),
        network=filtered,
        processes=filtered,
        memory=True,  # by the kernel on Linux, elsewhere by the worker, which measures its children
        wrapped=wrapped,
    )


def confine(ruleset: int | None, *, cuda: bool = False) -> int:
    """Give up files and rights for good. Call it first, because Landlock binds only the calling thread.

    Start a library's threads or a GPU's context between this and `lock`. Pass `lock` the descriptor returned, from
    which it reads how much memory is in use (-1 outside Linux).
    """
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, _MAX_CHILD_DESCRIPTORS)
    if sys.platform != "linux":
        return -1
    # Opened now, because it cannot be once Landlock is in force.
    status = os.open("/proc/self/status", os.O_RDONLY | os.O_CLOEXEC)
    _volunteer_for_oom_killer()
    _prctl(_SET_NO_NEW_PRIVILEGES, 1)
    _drop_capabilities()
    if ruleset is not None:
        landlock.restrict(ruleset, cuda=cuda)
    return status


def lock(limits: Limits, status: int, *, threads: bool = False, cuda: bool = False, pinned: bool = False) -> None:
    """Apply the limits and the filter of system calls for good. Raise OSError if one cannot be applied.

    With `threads` the child may start threads, and with `pinned` pin host memory for a GPU. No kernel limit counts
    these, so the caller must.
    """
    # The hard limit too, which kills: a child may ignore the SIGXCPU of the soft one.
    _limit(resource.RLIMIT_CPU, limits.cpu_s)
    if sys.platform != "linux":
        return
    _bound_memory(limits, _memory_in_use(status), threads=threads, cuda=cuda)
    # RLIMIT_CORE does not stop a core that the kernel pipes to a program. This does, and forbids tracing as well.
    _prctl(_SET_DUMPABLE, 0)
    if seccomp.available():
        seccomp.install(os.getpid(), threads=threads, cuda=cuda, pinned=pinned)


def limit_time(limits: Limits) -> None:
    """Limit CPU time and forbid core dumps, for a child outside the sandbox."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_CPU, limits.cpu_s)


def reset_signals() -> None:
    """Reset every signal to its default handler and unblock it, whatever the parent process did."""
    for number in signal.valid_signals():
        with contextlib.suppress(OSError, ValueError):  # SIGKILL and SIGSTOP always have it
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent ends, or exit if it already has (Linux)."""
    if sys.platform == "linux":
        _prctl(_SET_DEATH_SIGNAL, _KILL_SIGNAL)
    # The parent may have ended before the call above, in which case no signal comes.
    if os.getppid() != parent:
        os._exit(0)


def adopt_orphans() -> None:
    """Adopt grandchildren whose parent ends, so that they can be found and killed (Linux)."""
    if sys.platform == "linux":
        _prctl(_SET_SUBREAPER, 1)


def raise_limits() -> None:
    """Raise this process's limits of the kinds in `HANDED_ON` to their hard limits."""
    for kind in HANDED_ON:
        ceiling = resource.getrlimit(kind)[1]
        with contextlib.suppress(OSError, ValueError):  # macOS caps some of them below their hard limit
            resource.setrlimit(kind, (ceiling, ceiling))


def group_limits(groups: str = _GROUPS, mounted: str = _MOUNTED) -> list[str]:
    """List the limits set by this process's control groups. Empty if they cannot be read."""
    # Without the groups' names: under systemd every terminal has a group of its own, and all share one worker.
    limits = set[str]()
    for line in _text(groups).splitlines():
        controllers, _, path = line.partition(":")[2].partition(":")
        parts = [part for part in path.split("/") if part]
        for name in controllers.split(","):
            if files := _GROUP_LIMITS.get(name):
                for depth in range(len(parts) + 1):
                    limits.update(_of_group("/".join((mounted, name, *parts[:depth])), files))
    return sorted(limits)


def group_cores() -> float:
    """Return how many cores the control groups allow, infinite without a limit."""
    shares = (limit.split()[1:] for limit in group_limits() if limit.startswith("cpu."))
    return min((int(each[0]) / int(each[1]) for each in shares if len(each) > 1), default=inf)


def limit_descriptors() -> None:
    """Limit open files to `MAX_DESCRIPTORS`, as many as a child closes, or to the hard limit if that is lower."""
    ceiling = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    soft = MAX_DESCRIPTORS if ceiling == resource.RLIM_INFINITY else min(MAX_DESCRIPTORS, ceiling)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, ceiling))


def _of_group(folder: str, files: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    for first, *others in files:
        limit = _text(f"{folder}/{first}")
        if limit and not limit.startswith(_UNLIMITED):
            yield " ".join((first, limit, *(_text(f"{folder}/{each}") for each in others)))


def _text(path: str) -> str:
    with contextlib.suppress(OSError), Path(path).open(errors="surrogateescape") as file:  # the group may be gone
        return file.read(1 << 14).strip()
    return ""


def _volunteer_for_oom_killer() -> None:
    """Make this process the OOM killer's first choice, before the learner's larger programs (Linux)."""
    # Some containers mount /proc read-only.
    with contextlib.suppress(OSError), Path("/proc/self/oom_score_adj").open("w") as file:
        file.write("1000")


def _prctl(option: int, value: int) -> None:
    if libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the kernel refuses prctl")


def _drop_capabilities() -> None:
    """Drop root's capabilities, with which it could raise its limits again and signal or read other processes."""
    if libc.capset(struct.pack("Ii", _CAPABILITIES_V3, 0), struct.pack("6I", 0, 0, 0, 0, 0, 0)) != 0:
        raise OSError(ctypes.get_errno(), "the kernel refuses capset")


def _bound_memory(limits: Limits, in_use: dict[str, int], *, threads: bool, cuda: bool) -> None:
    """Limit memory, the stack, the kernel's queues, the address space and, without threads, processes."""
    _limit(resource.RLIMIT_DATA, in_use["VmData"] + limits.memory_bytes)
    _limit(resource.RLIMIT_STACK, _MAX_STACK_BYTES)
    # Pending signals are counted for the whole user, so a child could use up the learner's.
    for kind in (resource.RLIMIT_MEMLOCK, resource.RLIMIT_SIGPENDING, resource.RLIMIT_MSGQUEUE):
        _limit(kind, 0)
    # RLIMIT_DATA does not count memory that was written and then made read-only, but RLIMIT_AS does. A CUDA
    # context reserves hundreds of GiB of addresses, so there the worker measures instead.
    if not cuda:
        reserved = _THREAD_BYTES * (os.cpu_count() or 1) if threads else 0
        _limit(resource.RLIMIT_AS, in_use["VmSize"] + limits.memory_bytes + reserved)
    # A second guard beside seccomp. It does not bind root.
    if not threads:
        _limit(resource.RLIMIT_NPROC, 0)


def _limit(kind: int, maximum: int) -> None:
    """Set both limits of a kind to `maximum`, or to the hard limit if that is lower, as raising it would fail."""
    ceiling = resource.getrlimit(kind)[1]
    bound = maximum if ceiling == resource.RLIM_INFINITY else min(maximum, ceiling)
    resource.setrlimit(kind, (bound, bound))


def _memory_in_use(status: int) -> dict[str, int]:
    with open(status, "rb", buffering=0) as file:
        lines = (line.partition(b":") for line in file.read(1 << 14).splitlines())
    return {
        name.decode(): int(amount.split()[0]) * 1024 for name, _, amount in lines if name in {b"VmData", b"VmSize"}
    }
