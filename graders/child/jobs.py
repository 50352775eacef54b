"""Children of the worker: forked for a request, or beforehand where a CUDA context makes the start slow."""

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
"""Of a confined child: torch asks for a user's name, which /etc/passwd has, and for a folder that exists."""
_PINNING_PROGRAM = "run_bet"  # bets alone move data between host and GPU
_BEYOND = 64  # descriptors are moved there before they get their places
_PS_S = 2.0
_LARGE_PAGE, _COLLAPSE = 2 << 20, 25  # MADV_COLLAPSE
SPARES = 2  # a grade runs the exercise's code and the answer


@dataclass(slots=True)
class Job:
    """One child, the ends of its lines until they are handed over, and the connection that asked for it."""

    pid: int
    channel: socket.socket
    output: int
    connection: socket.socket | None = None
    why: str = ""  # it was killed, where it was the worker that did it
    memory_bytes: int = 0  # that it may have on top of what the worker holds
    cpu_s: int = 0  # of the processor that it may use
    gate: ThreadGate | None = None  # of a child that may start threads
    files: ProcessFiles = field(default_factory=lambda: ProcessFiles(0))

    def hand_over(self, connection: socket.socket) -> None:
        """Give the child's pipes to the client. Raises OSError and drops the child if the client has gone."""
        try:
            socket.send_fds(connection, [b'{"pid": %d}\n' % self.pid], [self.channel.fileno(), self.output])
        except OSError:
            self.kill()
            raise
        finally:
            self.let_go()
        self.connection = connection

    def let_go(self) -> None:
        """Close our copies of its lines."""
        self.channel.close()
        if self.output >= 0:
            os.close(self.output)
            self.output = -1

    def kill(self) -> None:
        """End it and what it may have left in its process group."""
        if self.pid:
            for kill in (os.killpg, os.kill):
                with contextlib.suppress(OSError):
                    kill(self.pid, signal.SIGKILL)
        self.files.close()


def fork(request: dict[str, Any], grants: Grants) -> Job:
    """Fork a fresh child for this request."""
    confined = request.get("confined") is not False
    cuda = request["device"] == "cuda"
    threads = confined and (cuda or int(request["threads"]) != 1)
    limits = Limits(**request["limits"])
    with ExitStack() as ours:
        with ExitStack() as theirs:  # what the child alone keeps
            channel, given = socket.socketpair()
            output, written = os.pipe()
            gate, asking = socket.socketpair() if threads else (None, None)
            ours.callback(os.close, output)
            theirs.callback(os.close, written)
            ours.push(channel)
            theirs.push(given)
            unseen, seen = os.pipe()  # ends when the child's files in /proc are open: later it hides itself
            theirs.callback(os.close, unseen)
            theirs.callback(os.close, seen)
            descriptors = {_OUTPUT: written, _STANDARD_ERROR: written, _CHANNEL: given.fileno(), _SEEN: unseen}
            if gate is not None and asking is not None:
                ours.push(gate)
                theirs.push(asking)
                descriptors[_GATE] = asking.fileno()
            if confined and (ruleset := grants.ruleset(cuda=cuda)) is not None:
                theirs.callback(os.close, ruleset)
                descriptors[_RULESET] = ruleset
            parent = os.getpid()
            pid = os.fork()
            if pid == 0:
                _become_child(request, descriptors, parent)
            files = ProcessFiles.of(pid)
        if not files.whole():  # without them some of its limits would not be kept
            os.kill(pid, signal.SIGKILL)
            files.close()
            raise OSError("its child cannot be looked at in /proc")
        ours.pop_all()  # from here on the job's
    watched = ThreadGate(files, gate) if gate else None
    return Job(pid, channel, output, None, "", limits.memory_bytes, limits.cpu_s, watched, files)


def _become_child(request: dict[str, Any], kept: dict[int, int], parent: int) -> None:
    """Keep the channel, give everything else up, and run the requested program. Never returns."""
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
    except BaseException as error:  # nothing may unwind into the worker's own loop
        os.write(_STANDARD_ERROR, f"{type(error).__name__}: {error}\n".encode())
        os._exit(90)
    os._exit(0)


def _keep(kept: dict[int, int]) -> None:
    """Set descriptors: nothing on 0, output on 1 and 2, the channel on 3. All others are closed."""
    places = {0: os.open(os.devnull, os.O_RDONLY), **kept}
    moved = {target: fcntl.fcntl(fd, fcntl.F_DUPFD, _BEYOND) for target, fd in places.items()}
    os.closerange(0, _BEYOND)
    for target, fd in moved.items():
        os.dup2(fd, target, inheritable=target <= _STANDARD_ERROR)
    os.closerange(_BEYOND, lockdown.MAX_DESCRIPTORS)


@dataclass(slots=True)
class SpareChildren:
    """Children that are forked and wait, on a GPU with their CUDA context; each serves once.

    The next is made in a free moment.
    """

    asked: dict[str, dict[str, Any]] = field(default_factory=dict)
    waiting: dict[str, list[Job]] = field(default_factory=dict)

    def take(self, request: dict[str, Any]) -> Job | None:
        """Return a waiting child for exactly this request. From now on there will be one."""
        key = json.dumps(request, sort_keys=True)
        self.asked = {key: request}  # the latest kind alone: every one of them holds memory of the GPU
        for other in [other for other in self.waiting if other != key]:
            self.drop(other)
        return self.waiting[key].pop() if self.waiting.get(key) else None

    def refill(self, grants: Grants, watch: Callable[[Job], None]) -> None:
        """Make those that are missing."""
        for key, request in self.asked.items():
            spares = self.waiting.setdefault(key, [])
            while len(spares) < SPARES:
                spares.append(fork(request, grants))
                watch(spares[-1])

    def lost(self, pid: int) -> None:
        """Forget a child that ended by itself. A kind that cannot start is not tried again."""
        for key, spares in list(self.waiting.items()):
            for job in [job for job in spares if job.pid == pid]:
                spares.remove(job)
                job.let_go()
                job.files.close()
                self.asked.pop(key, None)

    def drop(self, key: str) -> None:
        """End those of one kind."""
        for job in self.waiting.pop(key, []):
            job.kill()
            job.let_go()

    def end(self) -> None:
        """End all of them."""
        self.asked.clear()
        for key in list(self.waiting):
            self.drop(key)

    def pids(self) -> set[int]:
        """Return the ids of the waiting children."""
        return {job.pid for spares in self.waiting.values() for job in spares}


def use_large_pages() -> None:
    """Gather the memory of this process in large pages, where the kernel does (Linux 6.1 and later).

    A fork copies an entry for each page: with torch 37,000 of them take as long as all else that a child needs.
    """
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
    """Return the memory that processes hold, by `ps`, which every Unix has. Empty if `ps` fails."""
    command = ["ps", "-o", "pid=,rss=", "-p", ",".join(map(str, pids))]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, timeout=_PS_S, check=False).stdout  # noqa: S603
        return {int(pid): int(kib) * 1024 for pid, kib in (line.split() for line in listed.splitlines())}
    except (OSError, ValueError, subprocess.SubprocessError):
        return {}


def kill_orphans(spared: set[int]) -> None:
    """Kill the processes that children left to us. With seccomp there are none."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children")
    with contextlib.suppress(OSError, ValueError):
        for pid in listed.read_text().split():
            if int(pid) not in spared:
                os.kill(int(pid), signal.SIGKILL)
