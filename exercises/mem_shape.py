"""Ask for the memory of training a decoder by its shape: state, activations, and the batch that fits."""

import math
from collections.abc import Callable

from studykit.exercise import Check, Values

from ._shapes import LENGTHS, STEM, UNTIED, decoder, shape, twin
from ._sizes import A100_40, B200, H200, MODELS, B, those, whole
from ._slips import elements, scaled, slip

SQUARES = "Which tensors grow with s²?", "You left out the scores and their softmax, which grow with s²."
KEPT = {"weights": 4, "gradients": 4, "moments": 8, "state": 16}
"""Bytes of fp32 training for each parameter."""

WORDS = {
    "weights": "its weights",
    "gradients": "its gradients",
    "moments": "AdamW's two moments",
    "state": "weights, gradients and AdamW's two moments together",
}

TWO_MOMENTS = "How many moments does AdamW keep?", "You used one moment; AdamW keeps two."

STATE = twin(
    id="mem.shape_state",
    objective="memory",
    grid={"what": tuple(KEPT), **decoder()},
    prompt=STEM + "No matrix has a bias; embedding and output layer are two matrices. In fp32, how much memory do "
    "{words} take?",
    formula=lambda v: f"{KEPT[v.what]}*({UNTIED})",
    answer=lambda v: v.each * v.N,
    unit="GB",
    slips=(
        slip("bf16", scaled(0.5)),
        slip("elements_only", lambda v: v.N, message="You counted parameters; each takes {each} bytes here."),
        slip("training_16", lambda v: 16 * v.N if v.what != "state" else None),
        slip("weights_only", lambda v: 4 * v.N if v.what == "state" else None),
        slip("forgot_optimizer", lambda v: 8 * v.N if v.what == "state" else None),
        slip("forgot_grads", lambda v: 12 * v.N if v.what == "state" else None),
        slip("one_moment", lambda v: v.answer - 4 * v.N if v.what in {"state", "moments"} else None, *TWO_MOMENTS),
        slip("tied", lambda v: v.answer - v.each * v.V * v.d),
        slip("no_vocab", lambda v: v.answer - 2 * v.each * v.V * v.d),
        slip("two_ffn_mats", lambda v: v.answer - v.each * v.L * v.d * v.f),
        slip("no_output_projection", lambda v: v.answer - v.each * v.L * v.d * v.h * v.e, approximate=True),
    ),
    hints=(
        "How many parameters does it have?",
        "A layer has four matrices in attention and three in the MLP; the vocabulary has two of {V} × {d}.",
        "fp32 takes 4 bytes. A gradient is as large as its weight, and so is each of the two moments.",
    ),
    solution=("parameters: {N:si}", "bytes for each: {each}", "{answer:bytes}"),
    given={
        "N": lambda v: shape(v).parameters,
        "each": lambda v: KEPT[v.what],
        "words": lambda v: WORDS[v.what],
    },
)


ACTIVATIONS = twin(
    id="mem.shape_activations",
    objective="memory",
    grid={**decoder(), "s": LENGTHS, "b": (1, 2, 4, 8, 16)},
    prompt=STEM
    + "A batch has b = {b} sequences of s = {s} tokens. How much memory do the activations take? Count "
    "once, in fp32, what each of these puts out: both RMSNorms; Q, K and V; scores; their softmax; weighted "
    "values; output projection; gate, up, SiLU, product and down of the MLP; the last RMSNorm; logits; and for "
    "the cross-entropy one more tensor of the size of the logits.",
    formula="4*b*s*(L*(4*d + 2*e*(h + kv_heads) + 2*h*s + 4*f) + d + 2*V)",
    answer=lambda v: v.layers + v.rest,
    unit="GB",
    slips=(
        slip("one_layer", lambda v: v.layers / v.L + v.rest),
        slip(
            "forgot_heads",
            lambda v: v.answer - 2 * v.scores * (1 - 1 / v.h),
            "How many score matrices are there in a layer?",
            "You used one score matrix; each of {h} heads has one.",
        ),
        slip("no_quadratic", lambda v: v.answer - 2 * v.scores, *SQUARES),
        slip("one_score_matrix", lambda v: v.answer - v.scores, approximate=True),
        slip(
            "two_ffn_mats",
            lambda v: v.answer - 8 * v.b * v.s * v.L * v.f,
            "What does the MLP put out?",
            "You used an MLP without a gate: gate and product are two more tensors of width {f}.",
            approximate=True,
        ),
        slip("no_logits", lambda v: v.answer - 2 * v.logits, approximate=True),
        slip("one_logits", lambda v: v.answer - v.logits, approximate=True),
        elements(4),
        slip("bf16", scaled(0.5)),
        slip("forgot_batch", lambda v: v.answer / v.b),
        slip("forgot_seq", lambda v: v.answer / v.s, message="That is for a single token of each sequence."),
    ),
    hints=(
        "Sort the tensors of the list by their size.",
        "One token puts out vectors of width {d} and of width {f} in each layer, and {V} logits at the end.",
        "A token has in each layer 4 vectors of width d, 2 of h·e, 2 of kv_heads·e, 4 of f and 2 of h·s.",
    ),
    solution=(
        "a layer: b·s·(4·d + 2·e·(h + kv_heads) + 2·h·s + 4·f)",
        "at the end: b·s·d for the norm, 2·b·s·V for logits and cross-entropy",
        "{answer:bytes}, 4 bytes each",
    ),
    given={
        "put_out": lambda v: shape(v).activations(v.b, v.s),
        "rest": lambda v: sum(v.put_out[part] for part in ("final_norm", "logits", "loss")),
        "layers": lambda v: sum(v.put_out.values()) - v.rest,
        "scores": lambda v: v.put_out["scores"],
        "logits": lambda v: v.put_out["logits"],
    },
)

