"""Three cards of the course on the device: the largest model, GELU's intensity, the MFU of a training step."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import nn
from torch.nn import functional
from torch.utils._pytree import tree_leaves

from studykit.exercise.estimate.hardware import Device, named_by_driver
from studykit.graders.bet.counting import faked
from studykit.graders.bet.sampling import sample
from studykit.graders.bet.stopwatch import cache_bytes, device_name, timer_for
from studykit.quantity.formatting import amount, digits, seconds
from studykit.quantity.units import BYTE, BYTE_PER_S, FLOP, FLOP_PER_S

from . import other_timers
from .bets import product
from .report import PartRun

BYTES = 16  # of a parameter in fp32 with AdamW: weight 4, gradient 4, moments 8
GELU_STEPS = 20  # FLOPs an element, as the card and the counter have it
GELU_WITHIN = 1.25  # of a copy of the same bytes: memory binds it
STATE_WITHIN = 0.02  # of 16 bytes a parameter: the allocator rounds each tensor up
FLOPS_WITHIN = 0.35  # the counted FLOPs beside 6ND: attention and the vocabulary come on top
STEPS = 8


@dataclass(frozen=True, slots=True)
class Shape:
    """A transformer and its batch."""

    layers: int
    width: int
    heads: int
    vocabulary: int
    sequences: int
    tokens: int  # of a sequence


ON_GPU = Shape(layers=12, width=2048, heads=16, vocabulary=32000, sequences=8, tokens=1024)
ON_CPU = Shape(layers=2, width=64, heads=2, vocabulary=256, sequences=2, tokens=32)


class Block(nn.Module):
    """Attention and a feed-forward network four times as wide, each behind a norm."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.inward, self.outward = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Of shape (sequences, tokens, width), and so is the result."""
        b, s, d = x.shape
        split = self.inward(self.norms[0](x)).view(b, s, 3, self.heads, d // self.heads)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.outward(mixed.transpose(1, 2).reshape(b, s, d))
        added: torch.Tensor = self.down(functional.gelu(self.up(self.norms[1](x)), approximate="tanh"))
        return x + added


class Transformer(nn.Module):
    """Enough of a language model for its cost; the embedding is the head as well."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        self.blocks = nn.Sequential(*(Block(shape.width, shape.heads) for _ in range(shape.layers)))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """The loss of predicting each token from those before it."""
        x = self.blocks(self.embedding(tokens))
        logits = functional.linear(x[:, :-1], self.embedding.weight)
        return functional.cross_entropy(logits.flatten(0, 1).float(), tokens[:, 1:].flatten())


@dataclass(frozen=True, slots=True)
class Training:
    """A model, its optimizer and one batch, on a device."""

    model: Transformer
    optimizer: torch.optim.Optimizer
    batch: torch.Tensor
    device: str

    def step(self) -> None:
        """One step in bf16 where the arithmetic is, in fp32 where numbers are kept."""
        self.loss().backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=False)

    def loss(self) -> torch.Tensor:
        """The forward pass."""
        with torch.autocast(self.device, dtype=torch.bfloat16):
            result: torch.Tensor = self.model(self.batch)
        return result

    @property
    def parameters(self) -> int:
        """How many there are."""
        return sum(parameter.numel() for parameter in self.model.parameters())


def run(part: PartRun) -> None:
    """All steps; what one leaves in memory is given back before the next."""
    name = device_name(part.device)
    part.table.add("device", f"{name}, torch {torch.__version__}")
    sheet = named_by_driver(name)
    steps: dict[str, Callable[[PartRun, Device | None], None]] = {
        "GELU": gelu,
        "a training step": training_step,
        "the largest model": largest_model,
    }
    for what, step in steps.items():
        with part.table.step(what):
            step(part, sheet)
        if part.on_gpu:
            torch.cuda.empty_cache()


def gelu(part: PartRun, sheet: Device | None) -> None:
    """Twenty FLOPs an element take the time of a copy: its intensity lies far under the ridge."""
    elements = 1 << (28 if part.on_gpu else 14 if part.quick else 24)
    for dtype, sheet_dtype in ((torch.bfloat16, "bf16"), (torch.float32, "fp32")):
        x = torch.randn(elements, device=part.device).to(dtype)
        out = torch.empty_like(x)
        took = median(partial(functional.gelu, x, approximate="tanh"), part)
        copied = median(partial(out.copy_, x), part)
        intensity = GELU_STEPS / (2 * x.element_size())
        ridge = f", ridge {sheet.ridge(sheet_dtype):.0f}" if sheet and sheet.has(sheet_dtype) else ""
        reached = amount(2 * x.nbytes / took, BYTE_PER_S)
        part.table.add(
            f"GELU in {sheet_dtype}, {elements:,} elements",
            f"{seconds(took)}, {reached}, x{took / copied:.2f} of a copy; intensity {digits(intensity, 3)}{ridge}",
            f"within x{GELU_WITHIN} of a copy",
            ok=took <= GELU_WITHIN * copied if part.on_gpu else None,
            figures={"seconds": took, "copy": copied, "bytes": 2 * x.nbytes, "intensity": intensity},
        )


def median(call: Callable[[], Any], part: PartRun) -> float:
    """Seconds of a call by the program's own watch."""
    timer = timer_for(call, part.device, 0 if part.quick else cache_bytes(part.device))
    return sample(timer, 0.01 if part.quick else 0.2, patience_s=0.02 if part.quick else 3.0).median


def training(shape: Shape, device: str) -> Training:
    """A model and its batch; the fused optimizer keeps no temporaries."""
    torch.manual_seed(0)
    with torch.device(device):
        model = Transformer(shape)
        batch = torch.randint(shape.vocabulary, (shape.sequences, shape.tokens))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    return Training(model, optimizer, batch, device)


def training_step(part: PartRun, sheet: Device | None) -> None:
    """Bytes against 16 a parameter and activations, then time against 6ND."""
    before = allocated(part)
    shape = ON_GPU if part.on_gpu else ON_CPU
    training_run = training(shape, part.device)
    training_run.step()
    settled(part)
    state_bytes = sum(tensor.nbytes for tensor in states(training_run))
    state = BYTES * training_run.parameters
    part.table.add(
        f"state of {training_run.parameters:,} parameters",
        f"{amount(state_bytes, BYTE)}, {state_bytes / training_run.parameters:.2f} bytes a parameter",
        f"{BYTES} bytes a parameter",
        ok=abs(state_bytes / state - 1) <= STATE_WITHIN,
        figures={"parameters": training_run.parameters, "bytes": state_bytes},
    )
    activations = kept_for_backward(training_run)
    if part.on_gpu:
        allocations(part, training_run, state, activations, before)
    each = activations / (shape.sequences * shape.tokens * shape.layers * shape.width)
    part.table.add(
        "kept for the backward pass",
        f"{amount(activations, BYTE)}, {each:.1f} bytes a token, layer and width",
        figures={"bytes": activations},
    )
    utilization(part, training_run, shape, sheet)


def allocations(part: PartRun, training_run: Training, state: int, activations: int, before: int) -> None:
    """What the allocator has given after a step, and at most within one."""
    allocated_bytes = allocated(part) - before
    part.table.add(
        "allocated after a step",
        f"{amount(allocated_bytes, BYTE)}, x{allocated_bytes / state:.3f} of {BYTES} bytes a parameter",
        f"within {STATE_WITHIN:.0%}",
        ok=abs(allocated_bytes / state - 1) <= STATE_WITHIN,
        figures={"bytes": allocated_bytes},
    )
    torch.cuda.reset_peak_memory_stats()
    training_run.step()
    settled(part)
    most = torch.cuda.max_memory_allocated() - before
    part.table.add(
        "most allocated in a step",
        f"{amount(most, BYTE)}, x{most / (state + activations):.2f} of state and activations",
        f"{amount(state + activations, BYTE)} and temporaries",
        figures={"bytes": most, "activations": activations},
    )


def utilization(part: PartRun, training_run: Training, shape: Shape, sheet: Device | None) -> None:
    """6ND over the time and the peak; the counter's FLOPs beside 6ND."""
    took = step_seconds(part, training_run)
    nominal = 6 * training_run.parameters * shape.sequences * shape.tokens
    flops = flops_of(shape)
    part.table.add(
        "FLOPs of a step",
        f"{amount(flops, FLOP)} counted, x{flops / nominal:.3f} of 6ND = {amount(nominal, FLOP)}",
        f"within {FLOPS_WITHIN:.0%}",
        ok=abs(flops / nominal - 1) <= FLOPS_WITHIN if part.on_gpu else None,
        figures={"counted": flops, "nominal": nominal},
    )
    peaks = {
        "the datasheet": sheet.peak("bf16") if sheet and sheet.has("bf16") else 0.0,
        "this device": peak(part),
    }
    shares = {name: nominal / took / reached for name, reached in peaks.items() if reached}
    words = [f"{share:.1%} of {amount(peaks[name], FLOP_PER_S)} ({name})" for name, share in shares.items()]
    part.table.add(
        "MFU of a step",
        f"{seconds(took)}: {'; '.join(words)}",
        "under 100%",
        ok=all(0 < share < 1 for share in shares.values()) if part.on_gpu else None,
        figures={"seconds": took, "flops": nominal, **{f"mfu of {name}": share for name, share in shares.items()}},
    )


def step_seconds(part: PartRun, training_run: Training) -> float:
    """The median step by the clock, everything finished."""
    times = []
    for _ in range(2 if part.quick else STEPS):
        settled(part)
        began = time.perf_counter()
        training_run.step()
        settled(part)
        times.append(time.perf_counter() - began)
    return sorted(times)[len(times) // 2]


def flops_of(shape: Shape) -> int:
    """What the program's counter counts of a step; nothing of it runs, on whatever device."""
    return faked(lambda: training(shape, "cpu"), Training.step, {}, "cpu").flops


def peak(part: PartRun) -> float:
    """FLOP/s of a large bf16 matmul of random numbers on this device; 0 in a quick run."""
    if part.quick:
        return 0.0
    side = 8192 if part.on_gpu else 1024
    factors = (torch.randn(side, side, device=part.device).bfloat16() for _ in range(2))
    return 2 * side**3 / other_timers.quickest(product(*factors), part.device)


def states(training_run: Training) -> list[torch.Tensor]:
    """Weights, gradients and what the optimizer keeps."""
    weights = list(training_run.model.parameters())
    gradients = [weight.grad for weight in weights if weight.grad is not None]
    moments = [leaf for leaf in tree_leaves(training_run.optimizer.state_dict()["state"]) if _big(leaf)]
    return [*weights, *gradients, *moments]


def _big(leaf: object) -> bool:
    return isinstance(leaf, torch.Tensor) and leaf.dim() > 0


def kept_for_backward(training_run: Training) -> int:
    """Bytes that autograd keeps for the backward pass, each memory once, and no weight among them."""
    weights = {weight.untyped_storage().data_ptr() for weight in training_run.model.parameters()}
    sizes: dict[int, int] = {}

    def noted(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in weights:
            sizes[storage.data_ptr()] = storage.nbytes()
        return tensor.detach()  # the tensor itself would keep the graph alive, as it may be a result of it

    with torch.autograd.graph.saved_tensors_hooks(noted, lambda tensor: tensor):
        loss = training_run.loss()  # it holds what was saved, so that no memory comes twice
    del loss
    return sum(sizes.values())


def largest_model(part: PartRun, sheet: Device | None) -> None:
    """The card's answer, and whether the state of such a model can be had on this device."""
    if not part.on_gpu:
        part.table.add("the largest model", "left out: a CPU's memory has no end of its own")
        return
    free, total = torch.cuda.mem_get_info()
    if sheet is not None:
        card = sheet.capacity / BYTES
        part.table.add(f"largest model on {sheet}, by the card", f"{card / 1e9:.2f} billion parameters")
    part.table.add(
        "largest model by the device's memory",
        f"{total / BYTES / 1e9:.2f} billion of {amount(total, BYTE)}, {free / BYTES / 1e9:.2f} billion free",
        figures={"total": total, "free": free},
    )
    for share, fits in ((0.98, True), (1.02, False)):
        had = state_fits(int(share * free / BYTES))
        words = "allocated" if had else "refused"
        part.table.add(f"state of {share:.0%} of it", words, "allocated" if fits else "refused", ok=had == fits)


def state_fits(parameters: int) -> bool:
    """Whether weights, gradients and both moments of so many parameters can be allocated, in layers."""
    tensors: list[torch.Tensor] = []
    layer = 1 << 24
    try:
        while len(tensors) < 4 * parameters // layer:
            tensors.append(torch.empty(layer, device="cuda"))
    except torch.OutOfMemoryError:
        return False
    finally:
        tensors.clear()
        torch.cuda.empty_cache()
    return True


def allocated(part: PartRun) -> int:
    """Bytes that tensors hold; 0 where the device does not count them."""
    settled(part)
    return torch.cuda.memory_allocated() if part.on_gpu else 0


def settled(part: PartRun) -> None:
    """Wait for the device."""
    if part.on_gpu:
        torch.cuda.synchronize()
