"""Read keys one by one from a terminal that stays in cbreak mode for the whole session.

Setting the mode for each key would lose what is typed between two reads, so the mode is kept, and every byte
is buffered until it is read.
"""

import os
import select
import termios
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass

NAMED = {
    "\r": "enter", "\n": "enter", "\t": "tab", "\x7f": "backspace", "\x08": "backspace", " ": "space",
}  # fmt: skip
# Terminals differ: "[A" is the cursor mode, "OA" the application mode, "[7~" and "Od" are of rxvt.
SEQUENCES = {
    "[A": "up", "[B": "down", "[C": "right", "[D": "left", "[H": "home", "[F": "end",
    "OA": "up", "OB": "down", "OC": "right", "OD": "left", "OH": "home", "OF": "end", "OM": "enter",
    "[1~": "home", "[4~": "end", "[7~": "home", "[8~": "end", "[3~": "delete",
    "[1;5D": "ctrl-left", "[1;5C": "ctrl-right", "[1;3D": "alt-left", "[1;3C": "alt-right",
    "Od": "ctrl-left", "Oc": "ctrl-right", "[3;3~": "alt-d", "[3;5~": "alt-d",
    "[5~": "pgup", "[6~": "pgdn", "[200~": "paste", "[201~": "unknown",
}  # fmt: skip
_PASTE_END = b"\x1b[201~"
_MAX_SEQUENCE = 32
_FINAL_BYTES = range(0x40, 0x7F)  # of a control sequence
_MAX_PASTE = 200_000
_SLICE_SECONDS = 1.0  # of a wait, after which the reader checks whether the terminal still exists


class HangupError(Exception):
    """Raised if the terminal is gone, or its input has ended."""


@dataclass(frozen=True, slots=True)
class Key:
    """Hold a key: its name, and the text it types, which is "" for keys that move or act."""

    name: str
    text: str = ""


def decode(buffer: bytes, *, complete: bool) -> tuple[Key, int] | None:
    """Return the first key in a buffer and its length in bytes, or None while more bytes may belong to it.

    `complete` means that nothing more has arrived for a while, so a lone escape is the Esc key.
    """
    if buffer[:1] == b"\x1b":
        return _escape(buffer, complete=complete)
    for length in range(1, min(4, len(buffer)) + 1):  # UTF-8 has at most four bytes a character
        try:
            return _character(buffer[:length].decode("utf-8")), length
        except UnicodeDecodeError as error:
            if error.reason != "unexpected end of data":
                break
    else:
        if not complete:
            return None
    return Key("unknown"), 1


def _character(character: str) -> Key:
    if name := NAMED.get(character):
        return Key(name, " " if name == "space" else "")
    if character < " ":
        return Key(f"ctrl-{chr(ord(character) + 96)}")
    return Key(character, character)


def _escape(buffer: bytes, *, complete: bool) -> tuple[Key, int] | None:
    if len(buffer) == 1:
        return (Key("esc"), 1) if complete else None
    if buffer[1:2] not in b"[O":
        return _alt(buffer, complete=complete)
    for end in range(2, min(len(buffer), _MAX_SEQUENCE)):
        if buffer[end] in _FINAL_BYTES:
            name = SEQUENCES.get(buffer[1 : end + 1].decode("ascii", "replace"), "unknown")
            return Key(name), end + 1
    if complete or len(buffer) >= _MAX_SEQUENCE:
        return Key("unknown"), len(buffer[:_MAX_SEQUENCE])
    return None


def _alt(buffer: bytes, *, complete: bool) -> tuple[Key, int] | None:
    """Decode an escape and the key after it as that key with Alt, which types nothing. Two escapes are Esc."""
    if buffer[1:2] == b"\x1b":
        return Key("esc"), 1
    result = decode(buffer[1:], complete=complete)
    return None if result is None else (Key(f"alt-{result[0].name}"), 1 + result[1])


class KeyReader:
    """Read keys from a terminal's descriptor, without waiting for a terminal that is gone."""

    def __init__(self, descriptor: int, *, escape_seconds: float = 0.05) -> None:
        self._descriptor = descriptor
        self._escape_seconds = escape_seconds
        self._buffer = b""
        # Python repeats a `select` that a signal interrupts, so handlers wake it by writing into this pipe.
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)  # a handler must not wait for a reader
        self._pokes: deque[str] = deque()
        self._is_interrupted = False

    def close(self) -> None:
        """Close the reader's own descriptors."""
        os.close(self._wake_read)
        os.close(self._wake_write)

    @property
    def pokes(self) -> int:
        """Count the pokes that no read has returned yet."""
        return len(self._pokes)

    def poke(self, name: str) -> None:
        """Let the current or next read return a key of this name. Safe in a signal handler."""
        self._pokes.append(name)
        with suppress(BlockingIOError):  # a pipe full of unread pokes wakes all the same
            os.write(self._wake_write, b"!")

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt from a signal handler, and let the next read raise it again.

        Python drops an exception raised during cleanup, as at the end of an import. A caller that
        handles it must call `forgive`.
        """
        self._is_interrupted = True
        raise KeyboardInterrupt

    def forgive(self) -> None:
        """Forget a handled interrupt, which the next read would raise again."""
        self._is_interrupted = False

    def read(self, timeout: float | None = None) -> Key | None:
        """Return the next key, or None after the timeout. Raise HangupError if no more keys can come."""
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            if self._is_interrupted:
                self._is_interrupted = False
                raise KeyboardInterrupt
            if self._pokes:
                return Key(self._pokes.popleft())
            if self._buffer and (key := self._from_buffer()):
                return key
            if not self._wait(end) and end is not None and time.monotonic() >= end:
                return None

    def forget(self) -> None:
        """Drop the keys that were typed but not read."""
        while self._readable(0):
            self._read_more(0)
        self._buffer = b""

    def _from_buffer(self) -> Key | None:
        result = decode(self._buffer, complete=False)
        while result is None:
            result = decode(self._buffer, complete=not self._read_more(self._escape_seconds))
        key, length = result
        self._buffer = self._buffer[length:]
        return self._paste() if key.name == "paste" else key

    def _paste(self) -> Key:
        while _PASTE_END not in self._buffer and len(self._buffer) < _MAX_PASTE and self._read_more(1.0):
            pass
        data, _, self._buffer = self._buffer.partition(_PASTE_END)
        return Key("paste", data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n"))

    def _wait(self, end: float | None) -> bool:
        seconds = _SLICE_SECONDS if end is None else max(0.0, min(_SLICE_SECONDS, end - time.monotonic()))
        if self._read_more(seconds):
            return True
        try:
            termios.tcgetattr(self._descriptor)  # fails once the terminal is gone
        except termios.error as error:
            raise HangupError from error
        return False

    def _read_more(self, seconds: float) -> bool:
        """Add what arrives within a time to the buffer, and return whether anything did."""
        if not self._readable(seconds):
            return False
        try:
            data = os.read(self._descriptor, 4096)
        except OSError as error:
            raise HangupError from error
        if not data:
            raise HangupError
        self._buffer += data
        return True

    def _readable(self, seconds: float) -> bool:
        try:
            ready, _, _ = select.select([self._descriptor, self._wake_read], [], [], seconds)
        except (OSError, ValueError) as error:
            raise HangupError from error
        if self._wake_read in ready:
            os.read(self._wake_read, 4096)
        return self._descriptor in ready
