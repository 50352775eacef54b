"""Ask for the bytes of tensors, of weights, of shards and of files."""

from studykit.exercise import BYTES_PER_ELEMENT, Template

from ._sizes import MODELS, B, those, whole
from ._slips import elements, scaled, slip

TENSOR = Template(
    id="mem.tensor",
    objective="memory",
    grid={
        "a": (1, 4, 8, 32),
        "b": (512, 2048, 4096),
        "c": (1024, 4096, 12288),
        "dt": ("fp32", "bf16", "fp8"),
    },
    prompt="How many bytes does a tensor of {a} × {b} × {c} in {dt} take? Any unit.",
    answer=lambda v: v.a * v.b * v.c * v.size,
    unit="bytes",
    tolerance=0.02,
    slips=(
        slip("bits_for_bytes", scaled(8)),
        elements("size"),
        slip("wrong_dtype_2x", scaled(2)),
        slip("wrong_dtype_half", scaled(0.5)),
    ),
    hints=(
        "How many elements, and how wide is one?",
        "There are as many elements as the three sizes multiply to.",
        "One {dt} element takes {size} bytes.",
    ),
    solution=("elements: {a} × {b} × {c}", "× {size} bytes = {answer:bytes}"),
    given={"size": lambda v: BYTES_PER_ELEMENT[v.dt]},
)

GIB = Template(
    id="mem.gib",
    objective="memory",
    units={"x": "GB"},
    grid={"x": (16, 24, 32, 40, 48, 80, 94, 96, 112, 141, 180, 186, 192, 256, 288, 640)},
    prompt="How many GiB are {x} GB?",
    answer=lambda v: v.x * 1e9,
    unit="GiB",
    tolerance=0.01,
    slips=(
        slip("same", lambda v: v.x * 2**30),
        slip("wrong_way", lambda v: v.x * (2**30) ** 2 / 1e9),
        slip("kb_factor", lambda v: v.x * 2**30 / 1.024),
        slip("mb_factor", lambda v: v.x * 2**30 / (2**20 / 1e6)),
    ),
    hints=(
        "Which of the two is larger?",
        "A GiB has 2^30 bytes, a GB 1e9.",
        "The bytes stay the same; divide them by 2^30 = 1,073,741,824.",
    ),
    solution=("{x} × 1e9 bytes / 2^30 = {answer:GiB}",),
    unit_fixed=True,
    version=2,
)

ZERO_SUMS = {
    1: "2 × {N} + 2 × {N} + 12 × {N} / {G}",
    2: "2 × {N} + 14 × {N} / {G}",
    3: "16 × {N} / {G}",
}

ZERO_SHARDS = {
    1: "the optimizer state",
    2: "the optimizer state and the gradients",
    3: "weights, gradients and optimizer state",
}

UNSHARDED = 60e9
"""Bytes that a GPU of 80 GB may hold whole in addition to its share."""

ZERO = Template(
    id="mem.zero",
    objective="memory",
    grid={
        "N": (whole(1.5), whole(7.5), 13 * B, 70 * B),
        "z": lambda v: those((1, 2, 3), lambda z: (4, 2, 0)[z - 1] * v.N < UNSHARDED),
        "G": (8, 16, 64),
    },
    prompt="{N:si} parameters are trained with ZeRO stage {z} on {G} GPUs: bf16 weights and gradients (2+2 "
    "bytes), 12 bytes of optimizer state (fp32 master copy and two moments). How many GB of model state does "
    "each GPU hold?",
    answer=lambda v: v.stages[v.z],
    unit="GB",
    tolerance=0.03,
    slips=(
        *(
            slip(
                f"stage_{stage}",
                lambda v, stage=stage: v.stages[stage],  # type: ignore[misc]
                "What does this stage shard?",
                f"That is stage {stage}; stage {{z}} shards {{shards}}."
                if stage
                else "That shards nothing; stage {z} shards {shards}.",
            )
            for stage in (0, 1, 2, 3)
        ),
        slip("fp32_grads", lambda v: v.answer + 2 * v.N / (1 if v.z == 1 else v.G), approximate=True),
        slip("weights_only", lambda v: 2 * v.N, approximate=True),
        slip("optimizer_only", lambda v: 12 * v.N / v.G, approximate=True),
        slip("no_master", lambda v: v.answer - 4 * v.N / v.G, approximate=True),
    ),
    hints=(
        "What does each stage divide among the GPUs?",
        "Stage 1 shards the optimizer state, stage 2 the gradients too, stage 3 the weights as well.",
        "What is sharded is divided by {G}; the rest is on every GPU.",
    ),
    solution=(
        "stage 1: 2N + 2N + 12N/G; stage 2: 2N + 14N/G; stage 3: 16N/G",
        "stage {z}: {sum} = {answer:bytes}",
    ),
    given={
        "stages": lambda v: (
            16 * v.N,
            4 * v.N + 12 * v.N / v.G,
            2 * v.N + 14 * v.N / v.G,
            16 * v.N / v.G,
        ),
        "shards": lambda v: ZERO_SHARDS[v.z],
        "sum": lambda v: ZERO_SUMS[v.z].format(N=f"{v.N / B:g}B", G=v.G),
    },
    version=2,
    renamed={2: {"d": "G"}},
)

