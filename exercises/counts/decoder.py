"""Run the decoder of the counted bets: RMSNorm, attention, SwiGLU, untied head. It has no biases or dropout."""

import contextlib

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


class Layer(nn.Module):
    def __init__(self, d, h, f, attention):
        super().__init__()
        self.h, self.attention = h, attention
        self.norms = nn.ModuleList([nn.RMSNorm(d), nn.RMSNorm(d)])
        self.q, self.k, self.v, self.o = (nn.Linear(d, d, bias=False) for _ in range(4))
        self.gate, self.up = (nn.Linear(d, f, bias=False) for _ in range(2))
        self.down = nn.Linear(f, d, bias=False)

    def forward(self, x):
        n = self.norms[0](x)
        q, k, v = (w(n).unflatten(-1, (self.h, -1)).transpose(1, 2) for w in (self.q, self.k, self.v))
        if self.attention == "sdpa":
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
            y = scores.softmax(-1) @ v
        x = x + self.o(y.transpose(1, 2).flatten(2))
        n = self.norms[1](x)
        return x + self.down(F.silu(self.gate(n)) * self.up(n))


class Decoder(nn.Module):
    def __init__(self, L, d, h, f, V, attention, every):
        super().__init__()
        self.every = every
        self.embed = nn.Embedding(V, d)
        self.layers = nn.Sequential(*(Layer(d, h, f, attention) for _ in range(L)))
        self.norm = nn.RMSNorm(d)
        self.head = nn.Linear(d, V, bias=False)

    def forward(self, tokens):
        x = self.embed(tokens)
        for first in range(0, len(self.layers), self.every or len(self.layers)):
            if self.every:
                x = checkpoint(self.layers[first : first + self.every], x, use_reentrant=False)
            else:
                x = self.layers(x)
        return self.head(self.norm(x))


def build(
    L=8,
    d=1024,
    h=16,
    f=2816,
    V=32000,
    b=4,
    s=1024,
    attention="sdpa",
    every=0,
    dtype="float32",
    micro=1,
    set_to_none=True,
    autocast=False,
    mode="train",
    train="all",
):
    torch.set_default_dtype(getattr(torch, dtype))
    model = Decoder(L, d, h, f, V, attention, every)
    torch.set_default_dtype(torch.float32)
    if train == "embedding":
        model.requires_grad_(False)
        model.embed.requires_grad_(True)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], foreach=False)
    tokens = torch.randint(V, (b, s + 1))
    return model, optimizer, (tokens, micro, set_to_none, autocast, mode)


def step(model, optimizer, data):
    tokens, micro, set_to_none, autocast, mode = data
    if mode != "train":
        model.eval()
        with torch.no_grad() if mode == "no_grad" else contextlib.nullcontext():
            return model(tokens[:, :-1])
    optimizer.zero_grad(set_to_none=set_to_none)
    for part in tokens.chunk(micro):
        with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
            loss = F.cross_entropy(model(part[:, :-1]).flatten(0, 1), part[:, 1:].flatten())
        (loss / micro).backward()
    optimizer.step()
    return loss
