"""Ask for FLOPs beyond the rule of thumb: recomputation, experts, attention."""

from studykit.exercise import Check, Template

from ._sizes import MODELS, B, tokens_of_a_run, whole
from ._slips import scaled, slip
from .flops_training import PASSES

RECOMPUTE = Template(
    id="flops.recompute_extra",
    objective="flops",
    grid={"N": MODELS, "D": tokens_of_a_run},
    prompt="Every layer's forward pass is computed a second time during the backward pass (full activation "
    "recomputation). How many extra FLOPs does this cost over a whole run of {N:si} parameters on {D:si} tokens? "
    "Dense model, no attention term; count a multiply-add as 2 FLOPs.",
    answer=lambda v: 2 * v.N * v.D,
    unit="FLOP",
    tolerance=0.02,
    slips=(
        slip("gave_total", scaled(4)),
        slip("mac_as_flop", scaled(0.5)),
        slip("gave_base", scaled(3)),
        slip("backward_again", scaled(2)),
        slip("twenty_percent", scaled(0.6)),
    ),
    hints=(
        "Which pass is repeated?",
        "Everything that is repeated is one forward pass.",
        "A forward pass is 2 per parameter per token.",
    ),
    solution=("one more forward pass: 2 per parameter per token", "2 × {N:si} × {D:si} = {answer:e} FLOP (+33 %)"),
    version=2,
)

EXPERTS = {
    whole(5.1): 117 * B,
    13 * B: 284 * B,
    17 * B: 400 * B,
    22 * B: 235 * B,
    32 * B: 1000 * B,
    37 * B: 671 * B,
    39 * B: 141 * B,
}
"""All parameters by the active ones: gpt-oss-120b, DeepSeek V4-Flash, Llama 4 Maverick, Qwen3-235B-A22B, Kimi K2,
DeepSeek-V3, Mixtral 8x22B (Raschka, LLM architecture gallery)."""

MOE = Template(
    id="flops.moe",
    objective="flops",
    grid={
        "Na": tuple(EXPERTS),
        "Nt": lambda v: (EXPERTS.get(v.Na, 10 * v.Na),),
        "D": (2000 * B, 8000 * B, whole(14800), 22000 * B),
    },
    prompt="A mixture of experts has {Nt:si} parameters in all, of which {Na:si} are active for a token. It is "
    "trained on {D:si} tokens. How many FLOPs does that take? No attention term, no routing, nothing recomputed; "
    "count a multiply-add as 2 FLOPs.",
    answer=lambda v: 6 * v.Na * v.D,
    unit="FLOP",
    tolerance=0.02,
    slips=(slip("total_params", lambda v: 6 * v.Nt * v.D), *PASSES),
    hints=(
        "Which parameters do work for a given token?",
        "A token visits only the experts it is routed to.",
        "6 FLOPs for each active parameter and token.",
    ),
    checks=(Check(lambda v: v.Na <= v.Nt, "of {Nt:si} parameters in all, {Na:si} cannot be active"),),
    solution=("only the active parameters work", "6 × {Na:si} × {D:si} = {answer:e} FLOP"),
    version=2,
)

MLPS = {
    "plain": ("an MLP of two matrices, d × 4d and 4d × d,", "2 × 4d²"),
    "gated": ("a gated MLP of three matrices of width 8d/3", "3 × 8d²/3"),
}
"""What a layer may have, and its weights: as many in both."""

SHARE = Template(
    id="flops.attn_share",
    objective="flops",
    grid={"mlp": tuple(MLPS), "d": (2048, 4096, 8192, 12288), "T": (2048, 8192, 32768, 131072)},
    prompt="A transformer of width d = {d} has {shape} in each layer, and its context is T = {T} tokens. What is "
    "the ratio of the FLOPs of scores and weighted values to those of all weight matmuls? MHA with heads × head "
    "dimension = d; count the full score matrix (no saving from the causal mask) and leave out the output "
    "layer over the vocabulary.",
    answer=lambda v: v.T / (6 * v.d),
    unit="number",
    tolerance=0.02,
    slips=(
        slip(
            "vs_qkvo_only",
            scaled(3),
            "Which weight matrices does a layer have?",
            "That compares only with the four attention matrices, 4d²; the MLP has 8d² more.",
        ),
        slip("wide_gated", lambda v: v.T / (8 * v.d) if v.mlp == "gated" else None),
        slip(
            "two_ffn_mats",
            lambda v: 2 * v.T / (v.d * (4 + 16 / 3)) if v.mlp == "gated" else None,
            "How many matrices does a gated MLP have?",
            "That counts two matrices of d × 8d/3; a gated MLP has three: gate, up and down.",
        ),
        slip("mlp_only", scaled(1.5)),
        slip(
            "causal_half",
            scaled(0.5),
            "Does the question count the saving of the causal mask?",
            "That halves the scores for the causal mask; the question counts the full matrix.",
        ),
        slip("inverted", lambda v: 1 / v.answer),
        slip("of_all", lambda v: v.answer / (1 + v.answer), approximate=True),
        slip("forgot_av", scaled(0.5)),
    ),
    hints=(
        "Count both per token and per layer, forward.",
        "Weights of a layer: 4d² in attention, and {sum} in the MLP. Each costs 2 FLOPs per token.",
        "Scores and values cost 2Td each per token; the weights cost 2 × (4 + 8) d².",
    ),
    solution=(
        "attention per token: 2Td + 2Td = 4Td",
        "weights per token: 2 × (4d² + {sum}) = 24d²",
        "T/(6d) = {T} / (6 × {d}) = {answer:number}",
    ),
    given={"shape": lambda v: MLPS[v.mlp][0], "sum": lambda v: MLPS[v.mlp][1]},
    version=2,
    renamed={2: {"D": "d"}},
)

EXERCISES = (RECOMPUTE, MOE, SHARE)