FILE = Template(
    id="mem.ckpt_file",
    objective="training",
    grid={"N": MODELS},
    prompt="How large is a saved checkpoint of a model with {N:si} parameters: fp32 weights and AdamW's state, "
    "two fp32 moments?",
    answer=lambda v: 12 * v.N,
    unit="GB",
    tolerance=0.03,
    slips=(
        slip("with_grads", lambda v: 16 * v.N),
        slip(
            "weights_only",
            lambda v: 4 * v.N,
            "What else does training need to go on?",
            "That saves only the weights; AdamW's two moments are saved too.",
        ),
        slip("bf16_weights", lambda v: 10 * v.N),
        slip("published", lambda v: 2 * v.N),
        slip(
            "optimizer_only",
            lambda v: 8 * v.N,
            "Did you count the weights?",
            "That saves only the optimizer's state; the weights are saved too.",
        ),
        slip("one_moment", lambda v: 8 * v.N, message="That saves one moment; AdamW keeps two."),
    ),
    hints=(
        "What does training need to go on from here?",
        "Weights and both moments, 4 bytes each. Gradients are computed anew.",
        "fp32 takes 4 bytes, and there are two moments.",
    ),
    solution=("4 + 8 = 12 bytes per parameter", "{N:si} × 12 = {answer:bytes}"),
)

INFERENCE = Template(
    id="mem.weights_infer",
    objective="memory",
    grid={"N": MODELS, "dt": ("fp32", "bf16", "fp8", "int8", "int4")},
    prompt="How many GB do the weights of a model with {N:si} parameters take in {dt}{scales}?",
    answer=lambda v: v.N * v.size,
    unit="GB",
    tolerance=0.03,
    slips=(
        slip("bits_for_bytes", scaled(8)),
        slip("wrong_dtype_2x", scaled(2)),
        slip("wrong_dtype_half", scaled(0.5)),
        slip("wrong_dtype_4x", lambda v: 2 * v.N if v.dt == "int4" else None),
        slip("elements_only", lambda v: v.N if v.dt == "fp32" else None),
        slip(
            "training_16",
            lambda v: 16 * v.N,
            "Are the weights for training or for inference?",
            "16 bytes per parameter is for training; inference needs only the weights.",
        ),
    ),
    hints=(
        "How wide is one weight?",
        "fp32 takes 4 bytes, bf16 2, fp8 and int8 1, int4 half a byte.",
        "Multiply by the number of parameters.",
    ),
    solution=("{dt}: {size} bytes per weight", "{N:si} × {size} = {answer:bytes}"),
    given={
        "size": lambda v: BYTES_PER_ELEMENT[v.dt],
        "scales": lambda v: ", without scales" if v.dt == "int4" else "",
    },
    sensible=lambda v: v.dt != "fp32",
    version=2,
)

EXERCISES = (TENSOR, GIB, ZERO, FILE, INFERENCE)
