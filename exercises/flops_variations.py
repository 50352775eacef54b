"""FLOPs beyond the rule of thumb: recomputation, experts, attention."""

from studykit.exercise import Check, Template

from ._sizes import MODELS, TOKENS, B, whole
from ._slips import scaled, slip

RECOMPUTE = Template(
    id="flops.recompute_extra",
    objective="flops",
    grid={"N": MODELS, "D": TOKENS},
    prompt="Every layer's forward pass is computed a second time during the backward pass (full activation "
    "recomputation). How many extra FLOPs does this cost over a whole run of {N:si} parameters on {D:si} "
    "tokens? "
    "Dense model, no attention term; a multiply and an add count one each.",
    answer=lambda v: 2 * v.N * v.D,
    unit="FLOP",
    tolerance=0.02,
    slips=(
        slip("gave_total", scaled(4)),
        slip("gave_base", scaled(3), "Is that the extra part?", "That is the run without recomputation."),
        slip(
            "backward_again",
            scaled(2),
            "Which pass is repeated?",
            "That is a second backward pass; only the forward pass is repeated.",
        ),
        slip(
            "twenty_percent",
            scaled(0.6),
            "Where does the 20 % come from?",
            "The forward pass is 2 of 6, so the extra is a third, not a fifth.",
        ),
    ),
    hints=(
        "Which pass is repeated?",
        "Everything that is repeated is one forward pass.",
        "A forward pass is 2 per parameter per token.",
    ),
    solution=("one more forward pass: 2 per parameter per token", "2 × {N:si} × {D:si} = {answer:e} FLOP (+33 %)"),
)

MOE = Template(
    id="flops.moe",
    objective="flops",
    grid={
        "Na": (13 * B, 17 * B, 22 * B, 37 * B),
        "Nt": (141 * B, 235 * B, 400 * B, 671 * B),
        "D": (2000 * B, 8000 * B, whole(14800), 22000 * B),
    },
    prompt="A mixture of experts has {Nt:si} parameters in all, of which {Na:si} are active for a token. It is "
    "trained on {D:si} tokens. How many FLOPs does that take? No attention term, no routing, nothing "
    "recomputed; a multiply and an add count one each.",
    answer=lambda v: 6 * v.Na * v.D,
    unit="FLOP",
    tolerance=0.02,
    slips=(
        slip(
            "total_params",
            lambda v: 6 * v.Nt * v.D,
            "Which parameters does one token visit?",
            "A token visits only its active experts.",
        ),
        slip("forward_only", scaled(1 / 3)),
        slip("mac_as_flop", scaled(0.5)),
    ),
    hints=(
        "Which parameters do work for a given token?",
        "A token visits only the experts it is routed to.",
        "6 FLOPs for each active parameter and token.",
    ),
    checks=(Check(lambda v: v.Na <= v.Nt, "of {Nt:si} parameters in all, {Na:si} cannot be active"),),
    solution=("only the active parameters work", "6 × {Na:si} × {D:si} = {answer:e} FLOP"),
)

SHARE = Template(
    id="flops.attn_share",
    objective="flops",
    grid={"D": (2048, 4096, 8192, 12288), "T": (2048, 8192, 32768, 131072)},
    prompt="In a transformer of width d = {D} with a gated MLP of width 4d, the context is T = {T} tokens. What "
    "is the ratio of the FLOPs in Q Kᵀ and A V to the FLOPs in all weight matmuls? MHA with heads × head "
    "dimension = d, the "
    "causal mask saves nothing, the vocabulary head is left out.",
    answer=lambda v: v.T / (8 * v.D),
    unit="number",
    tolerance=0.02,
    slips=(
        slip(
            "vs_qkvo_only",
            scaled(4),
            "Which weight matrices does a layer have?",
            "That compares with the four attention matrices only; the MLP has three more, each four times as "
            "large.",
        ),
        slip(
            "plain_mlp",
            scaled(4 / 3),
            "How many matrices has a gated MLP?",
            "That has two MLP matrices, 12d² in all; a gated MLP of width 4d has three, so 16d².",
        ),
        slip("inverted", lambda v: 1 / v.answer),
        slip(
            "forgot_av",
            scaled(0.5),
            "What happens to the scores afterwards?",
            "The product with V costs as much as the scores.",
        ),
    ),
    hints=(
        "Count both per token and per layer, forward.",
        "Weights per layer: 4d² in attention, 3 × 4d² in the gated MLP. Each costs 2 FLOPs per token.",
        "Scores and values cost 2Td each per token; the weights cost 2 × 16d².",
    ),
    solution=(
        "attention per token: 2Td + 2Td = 4Td",
        "weights per token: 2 × (4 + 12) d² = 32d²",
        "T/(8d) = {T} / (8 × {D}) = {answer:number}",
    ),
)

EXERCISES = (RECOMPUTE, MOE, SHARE)
