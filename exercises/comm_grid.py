"""Ask about a SwiGLU layer over a grid of GPUs, with FSDP by tensor parallelism, and about rings."""

import math

from studykit.exercise import Check

from ._shapes import twin
from ._sizes import A100, B200, H100, SEVERAL
from ._slips import by, elements, scaled, slip
from .comm_layer import LAYER, LINKS, NVLINK, SIZES

GRID = {"G_fsdp": (4, 8, 16, 32), "G_tp": (2, 4, 8)}
ON_GRID = (
    "It is split over a grid of G_fsdp × G_tp GPUs. Along one axis FSDP gives each GPU 1/G_fsdp of the rows and "
    "shards the weights, which are gathered for the pass; along the other, tensor parallelism splits gate and up "
    "by columns, and down by rows. "
)
BYTES = "Weights and activations take 2 bytes each. "
SHORTER = "Which axis sends for longer?", "You used one axis; the other one sends for longer."
BOTH = "You added the two times; both axes send at once, so the longer one counts."
QUARTER = (
    "How does the bound on a sum limit a product?",
    "You halved the devices; a shared link leaves about a quarter.",
)
OWN = "How many parts does each GPU send?", "You used one part; a GPU sends G − 1 of them in each phase."
ONCE = "Does every byte of it travel?", "You sent the tensor once; (G − 1)/G of it travels in each phase."
PARTS = "Is the tensor cut into parts here?", "You used a ring of parts; here each step passes a whole tensor on."
PHASES = "Is that one phase or two?", "You used an all-reduce, two phases; this is one of them."

FLOPS = twin(
    id="comm.grid_flops",
    objective="training",
    grid={**SIZES, **GRID},
    prompt=LAYER + ON_GRID + "G_fsdp is {G_fsdp} and G_tp is {G_tp}. How many FLOPs does each GPU compute in the "
    "forward pass? Count only its matmuls, a multiply-add as 2 FLOPs.",
    formula="6*B*d*f/(G_fsdp*G_tp)",
    answer=lambda v: 6 * v.B * v.d * v.f / v.G_fsdp / v.G_tp,
    unit="FLOP",
    slips=(
        slip("fsdp_alone", lambda v: 6 * v.B * v.d * v.f / v.G_fsdp),
        slip("tp_alone", lambda v: 6 * v.B * v.d * v.f / v.G_tp),
        slip("added_devices", lambda v: 6 * v.B * v.d * v.f / (v.G_fsdp + v.G_tp)),
        slip(
            "all_gpus",
            lambda v: 6 * v.B * v.d * v.f,
            "Is that for each GPU, or for all of them?",
            "You used all GPUs; the question asks for each.",
        ),
        slip("mac_as_flop", scaled(0.5)),
        slip("two_ffn_mats", scaled(2 / 3)),
        slip("with_backward", scaled(3)),
    ),
    hints=(
        "What does the whole layer compute?",
        "One axis splits the rows, the other the weights.",
        "Each GPU has 1/{G_fsdp} of the rows and 1/{G_tp} of each matrix.",
    ),
    solution=("all: 3 matmuls of 2·B·d·f", "each: 1/(G_fsdp × G_tp) of it", "{answer:e} FLOP"),
)

