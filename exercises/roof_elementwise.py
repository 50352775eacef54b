"""Elementwise kernels under the roofline: what fusing does, what extra FLOPs cost, how long a ReLU takes."""

from studykit.exercise import Roof, Template, Values

from ._sizes import A100, FOUR, H100
from ._slips import scaled, slip

ONCE = "One tensor in, one out, each moved once, nothing cached."


def on_h100(v: Values) -> Roof:
    """The kernel on an H100."""
    return Roof(H100, v.answer)


FUSION = Template(
    id="roof.fusion",
    objective="intensity",
    grid={"k": (3, 6, 8, 10)},
    prompt="A chain of {k} elementwise operations (1 FLOP each, one input, bf16) is fused into one kernel. "
    "What is its "
    "arithmetic intensity? " + ONCE,
    answer=lambda v: v.k / 4,
    unit="FLOP/byte",
    tolerance=0.02,
    slips=(
        slip(
            "unfused",
            lambda _: 0.25,
            "How often does each value travel to memory and back?",
            "That is one operation alone; fused, the values travel once for all of them.",
        ),
        slip("forgot_write", lambda v: v.k / 2),
        slip("per_element", lambda v: v.k),
    ),
    hints=(
        "What does fusing save?",
        "Each value is read once and written once, however many operations lie between.",
        "{k} FLOPs for every 2 + 2 bytes.",
    ),
    solution=("bytes per element: 2 read + 2 written", "{k} / 4 = {answer:FLOP/byte}"),
    roof=on_h100,
)

SLOWER = Template(
    id="roof.relu_vs_gelu",
    objective="intensity",
    grid={"k": (10, 20), "hw": (A100, H100)},
    prompt="GELU does {k} times the FLOPs of ReLU. How many times slower is it, run alone on an {hw} in bf16 "
    "on a large "
    "tensor? " + ONCE,
    answer=lambda _: 1.0,
    unit="number",
    tolerance=0.1,
    slips=(
        slip(
            "flops_ratio",
            lambda v: v.k,
            "What sets the time of either: arithmetic or memory?",
            "The FLOPs do not decide: both wait for memory, and move the same bytes.",
        ),
        slip("sqrt", lambda v: v.k**0.5, "Why a root?", "Both wait for memory, and move the same bytes."),
    ),
    hints=(
        "Which roof are they under?",
        "Both have an intensity far below the ridge.",
        "Both move the same bytes.",
    ),
    solution=("both are memory-bound, far below the ridge", "same bytes, same time: {answer:number}"),
)

KERNEL_TIME = Template(
    id="roof.kernel_time",
    objective="intensity",
    grid={"m": (1, 16, 64, 256), "hw": FOUR},
    prompt="How many microseconds does a ReLU on {n:n} bf16 elements take on {hw} ({bw:bytes}/s, "
    "tensor-core peak {peak:FLOP/s} dense)? Bound by device memory, no launch latency, no cache. " + ONCE,
    answer=lambda v: 4 * v.n / v.bw,
    unit="us",
    tolerance=0.05,
    slips=(
        slip(
            "compute_time",
            lambda v: v.n / v.peak,
            "Does the arithmetic or the memory take longer?",
            "That divides the FLOPs by the tensor cores' peak; a ReLU runs on the vector units, and moving its "
            "bytes takes far longer anyway.",
        ),
        slip("forgot_write", scaled(0.5)),
        slip("fp32", scaled(2)),
    ),
    hints=(
        "Which is slower here: arithmetic or memory?",
        "Every element is read and written, 2 bytes each.",
        "4 × {n:n} bytes over {bw:bytes}/s.",
    ),
    solution=(
        "bytes: 2 × 2 × {n:n}",
        "memory: {bytes:bytes} / ({bw:bytes}/s) = {answer:us}; arithmetic is far shorter",
    ),
    given={
        "n": lambda v: v.m * 2**20,
        "bw": lambda v: v.hw.bandwidth,
        "peak": lambda v: v.hw.peak("bf16"),
        "bytes": lambda v: 4 * v.n,
    },
    roof=lambda v: Roof(v.hw, 0.25),
)

EXERCISES = (KERNEL_TIME, FUSION, SLOWER)
