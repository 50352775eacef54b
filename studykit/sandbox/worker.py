"""The warm worker of this user and installation: found or started, and asked for limited children.

Its sockets lie in a private folder and carry a name for the installation, so that a worker from before an upgrade
is never asked. What the worker does is `graders/child/fork_server.py`.
"""

import contextlib
import errno
import fcntl
import importlib.util
import json
import os
import resource
import select
import socket
import stat
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.errors import MissingError
from studykit.sandbox import landlock, lockdown, seccomp
from studykit.sandbox.channel import Child, WorkerEndedError
from studykit.sandbox.landlock import DRIVER_LIBRARIES
from studykit.sandbox.lockdown import HANDED_ON, Limits

if TYPE_CHECKING:
    import subprocess

START_S = 90.0  # torch from a cold disk
_LOOK_S = 0.5  # that one look counts
_QUEUE = 4096  # who may ask while it imports torch: a batch does twice for each core; older kernels allow 128
_FULL_S = 0.05  # between two tries where the queue is full
_LINES = 2  # of a child that are handed over: the channel and the output
IDLE_S = 300.0
PREFIX, SOCKET = "study-", "w.sock"  # of a private worker
_OWNER_ONLY = 0o700  # whatever the umask is
PATH_BYTES = 100  # AF_UNIX allows 104 to 108
LOCK_S = 15.0  # who holds the lock tries bubblewrap, for five seconds at most
LEFT_S = 60.0
_RESOURCE_ERRORS = {errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM}  # too many processes or files
_INSIDE, _BARE, _UNFIT = ".in-bwrap.sock", ".sock", ".unfit-bwrap.sock"
"""Ends of a shared socket's name: bubblewrap is around the worker, does not start, or starts, but not Python."""
_SANDBOX = Path(__file__).parent
_FOLDERS = _SANDBOX, _SANDBOX.parent / "graders", _SANDBOX.parent.parent / "graders"
"""Of our own files: the graders are installed, or in a checkout."""


@dataclass(slots=True, eq=False)
class Worker(AbstractContextManager["Worker"]):
    """A process that has its libraries imported and forks one child for each request."""

    path: Path  # of its socket
    backend: str
    lifeline: int = -1  # a pipe whose end ends a private worker
    process: "subprocess.Popen[bytes] | None" = None
    folder: Path | None = None  # of a private worker, removed with it
    wrapped: bool = False  # bubblewrap is around it
    _closed: bool = False
    _bound: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self._bound = file_of(self.path)

    def start(
        self,
        program: str,
        limits: Limits | None = None,
        *,
        device: str = "cpu",
        threads: int = 1,
        confined: bool = True,
    ) -> Child:
        """Start a child that runs `studykit.graders.child.PROGRAM`. Raise MissingError if none can be had.

        One that is not `confined` has a limit on its time only: see `confinement.py`.
        """
        limits = limits or Limits()
        request = {"program": program, "device": device, "threads": threads, "limits": asdict(limits)}
        request["confined"] = confined
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.settimeout(START_S)
            connect(connection, self.path)
            connection.sendall(json.dumps(request).encode() + b"\n")
            _wait(connection)
            reply, descriptors, _, _ = socket.recv_fds(connection, 4096, 2)
        except OSError as error:
            connection.close()
            self._give_up()
            raise WorkerEndedError(f"the sandbox's worker does not answer ({error}); try again.") from None
        if len(descriptors) != _LINES:
            for descriptor in descriptors:
                os.close(descriptor)
            connection.close()
            self._give_up()
            raise _refusal(reply)
        return Child(connection, socket.socket(fileno=descriptors[0]), descriptors[1], limits)

    def _give_up(self) -> None:
        """Let the next command start another worker instead of a broken shared one."""
        if self.process is None and file_of(self.path) == self._bound:  # else it is there already
            with contextlib.suppress(OSError):
                self.path.unlink()

    def let_go(self) -> None:
        """Let a private worker end, without waiting for it."""
        if self.lifeline >= 0:
            os.close(self.lifeline)
            self.lifeline = -1

    def close(self) -> None:
        """End a private worker and all its children. A shared one stays for the next command."""
        if self._closed or self.process is None:
            return
        from shutil import rmtree
        from subprocess import TimeoutExpired

        self._closed = True
        self.let_go()
        try:
            self.process.wait(5)
        except TimeoutExpired:
            self.process.kill()
            self.process.wait(5)
        if self.folder:
            rmtree(self.folder, ignore_errors=True)

    def __exit__(self, *_: object) -> None:
        self.close()


def _wait(connection: socket.socket) -> None:
    """Wait for data. Time in which the whole machine was suspended does not count."""
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    left_s = START_S
    while left_s > 0:
        began = time.monotonic()
        if poll.poll(1000 * _LOOK_S):
            return
        left_s -= min(time.monotonic() - began, _LOOK_S)
    raise TimeoutError("timed out")


