"""Runs many versions of one answer on one input inside a limited child: only for hints, never for a verdict."""

import socket
from typing import Any

from studykit.graders.child.answer_module import Function, load
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
    parameters, name = first.header["parameters"], str(first.header["name"])
    channel.sendall(pack({"ready": True}))
    while (frame := receive(channel, INPUT_BYTES)) is not None:
        sent: list[bytes] = []
        values: list[dict[str, Any] | None] = []
        for code in frame.header["codes"]:
            try:
                function = load(code, parameters, name, library).function
                value, blobs = _called(library, function, frame)
            except Exception:  # most versions of a wrong answer fail
                values.append(None)
            else:
                values.append(value)
                sent += blobs
        channel.sendall(pack({"values": values}, sent))


def _called(library: Library, function: Function, frame: Message) -> tuple[dict[str, Any], list[bytes]]:
    """What a version returns, as a header and its bytes."""
    blobs, sent = list(frame.blobs), list[bytes]()
    arguments = [decoded(library, value, blobs) for value in frame.header["arguments"]]
    return library.encoded(function(*arguments), sent), sent
