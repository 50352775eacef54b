"""Record which operations and which functions of einops an answer's own code calls while it runs.

Only operations on values derived from the inputs count, and none that einops itself calls. An answer can forge the
record, so the judge does not trust it.
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
"""Functions of torch that return a tensor with the same values."""


class Recorder:
    """Collect the record of one child: `operations` with their lines, and `called` functions of einops."""

    def __init__(self, einops: Any) -> None:
        self.operations: dict[tuple[str, int], None] = {}
        self.called: set[str] = set()
        self.replaced = ""  # a function whose results to replace, to find out whether the answer depends on them
        self.library: Any  # TorchWatch, or NumpyWatch if torch is not installed
        self._folder = str(Path(einops.__file__).parent)
        self._running = False
        self._inside = False  # a function whose own calls are not recorded
        self._wrap_einops(einops)

    @contextmanager
    def running(self, replaced: str = "") -> Iterator[None]:
        """Record the calls of the answer's function, which runs inside this context."""
        self.replaced, self._running = replaced, True
        try:
            with self.library.watching():
                yield
        finally:
            self._running = False

    def header(self) -> dict[str, Any]:
        """Return the record as JSON."""
        return {"operations": [list(entry) for entry in self.operations], "called": sorted(self.called)}

    def note(self, name: str) -> bool:
        """Record an operation if the answer itself calls it, and return whether it was recorded."""
        name = plain_name(name)
        if name not in ADVICE or not self._running or self._inside or len(self.operations) >= _MAX_OPERATIONS:
            return False
        line = self._line()
        if line:
            self.operations[name, line] = None
        return line > 0

    def record_call(self, name: str, value: Any) -> Any:
        """Record a call of a function that an exercise may require. Return its result, or a replacement."""
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
        """Return the answer's current line, or 0 if the caller is einops or other code."""
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
            # A pattern may be written over several lines, but einops accepts only spaces between names.
            normalized = (" ".join(value.split()) if isinstance(value, str) else value for value in args)
            value = function(*normalized, **kwargs)
            is_given = any(map(self.library.is_given, (*args, *kwargs.values())))
            return self.record_call(name, value) if is_given and not self._is_einops_own() else value

        return noted

    def _is_einops_own(self) -> bool:
        """Return whether einops itself called the function, as its rearrange calls reduce."""
        caller = sys._getframe(2)
        return caller.f_code.co_filename.startswith(self._folder)

    def _replaced(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: size + 1 if isinstance(size, int) else size for key, size in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(map(self._replaced, value))
        return self.library.other(value) if self.library.is_given(value) else value


class TorchWatch:
    """Watch all functions, methods, operators, indexes and attributes of torch, and mark what inputs become."""

    def __init__(self, torch: Any, recorder: Recorder) -> None:
        self.torch, self.recorder = torch, recorder
        torch.compile = _skip_decorator  # it would start processes
        torch.jit.script = _skip_decorator  # it would read files

    def give(self, value: Any) -> Any:
        """Mark the value as derived from the inputs, and return it."""
        if isinstance(value, self.torch.Tensor):
            value.__dict__[_MARK] = True
        elif isinstance(value, list | tuple):
            for item in value:
                self.give(item)
        return value

    def is_given(self, value: Any) -> bool:
        """Return whether a value, or an item of a list, was derived from the inputs."""
        if isinstance(value, list | tuple):
            return any(map(self.is_given, value))
        if not isinstance(value, self.torch.Tensor):
            return False
        # Inside `vmap` torch wraps tensors anew, and the marks are lost.
        return _MARK in value.__dict__ or self.torch._C._functorch.is_functorch_wrapped_tensor(value)

    def other(self, value: Any) -> Any:
        """Return a different tensor of the same shape."""
        torch = self.torch
        if value.dtype is torch.bool:
            return ~value
        count = torch.arange(1, value.numel() + 1, device=value.device).reshape(value.shape)
        return value * 2 + count.to(value.dtype)

    def watching(self) -> AbstractContextManager[Any]:
        """Return a context in which every operation of torch goes through `see`."""
        from torch.overrides import TorchFunctionMode

        watch = self

        class Functions(TorchFunctionMode):
            def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                return watch.see(func, args, kwargs or {})

        mode: AbstractContextManager[Any] = Functions()
        return mode

    def see(self, function: Any, args: Any, kwargs: Any) -> Any:
        """Call a function of torch, and record it if an argument was derived from the inputs."""
        name = _name(function, args)
        value = function(*args, **kwargs)
        if not any(map(self.is_given, (*args, *kwargs.values()))):
            return value
        self.give(value)
        is_copy = name in _TO_TENSOR and isinstance(args[0] if args else None, self.torch.Tensor)
        if not is_copy and self.recorder.note(name) and name == "einsum":
            value = self.give(self.recorder.record_call(name, value))
        if name.endswith("_") or "out" in kwargs:  # in place
            self.give([*args[:1], kwargs.get("out")])
        return value


def _name(function: Any, args: Any) -> str:
    """Return the name of a function of torch or of an attribute, or the kind of an index."""
    name = str(getattr(function, "__name__", ""))
    if name == "__get__":
        return str(getattr(function.__self__, "__name__", ""))
    return index_name(args[1]) if name == "__getitem__" else name


def index_name(index: Any) -> str:
    """Return the kind of an index: a new axis, one part by whole numbers, or anything else."""
    places = index if isinstance(index, tuple) else (index,)
    indexes = [place for place in places if place is not None and place is not ...]
    if len(indexes) < len(places) and all(isinstance(place, slice) and place == slice(None) for place in indexes):
        return NEW_AXIS
    return PART if all(type(place) is int for place in places) else INDEX


def _skip_decorator(function: Any = None, **_: Any) -> Any:
    return function if function is not None else _skip_decorator
