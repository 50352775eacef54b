"""Record operations on numpy arrays if torch is not installed, and stand in for torch."""

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar, Self

import einops
import numpy as np

from studykit.graders.child.recorder import Recorder, index_name
from studykit.graders.rewrite.operations import ADVICE, PART

Helpers = dict[str, Callable[..., Any]]
_NUMPY_NAMES = {
    "mul": "multiply",
    "div": "divide",
    "sub": "subtract",
    "neg": "negative",
    "pow": "power",
    "clamp": "clip",
    "clamp_min": "maximum",
    "float": "float32",
    "double": "float64",
}
"""numpy's names of what has another name in torch."""


class NumpyWatch:
    """Watch arrays by giving inputs a type of their own, whose methods record and return that type."""

    def __init__(self, recorder: Recorder, helpers: Helpers) -> None:
        quiet = {name: recorder.within(helper) for name, helper in helpers.items()}
        self.type: Any = type("Tensor", (GivenArray,), {"recorder": recorder, "watch": self, **quiet})
        for name in ADVICE:
            method = getattr(np.ndarray, name, None)
            if callable(method) and name not in vars(GivenArray):
                setattr(self.type, name, self._recording(recorder, name, method))
        for name in ("array", "asarray"):  # these would return an ordinary array
            setattr(np, name, self._keeping(recorder, getattr(np, name)))

    def give(self, value: Any) -> Any:
        """Return the value marked as derived from the inputs."""
        if isinstance(value, list | tuple):
            return type(value)(map(self.give, value))
        if isinstance(value, np.generic):  # a scalar
            value = np.array(value)
        return np.ndarray.view(value, self.type) if isinstance(value, np.ndarray) else value

    def is_given(self, value: Any) -> bool:
        """Return whether a value, or an item of a list, was derived from the inputs."""
        if isinstance(value, list | tuple):
            return any(map(self.is_given, value))
        return isinstance(value, self.type)

    def other(self, value: Any) -> Any:
        """Return a different array of the same shape."""
        plain = _plain(value)
        count = np.arange(1, plain.size + 1).reshape(plain.shape)
        return self.give(~plain if plain.dtype == bool else (plain * 2 + count).astype(plain.dtype))

    def watching(self) -> AbstractContextManager[Any]:
        """Return an empty context, because the arrays record by themselves."""
        return nullcontext()

    def _recording(self, recorder: Recorder, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        quiet = recorder.within(method)

        def recorded(*args: Any, **kwargs: Any) -> Any:
            recorder.note(name)
            value = quiet(*args, **kwargs)
            return value if name in {"tolist", "item"} else self.give(value)

        recorded.__name__ = name
        return recorded

    def _keeping(self, recorder: Recorder, function: Callable[..., Any]) -> Callable[..., Any]:
        def kept(*args: Any, **kwargs: Any) -> Any:
            value = function(*args, **kwargs)
            if not self.is_given(args):
                return value
            if isinstance(args[0], list | tuple):
                recorder.note("stack")
            return self.give(value)

        return kept


class _Length(int):
    """Act as `x.size`, which is a number in numpy and a method in torch."""

    shape: tuple[int, ...]

    def __new__(cls, array: Any) -> Self:
        length = super().__new__(cls, np.ndarray.size.__get__(array))
        length.shape = tuple(array.shape)
        return length

    def __call__(self, dim: int | None = None) -> Any:
        return self.shape if dim is None else self.shape[dim]


class GivenArray(np.ndarray):
    """Record an array's operations, and add the methods of torch's tensors that answers use."""

    recorder: ClassVar[Recorder]
    watch: ClassVar[Any]  # NumpyWatch

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        value = self.watch.give(self.recorder.within(super().__array_function__)(func, types, args, kwargs))
        is_einsum = self.recorder.note(func.__name__) and func.__name__ == "einsum"
        return self.recorder.record_call("einsum", value) if is_einsum else value

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = (), **kwargs: Any) -> Any:
        self.recorder.note(ufunc.__name__ if method == "__call__" else "sum")
        if out:
            kwargs["out"] = tuple(map(_plain, out))
        value = getattr(ufunc, method)(*map(_plain, inputs), **kwargs)
        return out[0] if len(out) == 1 else self.watch.give(value)

    def __getitem__(self, index: Any) -> Any:
        self.recorder.note(index_name(index))
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.recorder.note("__setitem__")
        super().__setitem__(index, value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.unbind())

    def __matmul__(self, other: Any) -> Any:
        return np.matmul(self, other)

    @property
    def size(self) -> Any:
        return _Length(self)

    @property
    def T(self) -> Any:  # noqa: N802 - numpy's name
        self.recorder.note("T")
        return np.ndarray.transpose(self)

    def view(self, *shape: Any) -> Any:  # type: ignore[override]
        return self.reshape(*shape) if isinstance(shape[0], int) else np.ndarray.view(self, *shape)

    def transpose(self, *axes: Any) -> Any:
        self.recorder.note("transpose")
        is_pair = len(axes) == 2 != self.ndim  # noqa: PLR2004 - as torch reads two axes
        return np.ndarray.swapaxes(self, *axes) if is_pair else np.ndarray.transpose(self, *axes)

    def permute(self, *axes: Any) -> Any:
        return self.transpose(*axes)

    def dim(self) -> int:
        return self.ndim

    def numel(self) -> int:
        return int(self.size)

    def contiguous(self) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        """Return a method of torch's tensors that is a numpy function: `x.mul(y)`, or in place `x.mul_(y)`."""
        plain = name.rstrip("_")
        if name.startswith("_") or not (plain in vars(type(self)) or hasattr(np, _NUMPY_NAMES.get(plain, plain))):
            raise AttributeError(f"'Tensor' object has no attribute {name!r}, because torch is not installed")
        if plain == name:
            return functools.partial(getattr(np, _NUMPY_NAMES.get(name, name)), self)

        def in_place(*args: Any, **kwargs: Any) -> Any:
            np.copyto(_plain(self), _plain(getattr(self, plain)(*args, **kwargs)))
            return self

        return in_place

    def to(self, *target: Any, dtype: Any = None, **_: Any) -> Any:
        kinds = [
            value.dtype if isinstance(value, np.ndarray) else value
            for value in target
            if not isinstance(value, str)
        ]
        return self.astype(dtype or next(iter(kinds), self.dtype), copy=False)

    type = type_as = to

    detach = contiguous
    clone = np.ndarray.copy

    def float(self) -> Any:
        return self.astype(np.float32)

    def double(self) -> Any:
        return self.astype(np.float64)

    def pow(self, exponent: Any) -> Any:
        return self**exponent

    def square(self) -> Any:
        return self * self

    def unbind(self, dim: int = 0) -> tuple[Any, ...]:
        self.recorder.note(PART)
        return tuple(map(self.watch.give, np.moveaxis(_plain(self), dim, 0)))


