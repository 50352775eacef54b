"""Ask for activation memory, with and without recomputation."""

import math

from studykit.exercise import Check, Template, Values

from ._shapes import shape
from ._sizes import WIDTHS
from ._slips import elements, over, scaled, slip

BLOCK = (
    "GPT-style block as in Korthikanti et al. (multi-head attention, GELU MLP of width 4d, dropout masks kept), "
    "16-bit."
)
STREAM = {"one": lambda v: v.s * v.b * v.d}


def _kept(v: Values) -> float:
    """Return the bytes that the blocks keep: activations, and dropout masks after softmax, projection and MLP."""
    block = shape(v, ffn_width=4 * v.d, gated=False, final_norm=False, vocabulary=0)
    parts = block.activations(v.b, v.s, 2)
    return sum(parts.values()) + (parts["softmax"] + 2 * parts["projection"]) / 2  # a mask has one byte, not two


LINEAR = Template(
    id="mem.activations_linear",
    objective="memory",
    grid={"B": (32, 64, 128, 256), "d": (512, 1024, 4096), "L": (8, 16, 32, 64)},
    prompt="A deep network of {L} layers of width {d} runs a batch of {B}. For the backward pass it keeps one {B} "
    "× {d} bf16 tensor per layer. How many MB of activations is that?",
    answer=lambda v: 2 * v.B * v.d * v.L,
    unit="MB",
    tolerance=0.02,
    slips=(
        slip("fp32", scaled(2)),
        slip("forgot_layers", over("L")),
        slip("forgot_batch", over("B")),
        slip("used_weights", lambda v: 2 * v.L * v.d**2),
        elements(2),
    ),
    hints=(
        "How large is one layer's tensor?",
        "One tensor has {B} × {d} elements of 2 bytes.",
        "There are {L} of them.",
    ),
    solution=("one layer: {B} × {d} × 2 bytes", "{L} layers: {answer:bytes}"),
    version=2,
    renamed={2: {"D": "d"}},
)

