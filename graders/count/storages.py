"""Follow which memory is alive while a program runs: every storage from its first operation until it is freed."""

import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from studykit.graders.bet.formulas import matrix_flops

BACKWARD, FORWARD, OPTIMIZER = "backward", "forward", "optimizer"
_SOLE_HOLDER = 4, 2  # references to a gradient and to its storage, ours among them
CUDA = "the count runs on the CPU, and this makes tensors on {}; make them on the CPU, where sizes are the same"


class OtherDeviceError(Exception):
    """Raised if the program makes a tensor on a device that does not exist here, which would end the process."""


@dataclass(slots=True, eq=False)
class Storage:
    """Hold one piece of memory, however many tensors view it."""

    nbytes: int
    shape: tuple[int, ...]  # of the tensor that was made with it
    operation: str
    phase: str
    role: str = ""  # weights, gradients, moments, data


@dataclass(slots=True)
class StepLog:
    """Log one step: the storages before it, and in order each storage that is made or freed."""

    before: tuple[Storage, ...]
    events: list[tuple[int, Storage]] = field(default_factory=list)  # 1 for a birth, -1 for a death
    flops: Counter[str] = field(default_factory=Counter)  # of matrix products, by phase
    saved: int | None = None  # bytes made in the step and alive when the first backward operation came
    logits: int = 0  # elements of what the last log-softmax took

    @property
    def start(self) -> int:
        """Return the bytes before the step."""
        return sum(storage.nbytes for storage in self.before)

    def totals(self) -> Iterator[tuple[int, Storage]]:
        """Yield each new storage of the step with the bytes that are alive after it."""
        total = self.start
        for sign, storage in self.events:
            total += sign * storage.nbytes
            if sign > 0:
                yield total, storage

    def at_peak(self) -> tuple[list[Storage], Storage | None]:
        """Return the storages alive at the peak, and the last of them, or None for a peak at the start."""
        peak = max((total for total, _ in self.totals()), default=0)
        alive, total = dict.fromkeys(self.before), self.start
        if peak <= total:
            return list(alive), None
        for sign, storage in self.events:
            total += sign * storage.nbytes
            if sign < 0:
                alive.pop(storage, None)
                continue
            alive[storage] = None
            if total == peak:
                return list(alive), storage
        return list(alive), None


class StorageWatch(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch's own __init_subclass__
    """Track the storages made while it is active, in bytes rounded up to `block`, without keeping them alive."""

    def __init__(self, block: int = 1, *, allows_cuda: bool = False) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch's own
        self.block, self.allows_cuda = block, allows_cuda
        self.alive: dict[int, Storage] = {}  # by the address of torch's own record
        self.log = StepLog(())
        self.in_optimizer = False

    def begin(self) -> StepLog:
        """Start the log of a step."""
        self.log = StepLog(tuple(self.alive.values()))
        return self.log

    def made(self) -> int:
        """Return the bytes that the step has made and that are alive now."""
        before = set(self.log.before)
        return sum(storage.nbytes for storage in self.alive.values() if storage not in before)

    def name(self, role: str, tensors: Sequence[torch.Tensor]) -> int:
        """Give the storages of these tensors a role if they have none, and return the bytes of those with it."""
        seen_storages = {self.see(tensor) for tensor in tensors}
        storages = [storage for storage in seen_storages if storage is not None and storage.role in {"", role}]
        for storage in storages:
            storage.role = role
        return sum(storage.nbytes for storage in storages)

    def see(self, tensor: torch.Tensor, operation: str = "", phase: str = "") -> Storage | None:
        """Track and return the storage of a tensor, or return None for a tensor without memory."""
        if tensor.layout is not torch.strided:
            return None
        storage = tensor.untyped_storage()
        key, size = storage._cdata, storage.nbytes()
        if key in self.alive or not size:
            return self.alive.get(key)
        shape = tuple(int(length) for length in tensor.shape)
        born = Storage(-(-size // self.block) * self.block, shape, operation, phase)
        self.alive[key] = born
        self.log.events.append((1, born))
        weakref.finalize(storage, self._freed, key).atexit = False
        return born

    def _freed(self, key: int) -> None:
        self.log.events.append((-1, self.alive.pop(key)))

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Run an operation, add its FLOPs, and track its results."""
        kwargs = kwargs or {}
        devices = [leaf for leaf in (*args, *kwargs.values()) if isinstance(leaf, torch.device)]
        if not self.allows_cuda and any(device.type == "cuda" for device in devices):
            raise OtherDeviceError(CUDA.format(devices[0]))
        in_backward = torch._C._current_autograd_node() is not None
        phase = OPTIMIZER if self.in_optimizer else BACKWARD if in_backward else FORWARD
        if in_backward and self.log.saved is None:
            self.log.saved = self.made()
        if in_backward and func is torch.ops.aten.add.Tensor and _is_held_by_autograd_alone(*args[:2]):
            func = torch.ops.aten.add_.Tensor
        out = func(*args, **kwargs)
        packet = func._overloadpacket
        self.log.flops[phase] += matrix_flops(func, args, kwargs, out)
        if packet is torch.ops.aten._log_softmax:
            self.log.logits = int(args[0].numel())
        for leaf in tree_leaves(out):
            if isinstance(leaf, torch.Tensor):
                self.see(leaf, packet.__name__, phase)
        return out


def _is_held_by_autograd_alone(gradient: torch.Tensor, other: object) -> bool:
    """Return whether autograd adds to a gradient of its own, as at a residual stream.

    It does so in place, but not while a dispatch mode such as ours looks on (PyTorch's `input_buffer.cpp`).
    """
    if torch.is_grad_enabled() or not isinstance(other, torch.Tensor) or gradient.dtype != other.dtype:
        return False
    count = gradient._use_count()  # type: ignore[attr-defined]  # not in the stubs
    holders = count, torch._C._storage_Use_Count(gradient.untyped_storage()._cdata)
    return holders == _SOLE_HOLDER and gradient.shape == other.shape and gradient.is_contiguous()
