"""Runs many versions of one answer on one input inside a limited child: for hints alone, never for a verdict."""

import socket
from typing import Any

from studykit.graders.child.library import Library, decoded, library_for
from studykit.graders.child.run_rewrite import INPUT_BYTES, prepare
from studykit.sandbox.channel import Message, pack, receive

__all__ = ["main", "prepare"]


def main(channel: socket.socket) -> None:
    """Serve frames of `codes` with the arguments for all of them, until the channel ends."""
    first = receive(channel, INPUT_BYTES)
    if first is None:
        return
    library = library_for(first.header)
    channel.sendall(pack({"ready": True}))
    while (frame := receive(channel, INPUT_BYTES)) is not None:
        sent: list[bytes] = []
        values = [_value(library, code, frame, sent) for code in frame.header["codes"]]
        channel.sendall(pack({"values": values}, sent))


def _value(library: Library, code: str, frame: Message, sent: list[bytes]) -> dict[str, Any] | None:
    """What this version returns, None where it returns nothing that could be sent."""
    mine: list[bytes] = []
    try:
        blobs = list(frame.blobs)
        arguments = [decoded(library, value, blobs) for value in frame.header["arguments"]]
        space: dict[str, Any] = {"__name__": "answer", **library.names()}
        exec(code, space)  # in a limited child; without annotations and imports, so no tree is needed
        header: dict[str, Any] = library.encoded(space["f"](*arguments), mine)
    except Exception:  # most versions of a wrong answer fail
        return None
    sent += mine
    return header
