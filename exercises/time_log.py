"""MFU from a line of a training log, attention counted."""

from studykit.exercise import Between, Template

from ._sizes import A100, B200, H100, B
from ._slips import by, scaled, slip

REACHED = (0.22, 0.26, 0.3, 0.38, 0.42, 0.46, 0.55)
SHAPES = {7 * B: (32, 4096), 13 * B: (40, 5120), 70 * B: (80, 8192)}
"""Layers and width of models of these sizes."""


def _two_digits(value: float) -> float:
    return float(f"{value:.3g}")


FROM_LOG = Template(
    id="time.mfu_from_log",
    objective="utilization",
    units={"rate": "per second"},
    grid={
        "N": tuple(SHAPES),
        "s": (8192, 16384, 32768, 65536),
        "G": (8, 64, 256, 1024),
        "hw": (A100, H100, B200),
        "_mfu": REACHED,
        "rate": lambda v: (_two_digits(v._mfu * v.G * v.hw.peak("bf16") / _flops_per_token(v.N, v.s)),),
    },
    prompt="A log says {rate:e} tokens/s for {N:si} parameters ({L} layers of width {d}) on sequences of {s} "
    "tokens, on {G} × {hw} ({peak:FLOP/s} each, dense bf16). What is the MFU, with attention counted as 12 × "
    "layers × width × sequence FLOPs per token (full, not causal)? A multiply and an add count one each.",
    answer=lambda v: v.rate * v.each / (v.G * v.peak),
    unit="number",
    tolerance=0.04,
    slips=(
        slip(
            "forgot_attention",
            lambda v: v.answer * 6 * v.N / v.each,
            "What else than the parameters works on a token?",
            "At this length attention is a good part of the work.",
        ),
        slip(
            "attention_only",
            lambda v: v.answer * (1 - 6 * v.N / v.each),
            "Is that all?",
            "That is attention alone.",
        ),
        slip("sparse_peak", scaled(0.5)),
        slip("mac_as_flop", scaled(0.5)),
        slip("forward_only", scaled(1 / 3)),
        slip("forgot_gpus", by("G")),
        slip(
            "causal_half",
            lambda v: v.answer * (v.each / 2 + 3 * v.N) / v.each,
            "Does the question count the causal saving?",
            "That halves attention; the question counts all of it.",
        ),
    ),
    hints=(
        "How many FLOPs does one token take?",
        "6 per parameter, and attention on top: 12 × {L} × {d} × {s}.",
        "Tokens per second × FLOPs a token, against {G} peaks.",
    ),
    solution=(
        "a token: 6 × {N:si} + 12 × {L} × {d} × {s} = {each:e} FLOP",
        "achieved: {rate:e} × {each:e} = {reached:e} FLOP/s",
        "/ ({G} × {peak:FLOP/s}) = {answer:%}",
    ),
    given={
        "L": lambda v: SHAPES[v.N][0] if v.N in SHAPES else 32,
        "d": lambda v: SHAPES[v.N][1] if v.N in SHAPES else 4096,
        "peak": lambda v: v.hw.peak("bf16"),
        "each": lambda v: 6 * v.N + 12 * v.L * v.d * v.s,
        "reached": lambda v: v.rate * v.each,
    },
    between=Between(
        "the FLOPs of one token",
        lambda v: v.each,
        "FLOP",
        ("mac_as_flop", "forward_only", "forgot_attention", "causal_half"),
    ),
    version=2,
    renamed={2: {"n": "G"}},
)


def _flops_per_token(parameters: int, length: int) -> float:
    layers, width = SHAPES[parameters]
    return 6 * parameters + 12 * layers * width * length


EXERCISES = (FROM_LOG,)
