"""Frames on the private channel: a JSON header and raw bytes. Never pickle: unpickling runs the sender's code."""

import json
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

HEADER_BYTES = 1 << 20
_PREFIX = 8


class WireError(Exception):
    """What came is no frame, or one larger than agreed."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message: JSON and the blobs it speaks of."""

    header: dict[str, Any]
    blobs: tuple[bytes, ...] = ()


def pack(header: dict[str, Any], blobs: Sequence[bytes] = ()) -> bytes:
    """The bytes of a frame."""
    text = json.dumps({"header": header, "blobs": [len(blob) for blob in blobs]}).encode()
    return len(text).to_bytes(_PREFIX, "big") + text + b"".join(blobs)


@dataclass(slots=True)
class MessageReader:
    """Collects bytes until they make a frame; refuses what would be larger than `most_bytes`."""

    most_bytes: int
    _held: bytearray = field(default_factory=bytearray)
    _described: tuple[dict[str, Any], list[int], int] | None = None  # header, blobs' sizes, bytes of the whole

    def feed(self, data: bytes) -> Message | None:
        """The frame that `data` completes, if it does."""
        self._held += data
        self._described = self._described or self._describe()  # once: a stranger sends byte by byte
        if self._described is None:
            return None
        header, sizes, whole = self._described
        if len(self._held) < whole:
            return None
        if len(self._held) > whole:
            raise WireError("bytes after the reply")
        blobs, start = [], whole - sum(sizes)
        for size in sizes:
            blobs.append(bytes(self._held[start : start + size]))
            start += size
        self._held.clear()
        self._described = None
        return Message(header, tuple(blobs))

    def _describe(self) -> tuple[dict[str, Any], list[int], int] | None:
        if len(self._held) < _PREFIX:
            return None
        length = int.from_bytes(self._held[:_PREFIX], "big")
        if length > HEADER_BYTES:
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
    """The next frame, waited for; None at the end of the channel. For the child, which has nothing else to do."""
    reader = MessageReader(most_bytes)
    while data := channel.recv(1 << 16):
        if (frame := reader.feed(data)) is not None:
            return frame
    return None
