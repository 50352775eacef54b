"""Find or start this user's warm worker, and ask it for limited children.

The name of its socket contains a hash of the installation, so that a worker from before an upgrade is never used.
The worker's own program is `graders/child/fork_server.py`.
"""

import contextlib
import errno
import fcntl
import importlib.util
import json
import os
import resource
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path

from studykit.errors import MissingError
from studykit.sandbox import bubblewrap, landlock, lockdown, seccomp
from studykit.sandbox.channel import Child, WorkerEndedError
from studykit.sandbox.landlock import DRIVER_LIBRARIES
from studykit.sandbox.lockdown import HANDED_ON, Limits

START_S = 90.0  # importing torch from a cold disk takes this long
# Clients wait here while the worker imports torch. A batch asks twice for each core, and older kernels cap it
# at 128.
_MAX_QUEUED = 4096
_RETRY_S = 0.05  # between two attempts while the queue is full
_CHILD_DESCRIPTORS = 2  # the channel and the output
IDLE_S = 300.0
_OWNER_ONLY = 0o700  # whatever the umask is
MAX_PATH_BYTES = 100  # AF_UNIX allows 104 on macOS and 108 on Linux
LOCK_S = 15.0  # the holder of the lock tries bubblewrap, which takes up to 5 s
_RESOURCE_ERRORS = {errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM}  # too many processes or files
_INSIDE, _BARE, _UNFIT = ".in-bwrap.sock", ".sock", ".unfit-bwrap.sock"
"""Suffixes of a shared socket: bubblewrap wraps the worker, cannot start, or cannot start Python."""
_SANDBOX = Path(__file__).parent
_FOLDERS = _SANDBOX, _SANDBOX.parent / "graders", _SANDBOX.parent.parent / "graders"
"""Folders of our own code. The graders lie in one place when installed, in the other in a checkout."""


@dataclass(slots=True, eq=False)
class Worker(AbstractContextManager["Worker"]):
    """Start children through a process that has its libraries imported and forks one child for each request."""

    path: Path  # of its socket
    backend: str
    lifeline: int = -1  # a pipe; a private worker ends when it is closed
    process: subprocess.Popen[bytes] | None = None
    folder: Path | None = None  # of a private worker, removed with it
    wrapped: bool = False  # bubblewrap is around it
    _bound: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self._bound = file_of(self.path)

    def start(
        self, program: str, limits: Limits, *, device: str = "cpu", threads: int = 1, confined: bool = True
    ) -> Child:
        """Start a child that runs `studykit.graders.child.PROGRAM`. Raise MissingError if that fails.

        Unless `confined`, only its time is limited: see `confinement.py`.
        """
        request = {"program": program, "device": device, "threads": threads, "confined": confined}
        request["limits"] = asdict(limits)
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.settimeout(START_S)
            connect(connection, self.path)
            connection.sendall(json.dumps(request).encode() + b"\n")
            reply, descriptors, _, _ = socket.recv_fds(connection, 4096, 2)
        except OSError as error:
            connection.close()
            self._retire()
            raise WorkerEndedError(
                f"The sandbox's worker does not answer ({error.strerror or error}). Try again."
            ) from None
        if len(descriptors) != _CHILD_DESCRIPTORS:
            for descriptor in descriptors:
                os.close(descriptor)
            connection.close()
            self._retire()
            raise _start_error(reply)
        return Child(connection, socket.socket(fileno=descriptors[0]), descriptors[1], limits)

    def _retire(self) -> None:
        """Remove a shared worker's socket, so that the next command starts another worker."""
        # Unless another command has done so already: the name then belongs to a new worker.
        if self.process is None and file_of(self.path) == self._bound:
            with contextlib.suppress(OSError):
                self.path.unlink()

    def release(self) -> None:
        """End a private worker without waiting for it."""
        if self.lifeline >= 0:
            os.close(self.lifeline)
            self.lifeline = -1

    def close(self) -> None:
        """End a private worker and all its children. A shared worker stays for the next command."""
        if self.process is None:
            return
        self.release()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(5)
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __exit__(self, *_: object) -> None:
        self.close()


