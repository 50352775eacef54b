"""One child and the channel to it: what it is asked, what it replies, how it ended when it did not.

A message is a JSON header and raw bytes, never pickle: unpickling runs the sender's code. Both ends are here; what
comes back is bytes that somebody else judges.
"""

import contextlib
import json
import os
import selectors
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from studykit.errors import MissingError
from studykit.exercise.verdict import Crashed, Ending, Refused, TimedOut
from studykit.sandbox.lockdown import MIB, Limits
from studykit.text import printable

BEGUN = b"\0"
"""What a child sends first: from here on an end may be the doing of the code that it is given."""
HEADER_BYTES = 1 << 20
_REPLY_HEADER_BYTES = 1 << 18  # a reply about an answer's steps takes half; as objects it is thirty times as large
_PREFIX = 8
_CHUNK = 1 << 16
_SHOWN_BYTES = 16 << 10
_NOTICE_S = 5.0  # the worker tells a child's end at once
_LOOK_S = 0.25  # the longest that one look for a reply waits
_TICKS = 0.5  # the kernel's limit counts whole ticks, and on a busy machine more of them than the notice tells
_TIME_SIGNALS = (signal.SIGXCPU, signal.SIGKILL)  # of which others may send both: how much it used tells
_WORDS: dict[int, str] = {
    signal.SIGSEGV: "a segmentation fault",
    signal.SIGABRT: "an abort in native code",
    signal.SIGBUS: "a bus error",
    signal.SIGFPE: "an arithmetic fault in native code",
    signal.SIGILL: "an illegal instruction",
    signal.SIGSYS: "a system call that the sandbox forbids",
    signal.SIGKILL: "being killed, most often for lack of memory",
}
_FAULTS = {*_WORDS, signal.SIGTRAP} - {signal.SIGKILL}
"""Signals for what the code itself did; any other comes from outside, for all we know."""


class WireError(Exception):
    """The data is not a frame, or the frame is larger than agreed."""


class WorkerEndedError(MissingError):
    """The worker ended, and its children with it, so the result of an answer is unknown."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message: a JSON header and its blobs."""

    header: dict[str, Any]
    blobs: tuple[bytes, ...] = ()


def pack(header: dict[str, Any], blobs: Sequence[bytes] = ()) -> bytes:
    """Encode a message as a frame."""
    text = json.dumps({"header": header, "blobs": [len(blob) for blob in blobs]}).encode()
    return len(text).to_bytes(_PREFIX, "big") + text + b"".join(blobs)


class MessageReader:
    """Collect bytes until they make a frame. Refuse a header or blob larger than agreed."""

    def __init__(self, most_bytes: int, most_header_bytes: int = HEADER_BYTES) -> None:
        self.most_bytes, self.most_header_bytes = most_bytes, most_header_bytes
        self._held = bytearray()
        self._described: tuple[dict[str, Any], list[int], int] | None = None  # header, blobs' sizes, bytes in all

    def feed(self, data: bytes) -> Message | None:
        """Return the frame that `data` completes, if any. Refuse bytes after it."""
        self._held += data
        frame = self._next()
        if frame is not None and self._held:
            raise WireError("bytes after the reply")
        return frame

    def frames(self, data: bytes) -> Iterator[Message]:
        """Yield all frames that `data` completes. A process of ours may send the next one early."""
        self._held += data
        while (frame := self._next()) is not None:
            yield frame

    def _next(self) -> Message | None:
        self._described = self._described or self._describe()  # once: a child may send byte by byte
        if self._described is None:
            return None
        header, sizes, whole = self._described
        if len(self._held) < whole:
            return None
        blobs, start = [], whole - sum(sizes)
        with memoryview(self._held) as view:  # a slice of the bytes themselves would be one more copy
            for size in sizes:
                blobs.append(bytes(view[start : start + size]))
                start += size
        del self._held[:whole]
        self._described = None
        return Message(header, tuple(blobs))

    def _describe(self) -> tuple[dict[str, Any], list[int], int] | None:
        if len(self._held) < _PREFIX:
            return None
        length = int.from_bytes(self._held[:_PREFIX], "big")
        if length > self.most_header_bytes:
            raise WireError("a header too long")
        start = _PREFIX + length
        if len(self._held) < start:
            return None
        header, sizes = _described(bytes(self._held[_PREFIX:start]), self.most_bytes)
        return header, sizes, start + sum(sizes)


