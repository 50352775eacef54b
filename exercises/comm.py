"""Ask what an all-reduce of gradients moves, and how long it takes."""

from studykit.exercise import Between, Template

from ._sizes import SEVERAL, B
from ._slips import by, elements, scaled, slip

BYTES = Template(
    id="comm.allreduce_bytes",
    objective="training",
    grid={"N": (B, 3 * B, 7 * B, 13 * B), "G": (8, 16, 64)},
    prompt="{G} GPUs all-reduce the bf16 gradients of {N:si} parameters around a ring. How many GB does each "
    "GPU send?",
    answer=lambda v: 2 * (v.G - 1) / v.G * 2 * v.N,
    unit="GB",
    tolerance=0.03,
    slips=(
        slip("one_pass", scaled(0.5)),
        slip("naive_all_to_all", lambda v: (v.G - 1) * 2 * v.N),
        slip("fp32_grads", scaled(2)),
        elements(2),
        slip("all_gpus", by("G")),
        slip("bits_for_bytes", scaled(8)),
        slip("whole_buffer", lambda v: 2 * v.buffer, approximate=True),
        slip("sent_once", lambda v: v.buffer),
        slip("one_part", lambda v: v.buffer / v.G),
    ),
    checks=(SEVERAL,),
    hints=(
        "An all-reduce has two phases.",
        "Reduce-scatter and all-gather each move (G − 1)/G of the buffer.",
        "The buffer is 2 bytes × {N:si}; G = {G} GPUs.",
    ),
    solution=(
        "buffer: 2 × {N:si} = {buffer:bytes}",
        "each phase: ({G} − 1)/{G} of it; two phases",
        "{answer:bytes}",
    ),
    given={"buffer": lambda v: 2 * v.N},
    between=Between(
        "the size of the gradients in bytes", lambda v: 2 * v.N, "GB", ("elements_only", "fp32_grads")
    ),
    version=4,
    renamed={3: {"n": "G"}},
)

ADDED_UP = (
    "Each GPU, or all of them together?",
    "That lets {G} GPUs send one after another; they send at the same time.",
)
"""How to ask about times that pass at once, and what to say."""

COUNTED_FORWARD = (
    "During which pass are gradients sent?",
    "That counts the forward pass too; only the backward pass hides it, 4 FLOPs per parameter per token.",
)
"""How to ask about hiding what is sent behind a whole step, and what to say."""

LINKS = {8: (300, 450), 64: (25, 50, 100), 72: (900,)}
"""GB/s that each GPU sends: by NVLink in a machine of 8 (A100, H100), between machines, in an NVL72 rack."""

TIME = Template(
    id="comm.allreduce_time",
    objective="training",
    units={"g": "GB/s"},
    grid={"N": (B, 7 * B, 13 * B), "G": tuple(LINKS), "g": lambda v: LINKS.get(v.G, (50,))},
    prompt="{G} GPUs all-reduce the bf16 gradients of {N:si} parameters around a ring; each sends at {g} GB/s. "
    "How long does it take?",
    answer=lambda v: v.moved / (v.g * 1e9),
    unit="s",
    tolerance=0.05,
    slips=(
        slip("one_pass", scaled(0.5)),
        slip("gigabits", scaled(8)),
        slip("fp32_grads", scaled(2)),
        elements(2),
        slip("all_gpus", by("G"), *ADDED_UP),
        slip("whole_buffer", lambda v: 4 * v.N / (v.g * 1e9), approximate=True),
        slip("sent_once", lambda v: 2 * v.N / (v.g * 1e9)),
        slip("naive_all_to_all", lambda v: (v.G - 1) * 2 * v.N / (v.g * 1e9)),
        slip("one_part", lambda v: 2 * v.N / v.G / (v.g * 1e9)),
    ),
    checks=(SEVERAL,),
    hints=(
        "How many bytes does each GPU send?",
        "Two phases, each (G − 1)/G of 2 × {N:si} bytes.",
        "Divide by {g} GB/s.",
    ),
    solution=(
        "bytes: 2 × ({G} − 1)/{G} × 2 × {N:si} = {moved:bytes}",
        "/ {g} GB/s = {answer:time}",
    ),
    given={"moved": lambda v: 2 * (v.G - 1) / v.G * 2 * v.N},
    between=Between(
        "the size of the gradients in bytes", lambda v: 2 * v.N, "GB", ("elements_only", "fp32_grads")
    ),
    version=3,
    renamed={3: {"n": "G"}},
)

EXERCISES = (BYTES, TIME)
