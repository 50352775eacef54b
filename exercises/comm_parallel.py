"""Ask what sharded and tensor-parallel training sends, and when the network keeps up."""

from studykit.exercise import Between, Template

from ._shapes import shape
from ._sizes import A100, B200, H100, MFUS, SEVERAL, WIDTHS, B
from ._slips import by, elements, over, scaled, slip, sparse
from .comm import COUNTED_FORWARD

FSDP = Template(
    id="comm.fsdp_step",
    objective="training",
    grid={"N": (B, 7 * B, 13 * B, 34 * B, 70 * B), "G": (8, 16, 64)},
    prompt="{N:si} parameters are fully sharded (FSDP, ZeRO stage 3) over {G} GPUs. In a training step each "
    "layer's weights are gathered for the forward pass and again for the backward pass, and its gradients "
    "reduce-scattered, all in bf16. How many GB does each GPU send?",
    answer=lambda v: 3 * (v.G - 1) / v.G * 2 * v.N,
    unit="GB",
    tolerance=0.02,
    slips=(
        slip("as_allreduce", scaled(2 / 3)),
        slip("whole_buffer", lambda v: 3 * v.buffer, approximate=True),
        slip(
            "sent_once",
            lambda v: v.buffer,
            "How many times are weights or gradients moved?",
            "That is the buffer once; three passes each move (G − 1)/G of it.",
        ),
        slip("reduced_to_all", scaled(4 / 3)),
        slip("gathered_once", scaled(1 / 3)),
        slip("fp32_grads", scaled(4 / 3)),
        slip(
            "fp32",
            scaled(2),
            "How wide is what is sent?",
            "You used fp32, 4 bytes; weights and gradients are in bf16, 2 bytes.",
        ),
        elements(2),
        slip("all_gpus", by("G")),
        slip("bits_for_bytes", scaled(8)),
    ),
    checks=(SEVERAL,),
    hints=(
        "Which collectives run in one step?",
        "Two all-gathers of the weights, one reduce-scatter of the gradients.",
        "Each of them makes a GPU send (G − 1)/G of 2 bytes a parameter.",
    ),
    solution=(
        "buffer: 2 × {N:si} = {buffer:bytes}",
        "3 × ({G} − 1)/{G} × {buffer:bytes} = {answer:bytes}",
    ),
    given={"buffer": lambda v: 2 * v.N},
    version=2,
    renamed={2: {"n": "G"}},
)

LINKS = {A100: (12.5, 25), H100: (25, 50), B200: (50, 100)}
"""GB/s that a GPU sends to other machines: network ports of 100 to 800 Gb/s."""

OVERLAP = Template(
    id="comm.overlap_tokens",
    objective="training",
    units={"g": "GB/s", "u": "%"},
    grid={"hw": tuple(LINKS), "u": MFUS, "g": lambda v: LINKS.get(v.hw, (50,))},
    prompt="In data parallelism the ring all-reduce of the bf16 gradients overlaps the backward pass. How many "
    "tokens must each {hw} process per step so that the all-reduce is fully hidden? The devices reach {u:%} of "
    "{peak:FLOP/s} (dense bf16), each sends {g} GB/s, and there are many of them.",
    answer=lambda v: v.peak * v.u / (v.g * 1e9),
    unit="token",
    tolerance=0.03,
    slips=(
        slip("whole_step", scaled(2 / 3), *COUNTED_FORWARD),
        slip("forward_pass", scaled(2)),
        slip("one_pass", scaled(0.5)),
        slip("fp32_grads", scaled(2)),
        elements(2),
        sparse(2),
        slip("double_halved", scaled(0.5)),
        slip("forgot_mfu", over("u"), message="You used the whole peak; the devices reach {u:%} of it."),
        slip("gigabits", scaled(8)),
    ),
    hints=(
        "Set the time of the all-reduce equal to the time of the backward pass.",
        "A GPU sends about 4 bytes a parameter in two phases; the backward pass takes 4 FLOPs for it per token.",
        "The parameters cancel, and so do the fours.",
    ),
    solution=(
        "all-reduce: 4 bytes × N / ({g} GB/s); backward: 4 × N × tokens / ({peak:FLOP/s} × {u:%})",
        "tokens = {peak:FLOP/s} × {u:%} / ({g} GB/s) = {answer:n}",
    ),
    given={"peak": lambda v: v.hw.peak("bf16")},
    between=Between(
        "the bytes that each GPU sends, for a model of 1e9 parameters",
        lambda _: 4e9,
        "GB",
        ("one_pass", "fp32_grads", "elements_only"),
    ),
    version=2,
)

TENSOR_PARALLEL = Template(
    id="comm.tp_layers",
    objective="training",
    grid={
        "L": (32, 40, 80),
        "B": (2048, 4096, 8192),
        "d": lambda v: WIDTHS.get(v.L, (4096,)),
        "G": (2, 4, 8),
    },
    prompt="Each of {L} layers is split over {G} GPUs by tensor parallelism: an all-reduce of the results, {B} "
    "tokens × width {d} in bf16, after attention and after the MLP, in the forward pass and again in the backward "
    "pass. How many GB does each GPU send around its ring in a training step?",
    answer=lambda v: v.L * 4 * 2 * (v.G - 1) / v.G * v.buffer,
    unit="GB",
    tolerance=0.03,
    slips=(
        slip("forward_alone", scaled(0.5)),
        slip("one_pass", scaled(0.5)),
        elements(2),
        slip("one_block", scaled(0.5)),
        slip("forgot_layers", over("L")),
        slip("fp32", scaled(2)),
        slip("whole_buffer", lambda v: v.L * 8 * v.buffer, approximate=True),
        slip("sent_once", lambda v: v.L * 4 * v.buffer),
        slip("all_gpus", by("G")),
    ),
    checks=(SEVERAL,),
    hints=(
        "How many all-reduces are there in one layer?",
        "Two in the forward pass and two in the backward pass; in each a GPU sends twice (G − 1)/G of the buffer.",
        "The buffer is {B} × {d} numbers of 2 bytes; there are {L} layers.",
    ),
    solution=(
        "buffer: {B} × {d} × 2 bytes = {buffer:bytes}",
        "one all-reduce: 2 × ({G} − 1)/{G} × {buffer:bytes}",
        "{L} layers × 4: {answer:bytes}",
    ),
    given={"buffer": lambda v: shape(v, layers=1).activations(1, v.B, 2)["projection"]},
    between=Between("the number of all-reduces", lambda v: 4 * v.L, "count", ("forward_alone", "one_block")),
    version=2,
    renamed={2: {"t": "B", "h": "d", "n": "G"}},
)

EXERCISES = (FSDP, OVERLAP, TENSOR_PARALLEL)
