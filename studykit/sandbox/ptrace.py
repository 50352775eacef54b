"""Trace the system calls of a process and of everything it starts, each with its result: a small strace.

The tracer must be a process without other children, because it waits for all its children.
"""

import ctypes
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_PEEK, _SYSCALL, _EVENT_MESSAGE = 2, 24, 0x4201
_SEIZE, _INTERRUPT, _LISTEN, _CALL_INFO = 0x4206, 0x4207, 0x4208, 0x420E
_OPTIONS = 1 | 2 | 4 | 8 | 16  # system calls marked; forks, vforks, threads and programs followed
_FORK, _VFORK, _CLONE, _STOP = 1, 2, 3, 128
_ENTRY, _EXIT = 1, 2
_ANY, _MARKED = 0x40000000, 5 | 0x80  # threads as well; a stop at a system call
_STOPPING = {19, 20, 21, 22}  # SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU
_INFO_BYTES, _BODY = 88, 24
_PATH_BYTES = 256

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


@dataclass(frozen=True, slots=True)
class FollowedCall:
    """Hold a system call as the kernel saw it."""

    pid: int  # of the process, whichever of its threads called
    number: int
    arguments: tuple[int, ...]
    result: int  # negative: -errno
    path: str = ""  # if an argument is one


@dataclass(slots=True)
class Thread:
    """Hold a traced thread and the call it is in."""

    pid: int
    number: int = -1
    arguments: tuple[int, ...] = ()
    path: str = ""


@dataclass(slots=True)
class Follower:
    """Trace threads and everything they start."""

    paths: dict[int, int]  # by call number, which argument is a path
    threads: dict[int, Thread] = field(default_factory=dict)

    def seize(self, pid: int) -> None:
        """Start to trace a running process with all its threads."""
        for thread in sorted(int(path.name) for path in Path(f"/proc/{pid}/task").iterdir()):
            if libc.ptrace(_SEIZE, thread, None, _OPTIONS) != 0:
                raise OSError(ctypes.get_errno(), f"process {pid} cannot be traced")
            self.threads[thread] = Thread(pid)
            libc.ptrace(_INTERRUPT, thread, None, None)

    def follow(self) -> Iterator[FollowedCall]:
        """Yield every system call when it returns, until no process is left."""
        while self.threads:
            try:
                thread, status = os.waitpid(-1, _ANY)
            except ChildProcessError:
                return
            if os.WIFEXITED(status) or os.WIFSIGNALED(status):
                self.threads.pop(thread, None)
            elif os.WIFSTOPPED(status):
                yield from self._on_stop(thread, status)

    def _on_stop(self, thread: int, status: int) -> Iterator[FollowedCall]:
        # The layout of a wait status under ptrace: the event above the signal above the flag.
        signal, event = status >> 8 & 0xFF, status >> 16
        self._of(thread)
        if signal == _MARKED:
            yield from self._call(thread)
            self._go_on(thread)
        elif event in {_FORK, _VFORK, _CLONE}:
            self._on_new_thread(thread, event)
            self._go_on(thread)
        elif event == _STOP and signal in _STOPPING:
            # It was stopped by job control and must stay so. Continuing would undo the learner's Ctrl-Z.
            libc.ptrace(_LISTEN, thread, None, None)
        else:
            self._go_on(thread, 0 if event else signal)

    def _on_new_thread(self, thread: int, event: int) -> None:
        """Add a new process or thread. Its own first stop may have arrived before its parent's event."""
        message = ctypes.c_ulong()
        libc.ptrace(_EVENT_MESSAGE, thread, None, ctypes.addressof(message))
        new = int(message.value)
        self.threads.setdefault(new, Thread(new)).pid = self._of(thread).pid if event == _CLONE else new

    def _of(self, thread: int) -> Thread:
        return self.threads.setdefault(thread, Thread(thread))

    def _go_on(self, thread: int, signal: int = 0) -> None:
        # An error is ignored: the thread may have been killed meanwhile, and waitpid will report that.
        libc.ptrace(_SYSCALL, thread, None, signal)

    def _call(self, thread: int) -> Iterator[FollowedCall]:
        info = ctypes.create_string_buffer(_INFO_BYTES)
        if libc.ptrace(_CALL_INFO, thread, _INFO_BYTES, ctypes.addressof(info)) <= 0:
            return
        state, kind = self._of(thread), info.raw[0]
        if kind == _ENTRY:
            number, *arguments = struct.unpack_from("=7Q", info.raw, _BODY)
            state.number, state.arguments = number, tuple(arguments)
            state.path = self._text(thread, arguments[self.paths[number]]) if number in self.paths else ""
        elif kind == _EXIT and state.number >= 0:
            (result,) = struct.unpack_from("=q", info.raw, _BODY)
            yield FollowedCall(state.pid, state.number, state.arguments, result, state.path)
            state.number = -1

    def _text(self, thread: int, at: int) -> str:
        """Read the text at an address. Return a question mark if it cannot be read."""
        data = bytearray()
        while len(data) < _PATH_BYTES:
            ctypes.set_errno(0)
            # PEEK returns the data itself, so -1 may be data. Only errno tells an error from it.
            word = libc.ptrace(_PEEK, thread, at + len(data), None)
            if word == -1 and ctypes.get_errno():
                return "?"
            data += struct.pack("=q", word)
            if 0 in data:
                return data[: data.index(0)].decode("utf-8", "replace")
        return data.decode("utf-8", "replace")


def available() -> bool:
    """Return whether system calls can be traced here."""
    return os.uname().machine == "x86_64" and Path("/proc/self/task").is_dir()