TRANSFORMER = Template(
    id="mem.activations_transformer",
    objective="memory",
    grid={
        "L": (24, 32, 40),
        "s": (1024, 2048, 4096),
        "b": (1, 2, 4, 8),
        "d": lambda v: WIDTHS.get(v.L, (4096,)),
        "h": lambda v: (v.d // 128,),
    },
    prompt="How many GB of activations does a transformer keep without recomputation? {L} layers of width d = "
    "{d} with h = {h} heads, {b} sequences (b) of s = {s} tokens; each layer keeps s·b·d·(34 + 5·h·s/d) bytes. "
    + BLOCK,
    answer=_kept,
    unit="GB",
    tolerance=0.03,
    slips=(
        slip("forgot_layers", over("L")),
        slip(
            "no_quadratic",
            lambda v: 34 * v.one * v.L,
            "What about the attention matrix?",
            "That leaves out 5·h·s/d, the attention matrix, which grows with the square of the sequence.",
        ),
        slip(
            "forgot_heads",
            lambda v: v.L * v.one * (34 + 5 * v.s / v.d),
            "How many attention matrices are there?",
            "That keeps one attention matrix; there is one for each of {h} heads.",
        ),
        slip("attention_only", lambda v: v.L * v.one * 5 * v.h * v.s / v.d, approximate=True),
        slip("checkpointed", lambda v: 2 * v.one * v.L),
        slip("forgot_batch", over("b")),
        slip("bytes_again", scaled(2)),
    ),
    hints=(
        "Work out the bracket first.",
        "5·h·s/d with {h} heads, {s} tokens and width {d}; the result is already in bytes.",
        "Multiply by s·b·d = {s} × {b} × {d} and by {L} layers.",
    ),
    solution=(
        "bracket: 34 + 5 × {h} × {s} / {d} = {bracket:number}",
        "one layer: {s} × {b} × {d} × {bracket:number} bytes",
        "{L} layers: {answer:bytes}",
    ),
    given={**STREAM, "bracket": lambda v: 34 + 5 * v.h * v.s / v.d},
    version=2,
    renamed={2: {"h": "d", "a": "h"}},
)

FLASH = Template(
    id="mem.activations_flash",
    objective="memory",
    grid={"L": tuple(WIDTHS), "s": (2048, 4096, 8192), "b": (1, 2, 4), "d": lambda v: WIDTHS.get(v.L, (4096,))},
    prompt="With FlashAttention the attention matrix is never kept, and each layer keeps 34·s·b·d bytes of "
    "activations. How many GB is that for {L} layers of width d = {d} and {b} sequences (b) of s = {s} "
    "tokens? " + BLOCK,
    answer=lambda v: 34 * v.one * v.L,
    unit="GB",
    tolerance=0.03,
    slips=(
        slip("forgot_layers", over("L")),
        slip("forgot_batch", over("b")),
        slip("checkpointed", lambda v: 2 * v.one * v.L),
        slip("bytes_again", scaled(2)),
    ),
    hints=(
        "The 34 is bytes per token and unit of width.",
        "One layer: 34 × {s} × {b} × {d}.",
        "There are {L} layers.",
    ),
    solution=("one layer: 34 × {s} × {b} × {d} bytes", "{L} layers: {answer:bytes}"),
    given=STREAM,
    version=2,
    renamed={2: {"h": "d"}},
)

CHECKPOINTED = Template(
    id="mem.checkpointed",
    objective="memory",
    grid={
        "L": tuple(WIDTHS),
        "s": (2048, 4096, 8192, 32768),
        "b": (1, 2, 4),
        "d": lambda v: WIDTHS.get(v.L, (4096,)),
    },
    prompt="With activation checkpointing only each layer's input is kept, in bf16: a vector of width {d} for "
    "each token. How many GB is that for {L} layers and {b} sequences of {s} tokens?",
    answer=lambda v: 2 * v.one * v.L,
    unit="GB",
    tolerance=0.03,
    slips=(
        slip("fp32", scaled(2)),
        slip("no_checkpointing", lambda v: 34 * v.one * v.L),
        slip("one_layer", over("L")),
        slip("forgot_batch", over("b")),
        elements(2),
        slip("sqrt_layers", lambda v: v.answer / math.sqrt(v.L)),
    ),
    hints=(
        "How large is the input of one layer?",
        "{b} × {s} tokens, each a vector of {d} elements of 2 bytes.",
        "There is one for each of the {L} layers.",
    ),
    solution=("one input: 2 × {s} × {b} × {d} bytes", "{L} layers: {answer:bytes}"),
    given=STREAM,
    version=2,
    renamed={2: {"h": "d"}},
)

SQRT = Template(
    id="mem.sqrt_checkpoints",
    objective="memory",
    grid={"L": (16, 36, 64, 100, 144)},
    prompt="{L} equal layers keep one activation every √L layers and recompute the rest. How many layers' "
    "activations are alive at the peak? Count the √L that are kept plus √L recomputed in one segment, as if "
    "a kept input were as large as a layer's activations.",
    answer=lambda v: 2 * math.isqrt(v.L),
    unit="count",
    tolerance=0,
    slips=(
        slip("checkpoints_only", lambda v: math.isqrt(v.L)),
        slip(
            "all_layers",
            lambda v: v.L,
            "Which of the {L} layers are kept, and which are recomputed?",
            "That keeps every layer, as without checkpointing.",
        ),
        slip("half", lambda v: v.L // 2),
        slip("log2", lambda v: round(math.log2(v.L))),
    ),
    checks=(Check(lambda v: math.isqrt(v.L) ** 2 == v.L, "{L} layers have no whole root; take 16, 36 or 64"),),
    hints=(
        "Two things are alive at once.",
        "The kept activations, and the segment that is being recomputed.",
        "√{L} = {root} of each.",
    ),
    solution=("kept: √{L} = {root}", "one segment: {root}", "together {answer:n}"),
    given={"root": lambda v: math.isqrt(v.L)},
)

OVERHEAD = Template(
    id="mem.remat_overhead",
    objective="training",
    units={"p": "%"},
    grid={"p": (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0)},
    prompt="{p:%} of the layers are recomputed once during the backward pass. By how many percent does the "
    "compute of a training step grow? (6 FLOPs per parameter per token without recomputation.)",
    answer=lambda v: v.p * 2 / 6,
    unit="%",
    tolerance=0.03,
    slips=(
        slip(
            "whole_step",
            lambda v: 1 + v.p * 2 / 6,
            "Is that the growth, or the whole step?",
            "That is the whole step relative to the old one; the question asks only for the growth.",
        ),
        slip("twenty", lambda v: 0.2 * v.p),
        slip("fifty", lambda v: 0.5 * v.p),
        slip("hundred", lambda v: v.p),
        slip("all_layers_again", lambda _: 1 / 3),
        slip("backward_again", lambda v: 4 * v.p / 6),
        slip("quarter", lambda v: 2 * v.p / (6 + 2 * v.p)),
        slip("of_eight", lambda v: v.p / 4 if v.p < 1 else None),
    ),
    hints=(
        "What part of a step is repeated?",
        "The forward pass of {p:%} of the layers is repeated once.",
        "The forward pass is 2 of the 6.",
    ),
    solution=("one more forward pass: 2 on top of 6, for {p:%} of the layers", "{p:%} × 2 / 6 = {answer:%}"),
    version=3,
)

LOGITS = Template(
    id="mem.logits",
    objective="memory",
    grid={"b": (1, 2, 4, 8), "s": (2048, 4096, 8192, 32768), "V": (32000, 50257, 128256, 151936)},
    prompt="How many GB do the fp32 logits take for {b} sequences of {s} tokens and a vocabulary of {V}?",
    answer=lambda v: 4 * v.b * v.s * v.V,
    unit="GB",
    tolerance=0.03,
    slips=(
        slip("bf16", scaled(0.5)),
        slip("forgot_seq", over("s")),
        slip("forgot_batch", over("b")),
        elements(4),
    ),
    hints=(
        "How many logits are there?",
        "Every token has one logit for every entry of the vocabulary.",
        "An fp32 logit takes 4 bytes.",
    ),
    solution=("logits: {b} × {s} × {V}", "× 4 bytes = {answer:bytes}"),
)

EXERCISES = (LINEAR, TRANSFORMER, FLASH, CHECKPOINTED, SQRT, OVERHEAD, LOGITS)
