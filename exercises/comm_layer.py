"""Ask what GPUs compute and send for one SwiGLU layer, and how many still hide the sending."""

import math
from collections.abc import Callable
from typing import NamedTuple

from studykit.exercise import Check, Values

from ._shapes import LARGE, Choices, twin
from ._sizes import A100, B200, H100, SEVERAL
from ._slips import by, elements, scaled, slip


class Case(NamedTuple):
    """Hold one pass under one strategy: how the layer is split, what its collectives send, and its FLOPs."""

    setting: str
    collectives: str
    rounds: int  # an all-gather or a reduce-scatter is one, an all-reduce two
    sends: str  # which tensor
    work: int  # FLOPs over B·d·f


DP = "data parallelism: each GPU has all weights and B/G of the rows, and gradients are all-reduced"
FSDP = "FSDP: each GPU has B/G of the rows and keeps 1/G of the weights, which are gathered for each pass"
TP = "tensor parallelism: each GPU has all rows, gate and up are split by columns and down by rows"
CASES = {
    "DP backward": Case(DP, "an all-reduce of the gradients", 2, "weights", 12),
    "FSDP forward": Case(FSDP, "an all-gather of the weights", 1, "weights", 6),
    "FSDP backward": Case(
        FSDP, "an all-gather of the weights and a reduce-scatter of the gradients", 2, "weights", 12
    ),
    "TP forward": Case(TP, "an all-reduce of the output", 2, "rows", 6),
    "TP backward": Case(TP, "an all-reduce of the input's gradient", 2, "rows", 12),
}


ONE_WAY = (
    "How many times does the data go around the ring?",
    "You used an all-reduce; this pass needs {collectives}.",
)


def _of(*names: str, formula: Callable[[Values], float]) -> Callable[[Values], float | None]:
    """Return the formula for cases whose names begin with one of `names`. It gives None for the other cases."""
    return lambda v: formula(v) if v.case.startswith(names) else None


NVLINK = {A100: 300, H100: 450, B200: 900}
"""GB/s that each GPU sends to others of its machine."""

LINKS = (25, 50, 100, 300, 450)
LAYER = (
    "A SwiGLU layer (three matrices, of width d = {d} and feed-forward width f = {f}) takes B = {B} rows in all. "
)
WIRES = "Weights, activations and gradients take 2 bytes each. Each GPU sends at link = {link} GB/s, around a ring"
SPLIT = "The layer is split over G = {G} GPUs by {setting}. "
SIZES: dict[str, Choices] = {
    "d": tuple(LARGE),
    "f": lambda v: (LARGE[v.d][4] if v.d in LARGE else 64 * round(v.d / 24),),
    "B": tuple(2**power for power in range(15, 22)),
}
GIVEN = {
    "of": lambda v: CASES[v.case],
    "setting": lambda v: v.of.setting,
    "collectives": lambda v: v.of.collectives,
    "way": lambda v: v.case.partition(" ")[2],
}
RATE = {"rate": lambda v: v.link * 1e9}

FLOPS = twin(
    id="comm.layer_flops",
    objective="flops",
    grid={"case": tuple(CASES), **SIZES, "G": (4, 8, 16, 64)},
    prompt=LAYER + SPLIT + "How many FLOPs does each GPU compute in the {way} pass? "
    "Count only its matmuls, a multiply-add as 2 FLOPs.",
    formula=lambda v: f"{CASES[v.case].work}*B*d*f/G",
    answer=lambda v: v.of.work * v.B * v.d * v.f / v.G,
    unit="FLOP",
    slips=(
        slip("other_pass", lambda v: v.answer * (2 if v.way == "forward" else 0.5)),
        slip("whole_step", lambda v: 18 * v.B * v.d * v.f / v.G, "Which pass?", "You used both passes together."),
        slip(
            "all_gpus",
            by("G"),
            "Is that for each GPU, or for all of them?",
            "You used all {G} GPUs; the question asks for each.",
        ),
        slip("two_ffn_mats", scaled(2 / 3)),
        slip("mac_as_flop", scaled(0.5)),
        slip("divided_twice", lambda v: v.answer / v.G),
    ),
    hints=(
        "What does the whole layer compute, and what part of it is on each GPU?",
        "A forward pass is three matmuls of {B} rows; a backward pass is two for each of them.",
        "However it is split, each of {G} GPUs has an equal part of 6·B·d·f, or of twice that.",
    ),
    solution=("all GPUs: {of.work} × B × d × f", "each: 1/G of it", "{answer:e} FLOP"),
    given=GIVEN,
)


