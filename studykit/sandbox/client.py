"""The program's side of the worker: ask for a limited child, ask the child, wait no longer than agreed.

Nothing here starts a worker (`launcher`), runs in a child (`lockdown`), or judges what comes back.
"""

import contextlib
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from studykit.errors import MissingError
from studykit.exercise.verdict import Crashed, Refused, TimedOut
from studykit.sandbox.lockdown import MIB, Limits
from studykit.sandbox.wire import Message, MessageReader, WireError, pack
from studykit.text import printable

START_S = 90.0  # torch from a cold disk
_CHUNK = 1 << 16
_LINES = 2  # of a child that are handed over: the channel and the output
_SHOWN_BYTES = 16 << 10
_NOTICE_S = 5.0  # the worker tells a child's end at once
_TIME_SIGNALS = (signal.SIGXCPU,)
_WORDS: dict[int, str] = {
    signal.SIGSEGV: "a segmentation fault",
    signal.SIGABRT: "an abort in native code",
    signal.SIGBUS: "a bus error",
    signal.SIGFPE: "an arithmetic fault in native code",
    signal.SIGILL: "an illegal instruction",
    signal.SIGSYS: "a system call that the sandbox forbids",
    signal.SIGKILL: "being killed, most often for lack of memory",
}

Ending = TimedOut | Crashed | Refused


