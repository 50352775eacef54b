"""Feeding a run: how many workers prepare its tokens."""

import math

from studykit.exercise import Template

from ._sizes import A100, H100, MFUS, B, whole
from ._slips import slip

LOADERS = Template(
    id="data.loaders",
    objective="training",
    units={"mfu": "%", "w": "per second"},
    grid={
        "N": (B, whole(1.3), 3 * B, 7 * B),
        "n": (8, 16, 64),
        "hw": (A100, H100),
        "mfu": MFUS,
        "w": (5000, 10000, 20000, 50000),
    },
    prompt="A run trains {N:si} parameters on {n} × {hw} ({peak:FLOP/s} each, dense bf16) at an MFU of {mfu:%}, "
    "6 FLOPs per parameter per token. A worker of the data loader tokenizes {w} tokens per second. How many "
    "workers does it take to keep up?",
    answer=lambda v: math.ceil(v.need),
    unit="count",
    tolerance=0.02,
    slips=(
        slip("forgot_gpus", lambda v: math.ceil(v.need / v.n)),
        slip("forgot_mfu", lambda v: math.ceil(v.need / v.mfu)),
        slip("forward_only", lambda v: math.ceil(v.need * 3)),
        slip("sparse_peak", lambda v: math.ceil(v.need * 2)),
        slip("mac_as_flop", lambda v: math.ceil(v.need * 2)),
        slip("gave_rate", lambda v: v.rate, "Workers or tokens?", "Those are the tokens per second."),
    ),
    hints=(
        "How many tokens does the run eat in a second?",
        "All devices at {mfu:%} of their peak, over 6 FLOPs per parameter for each token.",
        "Divide by what one worker makes, and round up.",
    ),
    solution=(
        "tokens/s: {n} × {peak:FLOP/s} × {mfu:%} / (6 × {N:si}) = {rate:n}",
        "/ {w}, rounded up: {answer:n}",
    ),
    given={
        "peak": lambda v: v.hw.peak("bf16"),
        "rate": lambda v: v.n * v.peak * v.mfu / (6 * v.N),
        "need": lambda v: v.rate / v.w,
    },
    sensible=lambda v: v.need > FEWEST,
)

FEWEST = 20
"""With fewer workers the rounding would hide the slips."""

EXERCISES = (LOADERS,)
