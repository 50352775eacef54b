"""Count a snippet's FLOPs and bytes on fake tensors, which have a shape but no memory."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from studykit.exercise.bet.bounds import Count, Kernel, MemoryPattern, pattern
from studykit.graders.bet.formulas import flops

aten = torch.ops.aten
_FREE = (
    "empty empty_strided empty_like new_empty new_empty_strided lift_fresh squeeze_ unsqueeze_ t_ transpose_ "
    "detach_ resize_ set_"
)
FREE = {getattr(aten, name) for name in _FREE.split()}
GATHERS = {aten.index, aten.embedding, aten.gather, aten.index_select}  # read only what they pick
OVERWRITES = {aten.copy_, aten.fill_, aten.zero_, aten.normal_, aten.uniform_, aten.bernoulli_}
UNTOUCHED = {aten._fused_adamw_: "grads", aten._fused_adam_: "grads", aten._fused_sgd_: "grads"}
"""Arguments that the schema marks as written, but that the kernel writes only with a gradient scaler."""
MIN_REPORTED_BYTES = 1_000_000  # an operation without a formula that moves fewer is ignored
MAX_TRIVIAL_BYTES, MAX_TRIVIAL_FLOPS = 1 << 20, 10_000_000  # a GPU does either in a few microseconds
Places = dict[tuple[int, int, int], int]  # bytes by storage, offset in it, and its size
LINE_BYTES = {"cpu": 64, "cuda": 32}  # of a cache line, or of a GPU's memory transaction


class Counter(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch's own __init_subclass__
    """Record every kernel that runs inside this mode."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch's own
        self.kernels: list[Kernel] = []
        self.problems: list[str] = []
        self.read: Places = {}
        self.written: Places = {}
        self.alive: list[Any] = []  # keeps storages alive, because a new one may get a freed one's address

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Run the operation and record its kernel."""
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        self.alive += [tensor.untyped_storage() for tensor in _tensors(out)]
        if not _is_free(func, args, kwargs, out):
            self._note(func, args, kwargs, out)
        return out

    def _note(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> None:
        outputs = list(_tensors((_mutated(func, args, kwargs), out)))
        inputs = list(_read(func, args, kwargs))
        output_bytes = _places(outputs)
        input_bytes = _picked(inputs, output_bytes) if func._overloadpacket in GATHERS else _places(inputs)
        _widen(self.read, input_bytes)
        _widen(self.written, output_bytes)
        devices = {tensor.device.type for tensor in (*inputs, *outputs) if tensor.dim()}
        is_link = len(devices) > 1
        # Between host and GPU each byte crosses the link once, so reading it does not count again.
        moved = _total(output_bytes) + (0 if is_link else _total(input_bytes))
        cost = flops(func, args, kwargs, out)
        name = str(func).removeprefix("aten.")
        if cost is None and moved > MIN_REPORTED_BYTES:
            self.problems.append(f"{name} moves {moved:,} bytes and has no FLOP formula")
        how = MemoryPattern.LINK if is_link else _pattern(input_bytes, output_bytes)
        self.kernels.append(Kernel(name, cost or 0, moved, _dtype((*inputs, *outputs)), how))


def count(run: Callable[..., Any], arguments: Sequence[Any]) -> Count:
    """Count the FLOPs and bytes of the second call of `run`.

    Call this inside the mode of the fake tensors in `arguments`.
    """
    run(*arguments)  # not counted, because the first call may set up state such as an optimizer's
    tensors = _live_tensors(arguments)
    before = {storage(tensor) for tensor in tensors}
    with Counter() as counter:
        result = run(*arguments)
    after = {storage(tensor) for tensor in (*_tensors(result), *_gradients(tensors))}
    starts = {place: size for place, size in counter.read.items() if place[0] in before}
    ends = {place: size for place, size in counter.written.items() if place[0] in before | after}
    return Count(
        tuple(counter.kernels),
        fused_bytes=_total(starts) + _total(ends),
        fused_pattern=_pattern(starts, ends),
        inputs=tuple(described(tensor) for tensor in tensors),
        problems=tuple(counter.problems),
    )


class PinByCopy(TorchFunctionMode):
    """Replace `pin_memory`, which fake tensors lack, by a copy, which costs the same."""

    def __torch_function__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Run the function. `pin_memory` becomes a copy."""
        return args[0].clone() if func is torch.Tensor.pin_memory else func(*args, **(kwargs or {}))


def faked(setup: Callable[..., Any], run: Callable[..., Any], sizes: dict[str, Any], device: str) -> Count:
    """Count a snippet's FLOPs and bytes with fake tensors on `device`, which need not exist here."""
    with FakeTensorMode(allow_non_fake_inputs=True), PinByCopy():
        with torch.device(device):
            arguments = listed(setup(**sizes))
        return count(run, arguments)


def host_bound(count: Count) -> bool:
    """Return whether all kernels are so small that a GPU waits for its host to launch them."""
    return all(
        kernel.bytes_moved < MAX_TRIVIAL_BYTES and kernel.flops < MAX_TRIVIAL_FLOPS for kernel in count.kernels
    )


def listed(arguments: Any) -> tuple[Any, ...]:
    """Return what `setup` returned as the arguments of `run`."""
    return tuple(arguments) if isinstance(arguments, tuple | list) else (arguments,)