@dataclass(slots=True)
class Child:
    """A child and its three lines: the worker's notice, the private channel, and what it prints."""

    connection: socket.socket
    channel: socket.socket
    output: int
    limits: Limits
    printed: bytearray = field(default_factory=bytearray)  # the first 16 KiB
    ending: Ending | None = None
    _left_s: float = field(init=False)  # of the wall time; only waiting for this child uses it up
    _reader: MessageReader = field(init=False)
    _waiting: memoryview = field(default_factory=lambda: memoryview(b""))
    _output_bytes: int = 0
    _output_open: bool = True
    _told: bool = False  # the worker has said how it ended

    def __post_init__(self) -> None:
        self._reader = MessageReader(self.limits.reply_bytes)
        self._left_s = self.limits.wall_s
        self.channel.settimeout(0)
        os.set_blocking(self.output, False)

    def ask(self, header: dict[str, Any], blobs: Sequence[bytes] = ()) -> Message | Ending:
        """The child's reply, or how it ended instead."""
        self.send(header, blobs)
        return self.receive()

    def send(self, header: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
        """Begin to ask; `receive` waits for the reply."""
        self._waiting = memoryview(pack(header, blobs))
        self._write()

    def receive(self) -> Message | Ending:
        """The reply to what was sent, or how the child ended instead; again and again the same ending."""
        began = time.monotonic()
        try:
            return self._wait(began + self._left_s)
        finally:
            self._left_s -= time.monotonic() - began

    def _wait(self, deadline: float) -> Message | Ending:
        with selectors.DefaultSelector() as selector:
            selector.register(self.channel, self._interest())
            if self._output_open:
                selector.register(self.output, selectors.EVENT_READ)
            while self.ending is None:
                left = deadline - time.monotonic()
                if left <= 0:
                    return self._end(TimedOut(self.limits.wall_s))
                # What it printed before it answered comes first, or the answer would end the wait unseen.
                ready = sorted(selector.select(left), key=lambda found: found[0].fileobj is self.channel)
                for key, events in ready:
                    if key.fileobj is self.channel:
                        if (frame := self._on_channel(events)) is not None:
                            return frame
                    else:
                        self._drain(selector)
                if self.ending is None:
                    selector.modify(self.channel, self._interest())
        return self.ending

    def close(self) -> None:
        """Kill what still runs, wait until it is gone, and let go of everything; safe to call twice."""
        if self.connection.fileno() < 0:
            return
        with contextlib.suppress(OSError):
            self.connection.sendall(b"k")
        if not self._told:
            self._notice(_NOTICE_S)
        self.connection.close()
        self.channel.close()
        os.close(self.output)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def shown(self) -> str:
        """What it printed, the beginning of it, without control characters."""
        return printable(self.printed.decode("utf-8", "replace"), _SHOWN_BYTES)

    def _interest(self) -> int:
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if self._waiting else 0)

    def _write(self) -> None:
        try:
            sent = self.channel.send(self._waiting[:MIB]) if self._waiting else 0
        except BlockingIOError:
            return
        except OSError:  # it has closed the channel: reading will tell how it ended
            self._waiting = memoryview(b"")
            return
        self._waiting = self._waiting[sent:]

    def _on_channel(self, events: int) -> Message | None:
        if events & selectors.EVENT_WRITE:
            self._write()
        if not events & selectors.EVENT_READ:
            return None
        try:
            data = self.channel.recv(_CHUNK)
            if data:
                return self._reader.feed(data)
        except BlockingIOError:
            return None
        except WireError as error:
            self._end(Refused(f"its reply is not one: {error}"))
            return None
        except OSError:
            pass
        self._end(self._how_it_ended())
        return None

    def _drain(self, selector: selectors.BaseSelector) -> None:
        with contextlib.suppress(BlockingIOError):
            data = os.read(self.output, _CHUNK)
            self._output_bytes += len(data)
            self.printed += data[: _SHOWN_BYTES - len(self.printed)]
            if not data:
                self._output_open = False
                selector.unregister(self.output)
        if self._output_bytes > self.limits.output_bytes:
            self._end(Refused(f"it printed more than {self.limits.output_bytes // 1024} KiB"))

    def _end(self, ending: Ending) -> Ending:
        """Settle how it ended, and kill it."""
        self.ending = self.ending or ending
        with contextlib.suppress(OSError):
            self.connection.sendall(b"k")
        return self.ending

    def _how_it_ended(self) -> Ending:
        """From its exit status, for which the worker is waited for a moment."""
        self._read_rest()
        notice = self._notice(min(_NOTICE_S, max(0.05, self._left_s)))
        if notice is None:
            return Crashed("it closed its channel before it answered")
        status, cpu_s, why = int(notice["status"]), float(notice["cpu_s"]), str(notice.get("why", ""))
        if why:
            return Refused(why)
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            if number in _TIME_SIGNALS or (number == signal.SIGKILL and cpu_s >= self.limits.cpu_s):
                return TimedOut(float(self.limits.cpu_s), of_cpu=True)
            word = _WORDS.get(number, f"signal {number}")  # a real-time signal has no name
            return Crashed(f"it ended by {word} before it answered")
        return Crashed(f"it ended itself with exit code {os.waitstatus_to_exitcode(status)} before it answered")

    def _read_rest(self) -> None:
        with contextlib.suppress(OSError):
            self.printed += os.read(self.output, _CHUNK)[: _SHOWN_BYTES - len(self.printed)]

    def _notice(self, seconds: float) -> dict[str, Any] | None:
        data = b""
        deadline = time.monotonic() + seconds
        try:
            while not data.endswith(b"\n"):
                self.connection.settimeout(max(0.01, deadline - time.monotonic()))
                more = self.connection.recv(4096)
                if not more or time.monotonic() > deadline:
                    return None
                data += more
            notice: dict[str, Any] = json.loads(data.splitlines()[-1])
        except (OSError, ValueError):
            return None
        self._told = "status" in notice
        return notice if self._told else None


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
            connection.settimeout(START_S)
            connect(connection, self.path)
            connection.sendall(json.dumps(request).encode() + b"\n")
            said, descriptors, _, _ = socket.recv_fds(connection, 4096, 2)
        except OSError as error:
            connection.close()
            self._give_up()
            raise MissingError(f"the sandbox's worker does not answer ({error}); try again.") from None
        if len(descriptors) != _LINES:
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


def connect(connection: socket.socket, path: Path) -> None:
    """Connect to a worker of this user; PermissionError where it is somebody else's."""
    connection.connect(str(path))
    if owner_of(connection) != os.getuid():
        raise PermissionError("it is another user's")


def owner_of(connection: socket.socket) -> int:
    """Whose process is at the other end; elsewhere than on Linux the folder's mode alone decides."""
    if not hasattr(socket, "SO_PEERCRED"):
        return os.getuid()
    peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return int.from_bytes(peer[4:8], sys.byteorder)


def _refusal(said: bytes) -> str:
    try:
        return f"the sandbox cannot start: {json.loads(said)['error']}"
    except (ValueError, KeyError, TypeError):
        return "the sandbox's worker ended while it started; try again."
