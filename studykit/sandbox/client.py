"""The program's side of the worker: start one or find the warm one, and ask it for children."""

import contextlib
import importlib.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from studykit.errors import MissingError
from studykit.sandbox import bubblewrap
from studykit.sandbox.child import Child
from studykit.sandbox.installation import stamp
from studykit.sandbox.limits import Limits
from studykit.sandbox.rendezvous import PATH_BYTES, PREFIX, SOCKET, answers, connect, lock, safe, sweep

IDLE_S = 300.0
_START_S = 90.0  # torch from a cold disk
_INSIDE = ".in-bwrap.sock"


@dataclass(slots=True)
class Worker:
    """A process that has its libraries imported and forks one child for each request."""

    path: Path  # of its socket
    backend: str
    lifeline: int = -1  # a pipe whose end ends a private worker
    process: subprocess.Popen[bytes] | None = None
    folder: Path | None = None  # of a private worker, removed with it
    wrapped: bool = False  # bubblewrap is around it
    _closed: bool = field(default=False)

    def start(self, program: str, limits: Limits | None = None, *, device: str = "cpu", threads: int = 1) -> Child:
        """A fresh limited child that runs `studykit.graders.child.PROGRAM`; MissingError where none can be had."""
        limits = limits or Limits()
        request = {"program": program, "device": device, "threads": threads, "limits": limits.as_header()}
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.settimeout(_START_S)
            connect(connection, self.path)
            connection.sendall(json.dumps(request).encode() + b"\n")
            said, descriptors, _, _ = socket.recv_fds(connection, 4096, 2)
        except OSError as error:
            connection.close()
            self._give_up()
            raise MissingError(f"the sandbox's worker does not answer ({error}); try again.") from None
        if len(descriptors) != 2:  # noqa: PLR2004 - the channel and the output
            for descriptor in descriptors:
                os.close(descriptor)
            connection.close()
            self._give_up()
            raise MissingError(_refusal(said))
        return Child(connection, socket.socket(fileno=descriptors[0]), descriptors[1], limits)

    def _give_up(self) -> None:
        """Let the next command start another worker in the place of a shared one that is no good."""
        if self.process is None:
            with contextlib.suppress(OSError):
                self.path.unlink()

    def close(self) -> None:
        """End a private worker and all its children; a shared one stays for the next command."""
        if self._closed or self.process is None:
            return
        self._closed = True
        os.close(self.lifeline)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(5)
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def has_torch() -> bool:
    """Whether torch is installed, without importing it."""
    return importlib.util.find_spec("torch") is not None


def has_cuda() -> bool:
    """Whether there is an NVIDIA GPU and a torch that was built for it, without importing torch."""
    spec = importlib.util.find_spec("torch")
    if spec is None or not spec.origin or not Path("/dev/nvidiactl").exists():
        return False
    with contextlib.suppress(OSError):
        told = Path(spec.origin).with_name("version.py").read_text(encoding="utf-8")
        return re.search(r"^cuda\b[^=]*=\s*['\"]", told, re.MULTILINE) is not None
    return False


def open_worker(
    *, backend: str = "torch", shared: bool = True, runtime: Path | None = None, wrapped: bool = True
) -> Worker:
    """The warm worker of this user and installation, started if need be; or a private one of this process alone.

    `runtime` is the folder for its socket, this user's alone; without one, or where it is not private, the worker
    is private. Bubblewrap is around it where it works, unless `wrapped` says no.
    """
    folder = safe(runtime) if shared else None
    if folder is None:
        return _private(backend, wrapped=wrapped)
    if (held := lock(folder)) is None:
        return _private(backend, wrapped=wrapped)
    try:
        return _shared(folder, backend, wrapped=wrapped)
    except OSError:  # something of ours stands where the socket should be, or the disk is full
        return _private(backend, wrapped=wrapped)
    finally:
        os.close(held)


def runtime_folder(environ_runtime: str | None) -> Path:
    """Where this user's sockets are: `XDG_RUNTIME_DIR`, else a folder of the user's own beside temporary files."""
    base = Path(environ_runtime) if environ_runtime else None
    if base is not None and base.is_absolute() and base.is_dir() and len(os.fsencode(base)) < PATH_BYTES - 50:
        return base / "studykit"
    return Path("/tmp") / f"studykit-{os.getuid()}"  # noqa: S108 - mode and owner are checked before use


def _shared(folder: Path, backend: str, *, wrapped: bool) -> Worker:
    mark = stamp()
    bare, inside = (folder / f"{backend}-{mark}{end}" for end in (".sock", _INSIDE))
    for path in (inside, bare) if wrapped else (bare,):
        if answers(path):
            return Worker(path, backend, wrapped=path == inside)
        path.unlink(missing_ok=True)
    wrapping = bubblewrap.command(folder, backend) if wrapped else []
    path = inside if wrapping else bare
    _spawn(path, backend, wrapping, mark=mark).returncode = 0  # it outlives us: nobody will wait for it
    return Worker(path, backend, wrapped=bool(wrapping))


def _private(backend: str, *, wrapped: bool) -> Worker:
    folder = None
    try:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir="/tmp"))  # short enough for AF_UNIX
        sweep(folder)
        return _private_in(folder, backend, wrapped=wrapped)
    except OSError as error:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        raise MissingError(f"the sandbox cannot start: {error}; is /tmp full, or not to be written?") from None


def _private_in(folder: Path, backend: str, *, wrapped: bool) -> Worker:
    path = folder / SOCKET
    wrapping = bubblewrap.command(folder, backend) if wrapped else []
    heard, lifeline = os.pipe()
    try:
        process = _spawn(path, backend, wrapping, lifeline=heard)
    finally:
        os.close(heard)
    return Worker(path, backend, lifeline, process, folder, wrapped=bool(wrapping))


def _spawn(
    path: Path, backend: str, wrapping: list[str], *, lifeline: int = -1, mark: str = ""
) -> subprocess.Popen[bytes]:
    """Start a worker on a socket that already listens: who connects meanwhile waits in its queue."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        path.chmod(0o600)
        listening.listen(64)
        given = [f"--listen={listening.fileno()}", f"--lifeline={lifeline}", f"--backend={backend}"]
        given += [f"--path={path}", f"--stamp={mark}", f"--idle={IDLE_S}"]
        kept = (listening.fileno(), *((lifeline,) if lifeline >= 0 else ()))
        return subprocess.Popen(  # noqa: S603 - our own module by our own interpreter
            [*wrapping, sys.executable, "-E", "-P", "-m", "studykit.graders.child.zygote", *given],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=kept,
            cwd="/",
            env=_environment(),
            start_new_session=True,
        )


def _environment() -> dict[str, str]:
    """Nothing of the learner's; one thread for libraries that would start a pool at import."""
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}


def _refusal(said: bytes) -> str:
    try:
        return f"the sandbox cannot start: {json.loads(said)['error']}"
    except (ValueError, KeyError, TypeError):
        return "the sandbox's worker ended while it started; try again."
