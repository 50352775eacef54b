"""Runs `f` of an answer or of an exercise inside a limited child: bytes in, bytes out, no verdict."""

import ast
import importlib
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

from studykit.exercise.rewrite.annotations import WithoutAnnotations
from studykit.sandbox.channel import Message, pack, receive
from studykit.text import MOST_CHARACTERS

FILE = "<answer>"
_MESSAGE_CHARACTERS = 2000
_MOST_ITEMS, _MOST_BITS = 64, 63  # no exercise returns more
INPUT_BYTES = 64 << 20
_EINOPS = ("rearrange", "reduce", "repeat", "einsum", "pack", "unpack", "parse_shape")


def prepare(device: str, threads: int) -> None:
    """Before anything is given up: how many threads, and a CUDA context where one is wanted."""
    torch = sys.modules.get("torch")
    if torch is None:
        return
    torch.set_num_threads(threads)
    if device == "cuda":
        square = torch.ones(8, 8, device="cuda")
        (square @ square).sum().item()
        torch.cuda.set_per_process_memory_fraction(0.5)


def main(channel: socket.socket) -> None:
    """Serve one answer: its code first, then one call after another until the channel ends."""
    first = receive(channel, INPUT_BYTES)
    if first is None:
        return
    library = library_for(first.header)
    # Whatever the answer patches afterwards, what speaks on the channel was taken before.
    send, next_message, encoded, packed = channel.sendall, receive, pack, _packed
    flush, suppressed = sys.stdout.flush, suppress
    try:
        function = load(str(first.header["code"]), str(first.header["function"]), library)
    except BaseException as error:  # also SystemExit: whatever an answer raises is reported
        send(encoded({"error": _described(error)}))
        return
    send(encoded({"ready": True}))
    while (frame := next_message(channel, INPUT_BYTES)) is not None:
        try:
            reply = packed(library, function, frame)
        except BaseException as error:
            reply = encoded({"error": _described(error)})
        with suppressed(Exception):  # what it printed is shown: this process will be killed, not ended
            flush()
        send(reply)


def library_for(header: dict[str, Any]) -> "Library":
    """What the first frame asks for: torch on a device, or numpy."""
    return _Numpy() if header["backend"] == "numpy" else _Torch(header["device"])


def load(code: str, name: str, library: "Library") -> Callable[..., Any]:
    """The function of this name, once the code has run."""
    tree = WithoutAnnotations({"torch"} if isinstance(library, _Numpy) else frozenset()).visit(
        ast.parse(code, FILE)
    )
    space: dict[str, Any] = {"__name__": "answer", **library.names()}
    exec(compile(tree, FILE, "exec"), space)  # in a limited child, the very point of it
    function: Callable[..., Any] = space[name]
    return function


def _packed(library: "Library", function: Callable[..., Any], frame: Message) -> bytes:
    blobs = list(frame.blobs)
    wanted = bool(frame.header.get("upstream"))
    upstream = library.tensor(frame.header["upstream"], blobs.pop()) if wanted else None
    arguments = [decoded(library, value, blobs) for value in frame.header["arguments"]]
    tensors = [t for a in arguments for t in (a if isinstance(a, list) else [a]) if not isinstance(t, int)]
    if wanted:
        library.track(tensors)
    value = function(*arguments)
    sent: list[bytes] = []
    header: dict[str, Any] = {"value": library.encoded(value, sent)}
    if wanted:
        header["gradients"] = [library.encoded(g, sent) for g in library.gradients(value, upstream, tensors)]
    header["inputs"] = [library.encoded(tensor, sent) for tensor in tensors]
    return pack(header, sent)


def decoded(library: "Library", value: Any, blobs: list[bytes]) -> Any:
    """An argument as the library has it; its blob is taken off the front."""
    if isinstance(value, int):
        return value
    if isinstance(value, list):
        return [decoded(library, item, blobs) for item in value]
    return library.tensor(value, blobs.pop(0))


def _structure(value: Any, inner: Callable[[Any], Any]) -> dict[str, Any]:
    """JSON for what is no tensor: numbers, text, and lists, tuples and dictionaries of them."""
    if type(value) in {float, bool} or value is None:
        return {"plain": value}
    if type(value) is int or type(value) is str:
        return {"plain": value} if _is_short(value) else {"other": f"very long {type(value).__name__}"}
    if type(value) in {list, tuple} and len(value) <= _MOST_ITEMS:
        return {type(value).__name__: [inner(item) for item in value]}
    if type(value) is dict and len(value) <= _MOST_ITEMS:
        return {"dict": [[inner(key), inner(item)] for key, item in value.items()]}
    return {"other": type(value).__name__[:80]}


