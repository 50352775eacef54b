"""Test starting and finding workers: whatever stands in the way, an answer is graded and nothing hangs."""

import ctypes
import errno
import mmap
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from children import call, children_of, load, processes_of

from studykit.errors import MissingError
from studykit.exercise.verdict import Crashed
from studykit.graders.child import fork_server
from studykit.sandbox import lockdown
from studykit.sandbox import worker as warm
from studykit.sandbox.channel import Message
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import Worker, open_worker, runtime_folder, stamp

LIMITS = Limits(wall_s=20, cpu_s=2)


def opened(runtime: Path) -> Worker:
    return open_worker(backend="numpy", runtime=runtime, wrapped=False)


def works(worker: Worker) -> bool:
    with worker.start("run_rewrite", LIMITS) as child:
        return isinstance(load(child, "def f(): return 1"), Message)


def socket_of(runtime: Path) -> Path:
    return runtime / f"numpy-{stamp()}.sock"


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("start.lock", os.mkfifo),
        ("start.lock", Path.mkdir),
        ("start.lock", lambda path: path.symlink_to("elsewhere")),
        ("start.lock", lambda path: path.symlink_to(path.name)),
        (f"numpy-{stamp()}.sock", Path.mkdir),
    ],
    ids=["fifo", "folder", "link", "loop", "socket"],
)
def test_obstacle_gives_private_worker(runtime: Path, name: str, make: Callable[[Path], object]) -> None:
    make(runtime / name)

    with opened(runtime) as worker:
        assert worker.process is not None
        assert works(worker)
    assert not (runtime / "elsewhere").exists()


def test_held_lock_gives_a_private_worker(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "LOCK_S", 0.1)
    lock = warm.lock(runtime)
    assert lock is not None

    with opened(runtime) as worker:
        assert worker.process is not None
    os.close(lock)


def test_private_worker_removes_folder_after_a_kill() -> None:
    worker = open_worker(backend="numpy", shared=False, wrapped=False)
    assert worker.process is not None
    assert works(worker)

    os.close(worker.lifeline)  # as when the command is killed
    worker.process.wait(10)

    assert worker.folder is not None
    assert not worker.folder.exists()


def test_file_at_the_socket_is_replaced(runtime: Path) -> None:
    socket_of(runtime).touch()

    worker = opened(runtime)

    assert worker.process is None
    assert works(worker)


def test_a_worker_of_another_user_is_not_asked(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX) as foreign:
        foreign.bind(str(socket_of(runtime)))
        foreign.listen()
        monkeypatch.setattr(warm, "owner_of", lambda _: 12345)

        assert not warm.answers(socket_of(runtime))


@pytest.mark.parametrize("queue", [0, warm._MAX_QUEUED])
def test_starting_worker_serves_every_waiting_command(
    runtime: Path, monkeypatch: pytest.MonkeyPatch, queue: int
) -> None:
    monkeypatch.setattr(warm, "_MAX_QUEUED", queue)
    (starting := runtime / "python").write_text("#!/bin/sh\nexec sleep 60\n")
    starting.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(starting))
    with warm._spawn(path := runtime / "w.sock", "numpy", []) as process:
        assert all(warm.answers(path) for _ in range(200))
        process.kill()


def test_who_finds_the_queue_full_waits(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "_MAX_QUEUED", 0)
    worker = opened(runtime)  # it imports still

    with ThreadPoolExecutor(20) as pool:
        assert all(pool.map(works, [worker] * 20))


