"""The warm worker, a fork server: imports once, then forks a limited child for each request.

It never computes and never judges.
Each connection asks for one child: a JSON line comes in, the child's channel and output go back as descriptors,
and a notice when the child ends. `k` on the connection, or its end, kills the child.
"""

import argparse
import contextlib
import gc
import importlib
import json
import os
import resource
import selectors
import signal
import socket
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from studykit.graders.child.jobs import Job, SpareChildren, fork, kill_orphans, resident_bytes, use_large_pages
from studykit.graders.child.thread_gate import ThreadGate
from studykit.graders.child.usage import data_bytes
from studykit.sandbox import landlock, lockdown, seccomp
from studykit.sandbox.worker import file_of, owner_of, stamp

_REQUEST_BYTES = 1 << 16
_LOOK_S = 5.0  # how often an idle worker looks whether it is still wanted
_LOOK_AT_JOBS_S = 0.05  # how often a busy one looks at its children
_WEIGH_S = 0.2  # and looks at their memory, where the kernel does not hold them to it
_MAX_THREADS = 256  # of a child whose gate the kernel does not keep
_MAX_TABLES_BYTES = 64 << 20  # twelve take 6 GiB in one piece; scattered pages need two more each
_SPARE_BYTES = 64 << 20  # beyond what the limit allows before it is noticed
_MAX_REFUSALS = 256  # who asks on and on keeps the worker from others
_LIMIT_SHARE = 0.9  # of its memory, from which a segmentation fault is taken for its end
_RSS_UNIT_BYTES = 1024 if sys.platform == "linux" else 1
_TOO_MANY_THREADS = "it started too many threads"


