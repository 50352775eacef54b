"""Count the cost of one training step on fake tensors, computing and allocating nothing."""

import contextlib
import inspect
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from torch.utils._pytree import tree_leaves

from studykit.exercise.bet.step_count import StepCount
from studykit.graders.bet.counting import listed
from studykit.graders.count.storages import FORWARD, StepLog, Storage, StorageWatch

STEPS = 2  # the first one makes the optimizer's states
MAX_LAYERS = 100  # that are counted; of more only a few, and the rest follows
DEPTH_NAMES = ("layers", "L")


class TooDeepError(Exception):
    """Raised if a program has more layers than are counted, with the parameter's name and the number of layers."""


@dataclass(frozen=True, slots=True)
class Program:
    """Hold a program to count: a function that makes its arguments, and one step that takes them."""

    setup: Callable[..., Any]
    step: Callable[..., Any]

    def refuse_depth(self, sizes: Mapping[str, Any]) -> None:
        """Raise TooDeepError if the sizes, or the defaults of the setup, have more layers than are counted."""
        defaults = {
            name: parameter.default for name, parameter in inspect.signature(self.setup).parameters.items()
        }
        for name, layers in {**defaults, **sizes}.items():
            if name in DEPTH_NAMES and isinstance(layers, int) and layers > MAX_LAYERS:
                raise TooDeepError(name, layers)

    def run(self, arguments: Sequence[Any]) -> Any:
        """Run one step. If it takes one more parameter, a callback for its phases, pass one that does nothing."""
        parameters = inspect.signature(self.step).parameters.values()
        plain = [p for p in parameters if p.kind in {p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD}]
        if len(plain) == len(arguments) + 1 and plain[-1].default is inspect.Parameter.empty:
            return self.step(*arguments, lambda _name: None)
        return self.step(*arguments)


def count_step(
    load: Callable[[], Program], sizes: dict[str, Any], *, device: str = "cpu", block: int = 1
) -> StepCount:
    """Count the bytes and FLOPs of a program's second step, because the first makes the optimizer's states.

    `load` runs on fake tensors, too, because a file may make its model when it is loaded.
    """
    watch = StorageWatch(block, allows_cuda=device == "cuda")
    with contextlib.ExitStack() as stack:
        stack.enter_context(FakeTensorMode(allow_non_fake_inputs=True))
        stack.enter_context(_parameters_replaced())
        stack.enter_context(_parameters_copied())
        stack.enter_context(watch)
        stack.enter_context(_optimizer_seen(watch))
        stack.enter_context(torch.device(device))
        program = load()
        program.refuse_depth(sizes)
        arguments = listed(program.setup(**sizes))
        first, last = (_count_once(program, watch, arguments) for _ in range(STEPS))
    return replace(last, first_peak=first.peak)


def measured_peak(load: Callable[[], Program], sizes: dict[str, Any]) -> int:
    """Run two steps on the GPU, and return the peak of the bytes that they allocated, in the second."""
    before = torch.cuda.memory_allocated()  # by the canaries
    with torch.device("cuda"):
        program = load()
        arguments = listed(program.setup(**sizes))
        for _ in range(STEPS):
            torch.cuda.reset_peak_memory_stats()
            program.run(arguments)
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated() - before


def _count_once(program: Program, watch: StorageWatch, arguments: Sequence[Any]) -> StepCount:
    modules = _of(torch.nn.Module, arguments)
    optimizers = _of(torch.optim.Optimizer, arguments)
    owned = [*(p for module in modules for p in module.parameters())]
    owned += [p for optimizer in optimizers for group in optimizer.param_groups for p in group["params"]]
    parameters = list({id(parameter): parameter for parameter in owned}.values())
    weights = watch.name("weights", [*parameters, *(b for module in modules for b in module.buffers())])
    _name_states(watch, optimizers)
    watch.name("gradients", [p.grad for p in parameters if p.grad is not None])
    for storage in watch.alive.values():
        storage.role = storage.role or "data"
    leaves = [tensor for tensor in tree_leaves(arguments) if isinstance(tensor, torch.Tensor) and tensor.is_leaf]
    hooks = [
        leaf.register_post_accumulate_grad_hook(lambda leaf: _name_gradient(watch, leaf))
        for leaf in (*parameters, *leaves)
        if leaf.requires_grad and leaf.is_leaf
    ]
    log = watch.begin()
    result = program.run(arguments)
    saved = watch.made() if log.saved is None else log.saved  # with the result, where nothing goes backward
    states = _name_states(watch, optimizers)
    for hook in hooks:
        hook.remove()
    del result
    return _counted(log, sum(p.numel() for p in parameters), weights, states, saved)


