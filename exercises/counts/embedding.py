"""Run one step through an embedding table."""

import torch
from torch import nn


def build(V=32000, d=1024, tokens=8):
    return nn.Embedding(V, d), torch.randint(V, (tokens,))


def step(table, tokens):
    table.zero_grad()
    table(tokens).sum().backward()
