"""Run the warm worker, a fork server: import the libraries once, then fork a limited child for each request.

Each connection asks for one child by a line of JSON. The worker sends back descriptors of the child's channel and
output, and a notice when the child ends. A `k` on the connection, or closing it, kills the child. The worker
itself never runs untrusted code and never judges.
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
from studykit.sandbox import landlock, lockdown
from studykit.sandbox.worker import file_of, owner_of, stamp

_MAX_REQUEST_BYTES = 1 << 16
_IDLE_POLL_S = 5.0  # how often an idle worker checks whether it is still needed
_JOB_POLL_S = 0.05  # how often a busy worker checks its children's usage
_WEIGH_S = 0.2  # how often it checks their memory where the kernel cannot limit it
_MAX_THREADS = 256  # of a child whose threads the kernel does not report
# 6 GiB in one piece need page tables of 12 MiB. Touching scattered pages could use gigabytes that no
# limit counts.
_MAX_TABLES_BYTES = 64 << 20
_SPARE_BYTES = 64 << 20  # a child may exceed its limit by this before a poll notices
_MAX_REFUSALS = 256  # a child that keeps asking for threads would keep the worker from its other work
_MIN_OOM_FRACTION = 0.9  # of the memory limit: a segmentation fault above it is reported as lack of memory
_RSS_UNIT_BYTES = 1024 if sys.platform == "linux" else 1
_TOO_MANY_THREADS = "it started too many threads"


@dataclass(slots=True)
class ForkServer:
    """Serve requests for children until idle."""

    listening: socket.socket
    lifeline: int  # a pipe; a private worker ends when it is closed. -1 for a shared worker
    idle_s: float
    path: Path  # of the socket
    stamp: str  # when it was started, as seen by this process, or "" for a private worker
    failure: str = ""  # why the imports failed
    bound: tuple[int, int] | None = None  # identity of the socket's file, which another worker may replace
    grants: landlock.Grants = field(default_factory=lambda: landlock.Grants(0))
    jobs: dict[int, Job] = field(default_factory=dict)  # by the connection's descriptor
    spares: SpareChildren = field(default_factory=SpareChildren)
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    prepared: set[str] = field(default_factory=set)  # names of programs
    has_scattered_memory: bool = False  # something was imported since its memory was gathered in large pages
    is_leaving: bool = False
    polled: float = 0.0  # when usage was last checked
    weighed: float = 0.0  # when memory was last checked, where the kernel cannot limit it

    def run(self) -> None:
        """Serve until idle too long, out of date, or the lifeline is closed."""
        # SIGCHLD writes to this pair, so that the selector wakes up when a child ends.
        woken, wakes = socket.socketpair()
        woken.settimeout(0)
        wakes.settimeout(0)
        signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        # The process that started the first command may have blocked the signal, which is inherited.
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        self.selector.register(self.listening, selectors.EVENT_READ, self._accept)
        self.selector.register(woken, selectors.EVENT_READ, lambda: self._reap(woken))
        if self.lifeline >= 0:
            self.selector.register(self.lifeline, selectors.EVENT_READ, self._leave)
        last = time.monotonic()
        while not self.is_leaving:
            for key, _ in self.selector.select(_JOB_POLL_S if self.jobs else _IDLE_POLL_S):
                key.data()
                last = time.monotonic()
            self._enforce_limits()
            if sys.platform != "linux" and self.jobs and time.monotonic() - self.weighed > _WEIGH_S:
                self.weigh()
            if not self.jobs:
                # Only now, so that the first answer did not wait for it, but before spare children are forked.
                if self.has_scattered_memory:
                    use_large_pages()
                    self.has_scattered_memory = False
                self.spares.refill(self.grants, self._watch)
            if not self.jobs and (time.monotonic() - last > self.idle_s or self._is_stale()):
                break
        self._end()

    def _enforce_limits(self) -> None:
        """Kill children that exceed limits which the kernel does not enforce exactly: see `Usage`."""
        if time.monotonic() - self.polled < _JOB_POLL_S:
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
        self.polled = time.monotonic()

    def weigh(self) -> None:
        """Kill children that hold more memory than allowed. Outside Linux nothing else limits them."""
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
        self.is_leaving = True

    def _end(self) -> None:
        # Unless a newer worker has replaced the socket.
        if self.bound and file_of(self.path) == self.bound:
            self.path.unlink(missing_ok=True)
            # A private worker removes its folder too, because the command that made it may have been killed.
            if self.lifeline >= 0:
                with contextlib.suppress(OSError):
                    self.path.parent.rmdir()
        for job in list(self.jobs.values()):
            job.kill()
        self.spares.end()

    def _accept(self) -> None:
        try:
            connection, _ = self.listening.accept()
        except OSError:  # the client is gone again, or no more descriptors are allowed
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
            with self._children_stopped():
                _warm(program)
            self.prepared.add(program)
            self.has_scattered_memory = True
        # A private worker on a CPU serves a batch, whose cores are busy, so spare children would gain nothing.
        uses_spares = self.stamp or request.get("device") == "cuda"
        job = self.spares.take(request) if uses_spares else None
        if job is None:
            job = fork(request, self.grants)
            self._watch(job)
        job.hand_over(connection)
        self.jobs[connection.fileno()] = job
        self.selector.register(connection, selectors.EVENT_READ, lambda: self._on_client_message(job, connection))

    @contextlib.contextmanager
    def _children_stopped(self) -> Iterator[None]:
        """Stop all children while their usage is not watched."""
        living = [job.pid for job in self.jobs.values() if job.pid]
        try:
            _signal(living, signal.SIGSTOP)
            yield
        finally:
            _signal(living, signal.SIGCONT)

    def _watch(self, job: Job) -> None:
        """Wait for the child to hand over its gate, and then for its requests for threads."""
        if (gate := job.gate) is not None:
            self.selector.register(gate.fileno(), selectors.EVENT_READ, lambda: self._on_gate_ready(job, gate))

    def _on_gate_ready(self, job: Job, gate: ThreadGate) -> None:
        if gate.watched and gate.answer():
            if gate.refused > _MAX_REFUSALS and not job.why:
                job.why = _TOO_MANY_THREADS
                job.kill()
            return
        self.selector.unregister(gate.fileno())
        if not gate.watched and gate.receive():
            self.selector.register(gate.fileno(), selectors.EVENT_READ, lambda: self._on_gate_ready(job, gate))
        else:
            gate.close()

    def _on_client_message(self, job: Job, connection: socket.socket) -> None:
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
            self._notify_exit(pid, status, used)
        if not any(job.pid for job in self.jobs.values()):
            kill_orphans(self.spares.pids())

    def _notify_exit(self, pid: int, status: int, used: resource.struct_rusage) -> None:
        self.spares.lost(pid)
        # C code that gets NULL instead of memory reads address 0. So a segmentation fault of a child near its
        # limit means lack of memory. Both processes share the libraries' pages, so subtract our own peak.
        taken_bytes = (used.ru_maxrss - resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * _RSS_UNIT_BYTES
        for job in self.jobs.values():
            if job.pid == pid and job.connection is not None:
                with contextlib.suppress(OSError):
                    os.killpg(pid, signal.SIGKILL)  # processes that it left behind
                job.pid = 0
                is_fault = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGSEGV
                if is_fault and not job.why and taken_bytes > _MIN_OOM_FRACTION * job.memory_bytes:
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
    """Call a program's `warm`, if it has one, which does once what its children need not repeat."""
    try:
        module = importlib.import_module(f"studykit.graders.child.{program}")
        getattr(module, "warm", lambda: None)()
    except Exception as error:
        raise ValueError(f"{program} cannot be prepared: {type(error).__name__}: {error}") from error


def _line(connection: socket.socket) -> bytes:
    data = b""
    while not data.endswith(b"\n"):
        more = connection.recv(4096)
        if not more or len(data) > _MAX_REQUEST_BYTES:
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
    # Computed here rather than passed in: inside bubblewrap this process sees other control groups than the
    # command.
    mark = stamp() if options.lifeline < 0 else ""
    server = ForkServer(listening, options.lifeline, options.idle, path, mark, bound=file_of(path))
    lockdown.adopt_orphans()
    try:
        extras = {  # otherwise every child would import them
            "torch": ("einops._torch_specific", "einops.layers.torch"),
            "numpy": ("studykit.graders.child.numpy_recorder",),
        }.get(options.backend, ())
        for name in (options.backend, "numpy", "einops", *extras, "studykit.graders.child.run_rewrite"):
            importlib.import_module(name)
    except Exception as error:  # reported to every client
        server.failure = f"{options.backend} cannot be imported: {type(error).__name__}: {error}"
    lockdown.limit_descriptors()
    server.grants = landlock.grants(sys.path)
    gc.freeze()  # a collection in a child would write to every object, and so copy all shared pages
    server.run()


if __name__ == "__main__":
    main()
