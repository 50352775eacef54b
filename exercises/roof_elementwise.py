"""Ask about elementwise kernels under the roofline: fusing, extra FLOPs, the time of a ReLU."""

from studykit.exercise import Roof, Template

from ._sizes import BF16, FOUR, on_h100
from ._slips import OTHER_DTYPE, SIZE, scaled, slip
from .ai_elementwise import ONCE

NEAR = 1.25
"""Nearer to the ridge than this factor neither roof is to be seen."""

FUSION = Template(
    id="roof.fusion",
    objective="intensity",
    grid={"ops": (3, 4, 5, 6, 7, 8, 10, 12), "dt": ("bf16", "fp32", "fp8")},
    prompt="A chain of {ops} elementwise operations (1 FLOP each, one input, {dt}) is fused into one kernel. What "
    "is its arithmetic intensity? " + ONCE,
    answer=lambda v: v.ops / (2 * v.size),
    unit="FLOP/byte",
    tolerance=0.02,
    slips=(
        slip("unfused", lambda v: v.answer / v.ops),
        slip("forgot_write", scaled(2)),
        OTHER_DTYPE,
        slip("gave_flops", lambda v: v.ops),
        slip("per_element", lambda v: v.ops / 2),
    ),
    hints=(
        "What does fusing save?",
        "Each value is read once and written once, however many operations lie between.",
        "{ops} FLOPs for {size} bytes read and as many written.",
    ),
    solution=("bytes per element: {size} read + {size} written", "{ops} / (2 × {size}) = {answer:FLOP/byte}"),
    assumed=BF16,
    given=SIZE,
    roof=on_h100,
    sensible=lambda v: v.dt != "fp8",
    version=4,
    renamed={2: {"k": "ops"}},
)

SLOWER = Template(
    id="roof.relu_vs_gelu",
    objective="intensity",
    units={"flops": "FLOP"},
    grid={"flops": (8, 12, 16, 30, 40, 60, 80, 100), "hw": FOUR},
    prompt="A chain of elementwise operations takes {flops} FLOPs for each element, a ReLU takes 1. Each runs as "
    "one kernel over a large bf16 tensor on one {hw}. How many times as long as the ReLU does the chain take? "
    "Memory: {bw:bytes}/s; the vector units do {vec:FLOP/s} of plain adds and multiplies. " + ONCE,
    answer=lambda v: max(1.0, v.flops / 4 / v.ridge),
    unit="number",
    tolerance=0.1,
    slips=(
        slip("flops_ratio", lambda v: v.flops),
        slip("sqrt", lambda v: v.flops**0.5),
        slip("always_memory", lambda v: 1.0 if v.flops / 4 > v.ridge else None),
        slip("forgot_write", lambda v: max(1.0, v.flops / 2 / v.ridge)),
        slip("gave_intensity", lambda v: v.flops / 4),
        slip("fma_peak", lambda v: max(1.0, v.flops / 8 / v.ridge)),
    ),
    hints=(
        "Which roof is each of them under?",
        "The ridge of the vector units is their FLOP/s over the memory's bytes per second.",
        "The ReLU waits for memory, 4 bytes an element. The other has {flops} FLOPs for the same 4 bytes.",
    ),
    solution=(
        "ridge of the vector units: {vec:FLOP/s} / ({bw:bytes}/s) = {ridge:FLOP/byte}",
        "intensity: {flops} / 4 FLOP/byte, against the ReLU's 1 / 4, which memory bounds",
        "{flops} / 4 over the ridge, or 1 where that is less: {answer:number}",
    ),
    given={
        "bw": lambda v: v.hw.bandwidth,
        "vec": lambda v: v.hw.peak("fp32") / 2,  # the sheet counts a fused multiply-add as two
        "ridge": lambda v: v.vec / v.hw.bandwidth,
    },
    sensible=lambda v: not 1 / NEAR < v.flops / 4 / v.ridge < NEAR,
    version=4,
    renamed={3: {"k": "flops"}},
)

KERNEL_TIME = Template(
    id="roof.kernel_time",
    objective="intensity",
    grid={"n": (2**26, 2**28, 2**30, 2**32), "hw": FOUR},
    prompt="How many microseconds does a ReLU on a vector of {n:n} bf16 elements take on one {hw} ({bw:bytes}/s, "
    "tensor-core peak {peak:FLOP/s} dense)? Bound by device memory, no launch latency, no cache. " + ONCE,
    answer=lambda v: 4 * v.n / v.bw,
    unit="us",
    tolerance=0.05,
    slips=(
        slip("compute_time", lambda v: v.n / v.peak),
        slip("forgot_write", scaled(0.5)),
        slip("fp32", scaled(2)),
    ),
    hints=(
        "Which is slower here: arithmetic or memory?",
        "Every element is read and written, 2 bytes each.",
        "Divide the bytes by {bw:bytes}/s.",
    ),
    solution=(
        "bytes: 2 × 2 × {n:n}",
        "memory: {bytes:bytes} / ({bw:bytes}/s) = {answer:us}; arithmetic is far shorter",
    ),
    given={
        "bw": lambda v: v.hw.bandwidth,
        "peak": lambda v: v.hw.peak("bf16"),
        "bytes": lambda v: 4 * v.n,
    },
    version=2,
    roof=lambda v: Roof(v.hw, 0.25),
)

EXERCISES = (KERNEL_TIME, FUSION, SLOWER)
