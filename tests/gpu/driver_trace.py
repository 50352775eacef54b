"""What the GPU's driver asks of the kernel, before the lock and behind it: files, ioctls, mappings, threads.

    python -m tests.gpu.driver_trace cuda bare      a child of the worker; wrapped: with bubblewrap around it
    python -m tests.gpu.driver_trace cuda plain     the same work without a sandbox

Prints one JSON document. Phases: `start` until the child gives up its files, `context` until the filter stands,
`locked` from then on; `plain` without a sandbox.
"""

import errno
import functools
import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bpf import ALLOW, Instruction, call_data, decoded
from bpf import run as answer

from studykit.sandbox import seccomp
from studykit.sandbox.ptrace import FollowedCall, Follower
from studykit.sandbox.system_calls import X86_64

_ROOT = Path(__file__).resolve().parents[2]
_OTHERS = """
    pipe 22, mincore 27, dup 32, dup2 33, socket 41, connect 42, sendmsg 46, recvmsg 47, bind 49, listen 50,
    getsockname 51, socketpair 53, getsockopt 55, fork 57, execve 59, wait4 61, shmget 29, fsync 74, ftruncate 77,
    mkdir 83, unlink 87, chmod 90, setsid 112, capset 126, mknod 133, statfs 137, sched_getparam 143,
    sched_setscheduler 144, mlock 149, prctl 157, setrlimit 160, sched_setaffinity 203, epoll_create 213,
    set_tid_address 218, mbind 237, set_mempolicy 238, get_mempolicy 239, mknodat 259, unlinkat 263, pselect6 270,
    eventfd 284, eventfd2 290, epoll_create1 291, dup3 292, pipe2 293, process_vm_readv 310, seccomp 317,
    memfd_create 319, membarrier 324, close_range 436, landlock_create_ruleset 444, landlock_add_rule 445,
    landlock_restrict_self 446
"""
NAMES = {number: name for name, number in X86_64.numbers.items()} | {
    int(number): name for name, number in (pair.split() for pair in _OTHERS.split(","))
}
_NUMBER = {name: number for number, name in NAMES.items()}
PATHS = {_NUMBER[name]: 0 for name in ("open", "stat", "lstat", "access", "readlink", "mknod", "unlink", "mkdir")}
PATHS |= {_NUMBER[name]: 1 for name in ("openat", "newfstatat", "readlinkat", "faccessat", "unlinkat", "statx")}
_OPENING = {_NUMBER["open"]: 1, _NUMBER["openat"]: 2}  # where the flags are
_CLOSE, _MMAP, _IOCTL, _CLONE, _SOCKET, _PRCTL, _SECCOMP = (
    _NUMBER[name] for name in ("close", "mmap", "ioctl", "clone", "socket", "prctl", "seccomp")
)
_NO_NEW_PRIVILEGES, _ALL_THREADS, _SHARED, _ANONYMOUS = 38, 1, 1, 0x20
_REFUSED = {-errno.EPERM, -errno.EACCES, -errno.ENOSYS}
_WORD = (1 << 32) - 1


@dataclass(slots=True)
class CallCounts:
    """Calls by phase, name, what they were about and how they ended; and of each what the filter would say."""

    root: int
    first: str  # the phase of the process that is followed first
    phases: dict[int, str] = field(default_factory=dict)
    files: dict[int, dict[int, str]] = field(default_factory=dict)  # by process and descriptor
    counts: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    beyond: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # what the list for the CPU has not
    outside: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # what the list for a GPU has not

    def note(self, call: FollowedCall) -> None:
        """Count it under its phase."""
        phase = self.phases.setdefault(call.pid, self.first if call.pid == self.root else "start")
        files = self.files.setdefault(call.pid, {})
        name, about = NAMES.get(call.number, str(call.number)), self._about(call, files)
        outcome = "ok" if call.result >= 0 else errno.errorcode.get(-call.result, str(call.result))
        if call.number in _OPENING and call.result >= 0:
            files[call.result] = call.path
        elif call.number == _CLOSE:
            files.pop(call.arguments[0] & _WORD, None)
        if phase not in {"start", "server"}:
            self.counts[phase, name, about, outcome] += 1
            self._compare(call, phase, name, about)
        self.phases[call.pid] = _after(call, phase)

    def _about(self, call: FollowedCall, files: dict[int, str]) -> str:
        """A file, a device and the number of its request, the kind of a mapping or of a socket."""
        one, two, three, four, five = call.arguments[:5]
        match call.number:
            case number if number in _OPENING:
                for_writing = call.arguments[_OPENING[number]] & 3
                return call.path + (" for writing" if for_writing else "")
            case number if number in PATHS:
                return call.path
            case number if number == _IOCTL:
                return f"{files.get(one, f'descriptor {one}')} {two & _WORD:#x}"
            case number if number == _MMAP:
                kind = "shared" if four & 3 == _SHARED else "private"
                file = "nothing" if four & _ANONYMOUS else files.get(five & _WORD, f"descriptor {five & _WORD}")
                return f"{kind} {file} protection {three & 7}"
            case number if number in {_CLONE, _SOCKET, _PRCTL}:
                return f"{one:#x}"
            case _:
                return ""

    def _compare(self, call: FollowedCall, phase: str, name: str, about: str) -> None:
        if not _lets(call, cuda=False):
            self.beyond[phase, name, about] += 1
        if not _lets(call, cuda=True):
            self.outside[phase, name, about] += 1

    def document(self) -> dict[str, Any]:
        """All of it as JSON, the most frequent first."""
        return {
            "calls": [[*key, count] for key, count in self.counts.most_common()],
            "beyond": [[*key, count] for key, count in self.beyond.most_common()],
            "outside": [[*key, count] for key, count in self.outside.most_common()],
        }


def _after(call: FollowedCall, phase: str) -> str:
    """The phase of the next call of this process."""
    if call.result < 0 or phase == "plain":
        return phase
    if call.number == _PRCTL and call.arguments[0] == _NO_NEW_PRIVILEGES:
        return "context"
    if call.number == _SECCOMP and call.arguments[1] & _WORD == _ALL_THREADS:
        return "locked"
    return phase


def _lets(call: FollowedCall, *, cuda: bool) -> bool:
    """Whether the filter would let it through."""
    data = call_data(call.number, X86_64.word, call.arguments)
    return answer(_filter(call.pid, cuda=cuda), data) == ALLOW


@functools.lru_cache(8)
def _filter(pid: int, *, cuda: bool) -> list[Instruction]:
    return decoded(seccomp.program(X86_64, pid, threads=True, cuda=cuda))


def trace(device: str, way: str) -> dict[str, Any]:
    """The document for one way to do the work."""
    command = [sys.executable, "-m", "tests.gpu.traced_program", device, way]
    with subprocess.Popen(
        command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        first_line = program.stdout.readline()
        if not first_line.strip():
            return {"problem": program.stderr.read().decode("utf-8", "replace")[-600:]}
        pid = int(first_line)
        counts = CallCounts(pid, "plain" if way == "plain" else "server")
        follower = Follower(PATHS)
        try:
            follower.seize(pid)
        except OSError as error:
            return {"problem": str(error)}
        program.stdin.write(b"\n")
        program.stdin.close()
        for call in follower.follow():
            counts.note(call)
        rest = program.stdout.read() or b"{}"
    return {"way": way, **json.loads(rest), **counts.document()}


def main() -> None:
    """Print the document."""
    sys.stdout.write(json.dumps(trace(*sys.argv[1:3])) + "\n")


if __name__ == "__main__":
    main()