def _sent(v: Values) -> float:
    """Return the seconds that a GPU takes to send the whole buffer once."""
    return float((6 * v.d * v.f if v.of.sends == "weights" else 2 * v.B * v.d) / v.rate)


TIME = twin(
    id="comm.layer_time",
    objective="training",
    units={"link": "GB/s"},
    grid={"case": tuple(CASES), **SIZES, "G": (4, 8, 16, 64), "link": LINKS},
    prompt=LAYER + SPLIT + WIRES + ". For how long does each GPU send in the {way} pass?",
    formula=lambda v: (
        f"{6 * CASES[v.case].rounds}*d*f*(G-1)/(G*link)"
        if CASES[v.case].sends == "weights"
        else "4*B*d*(G-1)/(G*link)"
    ),
    answer=lambda v: v.of.rounds * v.sent * (v.G - 1) / v.G,
    unit="ms",
    slips=(
        elements(2),
        slip("whole_buffer", lambda v: v.of.rounds * v.sent, approximate=True),
        slip(
            "all_gpus",
            by("G"),
            "Do the GPUs send one after another?",
            "You added up what all {G} GPUs send at once.",
        ),
        slip("gigabits", scaled(8)),
        slip("one_pass", _of("DP", "TP", formula=scaled(0.5))),
        slip("two_ffn_mats", _of("DP", "FSDP", formula=scaled(2 / 3))),
        slip(
            "fp32_grads", _of("DP", "FSDP backward", formula=lambda v: v.answer * (2 if v.case[0] == "D" else 1.5))
        ),
        slip("split_gradients", _of("DP", formula=lambda v: v.answer / v.G)),
        slip("as_allreduce", _of("FSDP forward", formula=scaled(2)), *ONE_WAY),
        slip("own_share", _of("FSDP forward", formula=lambda v: v.sent / v.G)),
        slip("scatter_alone", _of("FSDP backward", formula=scaled(0.5))),
        slip("reduced_to_all", _of("FSDP backward", formula=scaled(1.5)), *ONE_WAY),
        slip("nothing", _of("FSDP", "TP", formula=lambda _: 0.0)),
        slip("of_hidden", _of("TP", formula=lambda v: v.answer * v.f / v.d)),
        slip("three_reduces", _of("TP forward", formula=scaled(3))),
        slip("two_reduces", _of("TP backward", formula=scaled(2))),
        slip("weights_sent", _of("TP", formula=lambda v: 12 * v.d * v.f * (v.G - 1) / (v.G * v.rate))),
        slip("split_batch", _of("TP", formula=lambda v: v.answer / v.G)),
    ),
    checks=(SEVERAL,),
    hints=(
        "Which collectives does this pass need, and of which tensor?",
        (
            "It is {collectives}. An all-gather or a reduce-scatter moves (G − 1)/G of the buffer, an all-reduce "
            "twice that."
        ),
        "Weights or their gradients are 3·d·f numbers, rows are B·d numbers, of 2 bytes each.",
    ),
    solution=(
        "{collectives}",
        "the whole buffer once: {sent:time}; times around the ring: {of.rounds}, each (G − 1)/G of it",
        "{answer:time}",
    ),
    given={**GIVEN, **RATE, "sent": _sent},
)


def _whole(v: Values, ratio: float) -> float:
    """Return the largest G with G − 1 at most `ratio`, rounded down unless the question asks for a formula."""
    return 1 + ratio if v.ask == "formula" else math.floor(1 + ratio)


