"""Ask how long one matmul takes, and how near to the peak it comes."""

from studykit.exercise import Between, Template, Values

from ._sizes import BELOW_PEAK, BF16, FOUR, H100, by_dtype
from ._slips import by, scaled, slip, sparse

FLOPS = Between("the FLOPs of the matmul", lambda v: 2 * v.m * v.k * v.n, "FLOP", ("mac_as_flop",))

MATMUL_MS = Template(
    id="time.matmul_ms",
    objective="utilization",
    units={"u": "%"},
    grid={
        "m": (4096, 8192, 16384),
        "k": (8192, 16384, 32768),
        "n": (8192, 16384),
        **by_dtype(FOUR),
        "u": (0.6, 0.7, 0.8),
    },
    prompt="In a matmul X has shape ({m}, {k}), W has shape ({k}, {n}). How many milliseconds does `X @ W` take "
    "in {dt} on one {hw} (peak {peak:FLOP/s}, dense) if it reaches {u:%} of the peak? "
    "Count a multiply-add as 2 FLOPs.",
    answer=lambda v: v.flops / (v.u * v.peak),
    unit="ms",
    tolerance=0.05,
    slips=(
        sparse(0.5),
        slip("double_halved", scaled(2)),
        slip("mac_as_flop", scaled(0.5)),
        slip("fp32_peak", lambda v: v.answer * v.peak / v.hw.peak("fp32")),
        slip("forgot_util", by("u")),
        slip("util_wrong_way", lambda v: v.answer * v.u**2),
    ),
    hints=(
        "How many FLOPs is that, and at what speed?",
        "A matmul takes 2 × m × k × n FLOPs.",
        "Divide by {u:%} of {peak:FLOP/s}.",
    ),
    solution=(
        "work: 2 × {m} × {k} × {n} = {flops:e} FLOP",
        "speed: {u:%} × {peak:FLOP/s}",
        "time: {answer:ms}",
    ),
    assumed=BF16,
    given={"peak": lambda v: v.hw.peak(v.dt), "flops": lambda v: 2 * v.m * v.k * v.n},
    between=FLOPS,
    version=3,
    renamed={2: {"B": "m", "D": "k", "K": "n"}},
)

_REACHED = {"bf16": (0.55, 0.6, 0.65, 0.7, 0.75), "fp32": (0.7, 0.75, 0.8, 0.85, 0.9)}


def _milliseconds(v: Values) -> tuple[float, ...]:
    flops = 2 * v.m * v.k * v.n
    return tuple(float(f"{flops / (H100.peak(v.dt) * share) * 1e3:.3g}") for share in _REACHED[v.dt])


MATMUL_MFU = Template(
    id="time.matmul_mfu",
    objective="utilization",
    units={"ms": "ms"},
    grid={
        "m": (8192, 16384),
        "k": (16384, 32768),
        "n": (4096, 8192),
        "dt": ("bf16", "fp32"),
        "ms": _milliseconds,
    },
    prompt="The {dt} matmul `X @ W`, X of shape ({m}, {k}) and W of shape ({k}, {n}), took {ms} ms on an H100 "
    "SXM. What fraction of the peak is that? Its dense peaks are 989.5 TFLOP/s in bf16 and 67 TFLOP/s in fp32 (no "
    "tensor cores, TF32 off). Count a multiply-add as 2 FLOPs.",
    answer=lambda v: v.rate / v.peak,
    unit="%",
    tolerance=0.05,
    slips=(
        slip("wrong_dtype_peak", lambda v: v.rate / H100.peak(v.other)),
        slip("sparse_peak", lambda v: v.answer / 2 if v.dt == "bf16" else None),
        slip("mac_as_flop", scaled(0.5)),
    ),
    checks=(BELOW_PEAK,),
    hints=(
        "What was achieved per second?",
        "A matmul takes 2 × m × k × n FLOPs; divide by the time.",
        "Compare with the peak of the dtype that was timed, {peak:FLOP/s}.",
    ),
    solution=(
        "work: 2 × {m} × {k} × {n} = {flops:e} FLOP",
        "achieved: {flops:e} / {ms} ms = {rate:FLOP/s}",
        "{rate:FLOP/s} / {peak:FLOP/s} = {answer:%}",
    ),
    given={
        "peak": lambda v: H100.peak(v.dt),
        "other": lambda v: "bf16" if v.dt == "fp32" else "fp32",
        "flops": lambda v: 2 * v.m * v.k * v.n,
        "rate": lambda v: v.flops / (v.ms / 1e3),
    },
    between=FLOPS,
    version=2,
    renamed={2: {"B": "m", "D": "k", "K": "n"}},
)

EXERCISES = (MATMUL_MS, MATMUL_MFU)