def _is_short(value: int | str) -> bool:
    """Whether the judge takes it for a value; no exercise returns more."""
    return len(value) <= MOST_CHARACTERS if isinstance(value, str) else value.bit_length() <= _MOST_BITS


class _Numpy:
    """Arrays by numpy, where torch is not installed."""

    def __init__(self) -> None:
        self.np = importlib.import_module("numpy")
        self.einops = importlib.import_module("einops")

    def names(self) -> dict[str, Any]:
        np = self.np

        def softmax(x: Any, dim: int = -1) -> Any:
            e = np.exp(x - x.max(axis=dim, keepdims=True))
            return e / e.sum(axis=dim, keepdims=True)

        softmax.__qualname__ = "softmax"  # as an exception names it

        helpers = {
            "softmax": softmax,
            "rsqrt": lambda x: 1 / np.sqrt(x),
            "sqrt": np.sqrt,
            "exp": np.exp,
            "relu": lambda x: np.maximum(x, 0),
            "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
        }
        torch = SimpleNamespace(**helpers)
        return (
            {name: getattr(self.einops, name) for name in _EINOPS}
            | helpers
            | {"torch": torch, "einops": self.einops}
        )

    def tensor(self, described: dict[str, Any], blob: bytes) -> Any:
        return self.np.frombuffer(bytearray(blob), dtype=described["dtype"]).reshape(described["shape"])

    def encoded(self, value: Any, sent: list[bytes]) -> dict[str, Any]:
        if type(value) is not self.np.ndarray and not isinstance(value, self.np.generic):
            return _structure(value, lambda item: self.encoded(item, sent))
        sent.append(value.tobytes())
        return {"tensor": {"dtype": value.dtype.name, "shape": list(value.shape)}}

    def track(self, tensors: list[Any]) -> None:
        """Numpy has no gradients; the judge does not ask for them."""

    def gradients(self, *_: Any) -> list[Any]:
        return []


class _Torch:
    """Tensors by torch, on a CPU or a GPU."""

    def __init__(self, device: str) -> None:
        self.torch = importlib.import_module("torch")
        self.einops = importlib.import_module("einops")
        self.device = device

    def names(self) -> dict[str, Any]:
        torch = self.torch
        helpers = {name: getattr(torch, name) for name in ("rsqrt", "sqrt", "exp", "relu", "sigmoid")}

        def softmax(x: Any, dim: int = -1) -> Any:
            return torch.softmax(x, dim)

        softmax.__qualname__ = "softmax"  # as an exception names it
        helpers["softmax"] = softmax
        known = {name: getattr(self.einops, name) for name in _EINOPS}
        return known | helpers | {"torch": torch, "einops": self.einops, "F": torch.nn.functional}

    def tensor(self, described: dict[str, Any], blob: bytes) -> Any:
        kind = getattr(self.torch, described["dtype"])
        return self.torch.frombuffer(bytearray(blob), dtype=kind).reshape(described["shape"]).to(self.device)

    def encoded(self, value: Any, sent: list[bytes]) -> dict[str, Any]:
        torch = self.torch
        if type(value) is not torch.Tensor or value.layout is not torch.strided:
            return _structure(value, lambda item: self.encoded(item, sent))
        here = value.detach().cpu().contiguous()
        sent.append(here.reshape(-1).view(torch.uint8).numpy().tobytes() if here.numel() else b"")
        described = {"dtype": str(value.dtype).removeprefix("torch."), "shape": list(value.shape)}
        return {"tensor": described | {"device": value.device.type}}

    def track(self, tensors: list[Any]) -> None:
        for tensor in tensors:
            tensor.requires_grad_()

    def gradients(self, value: Any, upstream: Any, tensors: list[Any]) -> list[Any]:
        if type(value) is not self.torch.Tensor or value.shape != upstream.shape or not value.requires_grad:
            return []  # the judge will say what is wrong with it
        loss = (value * upstream).sum()  # a gradient passed to autograd.grad would make it import sympy
        gradients = self.torch.autograd.grad(loss, tensors, allow_unused=True)
        return [None if g is None else g.detach() for g in gradients]


Library = _Numpy | _Torch


def _described(error: BaseException) -> dict[str, Any]:
    """An exception as JSON: its type, its text, and the line of the answer where it arose."""
    try:
        text = str(error)[:_MESSAGE_CHARACTERS]
    except BaseException:  # a forged exception whose text raises
        text = ""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename == FILE:
        line = error.lineno or 0
    family = [kind.__name__ for kind in type(error).__mro__[:6]]
    return {"type": type(error).__name__[:80], "family": family, "message": text, "line": line}