def _described(text: bytes, most_bytes: int) -> tuple[dict[str, Any], list[int]]:
    try:
        document = json.loads(text)
        header, sizes = document["header"], document["blobs"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise WireError("a header that is no JSON") from None
    if not isinstance(header, dict) or not isinstance(sizes, list):
        raise WireError("a header of the wrong form")
    if not all(type(size) is int and size >= 0 for size in sizes) or sum(sizes) > most_bytes:
        raise WireError("a reply too large")
    return header, sizes


def receive(channel: socket.socket, most_bytes: int) -> Message | None:
    """Wait for the next frame. Return None at the end of the channel. Only a child may block like this."""
    reader = MessageReader(most_bytes)
    while data := channel.recv(1 << 16):
        if (frame := reader.feed(data)) is not None:
            return frame
    return None


class Child(AbstractContextManager["Child"]):
    """A child process and its three pipes: the worker's notice, the private channel, and the child's output."""

    def __init__(self, connection: socket.socket, channel: socket.socket, output: int, limits: Limits) -> None:
        self.connection, self.channel, self.output, self.limits = connection, channel, output, limits
        self.printed = bytearray()  # the first 16 KiB
        self.ending: Ending | None = None
        self.begun = False  # it is locked, and reads its code
        self._left_s = limits.wall_s  # of the wall time; only looking for this child's replies uses it up
        self._reader = MessageReader(limits.reply_bytes, _REPLY_HEADER_BYTES)
        self._waiting = memoryview(b"")
        self._output_bytes = 0
        self._output_open = True
        self._told = False  # the worker has said how it ended
        channel.settimeout(0)
        os.set_blocking(output, False)

    def ask(self, header: dict[str, Any], blobs: Sequence[bytes] = ()) -> Message | Ending:
        """Send a request and return the reply or how the child ended. WorkerEndedError if its worker ended."""
        self.send(header, blobs)
        return self.receive()

    def send(self, header: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
        """Send a request without waiting. `receive` waits for the reply."""
        self._waiting = memoryview(pack(header, blobs))
        self._write()

    def receive(self) -> Message | Ending:
        """Return the reply to the last request, or how the child ended. The ending is returned each time."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.channel, self._interest())
            if self._output_open:
                selector.register(self.output, selectors.EVENT_READ)
            while self.ending is None:
                if (frame := self._look(selector)) is not None:
                    return frame
        return self.ending

    def _look(self, selector: selectors.BaseSelector) -> Message | None:
        """Return the reply if data arriving now completes it. Called once more when the time is up."""
        began, seconds = time.monotonic(), max(0.0, self._left_s)
        try:
            # What it printed before it answered comes first, or the answer would end the wait unseen.
            ready = sorted(
                selector.select(min(seconds, _LOOK_S)), key=lambda entry: entry[0].fileobj is self.channel
            )
            for key, events in ready:
                if key.fileobj is self.channel:
                    if (frame := self._on_channel(events)) is not None:
                        return frame
                else:
                    self._drain(selector)
        finally:  # what a look takes longer this process was stopped, or the machine slept: no time of the child's
            self._left_s -= min(time.monotonic() - began, _LOOK_S)
        if self.ending is None and not seconds:
            self._end(TimedOut(self.limits.wall_s))
        elif self.ending is None:
            selector.modify(self.channel, self._interest())
        return None

    def close(self) -> None:
        """Kill the child if it still runs, wait for its end, and close all pipes. Safe to call twice."""
        if self.connection.fileno() < 0:
            return
        with contextlib.suppress(OSError):
            self.connection.sendall(b"k")
        if not self._told:
            with contextlib.suppress(WorkerEndedError):
                self._notice(_NOTICE_S)
        self.let_go()

    def let_go(self) -> None:
        """Close all pipes without waiting for the worker to kill the child."""
        if self.connection.fileno() < 0:
            return
        self.connection.close()
        self.channel.close()
        os.close(self.output)

    def __exit__(self, *_: object) -> None:
        self.close()

    def shown(self) -> str:
        """Return the start of the child's output, without control characters."""
        return printable(self.printed.decode("utf-8", "replace"), _SHOWN_BYTES)

    def _interest(self) -> int:
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if self._waiting else 0)

    def _write(self) -> None:
        try:
            count = self.channel.send(self._waiting[:MIB]) if self._waiting else 0
        except BlockingIOError:
            return
        except OSError:  # it has closed the channel: reading will tell how it ended
            self._waiting = memoryview(b"")
            return
        self._waiting = self._waiting[count:]

    def _on_channel(self, events: int) -> Message | None:
        if events & selectors.EVENT_WRITE:
            self._write()
        if not events & selectors.EVENT_READ:
            return None
        try:
            data = self.channel.recv(_CHUNK if self.begun else len(BEGUN))
            if data and self.begun:
                return self._reader.feed(data)
            if data == BEGUN:
                self.begun = True
                return None
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
        """Record how the child ended, and kill it."""
        self.ending = self.ending or ending
        with contextlib.suppress(OSError):
            self.connection.sendall(b"k")
        return self.ending

    def _how_it_ended(self) -> Ending:
        """Determine the ending from the exit status. Waits a moment for the worker to report it."""
        with contextlib.suppress(OSError):  # what it printed last
            self.printed += os.read(self.output, _CHUNK)[: _SHOWN_BYTES - len(self.printed)]
        notice = self._notice(min(_NOTICE_S, max(0.05, self._left_s)))
        if notice is None:
            return Crashed("it closed its channel before it answered", killed=True)  # as far as is known
        status, cpu_s, why = int(notice["status"]), float(notice["cpu_s"]), str(notice.get("why", ""))
        if why:
            return Refused(why)
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            if number in _TIME_SIGNALS and cpu_s >= _TICKS * self.limits.cpu_s:
                return TimedOut(float(self.limits.cpu_s), of_cpu=True)
            word = _WORDS.get(number, f"signal {number}")  # a real-time signal has no name
            return Crashed(f"it ended by {word} before it answered", killed=number not in _FAULTS)
        return Crashed(f"it ended itself with exit code {os.waitstatus_to_exitcode(status)} before it answered")

    def _notice(self, seconds: float) -> dict[str, Any] | None:
        """Read the worker's report on the child's end. Return None if it does not come in time."""
        data = b""
        deadline = time.monotonic() + seconds
        while not data.endswith(b"\n"):
            self.connection.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                more = self.connection.recv(4096)
            except TimeoutError:
                return None
            except OSError:
                more = b""
            if not more:
                raise WorkerEndedError("the sandbox's worker ended; try again.")
            data += more
        notice: dict[str, Any] = json.loads(data.splitlines()[-1])
        self._told = "status" in notice
        return notice if self._told else None