TOTAL = twin(
    id="mem.shape_total",
    objective="memory",
    units={"a": "GB"},
    grid={
        "N": tuple(count for count in MODELS if count <= 13 * B),
        "a": (0.9, 1.7, 3.4, 6.8, 13.0),
        "b": (2, 4, 8, 16, 32),
    },
    prompt="A model with N = {N:si} parameters is trained in fp32 with AdamW. Each sequence takes a = {a} GB of "
    "activations. How much memory does a step on b = {b} sequences take, with weights, gradients and moments?",
    formula="16*N + a*b",
    answer=lambda v: 16 * v.N + v.kept,
    unit="GB",
    slips=(
        slip("no_state", lambda v: v.kept),
        slip("forgot_grads", lambda v: 12 * v.N + v.kept),
        slip("one_moment", lambda v: 12 * v.N + v.kept, *TWO_MOMENTS),
        slip("batch_of_state", lambda v: 16 * v.N * v.b + v.kept),
        slip("one_sequence", lambda v: 16 * v.N + v.kept / v.b, approximate=True),
        slip("state_only", lambda v: 16 * v.N, approximate=True),
        slip("weights_only", lambda v: 4 * v.N + v.kept),
        slip("forgot_optimizer", lambda v: 8 * v.N + v.kept, approximate=True),
    ),
    hints=(
        "What is there once, and what is there for each sequence?",
        "For each parameter: a weight, a gradient and two moments of 4 bytes.",
        "State: 16 × {N:si} bytes. Activations: {a} GB for each of {b} sequences.",
    ),
    solution=("state: 16 × {N:si} bytes", "activations: {b} × {a} GB", "{answer:bytes}"),
    given={"kept": lambda v: v.a * 1e9 * v.b},
)


def _batch(state: float = 16) -> Callable[[Values], float]:
    """Return the formula of the largest batch if each parameter takes `state` bytes."""
    return lambda v: math.floor((v.cap - state * v.N) / v.kept)


PART = (0.2, 0.9)
"""How much of a device's memory the state may take."""

MAX_BATCH = twin(
    id="mem.shape_max_batch",
    objective="memory",
    units={"a": "GB"},
    grid={
        "hw": (A100_40, H200, B200),
        "N": lambda v: those(
            (B, whole(1.3), 2 * B, 3 * B, 7 * B, 8 * B), lambda n: PART[0] < 16 * n / v.hw.capacity < PART[1]
        ),
        "a": (0.7, 1.1, 1.9, 2.6, 4.3, 6.8),
    },
    prompt="A model with N = {N:si} parameters is trained in fp32 with AdamW on one {hw} (mem = {cap:GB}). Each "
    "sequence takes a = {a} GB of activations. How many sequences can a batch have at most, with weights, "
    "gradients, moments and activations all in memory at once?",
    formula="floor((mem - 16*N)/a)",
    answer=_batch(),
    unit="count",
    tolerance=0,
    slips=(
        slip("rounded_up", lambda v: v.answer + 1),
        slip("not_rounded", lambda v: (v.cap - 16 * v.N) / v.kept),
        slip("ignored_state", _batch(0)),
        slip("weights_only", _batch(4)),
        slip("forgot_grads", _batch(12)),
        slip("one_moment", _batch(12), *TWO_MOMENTS),
        slip("forgot_optimizer", _batch(8), approximate=True),
        slip("state_added", _batch(-16)),
    ),
    checks=(Check(lambda v: v.answer >= 1, "{N:si} parameters leave no room for a sequence in {cap:GB}"),),
    hints=(
        "What is left once the state is in memory?",
        "The state takes 16 bytes for each parameter.",
        "Divide what 16 × {N:si} bytes leave of {cap:GB} by {a} GB, and round down.",
    ),
    solution=(
        "state: 16 × {N:si} bytes = {state:bytes} (a counted peak has 12: PyTorch frees gradients first)",
        "left of {cap:GB}: {left:bytes}",
        "{answer:n} sequences",
    ),
    given={
        "cap": lambda v: v.hw.capacity,
        "kept": lambda v: v.a * 1e9,
        "state": lambda v: 16 * v.N,
        "left": lambda v: v.cap - v.state,
    },
)

EXERCISES = (STATE, ACTIVATIONS, TOTAL, MAX_BATCH)
