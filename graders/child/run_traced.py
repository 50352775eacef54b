"""Runs an answer once more and notes which torch functions its lines called: a hint, which can be forged."""

import socket
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from studykit.graders.child.library import decoded, library_for
from studykit.graders.child.run_rewrite import FILE, INPUT_BYTES, load, prepare
from studykit.sandbox.channel import pack, receive

__all__ = ["main", "prepare"]

_MOST_CALLS = 48
_MOST_SHAPES = 3
_MOST_FRAMES = 60


@dataclass(slots=True)
class CallLog:
    """The calls so far, and how deep in one the run is: what a function calls itself is no news."""

    tensor: type[Any]
    einops: str  # einops' own folder
    calls: list[dict[str, Any]] = field(default_factory=list)
    depth: int = 0

    def note(self, function: Any, args: Any, kwargs: Any) -> None:
        name = str(getattr(function, "__name__", ""))
        line = _line(self.einops)
        if self.depth or not line or len(self.calls) >= _MOST_CALLS:
            return
        shapes = [list(a.shape) for a in args if isinstance(a, self.tensor)][:_MOST_SHAPES]
        self.calls.append({"line": line, "name": name, "shapes": shapes, "over": _over(args, kwargs)})


def _line(einops: str) -> int:
    """The answer's line that is at work, 0 where einops is in between."""
    frame = sys._getframe(2)
    for _ in range(_MOST_FRAMES):
        if frame.f_code.co_filename == FILE:
            return frame.f_lineno
        if frame.f_code.co_filename.startswith(einops) or frame.f_back is None:
            return 0
        frame = frame.f_back
    return 0


def _over(args: Any, kwargs: Any) -> list[int]:
    """The dimensions that a call names, where it does."""
    given = kwargs.get("dim", args[1] if len(args) > 1 else None)
    dimensions = list(given) if isinstance(given, tuple | list) else [given]
    return dimensions if all(type(one) is int for one in dimensions) else []


def _modes(notes: CallLog) -> list[Any]:
    """The function mode sees what Python calls; the dispatch mode what gets past it."""
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    class Functions(TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            notes.note(func, args, kwargs or {})
            notes.depth += 1
            try:
                return func(*args, **(kwargs or {}))
            finally:
                notes.depth -= 1

    class Operators(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch's own __init_subclass__
        @classmethod
        def _should_skip_dynamo(cls) -> bool:  # else torch imports its compiler, for a second
            return False

        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            notes.note(func, args, kwargs or {})
            return func(*args, **(kwargs or {}))

    return [Operators(), Functions()]  # type: ignore[no-untyped-call]  # torch's own __init__


def main(channel: socket.socket) -> None:
    """Serve one frame: the code and the arguments of one run, whose calls are told."""
    frame = receive(channel, INPUT_BYTES)
    if frame is None:
        return
    library = library_for(frame.header)
    torch, send, encoded = sys.modules["torch"], channel.sendall, pack
    notes = CallLog(torch.Tensor, str(Path(str(sys.modules["einops"].__file__)).parent))
    try:
        function = load(str(frame.header["code"]), "f", library)
        blobs = list(frame.blobs)
        arguments = [decoded(library, value, blobs) for value in frame.header["arguments"]]
        with ExitStack() as stack:
            for mode in _modes(notes):
                stack.enter_context(mode)
            function(*arguments)
    except BaseException:  # how it ended is known from the run that counted
        notes.depth = 0
    send(encoded({"calls": notes.calls}))