def _largest(factor: float | Callable[[Values], float], *names: str) -> Callable[[Values], float | None]:
    """Return the formula, limited as by `_of`, of the largest G if G − 1 could be `factor` times as large."""
    return _of(*names or ("",), formula=lambda v: _whole(v, v.ratio * (factor(v) if callable(factor) else factor)))


LARGEST = twin(
    id="comm.layer_largest",
    objective="training",
    units={"link": "GB/s"},
    grid={
        "case": tuple(CASES),
        **SIZES,
        "hw": (A100, H100, B200),
        "link": lambda v: (NVLINK[v.hw],) if v.case.startswith("TP") and v.hw in NVLINK else LINKS,
    },
    prompt=LAYER
    + "It is split over G GPUs by {setting}. "
    + WIRES
    + ", and computes at peak = {peak:FLOP/s} ({hw}, "
    "dense bf16). Sending overlaps with computing. Up to how many GPUs does the {way} pass hide all it sends?",
    formula=lambda v: {"D": "1 + B*link/peak", "F": "1 + B*link/peak"}.get(
        v.case[0], "1 + 3*f*link/peak" if v.case == "TP backward" else "1 + 3*f*link/(2*peak)"
    ),
    answer=lambda v: _whole(v, v.ratio),
    unit="gpu",
    tolerance=0,
    slips=(
        slip(
            "not_rounded",
            lambda v: 1 + v.ratio if v.ask == "number" else None,
            "Can there be a part of a GPU?",
            "You left the fraction; one more GPU would send longer than it computes, so round down.",
        ),
        slip(
            "dropped_one",
            lambda v: _whole(v, v.ratio - 1),
            "Does a GPU send all of the buffer?",
            "You took (G − 1)/G for 1; the bound is one GPU higher.",
        ),
        slip("tokens_per_device", _of("DP", "FSDP", formula=lambda v: v.peak / v.rate)),
        slip("one_pass", _largest(2, "DP", "TP")),
        slip("elements_only", _largest(2)),
        slip("two_ffn_mats", _largest(2 / 3, "TP")),
        slip("forward_pass", _largest(0.5, "DP", "FSDP backward", "TP backward")),
        slip(
            "backward_pass",
            _largest(2, "FSDP forward", "TP forward"),
            "Which pass is to hide it?",
            "You used the backward pass, which computes twice as much.",
        ),
        slip(
            "whole_step",
            _largest(1.5, "DP"),
            "Which pass hides it?",
            "You used the whole step; gradients are sent during the backward pass.",
        ),
        slip("as_allreduce", _largest(0.5, "FSDP forward"), *ONE_WAY),
        slip("scatter_alone", _largest(2, "FSDP backward")),
        slip("with_batch", _of("TP", formula=lambda v: _whole(v, v.B * v.rate / v.peak))),
        slip("width_for_hidden", _largest(lambda v: v.d / v.f, "TP")),
        slip("with_width", _of("DP", "FSDP", formula=lambda v: _whole(v, 3 * v.f * v.rate / v.peak))),
    ),
    checks=(Check(lambda v: v.ratio >= 1, "not even 2 GPUs would hide it"),),
    hints=(
        "Set the time of sending equal to the time of computing.",
        "Computing: {of.work}·B·d·f over G and peak. Sending: {collectives}, (G − 1)/G of the buffer at a time.",
        "G in the denominators cancels; solve for G − 1.",
    ),
    solution=(
        "sending: {collectives}; computing: {of.work}·B·d·f/(G·peak)",
        "G − 1 is at most {ratio:number}",
        "{most:number}; rounded down, {floor:n} GPUs",
    ),
    given={
        **GIVEN,
        **RATE,
        "peak": lambda v: v.hw.peak("bf16"),
        "ratio": lambda v: v.of.work * v.B * v.d * v.f / v.peak / (v.of.rounds * _sent(v)),
        "most": lambda v: 1 + v.ratio,
        "floor": lambda v: math.floor(v.most),
    },
)

EXERCISES = (FLOPS, TIME, LARGEST)
