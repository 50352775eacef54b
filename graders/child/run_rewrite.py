"""Run the function of an answer or of an exercise inside a child: bytes in, bytes out, no verdict.

For hints, it can also run many versions of one answer on the same inputs.
"""

import socket
import sys
import warnings
from contextlib import suppress
from typing import Any

from studykit.errors import line_in
from studykit.graders.child.answer_module import load
from studykit.graders.child.library import Library, library_for
from studykit.graders.child.recorder import FILE
from studykit.sandbox.channel import Message, pack, receive

_MAX_MESSAGE_CHARACTERS = 2000
MAX_INPUT_BYTES = 64 << 20


def prepare(device: str, threads: int) -> None:
    """Set the threads and create a CUDA context, before the lock-down."""
    torch = sys.modules.get("torch")
    if torch is None:
        return
    torch.set_num_threads(threads)
    if device == "cuda":
        square = torch.ones(8, 8, device="cuda")
        (square @ square).sum().item()
        torch.cuda.set_per_process_memory_fraction(0.5)


def main(channel: socket.socket) -> None:
    """Serve one answer: receive its code, then answer one call after another until the channel is closed.

    If the first frame has no code, each later frame brings its own `codes`.
    """
    first = receive(channel, MAX_INPUT_BYTES)
    if first is None:
        return
    library = library_for(first.header)
    warnings.simplefilter("ignore")  # they would name files of studykit among what the answer printed
    if "code" not in first.header:
        _serve_versions(channel, library, first.header)
        return
    # Bind these before the answer runs, so that patching modules does not help it to forge replies.
    send, next_message, encoded, packed = channel.sendall, receive, pack, _packed
    flush, suppressed, described = sys.stdout.flush, suppress, _described
    try:
        answer = load(str(first.header["code"]), first.header["parameters"], str(first.header["name"]), library)
    except BaseException as error:  # report SystemExit, too
        send(encoded({"error": described(error)}))
        return
    send(encoded({"ready": True}))
    while (frame := next_message(channel, MAX_INPUT_BYTES)) is not None:
        try:
            reply = packed(library, answer.function, frame)
        except BaseException as error:
            reply = encoded({"error": described(answer.cause(error))})
        with suppressed(Exception):  # this process will be killed, which would lose buffered output
            flush()
        send(reply)


def _serve_versions(channel: socket.socket, library: Library, exercise: dict[str, Any]) -> None:
    """Reply to each frame with the result of each version of an answer, or None for a version that fails."""
    channel.sendall(pack({"ready": True}))
    while (frame := receive(channel, MAX_INPUT_BYTES)) is not None:
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
    """Return the sizes and tensors of a call, removing the tensors' bytes from the front of `blobs`."""
    values = frame.header["arguments"]
    return [value if isinstance(value, int) else library.tensor(value, blobs.pop(0)) for value in values]


def _packed(library: Library, function: Any, frame: Message) -> bytes:
    """Make one call, and encode its value, the inputs afterwards, gradients if requested, and the record.

    `replaced` in a frame names a function of einops whose results are replaced in this call.
    """
    blobs = list(frame.blobs)
    has_gradient = bool(frame.header.get("upstream"))
    upstream = library.tensor(frame.header["upstream"], blobs.pop()) if has_gradient else None
    arguments = _arguments(library, frame, blobs)
    tensors = [argument for argument in arguments if not isinstance(argument, int)]
    if has_gradient:
        library.track(tensors)
    values = [library.watch.give(argument) for argument in arguments]
    with library.recorder.running(str(frame.header.get("replaced", ""))):
        value = function(*values)
    sent: list[bytes] = []
    header: dict[str, Any] = {"value": library.encoded(value, sent)}
    if has_gradient:
        header["gradients"] = [library.encoded(g, sent) for g in library.gradients(value, upstream, tensors)]
    header["inputs"] = [library.encoded(tensor, sent) for tensor in tensors]
    return pack(header | library.recorder.header(), sent)


def _described(error: BaseException) -> dict[str, Any]:
    """Encode an exception as JSON: its type, its text, and the answer's line that raised it."""
    try:
        # The text of a SyntaxError ends with its file and line, which the reply names anyway.
        text = str(error.msg if isinstance(error, SyntaxError) else error)[:_MAX_MESSAGE_CHARACTERS]
    except BaseException:  # a forged exception whose text raises
        text = ""
    family = [kind.__name__ for kind in type(error).__mro__[:6]]
    return {"type": type(error).__name__[:80], "family": family, "message": text, "line": line_in(error, FILE)}