def test_worker_with_other_group_limits_is_not_used(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that the limited worker keeps running, although it does not see these limits itself."""
    free = opened(runtime)
    monkeypatch.setattr(lockdown, "group_limits", lambda: ["cpu.max 2000 100000"])

    limited = opened(runtime)

    assert limited.path != free.path
    assert works(limited)
    time.sleep(0.5)  # it looks whether it is still wanted when a child has gone
    assert works(limited)
    assert opened(runtime).path == limited.path


UNDER_A_FILTER = """
from studykit.sandbox import lockdown, seccomp
lines = (0x20, 0, 0, 0), (0x15, {call}, 0, 1), (6, seccomp._REFUSED, 0, 0), (6, seccomp.ALLOW, 0, 0)
lockdown._prctl(lockdown._SET_NO_NEW_PRIVILEGES, 1)
seccomp._load(seccomp.here(), b"".join(seccomp._line(*each) for each in lines), 0)
"""
ONE_CORE = not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) == 1
OPENS = """
import os, resource, sys
from pathlib import Path
from studykit.sandbox.worker import open_worker
print(open_worker(backend="numpy", runtime=Path(sys.argv[1]), wrapped=False).path)
"""


@pytest.mark.parametrize(
    "bound",
    [
        pytest.param(UNDER_A_FILTER.format(call=444), id="no Landlock"),  # as in a container
        pytest.param(UNDER_A_FILTER.format(call=446), id="Landlock that may not be used"),
        pytest.param("resource.setrlimit(resource.RLIMIT_DATA, (900 << 20, 900 << 20))", id="less memory"),
        pytest.param("os.nice(5)", id="nice"),
        pytest.param(
            "os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))",
            id="batch",
            marks=pytest.mark.skipif(not hasattr(os, "SCHED_BATCH"), reason="Linux has it"),
        ),
        pytest.param(
            "os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])",
            id="one core",
            marks=pytest.mark.skipif(ONE_CORE, reason="one core"),
        ),
    ],
)
def test_worker_with_stricter_limits_is_not_used(runtime: Path, bound: str) -> None:
    command = [sys.executable, "-c", f"import os, resource\n{bound}\n{OPENS}", str(runtime)]
    theirs = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.strip()

    worker = opened(runtime)

    assert theirs.startswith(str(runtime / "numpy-"))
    assert theirs != str(worker.path)
    assert works(worker)


SOFT = """
import resource
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import open_worker
hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
resource.setrlimit(resource.RLIMIT_CPU, (600, hard))
with open_worker(backend="numpy", shared=False, wrapped=False) as worker:
    worker.start("run_rewrite", Limits()).close()
    print(resource.prlimit(worker.process.pid, resource.RLIMIT_CPU) == (hard, hard))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the limits of another process")
def test_worker_ignores_soft_limits_of_its_command() -> None:
    done = subprocess.run([sys.executable, "-c", SOFT], capture_output=True, text=True, timeout=60, check=True)

    assert done.stdout == "True\n"


def test_hanging_worker_is_replaced(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "START_S", 0.2)
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(socket_of(runtime)))
        silent.listen()
        with pytest.raises(MissingError, match="does not answer"):
            opened(runtime).start("run_rewrite", LIMITS)
        monkeypatch.undo()

        assert works(opened(runtime))


def test_ended_worker_leaves_a_newer_one_alone(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "START_S", 0.2)
    path = socket_of(runtime)
    with socket.socket(socket.AF_UNIX) as silent, socket.socket(socket.AF_UNIX) as newer:
        silent.bind(str(path))
        silent.listen()
        gone = opened(runtime)
        path.rename(runtime / "gone")
        newer.bind(str(path))
        newer.listen()

        with pytest.raises(MissingError, match="does not answer"):
            gone.start("run_rewrite", LIMITS)

        assert warm.answers(path)


def test_deeply_nested_request_does_not_end_worker(runtime: Path) -> None:
    worker = opened(runtime)
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(str(worker.path))
        asking.sendall(b"[" * 50_000 + b"\n")
        asking.settimeout(20)
        reply = asking.recv(4096)

    assert b"error" in reply
    assert works(worker)


def test_worker_leaves_a_replaced_socket_alone(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fork_server, "_IDLE_POLL_S", 0.05)
    path = socket_of(runtime)
    with socket.socket(socket.AF_UNIX) as old, socket.socket(socket.AF_UNIX) as new:
        old.bind(str(path))
        server = fork_server.ForkServer(old, -1, 0.5, path, stamp(), bound=warm.file_of(path))
        path.rename(runtime / "gone")
        new.bind(str(path))
        new.listen()
        if (pid := os.fork()) == 0:
            try:
                server.run()
            finally:
                os._exit(0)
        os.waitpid(pid, 0)

        assert warm.answers(path)