def _refusal(reply: bytes) -> MissingError:
    try:
        return MissingError(f"the sandbox cannot start: {json.loads(reply)['error']}")
    except (ValueError, KeyError, TypeError):
        return WorkerEndedError("the sandbox's worker ended while it started; try again.")


def has_torch() -> bool:
    """Return whether torch is installed, without importing it."""
    return importlib.util.find_spec("torch") is not None


def open_worker(
    *, backend: str = "torch", shared: bool = True, runtime: Path | None = None, wrapped: bool = True
) -> Worker:
    """Return this user's warm worker for this installation, started if needed, or one private to this process.

    `runtime` is the folder for its socket, readable only by this user. Without one, or if it is not private, the
    worker is private. Bubblewrap runs around it where it works, unless `wrapped` is False.
    """
    folder = private_folder(runtime) if shared else None
    if folder is None:
        return _private(backend, wrapped=wrapped)
    if (lock_descriptor := lock(folder)) is None:
        return _private(backend, wrapped=wrapped)
    try:
        return _shared(folder, backend, wrapped=wrapped)
    except OSError:  # something of ours stands where the socket should be, or the disk is full
        return _private(backend, wrapped=wrapped)
    finally:
        os.close(lock_descriptor)


def runtime_folder(environ_runtime: str | None) -> Path:
    """Return the folder for this user's sockets: `XDG_RUNTIME_DIR`, else an own folder beside temporary files.

    After `su` the first is another user's.
    """
    base = Path(environ_runtime) if environ_runtime else None
    if base is not None and base.is_absolute() and len(os.fsencode(base)) < PATH_BYTES - 50 and _is_own(base):
        return base / "studykit"
    return Path("/tmp") / f"studykit-{os.getuid()}"


def _is_own(folder: Path) -> bool:
    try:
        status = folder.stat()
    except (OSError, ValueError):  # no name of a file
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()


def _shared(folder: Path, backend: str, *, wrapped: bool) -> Worker:
    mark = stamp()
    inside, bare, unfit = (folder / f"{backend}-{mark}{end}" for end in (_INSIDE, _BARE, _UNFIT))
    if wrapped and _is_listening(inside):
        return Worker(inside, backend, wrapped=True)
    from studykit.sandbox import bubblewrap

    starts = wrapped and bubblewrap.may_work()
    path = unfit if starts else bare  # one without is not used once bubblewrap is there
    if _is_listening(path):
        return Worker(path, backend)
    wrapping = bubblewrap.command(folder, backend) if starts else []
    path = inside if wrapping else path
    _spawn(path, backend, wrapping).returncode = 0  # it outlives this process, which does not wait for it
    return Worker(path, backend, wrapped=bool(wrapping))


def _is_listening(path: Path) -> bool:
    """Return whether a worker listens there. Otherwise remove the socket for the next one."""
    if answers(path):
        return True
    path.unlink(missing_ok=True)
    return False


def _private(backend: str, *, wrapped: bool) -> Worker:
    import shutil
    from tempfile import mkdtemp

    folder = None
    try:
        folder = Path(mkdtemp(prefix=PREFIX, dir="/tmp"))  # short enough for AF_UNIX
        folder.chmod(_OWNER_ONLY)
        remove_abandoned(folder)
        return _private_in(folder, backend, wrapped=wrapped)
    except OSError as error:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        advice = "" if error.errno in _RESOURCE_ERRORS else "; is /tmp full, or not to be written?"
        raise MissingError(f"the sandbox cannot start: {error}{advice}") from None


def _private_in(folder: Path, backend: str, *, wrapped: bool) -> Worker:
    from studykit.sandbox import bubblewrap

    path = folder / SOCKET
    wrapping = bubblewrap.command(folder, backend) if wrapped else []
    read_end, lifeline = os.pipe()
    try:
        process = _spawn(path, backend, wrapping, lifeline=read_end)
    finally:
        os.close(read_end)
    return Worker(path, backend, lifeline, process, folder, wrapped=bool(wrapping))


