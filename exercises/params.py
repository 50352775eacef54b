"""Ask for numbers of parameters."""

from collections.abc import Collection

from studykit.exercise import Template, Values

from ._shapes import (
    LARGE,
    LENGTHS,
    SMALL,
    STEM,
    UNTIED,
    VOCABULARIES,
    decoder,
    head_dimension,
    heads_of,
    shape,
    twin,
)
from ._sizes import FFN_WIDTHS
from ._slips import slip

LAYERS = {2048: (16, 24), 4096: (32, 36), 5120: (40, 48), 8192: (64, 80)}
"""Layers that models of these widths have."""

OLD_HEAD = 128
"""The dimension of each head in `params.dense` before its version 4."""

PARAMETERS = {
    "MHA": UNTIED,
    "GQA": UNTIED,
    "tied": UNTIED.removeprefix("2*"),
    "QKV biases": f"{UNTIED} + L*(h*e + 2*kv_heads*e)",
}
"""The parameters of each kind of model."""

KINDS: dict[str, dict[str, object]] = {"tied": {"tied": True}, "QKV biases": {"biases": "qkv"}}


def _heads_today(v: Values, pinned: Collection[str]) -> str:
    """Explain how heads differ from before version 4 if their number or the width is pinned, or return ""."""
    if v.e == OLD_HEAD or "e" in pinned or not {"d", "h"} & set(pinned):
        return ""
    return (
        f"{v.h} heads in a width of {v.d} are of dimension {v.e} today, where they were of dimension {OLD_HEAD}. "
        f"Pin e={OLD_HEAD} or e={v.e}"
    )


