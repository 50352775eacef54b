"""List what the sandbox refuses a child that starts the GPU, by tracing the child with ptrace.

`python -m studykit.graders.host.gpu_refusals` prints the list as JSON. It needs a process of its own, because
the tracer waits for all its children.
"""

import errno
import json
import sys
from collections.abc import Iterable, Iterator
from threading import Thread

from studykit.graders.host.device_worker import LIMITS, PROGRAM
from studykit.sandbox import ptrace, seccomp
from studykit.sandbox.bubblewrap import output_of
from studykit.sandbox.ptrace import FollowedCall, Follower
from studykit.sandbox.worker import Worker, open_worker

_TRACE_S = 90.0  # slow, because the child stops at each system call
_LANDLOCK, _SECCOMP = 446, {"x86_64": 317, "aarch64": 277}
_MORE_X86_64 = {
    41: "socket",
    49: "bind",
    83: "mkdir",
    87: "unlink",
    133: "mknod",
    157: "prctl",
    239: "get_mempolicy",
}
_FIRST = ("open", "stat", "lstat", "access", "readlink", "mkdir", "unlink", "mknod")
_SECOND = ("openat", "newfstatat", "readlinkat", "faccessat", "statx")
"""Calls whose first argument is a path, and those where it is the second."""
_DETAIL = {"ioctl": (1, "request"), "mmap": (3, "flags"), "madvise": (2, "advice"), "fcntl": (1, "command")}
_REFUSED = {errno.EPERM, errno.EACCES, errno.ENOSYS}
_EXPECTED = {"clone3"}  # glibc tries it first, and then `clone`


def refusals() -> list[str]:
    """List the calls refused to a child while it started the GPU. Empty if it cannot be traced."""
    command = [sys.executable, "-P", "-m", "studykit.graders.host.gpu_refusals"]
    try:
        calls: list[str] = json.loads(output_of(command, _TRACE_S))
    except ValueError:
        return []
    return calls


def main() -> None:
    """Trace one child from the moment it gives up its files, and print what was refused."""
    with open_worker(backend="torch", shared=False, wrapped=False) as worker:
        worker.start(PROGRAM, LIMITS).close()  # after this the worker has imported its libraries
        if worker.process is None or seccomp.MACHINE is None or not ptrace.available():
            return
        follower = Follower(_paths())
        follower.seize(worker.process.pid)
        Thread(target=_start_gpu, args=(worker,)).start()
        sys.stdout.write(json.dumps(list(dict.fromkeys(_refused(follower.follow())))))


def _start_gpu(worker: Worker) -> None:
    try:
        with worker.start(PROGRAM, LIMITS, device="cuda", threads=0) as child:
            child.ask({"work": "identity", "device": "cuda"})
    finally:
        # Not `close`, which would wait for the worker: under ptrace only the tracing thread may wait for it.
        worker.release()


def _refused(calls: Iterable[FollowedCall]) -> Iterator[str]:
    names = {number: name for name, number in _numbers().items()}
    marks = {_LANDLOCK, *_SECCOMP.values()}
    confined: set[int] = set()
    for call in calls:
        if call.number in marks and call.result >= 0:
            confined.add(call.pid)
        name = names.get(call.number, f"system call {call.number}")
        if call.pid in confined and -call.result in _REFUSED and name not in _EXPECTED:
            yield " ".join(filter(None, (name, _about(name, call), f"({errno.errorcode[-call.result]})")))


def _about(name: str, call: FollowedCall) -> str:
    if name in _DETAIL:
        place, word = _DETAIL[name]
        return f"{word} {call.arguments[place] & 0xFFFFFFFF:#x}"
    return call.path


def _numbers() -> dict[str, int]:
    here = seccomp.here()
    more = {name: number for number, name in _MORE_X86_64.items()} if here.name == "x86_64" else {}
    return {**more, **here.numbers}


def _paths() -> dict[int, int]:
    numbers = _numbers()
    places = {**dict.fromkeys(_FIRST, 0), **dict.fromkeys(_SECOND, 1)}
    return {numbers[name]: place for name, place in places.items() if name in numbers}


if __name__ == "__main__":
    main()
