"""Ask how much of the promised speed is used: MFU, HFU, throughput."""

from studykit.exercise import Between, Template, Values

from ._sizes import (
    A100,
    BELOW_PEAK,
    BF16,
    FOUR,
    H100,
    MFUS,
    MIN_SHARE,
    MODELS,
    TRAINED,
    B,
    T,
    by_dtype,
    those,
    whole,
)
from ._slips import ABOVE_ONE, by, over, scaled, slip, sparse

REACHED = (0.22, 0.26, 0.3, 0.38, 0.42, 0.46, 0.55, 0.58)
COUNTED = "Dense model; count 6 FLOPs per parameter per token: no attention term, nothing recomputed."


def three_digits(value: float) -> float:
    """Round a value to three significant digits, as prompts print it."""
    return float(f"{value:.3g}")


LEAST_STEP_S = 0.2
"""At its peak: shorter steps are not worth so many devices."""


def _step(v: Values) -> float:
    """Return the FLOPs of a step."""
    return float(6 * v.N * v.b * v.s)


MFU = Template(
    id="time.mfu_from_step",
    objective="utilization",
    units={"dt": "s"},
    grid={
        "N": (whole(1.3), 7 * B, 13 * B, 70 * B),
        "b": (512, 1024, 2048),
        "s": (2048, 4096),
        **by_dtype(FOUR, name="dtype"),
        "G": (64, 128, 256, 512, 1024),
        "_mfu": REACHED,
        "dt": lambda v: (three_digits(_step(v) / (v.G * v.hw.peak(v.dtype) * v._mfu)),),
    },
    prompt="A model with {N:si} parameters trains on {G} × {hw} (peak {peak:FLOP/s} each, dense {dtype}). A step "
    "of {b} sequences of {s} tokens takes {dt} s. What is the MFU? " + COUNTED,
    answer=lambda v: v.flops / v.dt / (v.G * v.peak),
    unit="%",
    tolerance=0.05,
    slips=(
        sparse(0.5),
        slip("double_halved", scaled(2)),
        slip("forward_only", scaled(1 / 3)),
        slip("mac_as_flop", scaled(0.5)),
        slip("forgot_gpus", by("G"), *ABOVE_ONE),
        slip("counted_recompute", scaled(8 / 6)),
        slip("forgot_batch", over("b")),
        slip("forgot_seq", over("s")),
    ),
    checks=(BELOW_PEAK,),
    hints=(
        "What was done per second, and what was promised?",
        "Done: the FLOPs of one step over its time. Promised: devices × peak.",
        "6 FLOPs for each parameter and token, and a step has {b} × {s} tokens.",
    ),
    solution=(
        "one step: 6 × {N:si} × {b} × {s} = {flops:e} FLOP",
        "achieved: {flops:e} / {dt} s = {rate:e} FLOP/s",
        "promised: {G} × {peak:FLOP/s}",
        "MFU = {answer:%}",
    ),
    assumed={"dtype": "bf16"},
    given={
        "peak": lambda v: v.hw.peak(v.dtype),
        "flops": _step,
        "rate": lambda v: v.flops / v.dt,
    },
    between=Between(
        "the FLOPs of one step",
        _step,
        "FLOP",
        ("mac_as_flop", "forward_only", "counted_recompute", "forgot_seq"),
    ),
    sensible=lambda v: v.dtype in TRAINED and v.b >= v.G and v.flops / v.G >= LEAST_STEP_S * v.peak,
    version=5,
    renamed={2: {"n": "G"}},
)

HFU = Template(
    id="time.hfu_from_mfu",
    objective="utilization",
    units={"mfu": "%"},
    grid={"mfu": (0.27, 0.3, 0.31, 0.33, 0.34, 0.36, 0.37, 0.39, 0.4, 0.42, 0.43, 0.45, 0.46, 0.48)},
    prompt="A run has an MFU of {mfu:%}, and every layer's forward pass is computed a second time during the "
    "backward pass (8 instead of 6 FLOPs per parameter per token). What is its HFU?",
    answer=lambda v: v.mfu * 8 / 6,
    unit="%",
    tolerance=0.02,
    slips=(
        slip("gave_mfu", lambda v: v.mfu),
        slip("inverted", lambda v: v.mfu * 6 / 8),
        slip(
            "hundred",
            lambda v: 2 * v.mfu,
            "How much of a step is the forward pass?",
            "That repeats the whole step; only the forward pass is repeated, a third of it.",
        ),
    ),
    hints=(
        "What does the hardware do that the model does not need?",
        "The hardware's FLOPs include the repeated forward pass.",
        "The hardware does 8 where the model needs 6.",
    ),
    solution=("HFU = MFU × 8 / 6", "{mfu:%} × 8 / 6 = {answer:%}"),
    version=3,
)