def _counted(log: StepLog, parameters: int, weights: int, states: int, saved: int) -> StepCount:
    alive, last = log.at_peak()
    peaks: dict[str, int] = {}
    for total, storage in log.totals():
        peaks[storage.phase] = max(peaks.get(storage.phase, 0), total)
    parts = Counter[str]()
    for storage in alive:
        parts[_part(storage, log)] += storage.nbytes
    return StepCount(
        parameters=parameters,
        weights=weights,
        states=states,
        saved=saved,
        first_peak=0,
        flops=dict(log.flops),
        peaks=peaks or {FORWARD: log.start},
        parts=dict(parts),
        at="" if last is None else f"{last.phase}, at {last.operation}",
    )


def _part(storage: Storage, log: StepLog) -> str:
    if storage.role:
        return storage.role
    if log.logits and math.prod(storage.shape) == log.logits:
        return "logits"
    return "activations" if storage.phase == FORWARD else "temporary"


def _of(kind: type, arguments: Sequence[Any]) -> list[Any]:
    return [leaf for leaf in tree_leaves(tuple(arguments)) if isinstance(leaf, kind)]


def _name_states(watch: StorageWatch, optimizers: Sequence[torch.optim.Optimizer]) -> int:
    states = tree_leaves([list(optimizer.state.values()) for optimizer in optimizers])
    return watch.name("moments", [tensor for tensor in states if isinstance(tensor, torch.Tensor)])


def _name_gradient(watch: StorageWatch, leaf: torch.Tensor) -> None:
    if leaf.grad is not None:
        watch.name("gradients", [leaf.grad])


@contextlib.contextmanager
def _optimizer_seen(watch: StorageWatch) -> Iterator[None]:
    """Tell the watch when an optimizer steps."""

    def begin(*_: object) -> None:
        watch.in_optimizer = True

    def end(*_: object) -> None:
        watch.in_optimizer = False

    hooks = register_optimizer_step_pre_hook(begin), register_optimizer_step_post_hook(end)
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


@contextlib.contextmanager
def _parameters_replaced() -> Iterator[None]:
    """Let `.to(torch.bfloat16)` of a module replace its parameters: torch cannot swap fake ones."""
    own = torch.nn.Module._apply

    def replacing(module: torch.nn.Module, convert: Callable[[Any], Any], **_: object) -> torch.nn.Module:
        made: dict[int, Any] = {}
        for part in module.modules():
            for name, old in part._parameters.items():
                if old is not None and id(old) not in made:
                    with torch.no_grad():
                        made[id(old)] = torch.nn.Parameter(convert(old), old.requires_grad)
                part._parameters[name] = None if old is None else made[id(old)]
            part._buffers.update({name: b if b is None else convert(b) for name, b in part._buffers.items()})
        return module

    torch.nn.Module._apply = replacing  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        torch.nn.Module._apply = own  # type: ignore[method-assign]


@contextlib.contextmanager
def _parameters_copied() -> Iterator[None]:
    """Let `copy.deepcopy` copy fake tensors: torch's own copies share no storage with their views."""

    def copied(tensor: FakeTensor, memo: dict[int, Any]) -> Any:
        if id(tensor) not in memo:
            kind = torch.nn.Parameter if isinstance(tensor, torch.nn.Parameter) else torch.Tensor.requires_grad_
            memo[id(tensor)] = kind(tensor.detach().clone(), tensor.requires_grad)
        return memo[id(tensor)]

    FakeTensor.__deepcopy__ = copied  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        del FakeTensor.__deepcopy__