@pytest.mark.parametrize("mask", [0o777, 0o177])
def test_odd_umask_closes_no_folder_of_ours(runtime: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        with open_worker(backend="numpy", shared=False, wrapped=False) as worker:
            private = worker.path.parent
            modes = [private.stat().st_mode & 0o777]
        folder = warm.private_folder(runtime / "studykit")
        assert folder is not None
        lock = warm.lock(folder)
        assert lock is not None
        modes += [folder.stat().st_mode & 0o777, os.fstat(lock).st_mode & 0o777]
        os.close(lock)
    finally:
        os.umask(before)

    assert modes == [0o700, 0o700, 0o600]
    assert not private.exists()  # an ordinary user could not have looked into it to remove it


def test_folder_closed_by_odd_umask_is_reopened(runtime: Path) -> None:
    closed = runtime / "studykit"
    closed.mkdir(mode=0)

    assert warm.private_folder(closed) == closed
    assert closed.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("folder", ["", ".", "/nowhere/at/all", "/etc/passwd", "/tmp/" + "n" * 300, "/tmp/\0"])
def test_invalid_runtime_folder_falls_back(folder: str) -> None:
    assert runtime_folder(folder) == Path(f"/tmp/studykit-{os.getuid()}")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder away")
def test_runtime_folder_of_another_user_is_skipped(tmp_path: Path) -> None:
    os.chown(tmp_path, 61234, 61234)  # as `su` leaves it in the environment

    assert runtime_folder(str(tmp_path)) == Path(f"/tmp/studykit-{os.getuid()}")


def test_unreadable_runtime_folder_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "stat", refused)

    assert runtime_folder("/home/somebody/run") == Path(f"/tmp/studykit-{os.getuid()}")


@pytest.mark.parametrize(
    ("owner", "name", "error", "message"),
    [
        (tempfile, "mkdtemp", OSError(28, "No space left on device"), r"on device\. Check that /tmp is writable"),
        (
            subprocess,
            "Popen",
            BlockingIOError(errno.EAGAIN, "Unavailable"),
            r"Unavailable\. Close some programs\.$",
        ),
    ],
    ids=["disk", "processes"],
)
def test_exhausted_machine_gets_a_sentence(
    monkeypatch: pytest.MonkeyPatch, owner: object, name: str, error: OSError, message: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(owner, name, refuse)

    with pytest.raises(MissingError, match=message):
        open_worker(backend="numpy", shared=False, wrapped=False)


def test_end_of_child_is_seen_despite_blocked_signal() -> None:
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    try:
        with (
            open_worker(backend="numpy", shared=False, wrapped=False) as worker,
            worker.start("run_rewrite", LIMITS) as child,
        ):
            code = "import os\ndef f(): os._exit(3)"
            assert call(child, code) == Crashed("it ended itself with exit code 3 before it answered")
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


def gathers_pages() -> bool:
    """Return whether this kernel puts memory into a huge page when asked."""
    if sys.platform != "linux":
        return False
    size = 2 << 20
    memory = mmap.mmap(-1, 2 * size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.write(b"x" * 2 * size)
    first = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    start = ctypes.c_void_p(-(-first // size) * size)
    return bool(ctypes.CDLL(None).madvise(start, ctypes.c_size_t(size), 25) == 0)


@pytest.mark.skipif(not gathers_pages(), reason="needs Linux 6.1 with large pages")
def test_worker_moves_memory_into_huge_pages() -> None:
    with open_worker(backend="numpy", shared=False, wrapped=False) as worker:
        assert worker.process is not None
        pages = Path(f"/proc/{worker.process.pid}/smaps_rollup")
        worker.start("run_rewrite", LIMITS).close()
        until = time.monotonic() + 5
        while "AnonHugePages:         0 kB" in pages.read_text():
            assert time.monotonic() < until
            time.sleep(0.05)

        assert works(worker)


@pytest.mark.skipif(sys.platform != "linux", reason="children are listed in /proc")
def test_shared_worker_keeps_two_children_ready(runtime: Path) -> None:
    worker = opened(runtime)
    assert works(worker)
    first = two_children_of(worker)

    assert works(worker)  # by one of them

    second = two_children_of(worker, besides=first)
    assert first - second  # it served
    assert first & second  # the other one waits


def two_children_of(worker: Worker, besides: set[int] | None = None) -> set[int]:
    """Return the processes of the worker's children, once there are two that are not those in `besides`."""
    pid, until = processes_of(worker)[0], time.monotonic() + 20
    while len(children := set(children_of(pid))) != 2 or children == besides:
        assert time.monotonic() < until, children
        time.sleep(0.01)
    return children
