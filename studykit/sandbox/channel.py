"""Talk to one child: send requests, receive replies, and find out how it ended if it sent none.

A message is a JSON header and raw bytes, never pickle: unpickling runs the sender's code. Both ends of the channel
are here. Judging the bytes that come back is left to the caller.
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
"""Sent by a child when it is locked down. If it ends after this, its code may be the reason."""
MAX_HEADER_BYTES = 1 << 20
# The largest real replies, about the steps of an answer, take half of this. Parsed JSON is up to 30 times as
# large.
_MAX_REPLY_HEADER_BYTES = 1 << 18
_PREFIX_BYTES = 8
_CHUNK_BYTES = 1 << 16
_MAX_PRINTED_BYTES = 16 << 10
_NOTICE_S = 5.0  # the worker reports the end of a child at once, so this is ample
_MAX_POLL_S = 0.25
# The kernel counts whole ticks towards RLIMIT_CPU, on a busy machine more than the usage it reports afterwards.
_MIN_CPU_FRACTION = 0.5
# Anybody may send these two, so the CPU time used decides whether the limit was the reason.
_TIME_SIGNALS = (signal.SIGXCPU, signal.SIGKILL)
_SIGNAL_TEXTS: dict[int, str] = {
    signal.SIGSEGV: "a segmentation fault",
    signal.SIGABRT: "an abort in native code",
    signal.SIGBUS: "a bus error",
    signal.SIGFPE: "an arithmetic fault in native code",
    signal.SIGILL: "an illegal instruction",
    signal.SIGSYS: "a system call that the sandbox forbids",
    signal.SIGKILL: "being killed, most often for lack of memory",
}
_FAULTS = {*_SIGNAL_TEXTS, signal.SIGTRAP} - {signal.SIGKILL}
"""Signals that the code itself causes. Any other may come from outside."""


class WireError(Exception):
    """Raised if data is not a frame, or if the frame is too large."""


class WorkerEndedError(MissingError):
    """Raised if the worker ended and took its children along, so an answer has no result."""


@dataclass(frozen=True, slots=True)
class Message:
    """Hold a JSON header and its blobs."""

    header: dict[str, Any]
    blobs: tuple[bytes, ...] = ()


def pack(header: dict[str, Any], blobs: Sequence[bytes] = ()) -> bytes:
    """Encode a message as a frame."""
    text = json.dumps({"header": header, "blobs": [len(blob) for blob in blobs]}).encode()
    return len(text).to_bytes(_PREFIX_BYTES, "big") + text + b"".join(blobs)


class MessageReader:
    """Collect bytes into frames. Raise WireError if a header or the blobs exceed their limits."""

    def __init__(self, max_bytes: int, max_header_bytes: int = MAX_HEADER_BYTES) -> None:
        self.max_bytes, self.max_header_bytes = max_bytes, max_header_bytes
        self._buffer = bytearray()
        self._pending: tuple[dict[str, Any], list[int], int] | None = None  # header, blob sizes, bytes in all

    def feed(self, data: bytes) -> Message | None:
        """Return the frame that `data` completes, if any. Raise WireError if bytes follow it."""
        self._buffer += data
        frame = self._next()
        if frame is not None and self._buffer:
            raise WireError("bytes follow the reply")
        return frame

    def frames(self, data: bytes) -> Iterator[Message]:
        """Yield all frames that `data` completes. Only trusted processes may send several at once."""
        self._buffer += data
        while (frame := self._next()) is not None:
            yield frame

    def _next(self) -> Message | None:
        # Parse a header only once: a hostile child may send its reply byte by byte.
        self._pending = self._pending or self._read_header()
        if self._pending is None:
            return None
        header, sizes, total_bytes = self._pending
        if len(self._buffer) < total_bytes:
            return None
        blobs, start = [], total_bytes - sum(sizes)
        # Slicing the bytearray would copy each blob twice, and a reply may be 64 MiB.
        with memoryview(self._buffer) as view:
            for size in sizes:
                blobs.append(bytes(view[start : start + size]))
                start += size
        del self._buffer[:total_bytes]
        self._pending = None
        return Message(header, tuple(blobs))

    def _read_header(self) -> tuple[dict[str, Any], list[int], int] | None:
        if len(self._buffer) < _PREFIX_BYTES:
            return None
        length = int.from_bytes(self._buffer[:_PREFIX_BYTES], "big")
        if length > self.max_header_bytes:
            raise WireError("its header is too long")
        start = _PREFIX_BYTES + length
        if len(self._buffer) < start:
            return None
        header, sizes = _parse_header(bytes(self._buffer[_PREFIX_BYTES:start]), self.max_bytes)
        return header, sizes, start + sum(sizes)


def _parse_header(text: bytes, max_bytes: int) -> tuple[dict[str, Any], list[int]]:
    try:
        document = json.loads(text)
        header, sizes = document["header"], document["blobs"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise WireError("its header is not valid JSON") from None
    if not isinstance(header, dict) or not isinstance(sizes, list):
        raise WireError("its header has the wrong form")
    if not all(type(size) is int and size >= 0 for size in sizes) or sum(sizes) > max_bytes:
        raise WireError("it is too large")
    return header, sizes


def receive(channel: socket.socket, max_bytes: int) -> Message | None:
    """Wait for the next frame. Return None if the channel is closed. For children only, because it blocks."""
    reader = MessageReader(max_bytes)
    while data := channel.recv(1 << 16):
        if (frame := reader.feed(data)) is not None:
            return frame
    return None


class Child(AbstractContextManager["Child"]):
    """Control a child process over three pipes: the worker's notice, the private channel, the child's output."""

    def __init__(self, connection: socket.socket, channel: socket.socket, output: int, limits: Limits) -> None:
        self.connection, self.channel, self.output, self.limits = connection, channel, output, limits
        self.printed = bytearray()  # the first 16 KiB
        self.ending: Ending | None = None
        self.begun = False  # it is locked down and reads its code
        # Only time spent waiting for this child counts, so other work of the caller costs the child nothing.
        self._remaining_s = limits.wall_s
        self._reader = MessageReader(limits.reply_bytes, _MAX_REPLY_HEADER_BYTES)
        self._unsent = memoryview(b"")
        self._output_bytes = 0
        self._output_open = True
        self._has_notice = False  # the worker has reported how the child ended
        channel.settimeout(0)
        os.set_blocking(output, False)

    def ask(self, header: dict[str, Any], blobs: Sequence[bytes] = ()) -> Message | Ending:
        """Send a request and return the reply or how the child ended. Raise WorkerEndedError if the worker did."""
        self.send(header, blobs)
        return self.receive()

    def send(self, header: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
        """Send a request without waiting. `receive` waits for the reply."""
        self._unsent = memoryview(pack(header, blobs))
        self._write()

    def receive(self) -> Message | Ending:
        """Return the reply to the last request, or how the child ended, then and on every later call."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.channel, self._interest())
            if self._output_open:
                selector.register(self.output, selectors.EVENT_READ)
            while self.ending is None:
                if (frame := self._poll(selector)) is not None:
                    return frame
        return self.ending

    def _poll(self, selector: selectors.BaseSelector) -> Message | None:
        """Wait a moment for data and return the reply if it is complete."""
        # When the time is up this runs once more, with no wait, for a reply that came while we were stopped.
        began, seconds = time.monotonic(), max(0.0, self._remaining_s)
        try:
            # Read the output before the channel: the reply ends the wait, and earlier output would be lost.
            ready = sorted(
                selector.select(min(seconds, _MAX_POLL_S)), key=lambda entry: entry[0].fileobj is self.channel
            )
            for key, events in ready:
                if key.fileobj is self.channel:
                    if (frame := self._on_channel(events)) is not None:
                        return frame
                else:
                    self._drain(selector)
        finally:
            # A poll that took longer means that this process was stopped or the machine slept: not the child's
            # fault.
            self._remaining_s -= min(time.monotonic() - began, _MAX_POLL_S)
        if self.ending is None and not seconds:
            self._end(TimedOut(self.limits.wall_s))
        elif self.ending is None:
            selector.modify(self.channel, self._interest())
        return None

    def close(self) -> None:
        """Kill the child if it still runs, wait until it ends, and close all pipes. Safe to call twice."""
        if self.connection.fileno() < 0:
            return
        with contextlib.suppress(OSError):
            self.connection.sendall(b"k")
        if not self._has_notice:
            with contextlib.suppress(WorkerEndedError):
                self._notice(_NOTICE_S)
        self.close_pipes()

    def close_pipes(self) -> None:
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
        return printable(self.printed.decode("utf-8", "replace"), _MAX_PRINTED_BYTES)

    def _interest(self) -> int:
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if self._unsent else 0)

    def _write(self) -> None:
        try:
            count = self.channel.send(self._unsent[:MIB]) if self._unsent else 0
        except BlockingIOError:
            return
        except OSError:
            # The child closed the channel. The next read finds out how it ended.
            self._unsent = memoryview(b"")
            return
        self._unsent = self._unsent[count:]

    def _on_channel(self, events: int) -> Message | None:
        if events & selectors.EVENT_WRITE:
            self._write()
        if not events & selectors.EVENT_READ:
            return None
        try:
            # Before BEGUN read no more than that byte: a reply may follow it in the same packet.
            data = self.channel.recv(_CHUNK_BYTES if self.begun else len(BEGUN))
            if data and self.begun:
                return self._reader.feed(data)
            if data == BEGUN:
                self.begun = True
                return None
        except BlockingIOError:
            return None
        except WireError as error:
            self._end(Refused(f"its reply is invalid: {error}"))
            return None
        except OSError:
            pass
        self._end(self._how_it_ended())
        return None

    def _drain(self, selector: selectors.BaseSelector) -> None:
        with contextlib.suppress(BlockingIOError):
            data = os.read(self.output, _CHUNK_BYTES)
            self._output_bytes += len(data)
            self.printed += data[: _MAX_PRINTED_BYTES - len(self.printed)]
            if not data:
                self._output_open = False
                selector.unregister(self.output)
        if self._output_bytes > self.limits.output_bytes:
            self._end(Refused(f"it printed more than {self.limits.output_bytes // 1024} KiB"))

    def _end(self, ending: Ending) -> Ending:
        """Record how the child ended, unless that is recorded already, and kill it."""
        self.ending = self.ending or ending
        with contextlib.suppress(OSError):
            self.connection.sendall(b"k")
        return self.ending

    def _how_it_ended(self) -> Ending:
        """Wait a moment for the worker's report, and return how the child ended according to it."""
        with contextlib.suppress(OSError):  # the last output, often the reason
            self.printed += os.read(self.output, _CHUNK_BYTES)[: _MAX_PRINTED_BYTES - len(self.printed)]
        notice = self._notice(min(_NOTICE_S, max(0.05, self._remaining_s)))
        if notice is None:
            # Without a report it may have been killed from outside, which must not count against the answer.
            return Crashed("it closed its channel before it answered", killed=True)
        status, cpu_s, reason = int(notice["status"]), float(notice["cpu_s"]), str(notice.get("why", ""))
        if reason:
            return Refused(reason)
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            if number in _TIME_SIGNALS and cpu_s >= _MIN_CPU_FRACTION * self.limits.cpu_s:
                return TimedOut(float(self.limits.cpu_s), of_cpu=True)
            text = _SIGNAL_TEXTS.get(number, f"signal {number}")  # real-time signals have no name
            return Crashed(f"it ended by {text} before it answered", killed=number not in _FAULTS)
        return Crashed(f"it ended itself with exit code {os.waitstatus_to_exitcode(status)} before it answered")

    def _notice(self, seconds: float) -> dict[str, Any] | None:
        """Return the worker's report on how the child ended, or None if it does not come in time."""
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
                raise WorkerEndedError("The sandbox's worker ended. Try again.")
            data += more
        notice: dict[str, Any] = json.loads(data.splitlines()[-1])
        self._has_notice = "status" in notice
        return notice if self._has_notice else None