def _start_error(reply: bytes) -> MissingError:
    try:
        return MissingError(f"The sandbox cannot start: {json.loads(reply)['error']}.")
    except (ValueError, KeyError, TypeError):
        return WorkerEndedError("The sandbox's worker ended while it started. Try again.")


def has_torch() -> bool:
    """Return whether torch is installed, without importing it."""
    return importlib.util.find_spec("torch") is not None


def open_worker(
    *, backend: str = "torch", shared: bool = True, runtime: Path | None = None, wrapped: bool = True
) -> Worker:
    """Return this user's shared worker for this installation, started if needed, or one private to this process.

    `runtime` is the folder for its socket. If it is missing or other users may enter it, the worker is private.
    Bubblewrap wraps the worker if it works here, unless `wrapped` is False.
    """
    folder = private_folder(runtime) if shared else None
    if folder is None or (lock_descriptor := lock(folder)) is None:
        return _private(backend, wrapped=wrapped)
    try:
        return _shared(folder, backend, wrapped=wrapped)
    except OSError:  # a folder stands where the socket should be, or the disk is full
        return _private(backend, wrapped=wrapped)
    finally:
        os.close(lock_descriptor)


def runtime_folder(environ_runtime: str | None) -> Path:
    """Return the folder for this user's sockets: below `XDG_RUNTIME_DIR` if that is theirs, else below /tmp."""
    # After `su` the variable still names the first user's folder.
    base = Path(environ_runtime) if environ_runtime else None
    if base is not None and base.is_absolute() and len(os.fsencode(base)) < MAX_PATH_BYTES - 50 and _is_own(base):
        return base / "studykit"
    return Path("/tmp") / f"studykit-{os.getuid()}"


def _is_own(folder: Path) -> bool:
    try:
        status = folder.stat()
    except (OSError, ValueError):  # ValueError: a null byte in the name
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()


def _shared(folder: Path, backend: str, *, wrapped: bool) -> Worker:
    mark = stamp()
    inside, bare, unfit = (folder / f"{backend}-{mark}{end}" for end in (_INSIDE, _BARE, _UNFIT))
    if wrapped and _is_listening(inside):
        return Worker(inside, backend, wrapped=True)
    # The name tells why a worker runs unwrapped, so that it is not used any more once bubblewrap can start.
    starts = wrapped and bubblewrap.may_work()
    path = unfit if starts else bare
    if _is_listening(path):
        return Worker(path, backend)
    wrapping = bubblewrap.command(folder, backend) if starts else []
    path = inside if wrapping else path
    # It outlives this process. A return code keeps Popen from warning about that.
    _spawn(path, backend, wrapping).returncode = 0
    return Worker(path, backend, wrapped=bool(wrapping))


def _is_listening(path: Path) -> bool:
    """Return whether a worker listens on the socket. If not, remove the dead socket."""
    if answers(path):
        return True
    path.unlink(missing_ok=True)
    return False


def _private(backend: str, *, wrapped: bool) -> Worker:
    folder = None
    try:
        # Not in TMPDIR, whose name may be too long for AF_UNIX.
        folder = Path(tempfile.mkdtemp(prefix="study-", dir="/tmp"))
        folder.chmod(_OWNER_ONLY)
        path = folder / "w.sock"
        wrapping = bubblewrap.command(folder, backend) if wrapped else []
        read_end, lifeline = os.pipe()
        try:
            process = _spawn(path, backend, wrapping, lifeline=read_end)
        finally:
            os.close(read_end)
        return Worker(path, backend, lifeline, process, folder, wrapped=bool(wrapping))
    except OSError as error:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        advice = (
            "Close some programs."
            if error.errno in _RESOURCE_ERRORS
            else "Check that /tmp is writable and not full."
        )
        raise MissingError(f"The sandbox cannot start: {error.strerror or error}. {advice}") from None


