"""Ask how long a training run takes, on how many devices, for how much money."""

import math

from studykit.exercise import Between, Template, Values

from ._sizes import (
    A100,
    BF16,
    DENSE,
    FOUR,
    H100,
    H200,
    MFUS,
    MIN_SHARE,
    SEVEN,
    TRAINED,
    B,
    by_dtype,
    those,
    tokens_of_a_run,
    whole,
)
from ._slips import by, over, scaled, slip, sparse

MIN_GPUS_NEEDED = 8
"""With fewer devices the rounding would hide the slips."""

SIX = Between(
    "the training FLOPs",
    lambda v: 6 * v.N * v.D,
    "FLOP",
    ("mac_as_flop", "forward_only", "backward_only", "with_recompute"),
)
PEAK = {"peak": lambda v: v.hw.peak(v.dt), "flops": lambda v: 6 * v.N * v.D}

DAYS, MAX_GPUS = (3, 365), 25_000
"""How long runs take that people do, and on how many devices at most."""


def days_on_one(v: Values) -> float:
    """Return the days of the run on a single device."""
    return float(6 * v.N * v.D / (v.hw.peak(getattr(v, "dt", "bf16")) * v.mfu) / 86400)


TRAIN_DAYS = Template(
    id="time.train_days",
    objective="flops",
    units={"mfu": "%"},
    grid={
        "N": (7 * B, 13 * B, 34 * B, 70 * B, 405 * B),
        "D": tokens_of_a_run,
        **by_dtype(SEVEN),
        "mfu": MFUS,
        "G": (64, 256, 512, 1024, 2048, 4096, 16384),
    },
    prompt="How many days does it take to train {N:si} parameters on {D:si} tokens with {G} × {hw}, each with a "
    "peak of {peak:FLOP/s} (dense {dt}), at an MFU of {mfu:%}? " + DENSE,
    answer=lambda v: v.flops / (v.G * v.peak * v.mfu),
    unit="day",
    tolerance=0.05,
    slips=(
        sparse(0.5),
        slip("double_halved", scaled(2)),
        slip("forgot_mfu", by("mfu")),
        slip("forgot_gpus", by("G")),
        slip("forward_only", scaled(1 / 3)),
        slip("mac_as_flop", scaled(0.5)),
        slip("fp32_peak", lambda v: v.answer * v.peak / v.hw.peak("fp32")),
        slip("hours_for_days", scaled(24)),
        slip("mfu_wrong_way", lambda v: v.answer * v.mfu**2),
        slip("with_recompute", scaled(8 / 6)),
        slip("mfu_twice", lambda v: v.answer / v.mfu),
    ),
    hints=(
        "How much work is there, and how fast does the whole cluster do it?",
        "Work: 6 per parameter per token. Speed: devices × peak × MFU.",
        "Divide the FLOPs by the FLOP/s you really get, then by the 86,400 seconds of a day.",
    ),
    solution=(
        "work: 6 × {N:si} × {D:si} = {flops:e} FLOP",
        "speed: {G} × {peak:FLOP/s} × {mfu:%} = {speed:e} FLOP/s",
        "{flops:e} / {speed:e} = {answer:e} s = {answer:day}",
    ),
    assumed=BF16,
    given={**PEAK, "speed": lambda v: v.G * v.peak * v.mfu},
    sensible=lambda v: v.dt in TRAINED and DAYS[0] <= days_on_one(v) / v.G <= DAYS[1] and v.N / v.G >= MIN_SHARE,
    between=SIX,
    version=7,
    renamed={3: {"n": "G"}},
)

GPUS_NEEDED = Template(
    id="time.gpus_needed",
    objective="flops",
    units={"days": "day", "mfu": "%"},
    grid={
        "N": (7 * B, 34 * B, 70 * B, 405 * B),
        "D": tokens_of_a_run,
        **by_dtype(FOUR),
        "mfu": MFUS,
        "days": (14, 30, 45, 60, 90, 180),
    },
    prompt="How many {hw} (peak {peak:FLOP/s} each, dense {dt}) does it take to train {N:si} parameters on {D:si} "
    "tokens within {days} days at an MFU of {mfu:%}? " + DENSE,
    answer=lambda v: math.ceil(v.need),
    unit="gpu",
    tolerance=0.03,
    slips=(
        slip("sparse_peak", lambda v: math.ceil(v.need / 2) if v.hw.sparse else None),
        slip("double_halved", lambda v: math.ceil(v.need * 2)),
        slip("forgot_mfu", lambda v: math.ceil(v.need * v.mfu)),
        slip("forward_only", lambda v: math.ceil(v.need / 3)),
        slip("with_recompute", lambda v: math.ceil(v.need * 8 / 6)),
        slip("mac_as_flop", lambda v: math.ceil(v.need / 2)),
        slip("mfu_wrong_way", lambda v: math.ceil(v.need * v.mfu**2)),
        slip("days_as_seconds", lambda v: v.need * 86400),
        slip("forgot_24", lambda v: math.ceil(v.need * 24)),
    ),
    hints=(
        "Work backwards from the deadline.",
        "Which FLOP/s would finish the work in {days} days? Which FLOP/s does one device really give?",
        "The work is 6 per parameter per token; one device gives {mfu:%} of {peak:FLOP/s}. Round up.",
    ),
    solution=(
        "work: 6 × {N:si} × {D:si} = {flops:e} FLOP",
        "one device in {days} days: {peak:FLOP/s} × {mfu:%} × {days} × 86,400 s = {share:e} FLOP",
        "{flops:e} / {share:e}, rounded up: {answer:n}",
    ),
    assumed=BF16,
    given={
        **PEAK,
        "share": lambda v: v.peak * v.mfu * v.days * 86400,
        "need": lambda v: v.flops / v.share,
    },
    sensible=lambda v: v.dt in TRAINED and MIN_GPUS_NEEDED <= v.need <= MAX_GPUS,
    version=7,
    between=SIX,
)

