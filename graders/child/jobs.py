"""Fork the worker's children, for a request or in advance."""

import contextlib
import ctypes
import fcntl
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from studykit.graders.child.thread_gate import ThreadGate, hand_over
from studykit.graders.child.usage import ProcessFiles
from studykit.sandbox import lockdown
from studykit.sandbox.channel import BEGUN
from studykit.sandbox.landlock import Grants, libc
from studykit.sandbox.lockdown import Limits

_OUTPUT, _STANDARD_ERROR, _CHANNEL, _GATE, _RULESET, _SEEN = 1, 2, 3, 4, 5, 6
_ENVIRONMENT = {"USER": "learner", "TORCHINDUCTOR_CACHE_DIR": "/", "CUDA_CACHE_DISABLE": "1"}
"""Environment of a confined child, where torch cannot read the user's name from /etc/passwd or make a cache."""
_PINNING_PROGRAM = "run_bet"  # only bets move data between host and GPU
_FIRST_FREE_DESCRIPTOR = 64  # descriptors are moved above it before they get their final numbers
_PS_S = 2.0
_LARGE_PAGE, _COLLAPSE = 2 << 20, 25  # MADV_COLLAPSE
SPARES = 2  # grading runs the exercise's own code and the answer


@dataclass(slots=True)
class Job:
    """Hold one child, its pipes until they are handed over, and the connection that asked for it."""

    pid: int
    channel: socket.socket
    output: int
    connection: socket.socket | None = None
    why: str = ""  # the worker's reason to kill it, or ""
    memory_bytes: int = 0  # limit, on top of what the worker holds
    cpu_s: int = 0  # limit
    gate: ThreadGate | None = None  # of a child that may start threads
    files: ProcessFiles = field(default_factory=lambda: ProcessFiles(0))

    def hand_over(self, connection: socket.socket) -> None:
        """Give the child's pipes to the client. If the client is gone, kill the child and raise OSError."""
        try:
            socket.send_fds(connection, [b'{"pid": %d}\n' % self.pid], [self.channel.fileno(), self.output])
        except OSError:
            self.kill()
            raise
        finally:
            self.close_pipes()
        self.connection = connection

    def close_pipes(self) -> None:
        """Close the worker's copies of the child's pipes."""
        self.channel.close()
        if self.output >= 0:
            os.close(self.output)
            self.output = -1

    def kill(self) -> None:
        """Kill the child and its process group."""
        if self.pid:
            for kill in (os.killpg, os.kill):
                with contextlib.suppress(OSError):
                    kill(self.pid, signal.SIGKILL)
        self.files.close()


def fork(request: dict[str, Any], grants: Grants) -> Job:
    """Fork a child for this request, or raise OSError if its limits cannot be enforced."""
    confined = request.get("confined") is not False
    cuda = request["device"] == "cuda"
    threads = confined and (cuda or int(request["threads"]) != 1)
    limits = Limits(**request["limits"])
    with ExitStack() as worker_ends:
        with ExitStack() as child_ends:  # closed in the worker after the fork
            channel, given = socket.socketpair()
            output, written = os.pipe()
            gate, asking = socket.socketpair() if threads else (None, None)
            worker_ends.callback(os.close, output)
            child_ends.callback(os.close, written)
            worker_ends.push(channel)
            child_ends.push(given)
            # The child waits until its files in /proc are open. After `lockdown.lock` they could not be opened.
            unseen, seen = os.pipe()
            child_ends.callback(os.close, unseen)
            child_ends.callback(os.close, seen)
            descriptors = {_OUTPUT: written, _STANDARD_ERROR: written, _CHANNEL: given.fileno(), _SEEN: unseen}
            if gate is not None and asking is not None:
                worker_ends.push(gate)
                child_ends.push(asking)
                descriptors[_GATE] = asking.fileno()
            if confined and (ruleset := grants.ruleset(cuda=cuda)) is not None:
                child_ends.callback(os.close, ruleset)
                descriptors[_RULESET] = ruleset
            parent = os.getpid()
            pid = os.fork()
            if pid == 0:
                _become_child(request, descriptors, parent)
            files = ProcessFiles.of(pid)
        if not files.whole():  # some limits could not be enforced
            os.kill(pid, signal.SIGKILL)
            files.close()
            raise OSError("its child cannot be watched in /proc")
        worker_ends.pop_all()  # the job owns them now
    watched = ThreadGate(files, gate) if gate else None
    return Job(pid, channel, output, None, "", limits.memory_bytes, limits.cpu_s, watched, files)