def _spawn(path: Path, backend: str, wrapping: list[str], *, lifeline: int = -1) -> subprocess.Popen[bytes]:
    """Start a worker on a socket that listens already, so that clients can queue while it imports torch."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        path.chmod(0o600)
        listening.listen(_MAX_QUEUED)
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
    """Return the worker's environment: none of the learner's variables, and one thread for each library."""
    fixed = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    mounted = [f"{folder}/lib64" for folder in DRIVER_LIBRARIES if Path(folder).is_dir()]
    if mounted:  # the container's ld.so.cache may not list them
        fixed["LD_LIBRARY_PATH"] = ":".join(mounted)
    return fixed


def private_folder(folder: Path | None) -> Path | None:
    """Return the folder, made if needed, or None if that fails, others may enter it or its name is too long."""
    if folder is None or len(os.fsencode(folder)) > MAX_PATH_BYTES - 40:
        return None
    try:
        folder.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
            return None
        folder.chmod(_OWNER_ONLY)  # an odd umask takes even the owner's rights
    except OSError:
        return None
    return folder


def lock(folder: Path) -> int | None:
    """Wait for the lock under which a shared worker is started. Return its descriptor, or None on failure."""
    try:
        descriptor = os.open(folder / "start.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except OSError:
        return None
    with contextlib.suppress(OSError):
        os.fchmod(descriptor, 0o600)  # under an odd umask the next command could not open it
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
    """Connect to a worker, waiting while its queue is full. Raise PermissionError if it is another user's."""
    until = time.monotonic() + (connection.gettimeout() or 0)
    while True:
        try:
            connection.connect(str(path))
            break
        except BlockingIOError:  # the queue is full
            if time.monotonic() > until:
                raise
            time.sleep(_RETRY_S)
    if owner_of(connection) != os.getuid():
        raise PermissionError("it belongs to another user")


def file_of(path: Path) -> tuple[int, int] | None:
    """Return inode and time of a file, which tell it from others of the same name, or None if it is missing."""
    try:
        status = path.lstat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def owner_of(connection: socket.socket) -> int:
    """Return the user at the other end of a connection."""
    # Outside Linux the folder's mode keeps others away.
    if not hasattr(socket, "SO_PEERCRED"):
        return os.getuid()
    peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return int.from_bytes(peer[4:8], sys.byteorder)


def answers(path: Path) -> bool:
    """Return whether a process of this user listens on the socket."""
    if not path.exists():
        return False
    with socket.socket(socket.AF_UNIX) as trial:
        trial.settimeout(0)
        try:
            connect(trial, path)
        except OSError as error:
            return isinstance(error, BlockingIOError)  # its queue is full, so it is alive
        return True


def stamp() -> str:
    """Hash the interpreter, the installed packages, our own files, and the limits that hold for this process."""
    # Children inherit the worker's limits. A worker started in a container, with lower limits, on fewer cores
    # or with a lower priority must not serve a command that has more.
    ceilings = (resource.getrlimit(kind)[1] for kind in HANDED_ON)
    protections = (landlock.abi(), seccomp.available(), seccomp.outer(), *ceilings, *lockdown.group_limits())
    scheduling = [os.getpriority(os.PRIO_PROCESS, 0)]
    if hasattr(os, "sched_getaffinity"):
        scheduling += [os.sched_getscheduler(0), *sorted(os.sched_getaffinity(0))]
    installed = [*sorted(_packages()), *sorted(_files())]
    facts = "\n".join([sys.executable, sys.version, str(protections), str(scheduling), *installed]).encode()
    # Not a secret, so no cryptographic hash: importing hashlib would cost each command 5 ms.
    return f"{zlib.crc32(facts):08x}{zlib.adler32(facts):08x}"


def _packages() -> Iterator[str]:
    """Yield the installed packages with their versions."""
    # Not the folders' times, which change when Python first writes `__pycache__`.
    for folder in sys.path:
        if folder.endswith(("site-packages", "dist-packages")) and Path(folder).is_dir():
            with os.scandir(folder) as entries:
                yield from (entry.name for entry in entries if entry.name.endswith(".dist-info"))


def _files() -> Iterator[str]:
    for folder in _FOLDERS:
        for top, _, names in os.walk(folder):
            yield from (f"{name} {Path(top, name).stat().st_mtime_ns}" for name in names if name.endswith(".py"))
