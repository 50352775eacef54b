"""Test the counts of a shape against those of torch for the same decoder, built here from matrices."""

import random
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from studykit.errors import UsageError
from studykit.exercise.estimate.shape import Latent, Shape

MAX_WINDOW = 7
TOKENS = 12


class Attention(nn.Module):
    """Compute multi-head attention over one sequence, with its scores materialized."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        linear, latent = nn.Linear, shape.latent
        of_qkv, of_output = shape.biases != "none", shape.biases in {"attention", "all"}
        self.shape, value = shape, shape.head_dim
        if latent is None:
            self.q = linear(shape.width, shape.heads * shape.head_dim, bias=of_qkv)
            self.k = linear(shape.width, shape.kv_heads * shape.head_dim, bias=of_qkv)
            self.v = linear(shape.width, shape.kv_heads * shape.head_dim, bias=of_qkv)
        else:
            value = latent.value
            down = (
                [linear(shape.width, latent.q_rank, bias=False), nn.RMSNorm(latent.q_rank)]
                if latent.q_rank
                else []
            )
            self.q_down = nn.Sequential(*down)
            self.q = linear(latent.q_rank or shape.width, shape.heads * shape.head_dim, bias=False)
            self.kv_down = linear(shape.width, latent.kv_rank + latent.rope, bias=False)
            self.kv_norm = nn.RMSNorm(latent.kv_rank)
            self.kv = linear(latent.kv_rank, shape.heads * (latent.nope + latent.value), bias=False)
        if shape.head_norms:
            self.norms = nn.ModuleList(nn.RMSNorm(shape.head_dim) for _ in range(2))
        if shape.sinks:
            self.sinks = nn.Parameter(torch.empty(shape.heads))
        self.o = linear(shape.heads * value, shape.width, bias=of_output)

    def projected(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        shape, latent, tokens = self.shape, self.shape.latent, len(x)
        if latent is None:
            by_head = [each(x).view(tokens, -1, shape.head_dim) for each in (self.q, self.k, self.v)]
            q, k, v = (each.repeat_interleave(shape.heads // each.shape[1], 1) for each in by_head)
            return q, k, v
        q = self.q(self.q_down(x))
        down, rope = self.kv_down(x).split((latent.kv_rank, latent.rope), -1)
        up = self.kv(self.kv_norm(down)).view(tokens, shape.heads, -1)
        k, v = up.split((latent.nope, latent.value), -1)
        k = torch.cat((k, rope[:, None].expand(-1, shape.heads, -1)), -1)
        return q.view(tokens, shape.heads, -1), k, v

    def forward(self, x: Tensor, *, context: int) -> Tensor:
        q, k, v = (each.transpose(0, 1) for each in self.projected(x))
        scores = (q @ k[:, :context].transpose(1, 2)).softmax(-1)
        result: Tensor = self.o((scores @ v[:, :context]).transpose(0, 1).flatten(1))
        return result


class Mlp(nn.Module):
    def __init__(self, shape: Shape, hidden: int) -> None:
        super().__init__()
        bias = shape.biases == "all"
        self.gate = nn.Linear(shape.width, hidden, bias=bias) if shape.gated else None
        self.up = nn.Linear(shape.width, hidden, bias=bias)
        self.down = nn.Linear(hidden, shape.width, bias=bias)

    def forward(self, x: Tensor) -> Tensor:
        up = self.up(x)
        result: Tensor = self.down(up.relu() if self.gate is None else self.gate(x) * up)
        return result


class Experts(nn.Module):
    """Run a mixture of experts in which every token visits the first ones, since the choice changes no count."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        bias = shape.router_bias or shape.biases == "all"
        self.shape = shape
        self.router = nn.Linear(shape.width, shape.experts, bias=bias)
        self.gate = nn.Linear(shape.width, 1, bias=False) if shape.shared_gate else None
        self.routed = nn.ModuleList(Mlp(shape, shape.expert_width) for _ in range(shape.experts))
        self.shared = nn.ModuleList(Mlp(shape, shape.expert_width) for _ in range(shape.shared))

    def forward(self, x: Tensor) -> Tensor:
        shared = sum(each(x) for each in self.shared)
        shared = shared if self.gate is None else self.gate(x) * shared
        visited = list(self.routed)[: self.shape.active]
        result: Tensor = self.router(x).sum() * sum(each(x) for each in visited) + shared
        return result


class Decoder(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        norm = nn.LayerNorm if shape.layer_norm else nn.RMSNorm
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width) if shape.positions else None
        self.attention = nn.ModuleList(Attention(shape) for _ in range(shape.layers))
        self.mlp = nn.ModuleList(
            Experts(shape) if shape.experts and place >= shape.dense_layers else Mlp(shape, shape.ffn_width)
            for place in range(shape.layers)
        )
        self.norms = nn.ModuleList(norm(shape.width) for _ in range(shape.layers * shape.norms))
        self.final = norm(shape.width) if shape.final_norm else None
        self.head = nn.Linear(shape.width, shape.vocabulary, bias=False)
        if shape.tied:
            self.head.weight = self.embedding.weight

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.embedding(tokens)
        for place, (attention, mlp) in enumerate(zip(self.attention, self.mlp, strict=True)):
            is_windowed = place < self.shape.windowed_layers
            context = min(len(tokens), self.shape.window) if is_windowed else len(tokens)
            x = x + attention(x, context=context)
            x = x + mlp(x)
        logits: Tensor = self.head(x)
        return logits