def _plain(value: Any) -> Any:
    return np.ndarray.view(value, np.ndarray) if isinstance(value, np.ndarray) else value


class TorchStandIn(ModuleType):
    """Stand in for torch with numpy's functions of the same names."""

    def __getattr__(self, name: str) -> Any:
        numpy_name = _NUMPY_NAMES.get(name, name)
        if name.startswith("__") or not hasattr(np, numpy_name):
            raise AttributeError(f"torch is not installed, and numpy has no {name}; write the answer without it")
        return getattr(np, numpy_name)


class _Module:
    """Stand in for `torch.nn.Module`."""

    forward: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)


class _NoGradient(nullcontext[None]):
    """Stand in for `torch.no_grad()`, as a context manager and as a decorator."""

    def __new__(cls, function: Any = None) -> Any:
        return function if callable(function) else super().__new__(cls)

    def __call__(self, function: Any) -> Any:
        return function


def _layer(name: str) -> Any:
    """Return a stand-in for a layer of `einops.layers.torch`, which calls einops' function of this name."""

    class Layer(_Module):
        def __init__(self, *given: Any, **sizes: Any) -> None:
            self.given, self.sizes = given, sizes

        def forward(self, x: Any) -> Any:
            return getattr(einops, name)(x, *self.given, **self.sizes)

    return Layer


def stand_in(helpers: Helpers) -> Any:
    """Return a module `torch` with `torch.nn`, `torch.nn.functional` and einops' layers."""
    names = ("torch", "torch.nn", "torch.nn.functional", "einops.layers.torch")
    modules: dict[str, Any] = {name: TorchStandIn(name) for name in names}
    torch, nn, functional, layers = modules.values()
    vars(torch).update(helpers, nn=nn, Tensor=np.ndarray, tensor=np.array, as_tensor=np.asarray)
    vars(torch).update(no_grad=_NoGradient, inference_mode=_NoGradient, compile=lambda f=None, **_: f or _same)
    vars(torch).update(Size=tuple, device=str, jit=SimpleNamespace(script=_same, ignore=_same))
    vars(functional).update(helpers)
    vars(nn).update(Module=_Module, functional=functional)
    vars(nn).update(ReLU=lambda **_: helpers["relu"], Sigmoid=lambda: helpers["sigmoid"])
    vars(nn).update(Softmax=lambda dim=-1: functools.partial(helpers["softmax"], dim=dim))
    vars(layers).update(Rearrange=_layer("rearrange"), Reduce=_layer("reduce"))
    sys.modules.update(modules)
    return torch


def _same(function: Any) -> Any:
    return function
