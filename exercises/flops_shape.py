"""Ask for the FLOPs of a decoder by its shape: a forward pass and its parts, longer contexts, AdamW."""

from collections.abc import Callable

from studykit.exercise import Values

from ._shapes import LARGE, LENGTHS, SMALL, STEM, decoder, shape, twin
from ._sizes import B, M, whole
from ._slips import scaled, slip

PARTS = {
    "whole": ("all matmuls", "L*s*(4*d*h*e + 4*d*kv_heads*e + 4*s*h*e + 6*d*f) + 2*s*d*V"),
    "QKVO": ("the four projections of attention (Q, K, V and output)", "L*s*(4*d*h*e + 4*d*kv_heads*e)"),
    "scores": ("scores and weighted values (Q Kᵀ and its product with V)", "4*L*h*s^2*e"),
    "MLP": ("the MLPs", "6*L*s*d*f"),
    "output": ("the output layer", "2*s*d*V"),
}
"""Parts of a forward pass: their names in a question, and their formulas."""

OF_SHAPE = {"QKVO": "qkvo", "scores": "scores", "MLP": "mlp", "output": "output"}
COUNTING = "Count a multiply-add as 2 FLOPs, the output layer for every token, and the whole score matrix."


def _flops(v: Values) -> dict[str, float]:
    """Return the FLOPs of each part of a forward pass, and of the whole."""
    parts = shape(v).flops(v.s)
    return {"whole": sum(parts.values()), **{part: parts[name] for part, name in OF_SHAPE.items()}}


FORWARD = twin(
    id="flops.shape_forward",
    objective="flops",
    grid={
        "part": tuple(PARTS),
        **decoder(lambda v: tuple(LARGE if v.part == "QKVO" else SMALL)),
        "s": LENGTHS,
    },
    prompt=STEM + "How many FLOPs go into {what} in a forward pass of s = {s} tokens? " + COUNTING,
    formula=lambda v: PARTS[v.part][1],
    answer=lambda v: v.flops[v.part],
    unit="FLOP",
    slips=(
        slip("mac_as_flop", scaled(0.5)),
        slip("no_head", lambda v: v.answer - v.flops["output"] if v.part == "whole" else None, approximate=True),
        slip(
            "two_ffn_mats",
            lambda v: v.answer - v.flops["MLP"] / 3 if v.part in {"whole", "MLP"} else None,
            approximate=True,
        ),
        slip(
            "forgot_av",
            lambda v: v.answer - v.flops["scores"] / 2 if v.part in {"whole", "scores"} else None,
            approximate=True,
        ),
        slip(
            "no_quadratic", lambda v: v.answer - v.flops["scores"] if v.part == "whole" else None, approximate=True
        ),
        slip(
            "causal_half",
            lambda v: v.answer - v.flops["scores"] / 2 if v.part in {"whole", "scores"} else None,
            approximate=True,
        ),
        slip(
            "mha_not_gqa", lambda v: v.answer + v.wider if v.part in {"whole", "QKVO"} else None, approximate=True
        ),
        slip(
            "no_output_projection",
            lambda v: v.answer - 2 * v.L * v.s * v.d * v.h * v.e if v.part in {"whole", "QKVO"} else None,
        ),
        slip("square_q", lambda v: v.answer + v.square if v.part in {"whole", "QKVO"} else None, approximate=True),
        slip(
            "one_layer",
            lambda v: v.once + (v.answer - v.once) / v.L if v.part != "output" else None,
            approximate=True,
        ),
        slip("linear_in_seq", lambda v: v.answer / v.s if v.part == "scores" else None),
        slip("forgot_heads", lambda v: v.answer / v.h if v.part == "scores" else None),
        slip("for_each_head", lambda v: v.answer * v.d / v.e if v.part == "scores" else None),
        slip(
            "width_not_heads",
            lambda v: v.answer * v.d / (v.h * v.e) if v.part == "scores" else None,
            approximate=True,
        ),
        slip("plain_4d", lambda v: 16 * v.L * v.s * v.d**2 if v.part == "MLP" else None, approximate=True),
        slip(
            "embedding_too",
            lambda v: v.answer + v.flops["output"] if v.part in {"whole", "output"} else None,
            approximate=True,
        ),
        slip("per_layer", lambda v: v.answer * v.L if v.part == "output" else None),
        slip("last_token", lambda v: v.answer / v.s if v.part == "output" else None),
        slip("forgot_seq", lambda v: v.answer / v.s if v.part in {"QKVO", "MLP"} else None),
        slip("with_backward", scaled(3)),
    ),
    hints=(
        "List the matmuls that are asked for, each with its rows, its inner dimension and its columns.",
        "A matmul takes 2 × rows × inner dimension × columns.",
        "Weight matrices meet {s} rows. Scores and values have no weights: each head has {s} × {s} scores.",
    ),
    solution=(
        "Q and output: 4·s·d·h·e; K and V: 4·s·d·kv_heads·e; scores and values: 4·s²·h·e; MLP: 6·s·d·f",
        "times L layers; the output layer once, 2·s·d·V",
        "{answer:e} FLOP",
    ),
    given={
        "what": lambda v: PARTS[v.part][0],
        "flops": _flops,
        "once": lambda v: v.flops["output"] if v.part == "whole" else 0.0,
        "wider": lambda v: 4 * v.L * v.s * v.d * (v.h - v.kv_heads) * v.e,
        "square": lambda v: 4 * v.L * v.s * v.d * (v.d - v.h * v.e),
    },
)