def _spawn(path: Path, backend: str, wrapping: list[str], *, lifeline: int = -1) -> "subprocess.Popen[bytes]":
    """Start a worker on a socket that already listens, so that early clients wait in its queue."""
    import subprocess

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        path.chmod(0o600)
        listening.listen(_QUEUE)
        options = [f"--listen={listening.fileno()}", f"--lifeline={lifeline}", f"--backend={backend}"]
        options += [f"--path={path}", f"--idle={IDLE_S}"]
        inherited = (listening.fileno(), *((lifeline,) if lifeline >= 0 else ()))
        return subprocess.Popen(
            [*wrapping, sys.executable, "-E", "-P", "-m", "studykit.graders.child.fork_server", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=inherited,
            cwd="/",
            env=_environment(),
            start_new_session=True,
        )


def _environment() -> dict[str, str]:
    """Return the worker's environment: nothing of the learner's, and one thread for each library."""
    fixed = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    mounted = [f"{folder}/lib64" for folder in DRIVER_LIBRARIES if Path(folder).is_dir()]
    if mounted:  # the loader's cache may not know them
        fixed["LD_LIBRARY_PATH"] = ":".join(mounted)
    return fixed


def private_folder(folder: Path | None) -> Path | None:
    """Return the folder, made if needed. None if others may use it, or its name is too long for a socket."""
    if folder is None or len(os.fsencode(folder)) > PATH_BYTES - 40:
        return None
    try:
        folder.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
            return None
        folder.chmod(_OWNER_ONLY)  # a umask may have kept ourselves out
    except OSError:
        return None
    return folder


def lock(folder: Path) -> int | None:
    """Wait for the right to start a shared worker. Return None if it does not come in time."""
    try:
        descriptor = os.open(folder / "start.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except OSError:
        return None
    with contextlib.suppress(OSError):
        os.fchmod(descriptor, 0o600)  # else the next command could not open what a umask has closed
    until = time.monotonic() + LOCK_S
    while stat.S_ISREG(os.fstat(descriptor).st_mode):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > until:
                break
            time.sleep(0.02)
        else:
            return descriptor
    os.close(descriptor)
    return None


def connect(connection: socket.socket, path: Path) -> None:
    """Connect to this user's worker, waiting while it is busy. Raise PermissionError if it is somebody else's."""
    until = time.monotonic() + (connection.gettimeout() or 0)
    while True:
        try:
            connection.connect(str(path))
            break
        except BlockingIOError:  # its queue is full
            if time.monotonic() > until:
                raise
            time.sleep(_FULL_S)
    if owner_of(connection) != os.getuid():
        raise PermissionError("it is another user's")


def file_of(path: Path) -> tuple[int, int] | None:
    """Return inode and time, which differ between files of the same name. None if there is no file."""
    try:
        status = path.lstat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def owner_of(connection: socket.socket) -> int:
    """Return the user at the other end of a connection. Outside Linux the folder's mode decides instead."""
    if not hasattr(socket, "SO_PEERCRED"):
        return os.getuid()
    peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return int.from_bytes(peer[4:8], sys.byteorder)


def answers(path: Path) -> bool:
    """Return whether a process of this user listens there."""
    if not path.exists():
        return False
    with socket.socket(socket.AF_UNIX) as trial:
        trial.settimeout(0)
        try:
            connect(trial, path)
        except OSError as error:
            return isinstance(error, BlockingIOError)  # many wait for it
        return True


def remove_abandoned(folder: Path) -> None:
    """Remove the folders of private workers whose owner was killed before it could."""
    import shutil

    now = folder.stat().st_mtime
    for path in folder.parent.glob(f"{PREFIX}*/{SOCKET}"):
        with contextlib.suppress(OSError):
            status = path.lstat()
            if status.st_uid == os.getuid() and now - status.st_mtime > LEFT_S and not answers(path):
                shutil.rmtree(path.parent)


def stamp() -> str:
    """Hash the interpreter, the installed packages, our own files and what the sandbox enforces now.

    A worker that was started where less holds, in a container say, with lower limits, its own or its group's, on
    fewer cores or after others, is another one: what it lacks its children lack too.
    """
    ceilings = (resource.getrlimit(kind)[1] for kind in HANDED_ON)
    protections = (landlock.abi(), seccomp.available(), seccomp.outer(), *ceilings, *lockdown.group_limits())
    turn = [os.getpriority(os.PRIO_PROCESS, 0)]
    if hasattr(os, "sched_getaffinity"):
        turn += [os.sched_getscheduler(0), *sorted(os.sched_getaffinity(0))]
    words = [sys.executable, sys.version, str(protections), str(turn), *sorted(_packages()), *sorted(_files())]
    facts = "\n".join(words).encode()
    return f"{zlib.crc32(facts):08x}{zlib.adler32(facts):08x}"  # no secret, and hashlib costs 5 ms to import


def _packages() -> Iterator[str]:
    """Yield names with versions. Folder times would change when Python first writes `__pycache__`."""
    for folder in sys.path:
        if folder.endswith(("site-packages", "dist-packages")) and Path(folder).is_dir():
            with os.scandir(folder) as entries:
                yield from (entry.name for entry in entries if entry.name.endswith(".dist-info"))


def _files() -> Iterator[str]:
    for folder in _FOLDERS:
        for top, _, names in os.walk(folder):
            yield from (f"{name} {Path(top, name).stat().st_mtime_ns}" for name in names if name.endswith(".py"))
