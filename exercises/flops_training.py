"""Ask for the FLOPs of training: forward, backward, the whole run."""

import math

from studykit.exercise import Between, Template

from ._sizes import DENSE, MODELS, RATIOS, B, M, those, tokens_of_a_run, whole
from ._slips import scaled, slip

PASSES = (
    slip("forward_only", scaled(1 / 3)),
    slip("backward_only", scaled(2 / 3)),
    slip("mac_as_flop", scaled(0.5)),
    slip("with_recompute", scaled(8 / 6)),
)
"""Slips of counting too few or too many passes over the parameters."""

BACKWARD = Template(
    id="flops.backward",
    objective="flops",
    grid={"N": (M, 125 * M, whole(1.3), 7 * B, 70 * B), "B": (1024, 65536, 524288, 4 * M)},
    prompt="How many FLOPs does the backward pass take for linear layers with {N:si} parameters in all, on {B:n} "
    "tokens? Count the gradient of every weight and of every layer's input, a multiply-add as 2 FLOPs.",
    answer=lambda v: 4 * v.N * v.B,
    unit="FLOP",
    tolerance=0.02,
    slips=(
        slip("backward_equals_forward", scaled(0.5)),
        slip("whole_step", scaled(1.5)),
        slip("mac_as_flop", scaled(0.5)),
    ),
    hints=(
        "Compare it with the forward pass.",
        "Each layer needs the gradient of its weights and the gradient of its input.",
        "Each of the two is a matmul as large as the forward one, 2 per parameter per token.",
    ),
    solution=(
        "gradient of the weights: 2 × {N:si} × {B:n}",
        "gradient of the inputs: as much again",
        "4 × {N:si} × {B:n} = {answer:e} FLOP",
    ),
    between=Between("the FLOPs of the forward pass", lambda v: 2 * v.N * v.B, "FLOP", ("mac_as_flop",)),
    version=2,
    renamed={2: {"P": "N", "n": "B"}},
)

TOTAL = Template(
    id="flops.train_total",
    objective="flops",
    grid={"N": MODELS, "D": tokens_of_a_run},
    prompt="A model with {N:si} parameters is trained on {D:si} tokens. How many FLOPs does the training take? "
    + DENSE,
    answer=lambda v: 6 * v.N * v.D,
    unit="FLOP",
    tolerance=0.02,
    slips=(*PASSES, slip("nd_only", scaled(1 / 6))),
    hints=(
        "How much work does one parameter do for one token, forward and backward?",
        "Forward is one multiply and one add. Backward is two such matmuls.",
        "2 forward + 4 backward for each parameter and token.",
    ),
    solution=("2 forward + 4 backward = 6 per parameter per token", "6 × {N:si} × {D:si} = {answer:e} FLOP"),
    version=2,
)

STEP = Template(
    id="flops.step",
    objective="flops",
    grid={"N": MODELS, "b": (256, 512, 1024, 2048), "s": (1024, 2048, 4096, 8192)},
    prompt="How many FLOPs does one training step (forward and backward) take for a model with {N:si} parameters, "
    "on a batch of {b} sequences of {s} tokens? " + DENSE,
    answer=lambda v: 6 * v.N * v.b * v.s,
    unit="FLOP",
    tolerance=0.02,
    slips=(
        slip("forgot_seq", lambda v: 6 * v.N * v.b),
        slip("forgot_batch", lambda v: 6 * v.N * v.s),
        slip("forward_only", scaled(1 / 3)),
        slip("backward_only", scaled(2 / 3)),
        slip("mac_as_flop", scaled(0.5)),
        slip("nd_only", scaled(1 / 6)),
        slip("with_recompute", scaled(8 / 6)),
    ),
    hints=(
        "How many tokens are in one step?",
        "Tokens in a step = sequences × length.",
        "6 FLOPs for each parameter and token, and there are {b} × {s} tokens.",
    ),
    solution=("tokens: {b} × {s}", "6 × {N:si} × {b} × {s} = {answer:e} FLOP"),
)

BUDGET = Template(
    id="flops.tokens_from_budget",
    objective="flops",
    units={"C": "FLOP"},
    grid={
        "C": (1e21, 3e21, 1e22, 5e22, 1e23, 1e24),
        "N": lambda v: those(MODELS, lambda count: RATIOS[0] <= v.C / (6 * count**2) <= RATIOS[1]),
    },
    prompt="Your cluster will deliver {C:e} FLOPs of training. On how many tokens can a model with {N:si} "
    "parameters be trained? " + DENSE,
    answer=lambda v: v.C / (6 * v.N),
    unit="token",
    tolerance=0.03,
    slips=(
        slip("forward_only", lambda v: v.C / (2 * v.N)),
        slip("no_six", lambda v: v.C / v.N),
        slip("multiplied", lambda v: 6 * v.N * v.C),
        slip("mac_as_flop", lambda v: v.C / (3 * v.N)),
        slip("with_recompute", lambda v: v.C / (8 * v.N)),
        slip("compute_optimal", lambda v: 20 * v.N),
    ),
    hints=(
        "Turn the rule for training FLOPs around.",
        "FLOPs = 6 × parameters × tokens. Which of them is unknown?",
        "Divide the budget by the cost of one token, 6 × {N:si}.",
    ),
    solution=("one token costs 6 × {N:si} FLOP", "{C:e} / (6 × {N:si}) = {answer:si} tokens"),
    version=3,
    renamed={3: {"Cb": "C"}},
)

CHINCHILLA = Template(
    id="flops.chinchilla_N",
    objective="flops",
    units={"C": "FLOP"},
    grid={"C": (1e20, 3e20, 1e21, 3e21, 1e22, 3e22, 1e23, 2e23, 3e23, 5.76e23, 1e24, 3e24, 1e25, 3e25)},
    prompt="You can spend {C:e} FLOPs on training. With 20 tokens for each parameter (the compute-optimal rule of "
    "thumb), how many parameters should the model have? " + DENSE,
    answer=lambda v: math.sqrt(v.C / 120),
    unit="param",
    tolerance=0.05,
    slips=(
        slip("forgot_ratio", lambda v: math.sqrt(v.C / 6)),
        slip("forgot_six", lambda v: math.sqrt(v.C / 20)),
        slip("forward_only", lambda v: math.sqrt(v.C / 40)),
        slip("with_recompute", lambda v: math.sqrt(v.C / 160)),
        slip("ratio_outside", lambda v: math.sqrt(v.C / 6) / 20),
        slip("gave_tokens", lambda v: 20 * v.answer),
        slip("forgot_sqrt", lambda v: v.C / 120),
    ),
    hints=(
        "Write the tokens in terms of the parameters.",
        "With 20 tokens per parameter, the cost grows with the square of the parameters.",
        "FLOPs = 6 × N × 20N. Solve for N.",
    ),
    solution=("D = 20 N, so C = 6 × N × 20 N = 120 N²", "N = √({C:e} / 120) = {answer:si}"),
    version=3,
    renamed={2: {"Cb": "C"}},
)

EXERCISES = (BACKWARD, TOTAL, STEP, BUDGET, CHINCHILLA)
