"""Give an answer its library, torch or numpy, and convert values to bytes and back. Used only in children."""

import math
import sys
from collections.abc import Callable
from typing import Any

from studykit.exercise.rewrite.rewrite import EINOPS
from studykit.exercise.rewrite.trial import is_short
from studykit.graders.child.recorder import Recorder, TorchWatch

_MAX_ITEMS = 64  # of a list or dict; no exercise returns more


def library_for(header: dict[str, Any]) -> "Library":
    """Return the library that the first frame names: torch on a device, or numpy."""
    return NumpyLibrary() if header["backend"] == "numpy" else TorchLibrary(header["device"])


def _structure(value: Any, inner: Callable[[Any], Any]) -> dict[str, Any]:
    """Encode numbers, text, lists, tuples and dictionaries as JSON, and of other values only the type."""
    if type(value) in {float, bool} or value is None:
        return {"plain": value}
    if type(value) is int or type(value) is str:
        return {"plain": value} if is_short(value) else {"other": f"very long {type(value).__name__}"}
    if isinstance(value, list | tuple) and len(value) <= _MAX_ITEMS:
        return {"list" if isinstance(value, list) else "tuple": [inner(item) for item in value]}
    if isinstance(value, dict) and len(value) <= _MAX_ITEMS:
        return {"dict": [[inner(key), inner(item)] for key, item in value.items()]}
    return {"other": type(value).__name__[:80]}


class ArrayLibrary:
    """Provide what answers can use with either library: einops, a recorder, numpy, and torch or a stand-in."""

    torch: Any
    helpers: dict[str, Callable[..., Any]]

    def __init__(self) -> None:
        import einops
        import numpy as np

        self.np: Any = np
        self.einops = einops
        self.recorder = Recorder(einops)

    def names(self) -> dict[str, Any]:
        """Return the names that an answer can use without importing them."""
        functions = {name: getattr(self.einops, name) for name in EINOPS} | self.helpers
        modules = {"torch": self.torch, "nn": self.torch.nn, "F": self.torch.nn.functional, "np": self.np}
        layers = vars(sys.modules.get("einops.layers.torch", self.einops))
        functions |= {name: layers[name] for name in ("Rearrange", "Reduce", "EinMix") if name in layers}
        return functions | modules | {"einops": self.einops, "math": math}


class NumpyLibrary(ArrayLibrary):
    """Provide arrays of numpy if torch is not installed."""

    def __init__(self) -> None:
        from studykit.graders.child.numpy_recorder import NumpyWatch, stand_in

        super().__init__()
        # einops would otherwise take the stand-in module `torch` for torch itself.
        self.einops._backends.TorchBackend.framework_name = "torch is not here"
        self.helpers = self._helpers()
        self.recorder.library = self.watch = NumpyWatch(self.recorder, self.helpers)
        self.torch = stand_in(self.helpers)

    def _helpers(self) -> dict[str, Callable[..., Any]]:
        """Return numpy versions of the torch functions that answers use."""
        np = self.np

        def softmax(x: Any, dim: int = -1) -> Any:
            e = np.exp(x - x.max(axis=dim, keepdims=True))
            return e / e.sum(axis=dim, keepdims=True)

        softmax.__qualname__ = "softmax"  # exceptions show it

        def unary(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
            """Restrict the function to one argument, because numpy would write into a second one as `out`."""
            return lambda x, /: function(x)

        return {
            "softmax": self.recorder.within(softmax),
            "rsqrt": lambda x: 1 / np.sqrt(x),
            "sqrt": unary(np.sqrt),
            "exp": unary(np.exp),
            "relu": lambda x: np.maximum(x, 0),
            "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
        }

    def tensor(self, described: dict[str, Any], blob: bytes) -> Any:
        return self.np.frombuffer(bytearray(blob), dtype=described["dtype"]).reshape(described["shape"])

    def encoded(self, value: Any, sent: list[bytes]) -> dict[str, Any]:
        if type(value) not in {self.np.ndarray, self.watch.type} and not isinstance(value, self.np.generic):
            return _structure(value, lambda item: self.encoded(item, sent))
        sent.append(value.tobytes())
        return {"tensor": {"dtype": value.dtype.name, "shape": list(value.shape)}}

    def track(self, tensors: list[Any]) -> None:
        """Do nothing. numpy has no gradients, and the judge does not ask for them."""

    def gradients(self, *_: Any) -> list[Any]:
        return []


class TorchLibrary(ArrayLibrary):
    """Provide tensors of torch, on a CPU or a GPU."""

    def __init__(self, device: str) -> None:
        import torch

        def softmax(x: Any, dim: int = -1) -> Any:
            return torch.softmax(x, dim)

        super().__init__()
        softmax.__qualname__ = "softmax"  # exceptions show it
        self.torch = torch
        self.device = device
        self.helpers = {name: getattr(torch, name) for name in ("rsqrt", "sqrt", "exp", "relu", "sigmoid")}
        self.helpers["softmax"] = softmax
        self.recorder.library = self.watch = TorchWatch(torch, self.recorder)

    def tensor(self, described: dict[str, Any], blob: bytes) -> Any:
        kind = getattr(self.torch, described["dtype"])
        if not blob:  # frombuffer refuses an empty buffer
            return self.torch.empty(described["shape"], dtype=kind, device=self.device)
        return self.torch.frombuffer(bytearray(blob), dtype=kind).reshape(described["shape"]).to(self.device)

    def encoded(self, value: Any, sent: list[bytes]) -> dict[str, Any]:
        torch = self.torch
        if type(value) is not torch.Tensor or value.layout is not torch.strided:
            return _structure(value, lambda item: self.encoded(item, sent))
        flat = value.detach().cpu().contiguous().reshape(-1)
        if flat.stride(0) != 1:  # a tensor of one element counts as contiguous whatever its stride
            flat = flat.clone(memory_format=torch.contiguous_format)
        sent.append(flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b"")
        described = {"dtype": str(value.dtype).removeprefix("torch."), "shape": list(value.shape)}
        return {"tensor": described | {"device": value.device.type}}

    def track(self, tensors: list[Any]) -> None:
        for tensor in tensors:
            tensor.requires_grad_()

    def gradients(self, value: Any, upstream: Any, tensors: list[Any]) -> list[Any]:
        if type(value) is not self.torch.Tensor or value.shape != upstream.shape or not value.requires_grad:
            return []  # the judge reports what is wrong with the value
        # Passing `upstream` to autograd.grad instead would make torch import sympy.
        loss = (value * upstream).sum()
        gradients = self.torch.autograd.grad(loss, tensors, allow_unused=True)
        return [None if g is None else g.detach() for g in gradients]


Library = NumpyLibrary | TorchLibrary