def drawn(seed: int) -> Shape:
    """Return a random shape, in which each property is present half of the time."""
    draw = random.Random(seed)
    has = [draw.random() < 0.5 for _ in range(9)]
    kv_heads, layers = draw.randint(1, 4), draw.randint(1, 4)
    latent = draw.random() < 0.25
    ranks = Latent(draw.choice((0, 24)), 20, nope=draw.choice((8, 16)), rope=6, value=draw.choice((8, 12)))
    heads = kv_heads * draw.randint(1, 3)
    return Shape(
        layers=layers,
        width=draw.choice((48, 64, 80)),
        heads=heads,
        head_dim=ranks.nope + ranks.rope if latent else draw.choice((8, 16, 24)),
        kv_heads=heads if latent else kv_heads,
        ffn_width=draw.choice((96, 128, 200)),
        vocabulary=draw.choice((97, 512)),
        gated=has[0],
        tied=has[1],
        biases="none" if latent else draw.choice(("none", "qkv", "attention", "all")),
        layer_norm=has[2],
        norms=draw.choice((2, 4)),
        final_norm=has[3],
        head_norms=has[4],
        positions=32 * has[5],
        sinks=has[6],
        experts=6 * has[7],
        active=2 * has[7],
        shared=draw.randint(0, 2) * has[7],
        expert_width=40 * has[7],
        dense_layers=draw.randint(0, layers) * has[7],
        router_bias=has[8],
        shared_gate=has[3] and has[7],
        window=MAX_WINDOW,
        windowed_layers=draw.randint(0, layers),
        latent=ranks if latent else None,
    )


def test_counts_agree_with_torch() -> None:
    wrong = []
    for seed in range(24):
        shape = drawn(seed)
        with torch.device("meta"):
            model = Decoder(shape)
            with FlopCounterMode(display=False) as counter:
                model(torch.zeros(TOKENS, dtype=torch.long))
        parameters = sum(each.numel() for each in model.parameters())
        idle = [each for mlp in model.mlp if isinstance(mlp, Experts) for each in list(mlp.routed)[shape.active :]]
        active = parameters - sum(each.numel() for mlp in idle for each in mlp.parameters())
        counted = parameters, active, counter.get_total_flops()
        if counted != (shape.parameters, shape.active_parameters, sum(shape.flops(TOKENS).values())):
            wrong.append((seed, shape, counted))

    assert wrong == []


def put_out(shape: Shape, sequences: int, tokens: int) -> int:
    """Return the bytes of the activations of a forward pass, made one by one as tensors in fp32."""
    meta = torch.device("meta")
    x = torch.empty(sequences, tokens, shape.width, device=meta)
    bytes_out: list[int] = []

    def keep(tensor: Tensor) -> Tensor:
        bytes_out.append(tensor.nbytes)
        return tensor

    def linear(of: Tensor, outputs: int) -> Tensor:
        return keep(of @ torch.empty(of.shape[-1], outputs, device=meta))

    def split(of: Tensor) -> Tensor:
        by_head = of.view(sequences, tokens, -1, shape.head_dim).transpose(1, 2)
        return by_head.repeat_interleave(shape.heads // by_head.shape[1], 1)

    for _ in range(shape.layers):
        normed = keep(torch.rms_norm(x, (shape.width,)))
        sizes = (shape.heads, shape.kv_heads, shape.kv_heads)
        q, k, v = (split(linear(normed, heads * shape.head_dim)) for heads in sizes)
        weights = keep(keep(q @ k.transpose(2, 3)).softmax(-1))
        x = x + linear(keep(weights @ v).transpose(1, 2).flatten(2), shape.width)
        normed = keep(torch.rms_norm(x, (shape.width,)))
        gate = keep(nn.functional.silu(linear(normed, shape.ffn_width)))
        hidden = keep(gate * linear(normed, shape.ffn_width)) if shape.gated else gate
        x = x + linear(hidden, shape.width)
    logits = linear(keep(torch.rms_norm(x, (shape.width,))), shape.vocabulary)
    keep(logits.softmax(-1))
    return sum(bytes_out)


@pytest.mark.parametrize("gated", [True, False])
def test_activations_agree_with_tensors_made_one_by_one(*, gated: bool) -> None:
    shape = Shape(layers=3, width=40, heads=6, head_dim=8, kv_heads=2, ffn_width=72, vocabulary=99, gated=gated)

    assert sum(shape.activations(2, 10).values()) == put_out(shape, 2, 10)


SMALL = Shape(layers=6, width=64, heads=4, head_dim=16, kv_heads=2, ffn_width=96, vocabulary=9)


def test_cache_of_a_window_stops_growing() -> None:
    windowed = replace(SMALL, window=10, windowed_layers=5)
    latent = replace(SMALL, kv_heads=4, latent=Latent(0, 20, nope=10, rope=6, value=16))

    assert windowed.kv_cache() == 6 * 2 * 2 * 16 * 2
    assert windowed.kv_cache(100) == (5 * 10 + 100) * 2 * 2 * 16 * 2
    assert latent.kv_cache(100) == 100 * 6 * (20 + 6) * 2


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"kv_heads": 3}, "4 query heads cannot share 3 KV heads evenly"),
        ({"width": 66, "head_dim": 0}, "A width of 66 cannot be divided among 4 heads"),
        ({"experts": 4, "active": 8}, "A token cannot visit 8 of 4 experts"),
        ({"dense_layers": 9}, "The model has 6 layers, but more dense ones"),
    ],
)
def test_contradictions_are_refused(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        replace(SMALL, **changed)
