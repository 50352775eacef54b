"""Ask for the FLOPs of single tensor operations."""

from studykit.exercise import Template

from ._slips import over, scaled, slip

POWERS = (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)
THREE = (
    "Is that one matmul or three?",
    "That is three matmuls, the cost of a training step; the question asks for one.",
)

MATMUL = Template(
    id="flops.matmul",
    objective="flops",
    grid={"m": POWERS, "k": (256, 512, 1024, 2048, 4096, 8192, 16384, 32768), "n": POWERS},
    prompt="How many FLOPs does the matmul `X @ W` take, X of shape ({m}, {k}) and W of shape ({k}, {n})? "
    "Count a multiply-add as 2 FLOPs.",
    answer=lambda v: 2 * v.m * v.k * v.n,
    unit="FLOP",
    tolerance=0.01,
    slips=(
        slip("mac_as_flop", lambda v: v.m * v.k * v.n),
        slip("no_inner_dim", lambda v: 2 * v.m * v.n),
        slip("add_dims", lambda v: 2 * (v.m * v.k + v.k * v.n)),
        slip("with_backward", lambda v: 6 * v.m * v.k * v.n, *THREE),
    ),
    hints=(
        "Count the work for one element of the output, then count the elements.",
        "One output element is a dot product of length {k}. There are {m} × {n} of them.",
        "There are m × k × n pairs to multiply; each product is also added to a sum.",
    ),
    solution=(
        "outputs: {m} × {n}",
        "each takes {k} multiplies and {k} adds",
        "2 × {m} × {k} × {n} = {answer:e} FLOP",
    ),
    version=2,
    renamed={2: {"B": "m", "D": "k", "K": "n"}},
)

BATCHED = Template(
    id="flops.batched",
    objective="flops",
    grid={
        "b": (2, 4, 8, 16, 32, 64),
        "s": (128, 256, 512, 1024, 2048, 4096),
        "d": (512, 1024, 2048, 4096, 8192),
        "n": (512, 1024, 2048, 4096, 8192, 16384),
    },
    prompt="How many FLOPs does the matmul `x @ W` take, x of shape ({b}, {s}, {d}) and W of shape ({d}, {n})? "
    "Count a multiply-add as 2 FLOPs.",
    answer=lambda v: 2 * v.b * v.s * v.d * v.n,
    unit="FLOP",
    tolerance=0.01,
    slips=(
        slip("mac_as_flop", lambda v: v.b * v.s * v.d * v.n),
        slip("forgot_seq", lambda v: 2 * v.b * v.d * v.n),
        slip("forgot_batch", lambda v: 2 * v.s * v.d * v.n),
        slip(
            "no_inner_dim",
            over("d"),
            "How much work is one element of the output?",
            "That counts one multiply and add for each output; each is a dot product of length {d}.",
        ),
        slip("with_backward", scaled(3), *THREE),
    ),
    hints=(
        "What do the leading dimensions do to a matmul?",
        "Leading dimensions are only more rows: think of one matrix with {b} × {s} rows.",
        "It is a ({b} × {s}, {d}) @ ({d}, {n}) matmul: 2 × rows × inner × columns.",
    ),
    solution=("rows: {b} × {s}", "2 × ({b} × {s}) × {d} × {n} = {answer:e} FLOP"),
    version=2,
    renamed={2: {"k": "n"}},
)