TOKENS_PER_S = Template(
    id="time.tokens_per_s",
    objective="utilization",
    units={"mfu": "%"},
    grid={
        "N": (whole(1.3), *MODELS[2:]),
        **by_dtype(FOUR),
        "G": lambda v: those((8, 64, 256, 1024), lambda n: 16 * v.N / v.hw.capacity <= n <= v.N / MIN_SHARE),
        "mfu": MFUS,
    },
    prompt="How many training tokens per second do {G} × {hw} (peak {peak:FLOP/s} each, dense {dt}) reach on a "
    "model with {N:si} parameters at an MFU of {mfu:%}? " + COUNTED,
    answer=lambda v: v.G * v.peak * v.mfu / (6 * v.N),
    unit="per second",
    tolerance=0.05,
    slips=(
        sparse(2),
        slip("double_halved", scaled(0.5)),
        slip("forward_only", scaled(3)),
        slip("forgot_gpus", over("G")),
        slip("forgot_mfu", over("mfu")),
        slip("mac_as_flop", scaled(2)),
        slip("with_recompute", scaled(6 / 8)),
    ),
    hints=(
        "What does one token cost, and how many FLOP/s do you get?",
        "One token costs 6 FLOPs per parameter.",
        "All devices together give their number × peak × MFU.",
    ),
    solution=(
        "one token: 6 × {N:si} FLOP",
        "speed: {G} × {peak:FLOP/s} × {mfu:%}",
        "{answer:n} tokens per second",
    ),
    assumed=BF16,
    given={"peak": lambda v: v.hw.peak(v.dt)},
    between=Between("the training FLOPs of one token", lambda v: 6 * v.N, "FLOP", ("mac_as_flop", "forward_only")),
    sensible=lambda v: v.dt in TRAINED,
    version=6,
    renamed={3: {"n": "G"}},
)

BUDGET = Template(
    id="time.cluster_budget",
    objective="utilization",
    units={"w": "week"},
    grid={"G": (8, 16, 64, 512), "w": (1, 3, 4, 6), **by_dtype(FOUR)},
    prompt="How many FLOPs do {G} × {hw} deliver in {w} weeks at their peak of {peak:FLOP/s} each (dense {dt})?",
    answer=lambda v: v.G * v.peak * v.w * 604800,
    unit="FLOP",
    tolerance=0.03,
    slips=(
        sparse(2),
        slip("double_halved", scaled(0.5)),
        slip("with_mfu_half", scaled(0.5)),
        slip("with_mfu", scaled(0.4)),
        slip("forgot_24", scaled(1 / 24)),
        slip("one_second", lambda v: v.G * v.peak),
        slip("days_for_weeks", scaled(1 / 7)),
        slip("forgot_gpus", over("G")),
    ),
    hints=(
        "A rate times a time is an amount.",
        "A week has 7 × 24 × 3,600 seconds.",
        "All devices together, for {w} weeks of 604,800 seconds.",
    ),
    solution=("{w} × 604,800 s", "{G} × {peak:FLOP/s} × {w} × 604,800 s = {answer:e} FLOP"),
    assumed=BF16,
    given={"peak": lambda v: v.hw.peak(v.dt)},
    version=4,
    renamed={3: {"n": "G"}},
)

REQUIRED = Template(
    id="time.required_mfu",
    objective="utilization",
    units={"days": "day"},
    grid={"N": (7 * B, 13 * B), "D": (T, 2 * T), "days": (20, 30, 45), "G": (128, 256), **by_dtype((A100, H100))},
    prompt="{N:si} parameters are to be trained on {D:si} tokens in {days} days on {G} × {hw} (peak {peak:FLOP/s} "
    "each, dense {dt}). What MFU would that require? (Above 1 means impossible.) " + COUNTED,
    answer=lambda v: v.flops / (v.days * 86400) / (v.G * v.peak),
    unit="%",
    tolerance=0.05,
    slips=(
        sparse(0.5),
        slip("double_halved", scaled(2)),
        slip("forward_only", scaled(1 / 3)),
        slip("mac_as_flop", scaled(0.5)),
        slip("forgot_gpus", by("G")),
        slip("forgot_24", scaled(24)),
        slip("with_recompute", scaled(8 / 6)),
        slip("inverted", lambda v: 1 / v.answer),
    ),
    hints=(
        "Which FLOP/s would just meet the deadline?",
        "Needed: 6 × {N:si} × {D:si} FLOPs in {days} days. Promised: {G} devices at their peak.",
        "Needed FLOP/s over {G} × {peak:FLOP/s}; a day has 86,400 s.",
    ),
    solution=(
        "needed: 6 × {N:si} × {D:si} / ({days} × 86,400 s) = {rate:e} FLOP/s",
        "promised: {G} × {peak:FLOP/s}",
        "MFU = {answer:%}",
    ),
    assumed=BF16,
    given={
        "peak": lambda v: v.hw.peak(v.dt),
        "flops": lambda v: 6 * v.N * v.D,
        "rate": lambda v: v.flops / (v.days * 86400),
    },
    between=Between("the training FLOPs", lambda v: 6 * v.N * v.D, "FLOP", ("mac_as_flop", "forward_only")),
    sensible=lambda v: v.dt in TRAINED,
    version=5,
    renamed={3: {"n": "G"}},
)

EXERCISES = (MFU, HFU, TOKENS_PER_S, BUDGET, REQUIRED)