def _share_without(part: str, missing: float = 1) -> Callable[[Values], float | None]:
    """Return the formula of the asked share without a fraction of `part`. It gives None if nothing is left."""

    def share(v: Values) -> float | None:
        left_out = missing * v.flops[part]
        counted = v.flops[v.part] - (left_out if v.part == part else 0)
        return float(counted / (v.flops["whole"] - left_out)) if counted else None

    return share


SHARE = twin(
    id="flops.shape_share",
    objective="flops",
    grid={"part": tuple(OF_SHAPE), **decoder(), "s": LENGTHS},
    prompt=STEM + "What percentage of the FLOPs of a forward pass of s = {s} tokens goes into {what}? " + COUNTING,
    formula=lambda v: f"{PARTS[v.part][1]} / ({PARTS['whole'][1]})",
    answer=lambda v: v.flops[v.part] / v.flops["whole"],
    unit="%",
    tolerance=0.02,
    slips=(
        slip("no_head", _share_without("output"), approximate=True),
        slip("two_ffn_mats", _share_without("MLP", 1 / 3), approximate=True),
        slip("forgot_av", _share_without("scores", 1 / 2), approximate=True),
        slip("vs_rest", lambda v: v.answer / (1 - v.answer), approximate=True),
        slip("vs_qkvo_only", lambda v: v.flops["scores"] / v.flops["QKVO"] if v.part == "scores" else None),
        slip("no_quadratic", _share_without("scores"), approximate=True),
    ),
    hints=(
        "Work out the FLOPs of every part, then divide.",
        "Weights take 2 FLOPs for each token; scores and values take 4·s·h·e a token in each layer.",
        "Weights: projections 2·d·e·(h + kv_heads), MLP 3·d·f, each in every layer, and the output layer d·V.",
    ),
    solution=(
        "all of a layer for s tokens: 4·s·d·e·(h + kv_heads) + 4·s²·h·e + 6·s·d·f; output layer: 2·s·d·V",
        "{part_flops:e} of {all_flops:e} FLOP",
        "{answer:%}",
    ),
    given={
        "what": lambda v: PARTS[v.part][0],
        "flops": _flops,
        "part_flops": lambda v: v.flops[v.part],
        "all_flops": lambda v: v.flops["whole"],
    },
)


