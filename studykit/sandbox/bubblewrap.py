"""Wrap the worker in bubblewrap, a second layer with its own files, processes and network.

Code that gets past Landlock or seccomp still cannot reach the learner: their files are not in the worker's file
system, other processes are invisible, and the network is off. The kernel must allow users to create namespaces.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from studykit.sandbox import gpu
from studykit.sandbox.landlock import FACTS, READABLE

_PACKAGE_FOLDER = Path(__file__).resolve().parents[1]
_SYSTEM = ("/usr", "/bin", "/etc/alternatives", "/nix/store", "/gnu/store")
_PROBE = """
import importlib.util, sys, studykit.graders
print("works" if all(importlib.util.find_spec(name) for name in sys.argv[1:]) else "")
"""
_WORKS = b"works\n"
_NAMESPACES = tuple(f"--unshare-{name}" for name in ("user", "pid", "net", "ipc", "uts"))
PROBE_S, ECHO_S = 5.0, 2.0
_MAX_LINKS = 8


def command(socket_folder: Path, backend: str) -> list[str]:
    """Return the words before the worker's own command, or [] if bubblewrap cannot run the worker's Python.

    Of the learner's folders, the worker may write only to `socket_folder`, which holds its socket.
    """
    if (program := _installed()) is None:
        return []
    # Without `--die-with-parent`: its parent is a thread, which may end first. The lifeline ends the worker
    # instead.
    wrapping = [program, *_arguments(socket_folder), "--"]
    # bubblewrap may start and Python inside it may still not find its packages, in an unusual installation.
    python = [*wrapping, sys.executable, "-E", "-P", "-c", _PROBE, backend, "einops"]
    return wrapping if output_of(python, PROBE_S) == _WORKS else []


def may_work() -> bool:
    """Return whether bubblewrap can start a program here. This takes milliseconds, `works` takes a second."""
    if (program := _installed()) is None:
        return False
    trial = [program, *_NAMESPACES, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "echo", "works"]
    return output_of(trial, ECHO_S) == _WORKS


def _installed() -> str | None:
    return shutil.which("bwrap") if sys.platform == "linux" else None


def works(backend: str) -> bool:
    """Return whether Python, started once in bubblewrap, finds the packages that a worker needs."""
    with tempfile.TemporaryDirectory() as folder:
        return bool(command(Path(folder), backend))


def _arguments(socket_folder: Path) -> Iterator[str]:
    yield from (*_NAMESPACES, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp")
    # These must follow --dev, which mounts an empty /dev over anything bound there before.
    for node in (node for driver in gpu.drivers() for node in gpu.files(driver.nodes)):
        yield from ("--dev-bind-try", node, node)
    facts = (*FACTS, *(fact for driver in gpu.drivers() for fact in gpu.files(driver.facts)))
    # The sandbox has its own /dev and /proc; binding the host's would show other processes.
    visible = (path for path in facts if not path.startswith(("/dev", "/proc")))
    for path in dict.fromkeys((*_SYSTEM, *READABLE, *visible, *_python())):
        yield from ("--ro-bind-try", path, path)
    yield from ("--bind", str(socket_folder), str(socket_folder), "--chdir", "/")


def _python() -> Iterator[str]:
    """Yield the folders of Python, its packages, studykit and the graders."""
    yield from (sys.prefix, sys.base_prefix)
    yield from (folder for folder in sys.path if folder.endswith(("site-packages", "dist-packages")))
    yield from (str(_PACKAGE_FOLDER), str(_PACKAGE_FOLDER.parent / "graders"))
    link = Path(sys.executable)
    # The interpreter of a virtual environment is a link, often to another link.
    for _ in range(_MAX_LINKS):
        yield str(link.parent)
        if not link.is_symlink():
            break
        link = link.parent / link.readlink()


def output_of(program: list[str], seconds: float) -> bytes:
    """Return what a program prints, with PATH as its only variable, or b"" if it fails to start or is too slow."""
    # The exit status says nothing here: a caller that ignores SIGCHLD never receives it.
    try:
        result = subprocess.run(
            program,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            env={"PATH": os.defpath},
            cwd="/",
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return b""
    return result.stdout