def _become_child(request: dict[str, Any], kept: dict[int, int], parent: int) -> None:
    """Keep the channel, give up everything else, and run the requested program. Never returns."""
    try:
        signal.set_wakeup_fd(-1)
        lockdown.reset_signals()
        os.setsid()
        lockdown.die_with_parent(parent)
        _keep(kept)
        channel = socket.socket(fileno=_CHANNEL)
        device, cuda = str(request["device"]), request["device"] == "cuda"
        limits = Limits(**request["limits"])
        program = importlib.import_module(f"studykit.graders.child.{request['program']}")
        confined = request.get("confined") is not False
        status = lockdown.confine(_RULESET if _RULESET in kept else None, cuda=cuda) if confined else -1
        program.prepare(device, int(request["threads"]))
        if confined:
            os.environ.clear()
            os.environ.update(_ENVIRONMENT)
        if _GATE in kept:
            hand_over(_GATE)
        os.read(_SEEN, 1)
        os.close(_SEEN)
        if confined:
            pinned = cuda and request["program"] == _PINNING_PROGRAM
            lockdown.lock(limits, status, threads=_GATE in kept, cuda=cuda, pinned=pinned)
        else:
            lockdown.limit_time(limits)
        channel.sendall(BEGUN)
        program.main(channel)
    except BaseException as error:  # an exception would unwind into the worker's own loop
        os.write(_STANDARD_ERROR, f"{type(error).__name__}: {error}\n".encode())
        os._exit(90)
    os._exit(0)


def _keep(kept: dict[int, int]) -> None:
    """Put /dev/null on descriptor 0 and the values of `kept` on its keys. Close all others."""
    # In two steps, because a descriptor may already have the number that another one needs.
    places = {0: os.open(os.devnull, os.O_RDONLY), **kept}
    moved = {target: fcntl.fcntl(fd, fcntl.F_DUPFD, _FIRST_FREE_DESCRIPTOR) for target, fd in places.items()}
    os.closerange(0, _FIRST_FREE_DESCRIPTOR)
    for target, fd in moved.items():
        os.dup2(fd, target, inheritable=target <= _STANDARD_ERROR)
    os.closerange(_FIRST_FREE_DESCRIPTOR, lockdown.MAX_DESCRIPTORS)


@dataclass(slots=True)
class SpareChildren:
    """Keep children forked in advance, on a GPU with a CUDA context. Each serves one request.

    They are replaced when the worker is idle.
    """

    requests: dict[str, dict[str, Any]] = field(default_factory=dict)
    waiting: dict[str, list[Job]] = field(default_factory=dict)

    def take(self, request: dict[str, Any]) -> Job | None:
        """Return a waiting child for exactly this request, or None. From now on, keep spares for no other."""
        key = json.dumps(request, sort_keys=True)
        self.requests = {key: request}  # only for the latest kind, because each child holds GPU memory
        for other in [other for other in self.waiting if other != key]:
            self.drop(other)
        return self.waiting[key].pop() if self.waiting.get(key) else None

    def refill(self, grants: Grants, watch: Callable[[Job], None]) -> None:
        """Fork children until `SPARES` wait for the latest request."""
        for key, request in self.requests.items():
            spares = self.waiting.setdefault(key, [])
            while len(spares) < SPARES:
                spares.append(fork(request, grants))
                watch(spares[-1])

    def lost(self, pid: int) -> None:
        """Forget a child that ended by itself, and make no more of its kind: it may be unable to start."""
        for key, spares in list(self.waiting.items()):
            for job in [job for job in spares if job.pid == pid]:
                spares.remove(job)
                job.close_pipes()
                job.files.close()
                self.requests.pop(key, None)

    def drop(self, key: str) -> None:
        """Kill the children of one kind."""
        for job in self.waiting.pop(key, []):
            job.kill()
            job.close_pipes()

    def end(self) -> None:
        """Kill all waiting children."""
        self.requests.clear()
        for key in list(self.waiting):
            self.drop(key)

    def pids(self) -> set[int]:
        """Return the ids of the waiting children."""
        return {job.pid for spares in self.waiting.values() for job in spares}


def use_large_pages() -> None:
    """Gather the memory of this process in huge pages (Linux 6.1 and later)."""
    # A fork copies an entry for each page. With torch there are 37,000, which take as long as all else in a start.
    if sys.platform != "linux":
        return
    for line in Path("/proc/self/maps").read_text().splitlines():
        addresses, rights, _, _, _, *name = line.split()
        if rights == "rw-p" and name in ([], ["[heap]"]):
            first, last = (int(address, 16) for address in addresses.split("-"))
            start = -(-first // _LARGE_PAGE) * _LARGE_PAGE
            length = last // _LARGE_PAGE * _LARGE_PAGE - start
            if length > 0:
                libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(length), _COLLAPSE)


def resident_bytes(pids: Iterable[int]) -> dict[int, int]:
    """Return the resident memory of processes, from `ps`, which every Unix has. Empty if `ps` fails."""
    command = ["ps", "-o", "pid=,rss=", "-p", ",".join(map(str, pids))]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, timeout=_PS_S, check=False).stdout  # noqa: S603
        return {int(pid): int(kib) * 1024 for pid, kib in (line.split() for line in listed.splitlines())}
    except (OSError, ValueError, subprocess.SubprocessError):
        return {}


def kill_orphans(spared: set[int]) -> None:
    """Kill processes that children left behind. With seccomp there are none."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children")
    with contextlib.suppress(OSError, ValueError):
        for pid in listed.read_text().split():
            if int(pid) not in spared:
                os.kill(int(pid), signal.SIGKILL)
