"""Ask for MFU from a line of a training log, counting attention."""

from studykit.exercise import Between, Check, Template, Values

from ._sizes import A100, B200, BELOW_PEAK, BF16, H100, MIN_SHARE, TRAINED, B, by_dtype, those
from ._slips import ABOVE_ONE, by, scaled, slip, sparse
from .time_utilization import three_digits

REACHED = (0.22, 0.26, 0.3, 0.38, 0.42, 0.46, 0.55)
SHAPES = {
    7 * B: (32, 4096),
    8 * B: (32, 4096),
    13 * B: (40, 5120),
    70 * B: (80, 8192),
    175 * B: (96, 12288),
    405 * B: (126, 16384),
    540 * B: (118, 12288),
}
"""Layers and attention width: Llama 2 and 3, GPT-3, Llama 3.1 405B, PaLM (48 heads of 256 in a width of 18432)."""

UNKNOWN = (0, 0)


MAX_SHARE = 3e8
"""Parameters for each device, in runs that people do at such lengths."""


def _flops_per_token(v: Values) -> float:
    return float(6 * v.N + 12 * v.L * v.d * v.s)


FROM_LOG = Template(
    id="time.mfu_from_log",
    objective="utilization",
    units={"rate": "per second"},
    grid={
        "N": (7 * B, 13 * B, 70 * B, 175 * B, 405 * B),
        "L": lambda v: (SHAPES.get(v.N, UNKNOWN)[0],),
        "d": lambda v: (SHAPES.get(v.N, UNKNOWN)[1],),
        "s": (8192, 16384, 32768),
        "G": lambda v: those((64, 256, 1024, 4096, 16384), lambda n: MIN_SHARE <= v.N / n <= MAX_SHARE),
        **by_dtype((A100, H100, B200)),
        "_mfu": REACHED,
        "rate": lambda v: (three_digits(v._mfu * v.G * v.hw.peak(v.dt) / _flops_per_token(v)),),
    },
    prompt="A log says {rate:e} tokens/s for {N:si} parameters ({L} layers, attention width d = {d}) on sequences "
    "of {s} tokens, on {G} × {hw} ({peak:FLOP/s} each, dense {dt}). What is the MFU, with attention counted as 12 "
    "× layers × d × sequence FLOPs per token (full, not causal)? Count a multiply-add as 2 FLOPs.",
    answer=lambda v: v.rate * v.each / (v.G * v.peak),
    unit="%",
    tolerance=0.04,
    slips=(
        slip("forgot_attention", lambda v: v.answer * 6 * v.N / v.each),
        slip(
            "attention_only",
            lambda v: v.answer * (1 - 6 * v.N / v.each),
            "Which FLOPs are there besides attention's?",
            "That counts only attention; the parameters take 6 FLOPs each on top.",
        ),
        sparse(0.5),
        slip("mac_as_flop", scaled(0.5)),
        slip("forward_only", scaled(1 / 3)),
        slip("forgot_gpus", by("G"), *ABOVE_ONE),
        slip("with_recompute", scaled(8 / 6)),
        slip(
            "causal_half",
            lambda v: v.answer * (v.each / 2 + 3 * v.N) / v.each,
            "Does the question count the causal saving?",
            "That halves attention for the causal mask; the question counts all of it.",
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
    checks=(
        BELOW_PEAK,
        Check(
            lambda v: v.L > 0 and v.d > 0,
            "the shape of a model of {N:si} is not known here; pin its layers and width, such as L=126 d=16384",
        ),
    ),
    assumed=BF16,
    given={
        "peak": lambda v: v.hw.peak(v.dt),
        "each": _flops_per_token,
        "reached": lambda v: v.rate * v.each,
    },
    between=Between(
        "the FLOPs of one token",
        lambda v: v.each,
        "FLOP",
        ("mac_as_flop", "forward_only", "forgot_attention", "causal_half"),
    ),
    sensible=lambda v: v.dt in TRAINED,
    version=5,
    renamed={2: {"n": "G"}},
)


EXERCISES = (FROM_LOG,)
