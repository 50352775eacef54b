"""Define twelve modules in a training step for `study count`, and measure a step by the CPU's allocator."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from studykit.graders.count.step import Program


class Shared(nn.Module):
    """Use three parts of a result, so that its gradient is a sum of three of its size."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        first, second, third = (x[part] for part in range(3))
        return first * second + third


class Attention(nn.Module):
    """Compute causal self-attention by the fused kernel."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.qkv, self.out = heads, nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        attended = scaled_dot_product_attention(q, k, v, is_causal=True)
        result: torch.Tensor = self.out(attended.transpose(1, 2).flatten(2))
        return result


MODULES: dict[str, tuple[Callable[[], nn.Module], Callable[[], torch.Tensor]]] = {
    "linear": (lambda: nn.Linear(2048, 2048), lambda: torch.randn(1024, 2048)),
    "mlp": (
        lambda: nn.Sequential(nn.Linear(512, 2048), nn.GELU(), nn.Linear(2048, 512)),
        lambda: torch.randn(1024, 512),
    ),
    "deep": (
        lambda: nn.Sequential(*(nn.Sequential(nn.Linear(512, 512), nn.ReLU()) for _ in range(4))),
        lambda: torch.randn(1024, 512),
    ),
    "norms": (
        lambda: nn.Sequential(nn.LayerNorm(1024), nn.Linear(1024, 1024), nn.RMSNorm(1024)),
        lambda: torch.randn(1024, 1024),
    ),
    "attention": (lambda: Attention(512, 8), lambda: torch.randn(2, 512, 512)),
    "encoder": (
        lambda: nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True, dropout=0.1),
        lambda: torch.randn(2, 512, 512),
    ),
    "copies": (
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(256, 4, 1024, batch_first=True, dropout=0.1), 3),
        lambda: torch.randn(8, 128, 256),
    ),
    "shared": (lambda: nn.Sequential(nn.Linear(512, 512), Shared()), lambda: torch.randn(3, 2048, 512)),
    "convolution": (
        lambda: nn.Sequential(nn.Conv2d(3, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2)),
        lambda: torch.randn(4, 3, 128, 128),
    ),
    "embedding": (
        lambda: nn.Sequential(nn.Embedding(4_000, 512), nn.Linear(512, 512)),
        lambda: torch.randint(4_000, (2, 512)),
    ),
    "head": (
        lambda: nn.Sequential(nn.Linear(256, 256), nn.Linear(256, 8_000), nn.LogSoftmax(-1)),
        lambda: torch.randn(512, 256),
    ),
    "dropout": (
        lambda: nn.Sequential(nn.Linear(1024, 1024), nn.Dropout(0.5), nn.SiLU(), nn.Linear(1024, 1024)),
        lambda: torch.randn(1024, 1024),
    ),
}


def program_of(name: str) -> Program:
    """Return a training step of the module with this name."""
    make, data = MODULES[name]

    def build() -> tuple[nn.Module, torch.optim.Optimizer, torch.Tensor]:
        module = make()
        return module, torch.optim.AdamW(module.parameters(), foreach=False), data()

    def step(module: nn.Module, optimizer: torch.optim.Optimizer, data: torch.Tensor) -> None:
        optimizer.zero_grad()
        module(data).float().pow(2).mean().backward()
        optimizer.step()

    return Program(build, step)


def reported_peak(program: Program) -> int:
    """Return the peak of bytes that the CPU's allocator reports for the second step."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
        arguments: tuple[Any, ...] = program.setup()
        program.run(arguments)
        with torch.profiler.record_function("second step"):
            program.run(arguments)
    events: list[Any] = list(profile.profiler.kineto_results.events())
    begin = min(event.start_ns() for event in events if event.name() == "second step")
    total = peak = 0
    for event in sorted((event for event in events if event.name() == "[memory]"), key=lambda one: one.start_ns()):
        total += event.nbytes()
        peak = max(peak, total) if event.start_ns() >= begin else total
    return peak