SCORES = Template(
    id="flops.attn_scores",
    objective="flops",
    grid={
        "b": (1, 2, 4, 8, 16, 32),
        "h": (8, 12, 16, 32, 64),
        "s": (512, 1024, 2048, 4096, 8192),
        "e": (64, 128),
    },
    prompt="How many FLOPs do attention scores take, Q Kᵀ (queries times keys), for {b} sequences of length {s} "
    "with {h} heads of dimension {e}? Forward pass; count the full score matrix (no saving from the causal mask), "
    "and not the product with the values, V. Count a multiply-add as 2 FLOPs.",
    answer=lambda v: 2 * v.b * v.h * v.s**2 * v.e,
    unit="FLOP",
    tolerance=0.01,
    slips=(
        slip("mac_as_flop", lambda v: v.answer / 2),
        slip("forgot_heads", lambda v: v.answer / v.h),
        slip("forgot_batch", lambda v: v.answer / v.b),
        slip(
            "no_inner_dim",
            over("e"),
            "How much work is one score?",
            "That counts one multiply and add for each score; each is a dot product of length {e}.",
        ),
        slip("linear_in_seq", lambda v: v.answer / v.s),
        slip("qk_and_av", lambda v: 2 * v.answer),
        slip("causal_half", lambda v: v.answer / 2),
    ),
    hints=(
        "How many scores are there, and what does each cost?",
        "Each head of each sequence makes {s} × {s} scores.",
        "As an einsum `b h s e, b h t e -> b h s t`: 2 × every named dimension once.",
    ),
    solution=(
        "scores: {b} × {h} × {s} × {s}",
        "each is a dot product of length {e}: 2 × {e} FLOPs",
        "2 × {b} × {h} × {s}² × {e} = {answer:e} FLOP",
    ),
    version=2,
)

EINSUM = Template(
    id="flops.einsum",
    objective="flops",
    grid={
        "b": (1, 2, 4, 8, 16),
        "s": (1, 128, 512, 2048),
        "t": (8192, 32768, 131072),
        "h": (8, 16, 32),
        "e": (64, 128),
    },
    prompt="How many FLOPs does `einsum('b s h e, b t h e -> b h s t')` take with b={b}, s={s}, t={t}, h={h}, "
    "e={e}? Count a multiply-add as 2 FLOPs.",
    answer=lambda v: 2 * v.b * v.s * v.t * v.h * v.e,
    unit="FLOP",
    tolerance=0.01,
    slips=(
        slip("mac_as_flop", lambda v: v.answer / 2),
        slip("batch_dims_twice", lambda v: v.answer * v.b * v.h),
        slip("forgot_batch", lambda v: v.answer / v.b),
        slip("forgot_heads", lambda v: v.answer / v.h),
        slip("queries_as_keys", lambda v: v.answer * v.s / v.t),
        slip("no_contract_dim", lambda v: v.answer / v.e),
    ),
    hints=(
        "List the distinct names.",
        "Names that both inputs share, and names that are summed away, count once each.",
        "2 × the product of all distinct names: b, s, t, h, e.",
    ),
    solution=("distinct names: b s t h e", "2 × {b} × {s} × {t} × {h} × {e} = {answer:e} FLOP"),
    version=2,
)

TWO_LAYERS = Template(
    id="flops.two_layer_fwd",
    objective="flops",
    grid={"B": (256, 1024, 4096, 16384), "d": (256, 1024, 4096, 32768), "n": (64, 512, 8192)},
    prompt="A batch of {B} points of width {d} goes through the matrix W1 of shape ({d}, {d}) and then W2 of "
    "({d}, {n}). How many FLOPs does the forward pass take? Count a multiply-add as 2 FLOPs.",
    answer=lambda v: 2 * v.B * (v.d * v.d + v.d * v.n),
    unit="FLOP",
    tolerance=0.01,
    slips=(
        slip("mac_as_flop", lambda v: v.answer / 2),
        slip("last_layer_only", lambda v: 2 * v.B * v.d * v.n),
        slip("first_layer_only", lambda v: 2 * v.B * v.d * v.d, approximate=True),
        slip("with_backward", lambda v: 3 * v.answer),
        slip("forgot_batch", over("B")),
    ),
    hints=(
        "Two matmuls, one after the other.",
        "How many parameters do the two matrices have together?",
        "Forward is 2 × data points × parameters.",
    ),
    solution=(
        "parameters: {d} × {d} + {d} × {n}",
        "2 × {B} × ({d} × {d} + {d} × {n}) = {answer:e} FLOP",
    ),
    version=2,
    renamed={2: {"D": "d", "K": "n"}},
)

EXERCISES = (MATMUL, BATCHED, SCORES, EINSUM, TWO_LAYERS)