def storage(tensor: torch.Tensor) -> int:
    """Return the identity of the memory under a tensor, which views share."""
    return int(tensor.untyped_storage()._cdata)


def nbytes(tensor: torch.Tensor) -> int:
    """Return the bytes that reading a tensor moves.

    An expanded axis counts once, and each scattered element a whole cache line.
    """
    axes = [(int(n), int(step)) for n, step in zip(tensor.shape, tensor.stride(), strict=True) if n != 1 and step]
    elements = 1
    for n, _ in axes:
        elements *= n
    size = tensor.element_size()
    apart = min((step for _, step in axes), default=1)
    line = LINE_BYTES.get(tensor.device.type, 64) // size
    return elements * size * max(1, min(apart, line)) if tensor.numel() else 0


def described(tensor: torch.Tensor) -> str:
    """Format a tensor as `float32 (1024, 1024)`."""
    return f"{_named(tensor.dtype)} ({', '.join(str(int(n)) for n in tensor.shape)})"


def _named(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _tensors(tree: Any) -> Iterator[torch.Tensor]:
    """Yield the distinct tensors in nested lists, tuples and dictionaries."""
    seen: set[int] = set()
    for leaf in tree_leaves(tree):
        if isinstance(leaf, torch.Tensor) and id(leaf) not in seen:
            seen.add(id(leaf))
            yield leaf


def _live_tensors(arguments: Iterable[Any]) -> list[torch.Tensor]:
    """Return the tensors that exist before the call, including those of modules, optimizers and gradients."""
    tensors: list[torch.Tensor] = []
    for argument in tree_leaves(tuple(arguments)):
        if isinstance(argument, torch.nn.Module):
            tensors += [*argument.parameters(), *argument.buffers()]
        elif isinstance(argument, torch.optim.Optimizer):
            tensors += _tensors([group["params"] for group in argument.param_groups])
            tensors += _tensors([list(state.values()) for state in argument.state.values()])
        elif isinstance(argument, torch.Tensor):
            tensors.append(argument)
    distinct = list(_tensors(tensors))
    return [*distinct, *_gradients(distinct)]


def _gradients(tensors: Iterable[torch.Tensor]) -> list[torch.Tensor]:
    return [tensor.grad for tensor in tensors if tensor.is_leaf and tensor.grad is not None]


def _is_free(func: Any, args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> bool:
    """Return whether an operation runs no kernel, such as a view, an allocation or a query."""
    if func.namespace in {"prim", "profiler"} or func._overloadpacket in FREE:
        return True
    if any(map(_is_written, func._schema.arguments)):
        return False
    results = list(_tensors(out))
    if any(result.alias_info is not None for result in func._schema.returns):
        return True
    storages = {storage(tensor) for tensor in _tensors((args, kwargs))}
    return bool(results) and all(storage(tensor) in storages for tensor in results)


def _is_written(argument: Any) -> bool:
    return bool(argument.alias_info and argument.alias_info.is_write)


def _mutated(func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
    untouched = UNTOUCHED.get(func._overloadpacket)
    arguments = [x for x in func._schema.arguments if _is_written(x) and x.name != untouched]
    placed = dict(zip((x.name for x in func._schema.arguments), args, strict=False)) | kwargs
    return [placed[argument.name] for argument in arguments if argument.name in placed]


def _read(func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Iterator[torch.Tensor]:
    """Yield the tensors that the kernel reads, without those that it only overwrites."""
    only_filled = {argument.name for argument in func._schema.arguments if argument.is_out}
    if func._overloadpacket in OVERWRITES or func._overloadpacket.__name__.endswith("_like"):
        args = args[1:]
    yield from _tensors((args, {name: value for name, value in kwargs.items() if name not in only_filled}))


def _places(tensors: Iterable[torch.Tensor]) -> Places:
    """Return the bytes of each piece of memory. Views that start at the same place are one piece."""
    places: Places = {}
    for tensor in tensors:
        whole = int(tensor.untyped_storage().nbytes())
        place = storage(tensor), int(tensor.storage_offset()), whole
        places[place] = max(places.get(place, 0), min(nbytes(tensor), whole))
    return places


def _picked(inputs: Sequence[torch.Tensor], written: Places) -> Places:
    """Return the bytes that a gather reads: of the selected rows, and of their indexes."""
    table = {place: min(size, _total(written)) for place, size in _places(inputs[:1]).items()}
    return table | _places(inputs[1:])


def _widen(places: Places, more: Places) -> None:
    for place, size in more.items():
        places[place] = max(places.get(place, 0), size)


def _total(places: Places) -> int:
    """Return the bytes of all pieces. Overlapping pieces of a storage count at most its whole size."""
    sizes: dict[tuple[int, int], int] = {}
    for (identity, _, whole), size in places.items():
        sizes[identity, whole] = min(whole, sizes.get((identity, whole), 0) + size)
    return sum(sizes.values())


def _pattern(read: Places, written: Places) -> MemoryPattern:
    updated = {place: size for place, size in written.items() if place in read}
    return pattern(_total(read), _total(written), _total(updated))


def _dtype(tensors: Iterable[torch.Tensor]) -> str:
    """Return the dtype of the first floating-point tensor, in which the kernel computes, or ""."""
    floating = [tensor.dtype for tensor in tensors if tensor.dtype.is_floating_point]
    return _named(floating[0]) if floating else ""
