"""Bubblewrap around the worker, a second layer: files, processes and a network of its own.

Should Landlock or seccomp have a hole, nothing is behind it: the learner's files are not in the worker's file
system, other processes are invisible, and there is no network. It needs a kernel that lets users have namespaces.
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
PROBE_S, MAY_S = 5.0, 2.0
_MAX_LINKS = 8


def command(socket_folder: Path, backend: str) -> list[str]:
    """Return the words before the worker's own command, or [] if bubblewrap is missing or not allowed to work.

    The worker may write only to `socket_folder`, which holds its socket. `--die-with-parent` is left out: its
    parent would be a thread, and a worker has its lifeline.
    """
    if (program := _installed()) is None:
        return []
    wrapping = [program, *_arguments(socket_folder), "--"]
    python = [*wrapping, sys.executable, "-E", "-P", "-c", _PROBE, backend, "einops"]
    return wrapping if output_of(python, PROBE_S) == _WORKS else []  # Python comes up inside and sees its packages


def may_work() -> bool:
    """Return whether bubblewrap can start a program here. Takes milliseconds where `works` takes a second."""
    if (program := _installed()) is None:
        return False
    tried = [program, *_NAMESPACES, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "echo", "works"]
    return output_of(tried, MAY_S) == _WORKS


def _installed() -> str | None:
    return shutil.which("bwrap") if sys.platform == "linux" else None


def works(backend: str) -> bool:
    """Start a wrapped worker once and return whether that worked."""
    with tempfile.TemporaryDirectory() as folder:
        return bool(command(Path(folder), backend))


def _arguments(socket_folder: Path) -> Iterator[str]:
    yield from (*_NAMESPACES, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp")
    for node in (node for driver in gpu.drivers() for node in gpu.files(driver.nodes)):  # after --dev
        yield from ("--dev-bind-try", node, node)
    facts = (*FACTS, *(fact for driver in gpu.drivers() for fact in gpu.files(driver.facts)))
    visible = (path for path in facts if not path.startswith(("/dev", "/proc")))  # it has those of its own
    for path in dict.fromkeys((*_SYSTEM, *READABLE, *visible, *_python())):
        yield from ("--ro-bind-try", path, path)
    yield from ("--bind", str(socket_folder), str(socket_folder), "--chdir", "/")


def _python() -> Iterator[str]:
    """Yield the files of Python and the parts of studykit that a worker runs, without exercises and solutions."""
    yield from (sys.prefix, sys.base_prefix)
    yield from (folder for folder in sys.path if folder.endswith(("site-packages", "dist-packages")))
    yield from (str(_PACKAGE_FOLDER), str(_PACKAGE_FOLDER.parent / "graders"))
    link = Path(sys.executable)
    for _ in range(_MAX_LINKS):  # an environment's interpreter is a link, and its target may be one
        yield str(link.parent)
        if not link.is_symlink():
            break
        link = link.parent / link.readlink()


def output_of(program: list[str], seconds: float) -> bytes:
    """Return what a program prints, run without an environment. Empty if it does not start or takes too long.

    Its exit status is unknown where SIGCHLD is ignored.
    """
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