TIME = twin(
    id="comm.grid_time",
    objective="training",
    units={"link": "GB/s"},
    grid={**SIZES, **GRID, "link": LINKS},
    prompt=LAYER
    + ON_GRID
    + "G_fsdp is {G_fsdp} and G_tp is {G_tp}. "
    + BYTES
    + "Each GPU sends at link = {link} GB/s "
    "around a ring on each axis, on both at once. For how long does each GPU send in the forward pass?",
    formula="max(6*d*f*(G_fsdp-1), 4*B*d*(G_tp-1))/(G_fsdp*G_tp*link)",
    answer=lambda v: max(v.gather, v.reduce),
    unit="ms",
    tolerance=0.02,
    slips=(
        slip("both_times", lambda v: v.gather + v.reduce, "Do they wait for each other?", BOTH, approximate=True),
        slip("whole_weights", lambda v: max(v.gather * v.G_tp, v.reduce)),
        slip("whole_batch", lambda v: max(v.gather, v.reduce * v.G_fsdp)),
        slip("fsdp_alone", lambda v: v.gather, *SHORTER, approximate=True),
        slip("tp_alone", lambda v: v.reduce, *SHORTER, approximate=True),
        elements(2),
        slip("one_pass", lambda v: max(v.gather, v.reduce / 2), approximate=True),
        slip("two_ffn_mats", lambda v: max(v.gather * 2 / 3, v.reduce), approximate=True),
        slip("gigabits", scaled(8)),
    ),
    hints=(
        "What is sent on each axis?",
        (
            "FSDP gathers the weights that tensor parallelism has left a GPU; tensor parallelism all-reduces its "
            "rows."
        ),
        (
            "Gather: 6·d·f/G_tp bytes over {G_fsdp} GPUs. All-reduce: 2·B·d/G_fsdp bytes over {G_tp} GPUs, twice "
            "around."
        ),
    ),
    solution=(
        "all-gather: (G_fsdp − 1)/G_fsdp × 6·d·f/G_tp bytes, {gather:time}",
        "all-reduce: 2·(G_tp − 1)/G_tp × 2·B·d/G_fsdp bytes, {reduce:time}",
        "the longer one, {answer:time}",
    ),
    given={
        "rate": lambda v: v.link * 1e9 * v.G_fsdp * v.G_tp,
        "gather": lambda v: 6 * v.d * v.f * (v.G_fsdp - 1) / v.rate,
        "reduce": lambda v: 4 * v.B * v.d * (v.G_tp - 1) / v.rate,
    },
)

WIRES = {
    "own": ("each axis has links of its own", "(1 + B*link/peak)*(1 + 3*f*link/(2*peak))"),
    "shared": ("both axes share one link and their times add up", "(3*B*f*link/peak + 3*f + 2*B)^2/(24*B*f)"),
}

LARGEST = twin(
    id="comm.grid_largest",
    objective="training",
    units={"link": "GB/s"},
    grid={
        "wires": tuple(WIRES),
        **SIZES,
        "hw": (A100, H100, B200),
        "link": lambda v: (NVLINK[v.hw],) if v.hw in NVLINK else (450,),
    },
    prompt=LAYER + ON_GRID + BYTES + "Each GPU sends at link = {link} GB/s around rings and computes at peak = "
    "{peak:FLOP/s} ({hw}, dense bf16); {shared}. Sending overlaps with computing. With the best G_fsdp and G_tp, "
    "up to how many GPUs in all does the forward pass hide what they send? Do not round.",
    formula=lambda v: WIRES[v.wires][1],
    answer=lambda v: v.on_own if v.wires == "own" else v.on_one,
    unit="gpu",
    tolerance=0.02,
    slips=(
        slip(
            "dropped_one", lambda v: v.rows * v.width if v.wires == "own" else v.K0**2 / v.area, approximate=True
        ),
        slip("the_smaller", lambda v: min(1 + v.rows, 1 + v.width), approximate=True),
        slip("sum", lambda v: 2 + v.rows + v.width),
        slip("fsdp_alone", lambda v: 1 + v.rows, approximate=True),
        slip("shared_wire", lambda v: v.on_one if v.wires == "own" else None),
        slip("overlapped", lambda v: v.on_own if v.wires == "shared" else None),
        slip(
            "half_link",
            lambda v: (1 + v.rows / 2) * (1 + v.width / 2) if v.wires == "shared" else None,
            approximate=True,
        ),
        slip("halved", lambda v: v.on_own / 2 if v.wires == "shared" else None, *QUARTER, approximate=True),
        slip("backward_pass", lambda v: (1 + v.rows) * (1 + 2 * v.width) if v.wires == "own" else None),
    ),
    checks=(
        Check(
            lambda v: v.wires == "own" or 4 * v.B <= v.K >= 6 * v.f,
            "the best grid would have one axis; take a faster link",
        ),
    ),
    hints=(
        "Write the time of each axis and of the forward pass, all over G_fsdp × G_tp.",
        "Gather: 6·d·f·(G_fsdp − 1). All-reduce: 4·B·d·(G_tp − 1). Computing: 6·B·d·f × link/peak.",
        "{advice}",
    ),
    solution=("{bounds}", "{best}", "{answer:number} GPUs"),
    given={
        "peak": lambda v: v.hw.peak("bf16"),
        "shared": lambda v: WIRES[v.wires][0],
        "rows": lambda v: v.B * v.link * 1e9 / v.peak,
        "width": lambda v: 3 * v.f * v.link * 1e9 / (2 * v.peak),
        "K0": lambda v: 3 * v.f * v.rows,
        "K": lambda v: v.K0 + 3 * v.f + 2 * v.B,
        "area": lambda v: 24 * v.B * v.f,
        "on_own": lambda v: (1 + v.rows) * (1 + v.width),
        "on_one": lambda v: v.K**2 / v.area,
        "advice": lambda v: (
            "Each of them must be hidden: bound each axis, then multiply."
            if v.wires == "own"
            else "Their sum must be hidden. A product under a bounded sum is largest where both terms are equal."
        ),
        "bounds": lambda v: (
            "G_fsdp ≤ 1 + B·link/peak; G_tp ≤ 1 + 3·f·link/(2·peak)"
            if v.wires == "own"
            else "3·f·G_fsdp + 2·B·G_tp ≤ 3·B·f·link/peak + 3·f + 2·B"
        ),
        "best": lambda v: (
            "both at once, so the sizes multiply"
            if v.wires == "own"
            else "largest where both terms are half of that"
        ),
    },
)

