"""Run an MLP of two matrices around an activation, or of three around a gated one, without biases."""

import torch
import torch.nn.functional as F
from torch import nn


def build(rows=4096, d=1024, activation="relu"):
    f = 8 * d // 3 if activation == "swiglu" else 4 * d
    layers = [nn.Linear(d, f, bias=False), nn.Linear(f, d, bias=False)]
    if activation == "swiglu":
        layers.append(nn.Linear(d, f, bias=False))
    return nn.ModuleList(layers), torch.randn(rows, d, requires_grad=True), activation


def step(layers, x, activation):
    up, down, *gate = layers
    if activation == "swiglu":
        return down(F.silu(gate[0](x)) * up(x))
    return down(getattr(F, activation)(up(x)))