GPU_HOURS = Template(
    id="time.gpu_hours",
    objective="flops",
    units={"mfu": "%"},
    grid={
        "N": (7 * B, 8 * B, 13 * B, 30 * B, 34 * B, 70 * B, 120 * B, 180 * B, 405 * B),
        "D": tokens_of_a_run,
        **by_dtype(FOUR),
        "mfu": MFUS,
    },
    prompt="How many GPU-hours does it take to train {N:si} parameters on {D:si} tokens on {hw} (peak "
    "{peak:FLOP/s} each, dense {dt}) at an MFU of {mfu:%}? " + DENSE,
    answer=lambda v: v.flops / (v.peak * v.mfu),
    unit="GPU-hour",
    tolerance=0.05,
    slips=(
        sparse(0.5),
        slip("double_halved", scaled(2)),
        slip("forgot_mfu", by("mfu")),
        slip("forward_only", scaled(1 / 3)),
        slip("mac_as_flop", scaled(0.5)),
        slip("mfu_wrong_way", lambda v: v.answer * v.mfu**2),
        slip("with_recompute", scaled(8 / 6)),
        slip("days_for_hours", scaled(1 / 24)),
    ),
    hints=(
        "Does it matter how many devices share the work?",
        "Take one device: work divided by the FLOP/s that it really gives.",
        "The work is 6 per parameter per token; an hour has 3,600 seconds.",
    ),
    solution=(
        "work: 6 × {N:si} × {D:si} = {flops:e} FLOP",
        "one device: {peak:FLOP/s} × {mfu:%}",
        "{answer:e} s / 3600 = {answer:GPU-hour}",
    ),
    assumed=BF16,
    given=PEAK,
    between=SIX,
    sensible=lambda v: v.dt in TRAINED,
    version=7,
)

PRICES = {A100: (1.2, 1.5, 1.7), H100: (2.3, 2.5, 2.6), H200: (2.5, 3.5, 4.0)}
"""Dollars that an hour of a rented device costs; dividing by none of them looks like another slip."""

COST = Template(
    id="time.cost",
    objective="flops",
    units={"mfu": "%", "price": "$"},
    grid={
        "N": (7 * B, 8 * B, 13 * B, 30 * B, 34 * B, 70 * B),
        "D": tuple(whole(size) for size in (500, 1000, 1400, 2000, 3000, 6000, 8000)),
        **by_dtype((A100, H100, H200)),
        "mfu": MFUS,
        "price": lambda v: PRICES.get(v.hw, (2.5,)),
    },
    prompt="A GPU-hour costs ${price}. How much does it cost to train {N:si} parameters on {D:si} tokens on {hw} "
    "(peak {peak:FLOP/s} each, dense {dt}) at an MFU of {mfu:%}? " + DENSE,
    answer=lambda v: v.hours * v.price,
    unit="$",
    tolerance=0.05,
    slips=(
        sparse(0.5),
        slip("double_halved", scaled(2)),
        slip("forgot_mfu", by("mfu")),
        slip("forward_only", scaled(1 / 3)),
        slip("per_gpu_second", scaled(3600)),
        slip("mac_as_flop", scaled(0.5)),
        slip("mfu_wrong_way", lambda v: v.answer * v.mfu**2),
        slip("with_recompute", scaled(8 / 6)),
        slip("forgot_price", over("price")),
        slip("price_per_day", scaled(1 / 24)),
    ),
    hints=(
        "How many GPU-hours does it take?",
        "GPU-hours: the work divided by what one device really does, in hours.",
        "Each GPU-hour costs ${price}; the work is 6 per parameter per token.",
    ),
    solution=(
        "work: 6 × {N:si} × {D:si} = {flops:e} FLOP",
        "GPU-hours: {flops:e} / ({peak:FLOP/s} × {mfu:%}) / 3600 = {hours:n}",
        "{hours:n} × ${price} = {answer:$}",
    ),
    assumed=BF16,
    given={**PEAK, "hours": lambda v: v.flops / (v.peak * v.mfu) / 3600},
    between=SIX,
    sensible=lambda v: v.dt in TRAINED,
    version=6,
)

MAX_STEPS = 1_500_000
"""Of runs that people do; with more tokens their batches are larger."""

STEPS = Template(
    id="time.steps",
    version=2,
    objective="flops",
    grid={
        "D": tuple(whole(size) for size in (100, 300, 500, 1000, 1400, 2000, 3000, 6000)),
        "s": (1024, 2048, 4096, 8192),
        "b": lambda v: those((256, 512, 1024, 2048, 4096), lambda count: v.D / (count * v.s) <= MAX_STEPS),
    },
    prompt="A run sees {D:si} tokens, with batches of {b} sequences of {s} tokens. How many optimizer steps is "
    "that?",
    answer=lambda v: v.D / (v.b * v.s),
    unit="step",
    tolerance=0.02,
    slips=(
        slip("forgot_seq", lambda v: v.D / v.b),
        slip("forgot_batch", lambda v: v.D / v.s),
    ),
    hints=(
        "How many tokens does one step take?",
        "Tokens in a step = sequences × length.",
        "Divide all the tokens by the tokens of one step.",
    ),
    solution=("one step: {b} × {s} tokens", "{D:si} / ({b} × {s}) = {answer:n} steps"),
)

EXERCISES = (TRAIN_DAYS, GPUS_NEEDED, GPU_HOURS, COST, STEPS)
