"""Ask for the memory of training state: weights, gradients, optimizer."""

import math

from studykit.exercise import SlipRule, Template, Values

from ._conventions import CONVENTIONS, FP32
from ._sizes import A100, A100_40, B200, B300, DEVICES, H100, H200, MODELS, B
from ._slips import over, scaled, slip

USABLE = "A GB is 1e9 bytes; all of the capacity is usable."


def _conventions(value: int) -> SlipRule:
    return slip(
        f"convention_{value}",
        lambda v: v.of(value),
        "How many bytes does each parameter take in the convention of the question?",
        f"That is for {value} bytes per parameter; what is kept here adds up to {{conv.total}}.",
    )


def _for_convention(value: int) -> SlipRule:
    return slip(
        f"convention_{value}",
        lambda v: math.ceil(v.N * value / v.cap),
        "How many bytes does each parameter take here?",
        f"That is for {value} bytes per parameter; here it is {{bytes}}.",
    )


STATE = Template(
    id="mem.train_state",
    objective="memory",
    grid={"N": MODELS, "conv": CONVENTIONS},
    prompt="How much memory does the training state (weights, gradients, optimizer; no activations) of a model "
    "with {N:si} parameters take with AdamW, {conv.words}?",
    answer=lambda v: v.N * v.conv.total,
    unit="GB",
    tolerance=0.03,
    slips=(
        *(_conventions(value) for value in (12, 16, 18, 20)),
        slip("weights_only", lambda v: v.of(v.conv.weights)),
        slip("weights_in_bf16", lambda v: v.of(2) if v.conv is FP32 else None),
        slip("forgot_grads", lambda v: v.of(v.conv.total - v.conv.gradients)),
        slip("forgot_optimizer", lambda v: v.of(v.conv.weights + v.conv.gradients)),
        slip("optimizer_only", lambda v: v.of(v.conv.total - v.conv.weights - v.conv.gradients)),
        slip("one_moment", lambda v: v.of(v.conv.total - v.moment)),
        slip("bits_for_bytes", scaled(8)),
    ),
    hints=(
        "What is kept for each parameter?",
        "Add weight, gradient, both moments, and a master copy if there is one.",
        "Weights {conv.weights}, gradients {conv.gradients}, all the rest {conv.rest} bytes per parameter.",
    ),
    solution=("{conv}: {conv.total} bytes per parameter", "{N:si} × {conv.total} = {answer:bytes}"),
    given={
        "of": lambda v: lambda size: v.N * size,
        "moment": lambda v: min(4, v.conv.rest // 2),  # bf16 throughout has two of 2 bytes
    },
    version=2,
)

LARGEST = Template(
    id="mem.max_model",
    objective="memory",
    grid={"G": (1, 2, 4, 8, 16, 32, 64), "hw": (A100_40, A100, H100, H200, B200, B300), "conv": CONVENTIONS},
    prompt="What is the largest model (in parameters) whose training state fits on {devices} ({cap:GB}{each}) "
    "with AdamW, {conv.words}? {sharded}o activations. " + USABLE,
    answer=lambda v: v.G * v.cap / v.conv.total,
    unit="param",
    tolerance=0.03,
    slips=(
        *(_conventions(value) for value in (12, 16, 18, 20)),
        slip("weights_only", lambda v: v.of(v.conv.weights)),
        slip("forgot_grads", lambda v: v.of(v.conv.total - v.conv.gradients)),
        slip("forgot_optimizer", lambda v: v.of(v.conv.weights + v.conv.gradients)),
        slip("one_gpu", over("G")),
        slip("gib_capacity", scaled(2**30 / 1e9)),
    ),
    hints=(
        "How many bytes are there, and how many does a parameter need?",
        "There are {G} × {cap:GB} of memory.",
        "{conv}: that adds up to {conv.total} bytes per parameter.",
    ),
    solution=(
        "memory: {G} × {cap:GB}",
        "{conv}: {conv.total} bytes per parameter",
        "{G} × {cap:GB} / {conv.total} = {answer:si} parameters",
    ),
    given={
        **DEVICES,
        "sharded": lambda v: "N" if v.G == 1 else "Split evenly over all of them, n",
        "cap": lambda v: v.hw.capacity,
        "of": lambda v: lambda size: v.G * v.cap / size,
    },
    version=3,
    renamed={3: {"n": "G"}},
)

OPTIMIZERS = {
    "SGD with momentum": 4,
    "AdaGrad": 4,
    "RMSProp": 4,
    "Adam/AdamW": 8,
    "Lion": 4,
    "Muon": 4,
    "8-bit Adam": 2,
}
"""Bytes of state per parameter; Muon keeps one momentum buffer (torch.optim.Muon), like SGD with momentum."""

OPTIMIZER = Template(
    id="mem.optimizer_state",
    objective="memory",
    grid={"N": MODELS, "o": tuple(OPTIMIZERS)},
    prompt="How many GB of optimizer state does {o} keep for a model with {N:si} parameters, all of them "
    "updated by it, with its state {width}? Count only what the optimizer itself keeps.",
    answer=lambda v: v.N * v.per,
    unit="GB",
    tolerance=0.03,
    slips=(
        slip("keeps_nothing", lambda _: 0.0),
        slip("adam_not_this", lambda v: 8 * v.N),
        slip(
            "one_moment",
            lambda v: 4 * v.N,
            "How many moments does it keep, and how wide?",
            "That is 4 bytes per parameter; {o} keeps {per}.",
        ),
        slip("with_params_grads", lambda v: v.answer + 8 * v.N),
        slip("bf16_states", lambda v: None if v.o == "8-bit Adam" else v.answer / 2),
        slip("master_copy_too", lambda v: v.answer + 4 * v.N),
    ),
    hints=(
        "How many extra tensors does it keep, each as large as the weights?",
        "Momentum, AdaGrad, RMSProp, Lion and Muon keep one, Adam keeps two.",
        "It is {per} bytes per parameter here.",
    ),
    solution=("{o}: {per} bytes per parameter", "{N:si} × {per} = {answer:bytes}"),
    given={
        "per": lambda v: OPTIMIZERS[v.o],
        "width": lambda v: "at one byte for each value" if v.o == "8-bit Adam" else "in fp32",
    },
    version=2,
)


def _fits_uneven(v: Values) -> bool:
    return bool(v.state % v.cap != 0 and v.state > v.cap)


MIN_GPUS = Template(
    id="mem.min_gpus",
    objective="memory",
    units={"bytes": "byte"},
    grid={
        "N": (7 * B, 8 * B, 13 * B, 30 * B, 34 * B, 70 * B, 120 * B, 180 * B, 405 * B),
        "hw": (A100_40, A100, H100, H200),
        "bytes": (12, 16, 18),
    },
    prompt="What is the smallest number of {hw} ({cap:GB} each) that holds the training state of a model with "
    "{N:si} parameters at {bytes} bytes per parameter? Split evenly, activations ignored. " + USABLE,
    answer=lambda v: math.ceil(v.N * v.bytes / v.cap),
    unit="gpu",
    tolerance=0,
    slips=(
        slip("rounded_down", lambda v: math.floor(v.N * v.bytes / v.cap)),
        *(_for_convention(value) for value in (12, 16, 18)),
        slip("gib_capacity", lambda v: math.ceil(v.N * v.bytes / v.cap / (2**30 / 1e9)), approximate=True),
        slip("weights_only", lambda v: math.ceil(2 * v.N / v.cap)),
        slip("rounded_to_8", lambda v: 8 * math.ceil(v.N * v.bytes / v.cap / 8)),
        slip("rounded_to_power", lambda v: 2 ** math.ceil(math.log2(v.N * v.bytes / v.cap))),
    ),
    hints=(
        "How many bytes are there to hold?",
        "{N:si} × {bytes} bytes, on devices of {cap:GB}.",
        "Divide and round up.",
    ),
    solution=(
        "{N:si} × {bytes} = {state:bytes}",
        "{state:bytes} / {cap:GB} = {exact:number}, rounded up: {answer:n}",
    ),
    given={
        "cap": lambda v: v.hw.capacity,
        "state": lambda v: v.N * v.bytes,
        "exact": lambda v: v.N * v.bytes / v.hw.capacity,
    },
    sensible=_fits_uneven,
    version=3,
    renamed={3: {"k": "bytes"}},
)

EXERCISES = (STATE, LARGEST, OPTIMIZER, MIN_GPUS)
