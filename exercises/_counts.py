"""Load the bytes and FLOPs that studykit counted for every size of the counted bets.

`counts/` has the programs and `counts.json`, which `tests/support/counts.py` writes and a test counts again.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from studykit.exercise import Parts, Template, Values


class Counted(NamedTuple):
    """Hold a program's parameters, and the bytes and FLOPs that were counted in its steps."""

    parameters: int
    peak: int
    first_peak: int  # of the step that makes the optimizer's states
    saved: int  # made in the step, and alive after the forward pass
    forward: int  # FLOPs
    backward: int
    parts: Mapping[str, int]  # at the peak


def key_of(sizes: Mapping[str, object]) -> str:
    """Return the key of these sizes in the table, such as `L=8 b=4`."""
    return " ".join(f"{name}={value}" for name, value in sorted(sizes.items()))


@cache
def table() -> Mapping[str, Mapping[str, Counted]]:
    """Read the counts of every program by the key of its sizes."""
    text = Path(__file__).parent.joinpath("counts", "counts.json").read_text("utf-8")
    programs = json.loads(text).items()
    return {program: {key: Counted(*row) for key, row in rows.items()} for program, rows in programs}


def counted(program: str, **sizes: object) -> Counted:
    """Return the counts of a program with these sizes, or raise KeyError if they were never counted."""
    return table()[program][key_of(sizes)]


def decoder(v: Values, **options: object) -> Counted:
    """Return the counts for a question's decoder. `options` are further options of its program."""
    return counted("decoder", d=v.d, h=v.h, f=v.f, L=v.L, b=v.b, **options)


memory_bet = partial(Template, objective="memory", set_name="counted", unit="GB", tolerance=0.02)
"""Make a template whose answer is a counted number of bytes."""
NOT_MEASURED = " (Counted, not measured.)"
SHAPES = {768: (12, 2048), 1024: (16, 2816)}
"""Heads and width of the MLP, by width."""

DECODER: Mapping[str, Sequence[object] | Callable[[Values], Sequence[object]]] = {
    "d": tuple(SHAPES),
    "L": (4, 8, 12),
    "b": (4, 16),
    "h": lambda v: SHAPES.get(v.d, (0, 0))[:1],
    "f": lambda v: SHAPES.get(v.d, (0, 0))[1:],
    "s": (1024,),
    "V": (32000,),
    "N": lambda v: (decoder(v).parameters,),
}
MODEL = (
    "A decoder: L = {L} layers of width d = {d}, {h} heads, SwiGLU with a feed-forward width of f = {f}, RMSNorm, "
    "a vocabulary of V = {V:n} and an untied output layer, no biases and no dropout: N = {N:n} parameters. A step "
    "takes b = {b} sequences of s = {s} tokens, with fused attention (SDPA), AdamW and fp32 throughout."
)
decoder_bet = partial(memory_bet, grid=DECODER)
GIVEN = {
    "base": decoder,
    "x": lambda v: 4 * v.b * v.s * v.d,
    "m": lambda v: 4 * v.b * v.s * v.f,
    "logits": lambda v: 4 * v.b * v.s * v.V,
}
"""The decoder's count, and the bytes of one tensor of the stream, of the MLP and of logits."""


def at_peak(count: Counted) -> Parts:
    """Return the bytes alive at the peak, by part, for a picture."""
    ordered = ("weights", "moments", "gradients", "activations", "logits", "temporary")
    return Parts("Alive at the peak", {name: count.parts[name] for name in ordered if name in count.parts})