DENSE = Template(
    id="params.dense",
    objective="flops",
    grid={
        "d": tuple(LAYERS),
        "L": lambda v: LAYERS.get(v.d, (32,)),
        "f": lambda v: FFN_WIDTHS.get(v.d, (v.d * 7 // 2,)),
        "h": lambda v: (heads_of(v.d),),
        "kv_heads": lambda v: (8, v.h),
        "V": (32000, 128256, 151936),
        "e": lambda v: (head_dimension(v),),
    },
    prompt="How many parameters does a LLaMA-style model with {L} layers, width {d}, a feed-forward width (gated "
    "MLP) of {f}, {h} query heads and {kv_heads} KV heads of dimension {e}, a vocabulary of {V} and untied "
    "embeddings have? Ignore norms and biases.",
    answer=lambda v: v.layers + 2 * v.V * v.d,
    unit="param",
    tolerance=0.01,
    slips=(
        slip("two_ffn_mats", lambda v: v.answer - v.L * v.d * v.f),
        slip("no_vocab", lambda v: v.layers),
        slip("one_layer", lambda v: v.layers / v.L + 2 * v.V * v.d),
        slip("no_output_projection", lambda v: v.answer - v.L * v.d * v.h * v.e),
        slip("one_kv", lambda v: v.answer - v.L * v.d * v.kv_heads * v.e, approximate=True),
        slip("no_attention", lambda v: v.answer - v.parts["attention"]),
        slip("tied", lambda v: v.layers + v.V * v.d, approximate=True),
        slip("mha_not_gqa", lambda v: v.answer + v.L * 2 * v.d * (v.h - v.kv_heads) * v.e),
    ),
    hints=(
        "Count one layer, then the embeddings.",
        "A layer: three {d} × {f} matrices, Q and O of {d} × ({h} × {e}), and K and V, narrower with fewer heads.",
        "K and V are {d} × ({kv_heads} × {e}) each. Add 2 × {V} × {d} for embedding and output layer.",
    ),
    solution=(
        "MLP: 3 × {d} × {f}",
        "Q and O: 2 × {d} × {h} × {e}; K and V: 2 × {d} × {kv_heads} × {e}",
        "{L} layers: {layers:si}",
        "embedding and output layer: 2 × {V} × {d}",
        "together {answer:si}",
    ),
    given={
        "parts": lambda v: shape(v).parts,
        "layers": lambda v: v.parts["attention"] + v.parts["mlp"],
    },
    version=4,
    renamed={3: {"n": "h", "k": "kv_heads"}},
    changed=_heads_today,
)

EXACT = twin(
    id="params.exact",
    objective="flops",
    grid={
        "model": tuple(PARAMETERS),
        **decoder(lambda v: tuple(SMALL if v.model == "MHA" else LARGE)),
    },
    prompt=STEM
    + "{biased} has a bias. Embedding and output layer are {matrices}. Exactly how many parameters does it have?",
    formula=lambda v: PARAMETERS[v.model],
    answer=lambda v: v.it.parameters,
    unit="param",
    tolerance=0,
    slips=(
        slip("two_ffn_mats", lambda v: v.answer - v.L * v.d * v.f),
        slip("tied", lambda v: v.answer - v.V * v.d if v.model != "tied" else None),
        slip("untied", lambda v: v.answer + v.V * v.d if v.model == "tied" else None),
        slip("no_norms", lambda v: v.answer - v.norms),
        slip("no_final_norm", lambda v: v.answer - v.d),
        slip("norm_pairs", lambda v: v.answer + v.norms),
        slip(
            "plain_4d",
            lambda v: 12 * v.L * v.d**2 + 2 * v.V * v.d if v.h == v.kv_heads else None,
            message="You used 12·L·d²: no norms, and an MLP of two matrices of width 4d; it has three of {f}.",
        ),
        slip("no_output_projection", lambda v: v.answer - v.L * v.d * v.h * v.e),
        slip("no_vocab", lambda v: v.answer - v.V * v.d * (1 if v.model == "tied" else 2)),
        slip("mha_not_gqa", lambda v: v.answer + 2 * v.L * v.into * (v.h - v.kv_heads) * v.e),
        slip("square_q", lambda v: v.answer + v.L * (v.d + v.into) * (v.d - v.h * v.e)),
        slip("one_kv", lambda v: v.answer - v.L * v.into * v.kv_heads * v.e),
        slip("no_biases", lambda v: v.answer - v.biases),
        slip("bias_per_input", lambda v: v.answer - v.biases + 3 * v.L * v.d if v.biases else None),
        slip("bias_everywhere", lambda v: v.answer + v.L * (2 * v.d + 2 * v.f) if v.biases else None),
    ),
    hints=(
        "Count the matrices first, then the vectors.",
        "Attention has four matrices and a SwiGLU MLP has three. How wide are K and V?",
        "There are 2 × {L} + 1 norms of length {d}, and {matrices} of {V} × {d}.",
    ),
    solution=(
        "attention: 2·d·h·e for Q and O, 2·d·kv_heads·e for K and V{more}",
        "MLP: 3·d·f; norms: 2·d",
        "times L layers, one more norm, and {matrices} of V × d",
        "{answer:n} parameters",
    ),
    given={
        "it": lambda v: shape(v, **KINDS.get(v.model, {})),
        "matrices": lambda v: "one matrix" if v.model == "tied" else "two matrices",
        "biases": lambda v: v.L * (v.h + 2 * v.kv_heads) * v.e if v.model == "QKV biases" else 0,
        "into": lambda v: v.d + bool(v.biases),  # weights of each of Q's, K's and V's outputs
        "biased": lambda v: "Each of Q, K and V, and no other matrix," if v.biases else "No matrix",
        "more": lambda v: " with their biases" if v.model == "QKV biases" else "",
        "norms": lambda v: v.it.parts["norms"],
    },
)

DEEP_LINEAR = Template(
    id="params.deep_linear",
    objective="flops",
    grid={"L": (2, 3, 4, 8, 16), "d": (4, 16, 64, 256, 1024)},
    prompt="A deep linear network has {L} layers of width {d}, matrices of {d} × {d}, and a {d} × 1 head, all "
    "without biases. Exactly how many parameters does it have?",
    answer=lambda v: v.L * v.d * v.d + v.d,
    unit="param",
    tolerance=0,
    slips=(
        slip(
            "no_head",
            lambda v: v.L * v.d * v.d,
            "Did you count the head?",
            "That leaves out the head, which adds {d} more.",
        ),
        slip("one_layer", lambda v: v.d * v.d + v.d),
        slip("square_head", lambda v: (v.L + 1) * v.d * v.d),
        slip("with_biases", lambda v: v.answer + v.L * v.d + 1),
        slip("forgot_square", lambda v: v.L * v.d + v.d),
    ),
    hints=(
        "Count the entries of each matrix.",
        "A {d} × {d} matrix has {d}² entries.",
        "{L} × {d}² for the layers, and the head.",
    ),
    solution=("{L} × {d}² + {d} = {answer:n}",),
    version=2,
    renamed={2: {"D": "d"}},
)

GPT2 = twin(
    id="params.gpt2_style",
    objective="flops",
    grid={"d": tuple(SMALL), "L": (14, 20, 28, 44), "s": LENGTHS, "V": VOCABULARIES},
    prompt="A GPT-2-style model has L = {L} layers of width d = {d}: multi-head attention, an MLP of two matrices "
    "with a GELU and a feed-forward width of 4d, a bias on every matrix, two LayerNorms in each layer and "
    "one at the end, learned positions for s = {s} tokens, and a vocabulary of V = {V}. The output layer is the "
    "embedding again. Exactly how many parameters does it have?",
    formula="V*d + s*d + L*(12*d^2 + 13*d) + 2*d",
    answer=lambda v: v.gpt2.parameters,
    unit="param",
    tolerance=0,
    slips=(
        slip("no_biases", lambda v: v.answer - 9 * v.L * v.d),
        slip("no_positions", lambda v: v.answer - v.s * v.d),
        slip("untied", lambda v: v.answer + v.V * v.d),
        slip("no_vocab", lambda v: v.answer - v.V * v.d),
        slip("rms_norms", lambda v: v.answer - (2 * v.L + 1) * v.d),
        slip("no_norms", lambda v: v.answer - v.gpt2.parts["norms"]),
        slip("no_final_norm", lambda v: v.answer - 2 * v.d),
        slip("rule_of_thumb", lambda v: 12 * v.L * v.d**2),
        slip("gated", lambda v: v.answer + v.L * 4 * v.d * (v.d + 1)),
    ),
    hints=(
        "Count the matrices first, then the vectors.",
        "Matrices of a layer: 4 of {d} × {d}, and two of {d} × (4 × {d}).",
        "Vectors of a layer: biases of 4d for attention and of 5d for the MLP, and two norms of 2d each.",
    ),
    solution=(
        "matrices of a layer: 4·d² + 8·d²",
        "vectors of a layer: 4·d + 5·d biases, 4·d in norms",
        "times L layers; V·d for the vocabulary, s·d for positions, 2·d for the last norm",
        "{answer:n} parameters",
    ),
    given={
        "gpt2": lambda v: shape(
            v, ffn_width=4 * v.d, gated=False, tied=True, biases="all", layer_norm=True, positions=v.s
        )
    },
)

EXERCISES = (DENSE, EXACT, GPT2, DEEP_LINEAR)
