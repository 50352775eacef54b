"""Runs the function of an answer or of an exercise inside a limited child: bytes in, bytes out, no verdict.

Or many versions of one answer on the same inputs, which is only for hints.
"""

import socket
import sys
from contextlib import suppress
from typing import Any

from studykit.errors import line_in
from studykit.graders.child.answer_module import load
from studykit.graders.child.library import Library, decoded, library_for
from studykit.graders.child.recorder import FILE
from studykit.sandbox.channel import Message, pack, receive

_MESSAGE_CHARACTERS = 2000
INPUT_BYTES = 64 << 20


def prepare(device: str, threads: int) -> None:
    """Set the threads and create a CUDA context for the GPU, before anything is given up."""
    torch = sys.modules.get("torch")
    if torch is None:
        return
    torch.set_num_threads(threads)
    if device == "cuda":
        square = torch.ones(8, 8, device="cuda")
        (square @ square).sum().item()
        torch.cuda.set_per_process_memory_fraction(0.5)


def main(channel: socket.socket) -> None:
    """Serve one answer: its code first, then one call after another until the channel ends.

    Where no code comes first, each frame brings `codes` of its own.
    """
    first = receive(channel, INPUT_BYTES)
    if first is None:
        return
    library = library_for(first.header)
    if "code" not in first.header:
        _serve_versions(channel, library, first.header)
        return
    # Whatever the answer patches afterwards, what speaks on the channel was taken before.
    send, next_message, encoded, packed = channel.sendall, receive, pack, _packed
    flush, suppressed, described = sys.stdout.flush, suppress, _described
    try:
        answer = load(str(first.header["code"]), first.header["parameters"], str(first.header["name"]), library)
    except BaseException as error:  # also SystemExit: whatever an answer raises is reported
        send(encoded({"error": described(error)}))
        return
    send(encoded({"ready": True}))
    while (frame := next_message(channel, INPUT_BYTES)) is not None:
        try:
            reply = packed(library, answer.function, frame)
        except BaseException as error:
            reply = encoded({"error": described(answer.cause(error))})
        with suppressed(Exception):  # what it printed is shown: this process will be killed, not ended
            flush()
        send(reply)


def _serve_versions(channel: socket.socket, library: Library, exercise: dict[str, Any]) -> None:
    """Answer each frame with what its versions of an answer return, None for those that fail."""
    channel.sendall(pack({"ready": True}))
    while (frame := receive(channel, INPUT_BYTES)) is not None:
        sent: list[bytes] = []
        values: list[dict[str, Any] | None] = []
        for code in frame.header["codes"]:
            blobs = list[bytes]()
            try:
                function = load(code, exercise["parameters"], str(exercise["name"]), library).function
                values.append(library.encoded(function(*_arguments(library, frame, list(frame.blobs))), blobs))
            except Exception:
                values.append(None)
            else:
                sent += blobs
        channel.sendall(pack({"values": values}, sent))


def _arguments(library: Library, frame: Message, blobs: list[bytes]) -> list[Any]:
    return [decoded(library, value, blobs) for value in frame.header["arguments"]]


def _packed(library: Library, function: Any, frame: Message) -> bytes:
    """Encode one call: the value, the inputs afterwards, the gradients if asked for, and the record.

    A frame with `replaced` names a function of einops whose results are replaced in this call.
    """
    blobs = list(frame.blobs)
    has_gradient = bool(frame.header.get("upstream"))
    upstream = library.tensor(frame.header["upstream"], blobs.pop()) if has_gradient else None
    arguments = _arguments(library, frame, blobs)
    tensors = [one for one in arguments if not isinstance(one, int)]
    if has_gradient:
        library.track(tensors)
    values = [library.watch.give(one) for one in arguments]
    with library.recorder.running(str(frame.header.get("replaced", ""))):
        value = function(*values)
    sent: list[bytes] = []
    header: dict[str, Any] = {"value": library.encoded(value, sent)}
    if has_gradient:
        header["gradients"] = [library.encoded(g, sent) for g in library.gradients(value, upstream, tensors)]
    header["inputs"] = [library.encoded(tensor, sent) for tensor in tensors]
    return pack(header | library.recorder.header(), sent)


def _described(error: BaseException) -> dict[str, Any]:
    """Encode an exception as JSON: its type, its text, and the answer's line where it arose."""
    try:
        text = str(error)[:_MESSAGE_CHARACTERS]
    except BaseException:  # a forged exception whose text raises
        text = ""
    family = [kind.__name__ for kind in type(error).__mro__[:6]]
    return {"type": type(error).__name__[:80], "family": family, "message": text, "line": line_in(error, FILE)}