RINGS = {
    "all-gather": ("all-gather a tensor of S = {S} MB, of which each has 1/G", 1),
    "reduce-scatter": ("reduce-scatter a tensor of S = {S} MB, so that each ends with 1/G of the sum", 1),
    "all-reduce": ("all-reduce a tensor of S = {S} MB, by a reduce-scatter and an all-gather", 2),
    "whole": (
        (
            "all-reduce a tensor of S = {S} MB without cutting it: in each step every GPU sends on the whole "
            "tensor that it got last (first its own) and adds the next one to its sum"
        ),
        0,
    ),
}
"""What a ring does, and in how many phases of G − 1 steps with 1/G of the tensor."""

RING = twin(
    id="comm.ring_time",
    objective="training",
    units={"S": "MB", "link": "GB/s"},
    grid={"ring": tuple(RINGS), "S": (64, 250, 700, 3000), "G": (4, 8, 16, 32), "link": LINKS},
    prompt="G = {G} GPUs in a ring, each sending at link = {link} GB/s, {what}. How long does it take?",
    formula=lambda v: ("(G-1)*S/link", "(G-1)*S/(G*link)", "2*(G-1)*S/(G*link)")[RINGS[v.ring][1]],
    answer=lambda v: v.steps * v.step,
    unit="ms",
    slips=(
        slip(
            "all_gpus", by("G"), "Do the GPUs send one after another?", "You added up what {G} GPUs send at once."
        ),
        slip("counted_self", lambda v: v.answer * v.G / (v.G - 1), approximate=True),
        slip("own_share", lambda v: v.once / v.G if v.ring != "whole" else None, *OWN),
        slip("one_step", lambda v: v.once if v.ring != "whole" else None, *ONCE, approximate=True),
        slip("log_steps", lambda v: math.log2(v.G) * v.once),
        slip("naive_ring", lambda v: (v.G - 1) * v.once if v.ring != "whole" else None),
        slip("as_ring", lambda v: 2 * (v.G - 1) / v.G * v.once if v.ring == "whole" else None, *PARTS),
        slip("one_pass", lambda v: v.answer / 2 if v.ring == "all-reduce" else None),
        slip(
            "as_allreduce", lambda v: v.answer * 2 if v.ring in {"all-gather", "reduce-scatter"} else None, *PHASES
        ),
        slip("gigabits", scaled(8)),
    ),
    checks=(SEVERAL,),
    hints=(
        "How many steps are there, and how much does a GPU send in each?",
        "A tensor needs G − 1 steps to reach every other GPU.",
        "There are {steps} steps, and {step:time} for each.",
    ),
    solution=("steps: {steps}", "each: {step:time}", "{answer:time}"),
    given={
        "what": lambda v: RINGS[v.ring][0].format(S=v.S),
        "once": lambda v: v.S * 1e6 / (v.link * 1e9),
        "steps": lambda v: (v.G - 1) * max(1, RINGS[v.ring][1]),
        "step": lambda v: v.once / (1 if v.ring == "whole" else v.G),
    },
)

EXERCISES = (FLOPS, TIME, LARGEST, RING)