@dataclass(slots=True)
class ForkServer:
    """The worker's loop."""

    listening: socket.socket
    lifeline: int  # its end is the end of a private worker; -1 for a shared one
    idle_s: float
    path: Path  # of the socket
    stamp: str  # as it was started, as this process sees it; empty for a private worker
    failure: str = ""  # why the imports failed
    bound: tuple[int, int] | None = None  # the socket's file; another may replace it
    grants: landlock.Grants = field(default_factory=lambda: landlock.Grants(0))
    jobs: dict[int, Job] = field(default_factory=dict)  # by the connection's descriptor
    spares: SpareChildren = field(default_factory=SpareChildren)
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    prepared: set[str] = field(default_factory=set)  # programs
    scattered: bool = False  # its memory, since something was imported
    leaving: bool = False
    looked: float = 0.0  # when the children were looked at
    weighed: float = 0.0  # when their memory was, where the kernel does not hold them to it

    def run(self) -> None:
        """Serve until it is idle too long or out of date."""
        woken, wakes = socket.socketpair()
        woken.settimeout(0)
        wakes.settimeout(0)
        signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())  # who started the first command may have blocked it
        self.selector.register(self.listening, selectors.EVENT_READ, self._accept)
        self.selector.register(woken, selectors.EVENT_READ, lambda: self._reap(woken))
        if self.lifeline >= 0:
            self.selector.register(self.lifeline, selectors.EVENT_READ, self._leave)
        last = time.monotonic()
        while not self.leaving:
            for key, _ in self.selector.select(_LOOK_AT_JOBS_S if self.jobs else _LOOK_S):
                key.data()
                last = time.monotonic()
            self._look()
            if sys.platform != "linux" and self.jobs and time.monotonic() - self.weighed > _WEIGH_S:
                self.weigh()
            if not self.jobs:
                if (
                    self.scattered
                ):  # the first answer did not wait for it, and spare children share what it gathers
                    use_large_pages()
                    self.scattered = False
                self.spares.refill(self.grants, self._watch)
            if not self.jobs and (time.monotonic() - last > self.idle_s or self._is_stale()):
                break
        self._end()

    def _look(self) -> None:
        """End the children that use what no limit counts, or counts in steps: see `Usage`."""
        if time.monotonic() - self.looked < _LOOK_AT_JOBS_S:
            return
        living = [job for job in self.jobs.values() if job.pid and not job.why]
        own = data_bytes(os.getpid()) if living else 0
        for job in living:
            used = job.files.usage()
            if job.gate and not job.gate.watched and used.threads > _MAX_THREADS:
                job.why = _TOO_MANY_THREADS
            elif used.tables_bytes > _MAX_TABLES_BYTES:
                job.why = "it scattered its memory"
            elif used.written_bytes > own + job.memory_bytes + _SPARE_BYTES:
                job.why = _too_much(job)
            if job.why or used.cpu_s > job.cpu_s or used.hidden:
                job.kill()
        self.looked = time.monotonic()

    def weigh(self) -> None:
        """Kill the children that hold more memory than allowed. Outside Linux nothing else limits them."""
        own = os.getpid()
        resident = resident_bytes([own, *(job.pid for job in self.jobs.values() if job.pid)])
        for job in self.jobs.values():
            if job.pid and resident.get(job.pid, 0) > resident.get(own, 0) + job.memory_bytes:
                job.why = _too_much(job)
                job.kill()
        self.weighed = time.monotonic()

    def _is_stale(self) -> bool:
        return bool(self.stamp) and (self.stamp != stamp() or file_of(self.path) != self.bound)

    def _leave(self) -> None:
        self.leaving = True

    def _end(self) -> None:
        if self.bound and file_of(self.path) == self.bound:  # else the name belongs to a newer worker
            self.path.unlink(missing_ok=True)
            if self.lifeline >= 0:  # a private one's folder is its own, and its owner may have been killed
                with contextlib.suppress(OSError):
                    self.path.parent.rmdir()
        for job in list(self.jobs.values()):
            job.kill()
        self.spares.end()

    def _accept(self) -> None:
        try:
            connection, _ = self.listening.accept()
        except OSError:  # it has left again, or there are as many as there may be
            return
        if owner_of(connection) != os.getuid():
            connection.close()
            return
        connection.settimeout(5)  # a client that dies in the middle of its request must not hold the others up
        try:
            request = json.loads(_line(connection))
            self._serve(connection, request)
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            with contextlib.suppress(OSError):
                connection.sendall(json.dumps({"error": str(error)}).encode() + b"\n")
            connection.close()

    def _serve(self, connection: socket.socket, request: dict[str, Any]) -> None:
        if self.failure:
            raise ValueError(self.failure)
        if (program := str(request["program"])) not in self.prepared:
            with self._stopped():
                _warm(program)
            self.prepared.add(program)
            self.scattered = True
        spares = self.stamp or request.get("device") == "cuda"  # a private worker on a CPU is busy with a batch
        job = self.spares.take(request) if spares else None
        if job is None:
            job = fork(request, self.grants)
            self._watch(job)
        job.hand_over(connection)
        self.jobs[connection.fileno()] = job
        self.selector.register(connection, selectors.EVENT_READ, lambda: self._hear(job, connection))

    @contextlib.contextmanager
    def _stopped(self) -> Iterator[None]:
        """Stop all children: their usage is not watched now."""
        living = [job.pid for job in self.jobs.values() if job.pid]
        try:
            _signal(living, signal.SIGSTOP)
            yield
        finally:
            _signal(living, signal.SIGCONT)

    def _watch(self, job: Job) -> None:
        """Wait for the child's gate, and then for those who come to it."""
        if (gate := job.gate) is not None:
            self.selector.register(gate.fileno(), selectors.EVENT_READ, lambda: self._meet(job, gate))

    def _meet(self, job: Job, gate: ThreadGate) -> None:
        if gate.watched and gate.answer():
            if gate.refused > _MAX_REFUSALS and not job.why:
                job.why = _TOO_MANY_THREADS
                job.kill()
            return
        self.selector.unregister(gate.fileno())
        if not gate.watched and gate.receive():
            self.selector.register(gate.fileno(), selectors.EVENT_READ, lambda: self._meet(job, gate))
        else:
            gate.close()

    def _hear(self, job: Job, connection: socket.socket) -> None:
        try:
            message = connection.recv(64)
        except OSError:
            message = b""
        if not message:
            self.selector.unregister(connection)
            self.jobs.pop(connection.fileno(), None)
            connection.close()
        job.kill()

    def _reap(self, woken: socket.socket) -> None:
        with contextlib.suppress(BlockingIOError):
            while woken.recv(512):
                pass
        while True:
            try:
                pid, status, used = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == 0:
                break
            self._tell(pid, status, used)
        if not any(job.pid for job in self.jobs.values()):
            kill_orphans(self.spares.pids())

    def _tell(self, pid: int, status: int, used: resource.struct_rusage) -> None:
        self.spares.lost(pid)
        # Beyond its own memory, where this process has as much of the libraries. Refused more, C code reads at 0.
        taken_bytes = (used.ru_maxrss - resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * _RSS_UNIT_BYTES
        for job in self.jobs.values():
            if job.pid == pid and job.connection is not None:
                with contextlib.suppress(OSError):
                    os.killpg(pid, signal.SIGKILL)  # what it may have left behind
                job.pid = 0
                is_fault = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGSEGV
                if is_fault and not job.why and taken_bytes > _LIMIT_SHARE * job.memory_bytes:
                    job.why = _too_much(job)
                with contextlib.suppress(OSError):
                    notice = {"status": status, "cpu_s": used.ru_utime + used.ru_stime, "why": job.why}
                    job.connection.sendall(json.dumps(notice).encode() + b"\n")


def _too_much(job: Job) -> str:
    return f"it took more than {job.memory_bytes >> 20:,} MiB of memory"


def _signal(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def _warm(program: str) -> None:
    """Let a program that has a `warm` do once, for all its children, what none of them need repeat."""
    try:
        module = importlib.import_module(f"studykit.graders.child.{program}")
        getattr(module, "warm", lambda: None)()
    except Exception as error:
        raise ValueError(f"{program} cannot be prepared: {type(error).__name__}: {error}") from error


def _line(connection: socket.socket) -> bytes:
    data = b""
    while not data.endswith(b"\n"):
        more = connection.recv(4096)
        if not more or len(data) > _REQUEST_BYTES:
            raise OSError("no request")
        data += more
    return data


def main() -> None:
    """Import what the backend needs, then serve."""
    lockdown.raise_limits()
    parser = argparse.ArgumentParser()
    for name in ("listen", "lifeline"):
        parser.add_argument(f"--{name}", type=int, required=True)
    for name in ("backend", "path"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--idle", type=float, required=True)
    options = parser.parse_args()
    listening = socket.socket(fileno=options.listen)
    path = Path(options.path)
    mark = stamp() if options.lifeline < 0 else ""  # bubblewrap hides of the groups' limits what the command sees
    server = ForkServer(listening, options.lifeline, options.idle, path, mark, bound=file_of(path))
    lockdown.adopt_orphans()
    try:
        beside = {  # else every child would import them
            "torch": ("einops._torch_specific", "einops.layers.torch"),
            "numpy": ("studykit.graders.child.numpy_recorder",),
        }.get(options.backend, ())
        for name in (options.backend, "numpy", "einops", *beside, "studykit.graders.child.run_rewrite"):
            importlib.import_module(name)
    except Exception as error:  # told to whoever asks for a child
        server.failure = f"{options.backend} cannot be imported: {type(error).__name__}: {error}"
    lockdown.limit_descriptors()
    seccomp.prepare()
    server.grants = landlock.grants(sys.path)
    gc.freeze()  # forked children then share these pages
    server.run()


if __name__ == "__main__":
    main()
