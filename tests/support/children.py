"""Load and call code in children of a worker, and find their processes."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from studykit.exercise.verdict import Ending
from studykit.sandbox.channel import Child, Message
from studykit.sandbox.worker import Worker


def load(child: Child, code: str, *, backend: str = "numpy", device: str = "cpu") -> Message | Ending:
    """Send a child the code that defines its function `f`, and return its reply."""
    return child.ask({"code": code, "parameters": None, "name": "f", "backend": backend, "device": device})


def call(
    child: Child,
    code: str,
    arguments: Sequence[Any] = (),
    blobs: Sequence[bytes] = (),
    *,
    backend: str = "numpy",
    device: str = "cpu",
) -> Message | Ending:
    """Send a child its code, call `f` if that could be loaded, and return the last reply."""
    ready = load(child, code, backend=backend, device=device)
    if not isinstance(ready, Message) or "error" in ready.header:
        return ready
    return child.ask({"arguments": list(arguments)}, blobs)


def children_of(pid: int) -> list[int]:
    """Return the children of a process, oldest first, or none if it has ended."""
    with suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def processes_of(worker: Worker) -> list[int]:
    """Return the processes of this worker, which have its socket on their command line."""
    pids = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            if f"--path={worker.path}".encode() in (folder / "cmdline").read_bytes():
                pids.append(int(folder.name))
    return sorted(pids)
