"""Records which operations an answer's own code calls while it runs, and which of einops' functions it calls.

Only operations on what came from the inputs are recorded. Where einops stands anywhere between an operation and
the answer, the operation is einops'. What a child says of them is untrusted: an answer can forge it.
"""

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from studykit.exercise.rewrite.rewrite import EINOPS
from studykit.graders.rewrite.operations import ADVICE, INDEX, NEW_AXIS, PART, plain_name

FILE = "<answer>"
_MAX_FRAMES = 200
_MAX_OPERATIONS = 64
_MARK = "_came_from_an_input"
_TO_TENSOR = {"tensor", "as_tensor", "asarray"}
"""Functions of torch that give a tensor back with the values that it has."""


class Recorder:
    """The record of one child: `operations` with their lines, and the functions of einops that were `called`."""

    def __init__(self, einops: Any) -> None:
        self.operations: dict[tuple[str, int], None] = {}
        self.called: set[str] = set()
        self.replaced = ""  # the function whose results are replaced, in a run that is not judged otherwise
        self.library: Any  # TorchWatch, or NumpyWatch where torch is not installed
        self._folder = str(Path(einops.__file__).parent)
        self._running = False
        self._inside = False  # a function of einops, or one of the library that calls others
        self._wrap_einops(einops)

    @contextmanager
    def running(self, replaced: str = "") -> Iterator[None]:
        """Record what is called inside, which is the answer's function."""
        self.replaced, self._running = replaced, True
        try:
            with self.library.watching():
                yield
        finally:
            self._running = False

    def header(self) -> dict[str, Any]:
        """Return the record as JSON."""
        return {"operations": [list(one) for one in self.operations], "called": sorted(self.called)}

    def note(self, name: str) -> bool:
        """Record an operation if the answer itself calls it, and return whether it does."""
        name = plain_name(name)
        if name not in ADVICE or not self._running or self._inside or len(self.operations) >= _MAX_OPERATIONS:
            return False
        line = self._line()
        if line:
            self.operations[name, line] = None
        return line > 0

    def record_call(self, name: str, value: Any) -> Any:
        """Record a call of a function that an exercise may ask for. Return its result or a replacement."""
        if self._running:
            self.called.add(name)
        return self._replaced(value) if self._running and self.replaced == name else value

    def within(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function so that its own calls are not recorded."""

        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            outer, self._inside = self._inside, True
            try:
                return function(*args, **kwargs)
            finally:
                self._inside = outer

        return called

    def _line(self) -> int:
        """Return the answer's current line, or 0 if einops is in between or no line is."""
        frame, line = sys._getframe(1), 0
        for _ in range(_MAX_FRAMES):
            if frame.f_code.co_filename.startswith(self._folder):
                return 0
            if frame.f_code.co_filename == FILE and not line:
                line = frame.f_lineno
            if frame.f_back is None:
                break
            frame = frame.f_back
        return line

    def _wrap_einops(self, einops: Any) -> None:
        for name in EINOPS:
            function = getattr(einops, name)
            wrapped = self._noting(name, function)
            for module in (einops, sys.modules.get(function.__module__)):
                if module is not None:
                    setattr(module, name, wrapped)
        layers = sys.modules.get("einops.layers.torch")
        for name, layer in (("rearrange", "Rearrange"), ("reduce", "Reduce"), ("einsum", "EinMix")):
            if layers is not None:
                kind = getattr(layers, layer)
                kind.forward = self._noting(name, kind.forward)

    def _noting(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def noted(*args: Any, **kwargs: Any) -> Any:
            value = function(*(" ".join(one.split()) if isinstance(one, str) else one for one in args), **kwargs)
            is_given = any(self.library.is_given(one) for one in (*args, *kwargs.values()))
            return self.record_call(name, value) if is_given and not self._is_einops_own() else value

        return noted

    def _is_einops_own(self) -> bool:
        """Return whether einops itself called the function: its rearrange is a reduce."""
        caller = sys._getframe(2)
        return caller.f_code.co_filename.startswith(self._folder)

    def _replaced(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: size + 1 if isinstance(size, int) else size for key, size in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self._replaced(one) for one in value)
        return self.library.other(value) if self.library.is_given(value) else value


class TorchWatch:
    """Sees every function, method, operator, index and attribute of torch, and marks what came from the inputs."""

    def __init__(self, torch: Any, recorder: Recorder) -> None:
        self.torch, self.recorder = torch, recorder
        torch.compile = _left_out  # it needs processes
        torch.jit.script = _left_out  # it needs a file

    def give(self, value: Any) -> Any:
        """Mark the value as one that came from the inputs."""
        if isinstance(value, self.torch.Tensor):
            value.__dict__[_MARK] = True
        elif isinstance(value, list | tuple):
            for one in value:
                self.give(one)
        return value

    def is_given(self, value: Any) -> bool:
        """Return whether a value, or one of a list, came from the inputs."""
        if isinstance(value, list | tuple):
            return any(self.is_given(one) for one in value)
        if not isinstance(value, self.torch.Tensor):
            return False
        return _MARK in value.__dict__ or self.torch._C._functorch.is_functorch_wrapped_tensor(value)  # in a vmap

    def other(self, value: Any) -> Any:
        """Return another tensor of the same shape."""
        torch = self.torch
        if value.dtype is torch.bool:
            return ~value
        count = torch.arange(1, value.numel() + 1, device=value.device).reshape(value.shape)
        return value * 2 + count.to(value.dtype)

    def watching(self) -> AbstractContextManager[Any]:
        """See the operations that are called inside."""
        from torch.overrides import TorchFunctionMode

        watch = self

        class Functions(TorchFunctionMode):
            def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                return watch.see(func, args, kwargs or {})

        mode: AbstractContextManager[Any] = Functions()
        return mode

    def see(self, function: Any, args: Any, kwargs: Any) -> Any:
        """Call a function of torch, and record it if it works on what came from the inputs."""
        name = _name(function, args)
        value = function(*args, **kwargs)
        if not any(self.is_given(one) for one in (*args, *kwargs.values())):
            return value
        self.give(value)
        is_copy = name in _TO_TENSOR and isinstance(args[0] if args else None, self.torch.Tensor)
        if not is_copy and self.recorder.note(name) and name == "einsum":
            value = self.give(self.recorder.record_call(name, value))
        if name.endswith("_") or "out" in kwargs:  # in place
            self.give([*args[:1], kwargs.get("out")])
        return value


def _name(function: Any, args: Any) -> str:
    """Return the name of a function of torch. An attribute has its own, an index what it does."""
    name = str(getattr(function, "__name__", ""))
    if name == "__get__":
        return str(getattr(function.__self__, "__name__", ""))
    return index_name(args[1]) if name == "__getitem__" else name


def index_name(index: Any) -> str:
    """Return whether an index takes one part by whole numbers or is another kind."""
    places = index if isinstance(index, tuple) else (index,)
    kept = [place for place in places if place is not None and place is not ...]
    if len(kept) < len(places) and all(isinstance(place, slice) and place == slice(None) for place in kept):
        return NEW_AXIS
    return PART if all(type(place) is int for place in places) else INDEX


def _left_out(function: Any = None, **_: Any) -> Any:
    return function if function is not None else _left_out