LONGER = twin(
    id="flops.longer_context",
    objective="flops",
    grid={**decoder(), "s": (512, 2048), "T": (8192, 32768, 65536)},
    prompt=STEM
    + "A sequence grows from s = {s} tokens to a context of T = {T} tokens. By what factor do the FLOPs "
    "of its forward pass grow? " + COUNTING,
    formula="T*(L*(4*d*e*(h + kv_heads) + 4*T*h*e + 6*d*f) + 2*d*V)"
    " / (s*(L*(4*d*e*(h + kv_heads) + 4*s*h*e + 6*d*f) + 2*d*V))",
    answer=lambda v: v.after / v.before,
    unit="number",
    tolerance=0.02,
    slips=(
        slip(
            "linear_in_seq",
            lambda v: v.T / v.s,
            "Does every part grow in proportion to the length?",
            "You used the length once; scores and weighted values grow with its square.",
        ),
        slip("squared", lambda v: (v.T / v.s) ** 2),
        slip("per_token", lambda v: v.answer * v.s / v.T),
        slip("no_head", lambda v: (v.after - v.head * v.T) / (v.before - v.head * v.s), approximate=True),
        slip("two_ffn_mats", lambda v: (v.after - v.gate * v.T) / (v.before - v.gate * v.s), approximate=True),
    ),
    hints=(
        "Which parts grow with the length, and which with its square?",
        "Weights take as much for each token as before; each score matrix has T² entries.",
        "A layer takes 4·d·e·(h + kv_heads) + 6·d·f for a token, and 4·h·e for each token that it attends to.",
    ),
    solution=("before: {before:e} FLOP", "after: {after:e} FLOP", "{answer:number}"),
    given={
        "before": lambda v: sum(shape(v).flops(v.s).values()),
        "after": lambda v: sum(shape(v).flops(v.T).values()),
        "head": lambda v: 2 * v.d * v.V,
        "gate": lambda v: 2 * v.L * v.d * v.f,
    },
)

ADAMW = twin(
    id="flops.adamw_step",
    objective="flops",
    grid={"N": (125 * M, 350 * M, whole(1.3), 3 * B, 8 * B, 13 * B, 34 * B, 70 * B)},
    prompt="The gradients of N = {N:si} parameters are there. How many FLOPs does AdamW with weight decay take to "
    "update them once, without a master copy? Count each +, −, ×, ÷ and √ on a number of a tensor as one. What is "
    "computed once for all parameters (the step's learning rate with its bias corrections, 1 − β) is free. Decay "
    "subtracts a multiple of each weight.",
    formula="14*N",
    answer=lambda v: 14 * v.N,
    unit="FLOP",
    tolerance=0.02,
    slips=(
        slip("no_decay", lambda v: 12 * v.N),
        slip("decay_as_factor", lambda v: 13 * v.N),
        slip("bias_for_each", lambda v: 16 * v.N),
        slip("moments_only", lambda v: 7 * v.N),
        slip("fma_as_one", lambda v: 10 * v.N),
        slip("one_per_parameter", lambda v: v.N),
        slip(
            "training_6",
            lambda v: 6 * v.N,
            "Is that the update, or a pass?",
            "You used 6 for each parameter, a forward and a backward pass for one token; the update is 14.",
        ),
        slip("bytes", lambda v: 16 * v.N),
    ),
    hints=(
        "Write the update of one parameter, line by line, and count its signs.",
        "Lines: the decay, m, v, then the step. Squares, roots and quotients count too.",
        "m takes two × and one +; v takes one × more, for the square.",
    ),
    solution=(
        "decay: one × and one −; m: 3; v: 4",
        "update: a root, + ε, ÷, × the learning rate, −: 5",
        "14 × {N:si} = {answer:e} FLOP",
    ),
)

EXERCISES = (FORWARD, SHARE, LONGER, ADAMW)
