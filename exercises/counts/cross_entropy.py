"""Compute the loss of a batch of tokens from given logits, forward and backward."""

import torch
import torch.nn.functional as F


def build(rows=4096, V=32000, dtype="float32"):
    logits = torch.randn(rows, V, dtype=getattr(torch, dtype), requires_grad=True)
    return logits, torch.randint(V, (rows,))


def step(logits, targets):
    logits.grad = None
    F.cross_entropy(logits.float(), targets).backward()
