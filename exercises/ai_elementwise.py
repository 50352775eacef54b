"""Ask for the arithmetic intensity of operations that touch each element a few times."""

from studykit.exercise import Template

from ._sizes import BF16, on_h100
from ._slips import OTHER_DTYPE, SIZE, scaled, slip

ONCE = "One tensor in, one out, each moved once, nothing cached."


RELU = Template(
    id="ai.relu",
    objective="intensity",
    grid={"n": tuple(2**power for power in range(10, 30, 2)), "dt": ("bf16", "fp32", "fp8")},
    prompt="What is the arithmetic intensity of `y = relu(x)` on a vector of {n:n} elements in {dt}, at 1 FLOP "
    "per element? " + ONCE,
    answer=lambda v: 1 / (2 * v.size),
    unit="FLOP/byte",
    tolerance=0.02,
    slips=(
        slip("forgot_write", scaled(2)),
        slip("per_element", lambda _: 0.5),
        OTHER_DTYPE,
        slip("inverted", lambda v: 2 * v.size),
    ),
    hints=(
        "FLOPs over bytes. Which bytes move?",
        "x is read and y is written.",
        "1 FLOP for every 2 × {size} bytes.",
    ),
    solution=("FLOPs: n", "bytes: {size} n read + {size} n written", "1 / (2 × {size}) = {answer:FLOP/byte}"),
    given=SIZE,
    roof=on_h100,
    sensible=lambda v: v.dt != "fp8",  # PyTorch has none in it
    version=3,
)

GELU = Template(
    id="ai.gelu",
    objective="intensity",
    units={"flops": "FLOP"},
    grid={"flops": (8, 10, 12, 14, 16, 18, 20), "dt": ("bf16", "fp32")},
    prompt="What is the arithmetic intensity of GELU in {dt}, if its formula is counted as {flops} FLOPs per "
    "element? " + ONCE,
    answer=lambda v: v.flops / (2 * v.size),
    unit="FLOP/byte",
    tolerance=0.02,
    slips=(
        slip("forgot_write", scaled(2)),
        slip("per_element", lambda v: v.flops / 2),
        slip("as_relu", lambda v: 1 / (2 * v.size)),
        slip("gave_flops", lambda v: v.flops),
        OTHER_DTYPE,
        slip("inverted", lambda v: 1 / v.answer),
    ),
    hints=(
        "Which bytes move for one element?",
        "One element is read and one is written, {size} bytes each.",
        "{flops} FLOPs for {size} bytes read and {size} bytes written.",
    ),
    solution=("bytes per element: {size} read + {size} written", "{flops} / (2 × {size}) = {answer:FLOP/byte}"),
    given=SIZE,
    roof=on_h100,
    version=3,
    renamed={2: {"k": "flops"}},
)

LAYERNORM = Template(
    id="ai.layernorm",
    objective="intensity",
    units={"flops": "FLOP"},
    grid={"flops": tuple(range(5, 13)), "dt": ("bf16", "fp32")},
    prompt="What is the arithmetic intensity of a LayerNorm that runs as one fused kernel, at {flops} FLOPs per "
    "element in {dt}? " + ONCE,
    answer=lambda v: v.flops / (2 * v.size),
    unit="FLOP/byte",
    tolerance=0.03,
    slips=(
        slip("forgot_write", scaled(2)),
        slip("unfused_3_passes", scaled(0.5)),
        OTHER_DTYPE,
        slip("per_element", lambda v: v.flops / 2),
        slip("inverted", lambda v: 1 / v.answer),
    ),
    hints=(
        "What does fused mean for the bytes?",
        "Read once, written once, {size} bytes each.",
        "{flops} FLOPs for {size} bytes read and {size} bytes written.",
    ),
    solution=("bytes per element: 2 × {size}", "{flops} / (2 × {size}) = {answer:FLOP/byte}"),
    given=SIZE,
    roof=on_h100,
    version=3,
    renamed={2: {"k": "flops"}},
)

SOFTMAX = Template(
    id="ai.softmax",
    objective="intensity",
    units={"flops": "FLOP"},
    grid={"flops": tuple(range(4, 12)), "dt": ("bf16", "fp32", "fp8")},
    prompt="A softmax over {dt} rows runs in 3 separate passes: the maximum; exp(x − max), which is summed and "
    "also written to memory in {dt}; and the division, which reads that back and writes the result. With {flops} "
    "FLOPs per element in total, what is its arithmetic intensity?",
    answer=lambda v: v.flops / (5 * v.size),
    unit="FLOP/byte",
    tolerance=0.03,
    slips=(
        slip("fused", scaled(5 / 2)),
        slip("forgot_intermediate_write", scaled(5 / 4)),
        slip("per_element", lambda v: v.flops / 5),
        slip(
            "forgot_write",
            scaled(5 / 3),
            "How many reads and writes are there in all?",
            "That counts three of the five: pass 1 reads, 2 and 3 read and write.",
        ),
        OTHER_DTYPE,
        slip("all_read_and_write", scaled(5 / 6)),
    ),
    hints=(
        "Count reads and writes of each pass.",
        "Pass 1 reads; pass 2 reads and writes; pass 3 reads and writes.",
        "5 accesses of {size} bytes for every {flops} FLOPs.",
    ),
    solution=("3 reads + 2 writes = 5 × {size} bytes per element", "{flops} / (5 × {size}) = {answer:FLOP/byte}"),
    assumed=BF16,
    given=SIZE,
    roof=on_h100,
    sensible=lambda v: v.dt != "fp8",  # PyTorch has none in it
    version=4,
    renamed={2: {"k": "flops"}},
)

EXERCISES = (RELU, GELU, LAYERNORM, SOFTMAX)
