"""Ask for the arithmetic intensity of products: dot, matrix-vector, matmul, attention, gated MLP."""

from studykit.exercise import Check, Template, Values

from ._sizes import FFN_WIDTHS, on_h100
from ._slips import OTHER_DTYPE, SIZE, scaled, slip

DOT = Template(
    id="ai.dot",
    objective="intensity",
    grid={"n": (256, 1024, 4096, 2**16, 2**18, 2**20, 2**24), "dt": ("bf16", "fp32", "fp8")},
    prompt="What is the arithmetic intensity of the dot product of two {dt} vectors of length {n:n}? Count 2n − 1 "
    "FLOPs; everything is moved once.",
    answer=lambda v: (2 * v.n - 1) / (v.size * (2 * v.n + 1)),
    unit="FLOP/byte",
    tolerance=0.03,
    slips=(
        slip("mac_as_flop", scaled(0.5)),
        slip("one_input", scaled(2)),
        slip("per_element", lambda v: 1.0 if v.size > 1 else None),
        OTHER_DTYPE,
        slip("inverted", lambda v: 1 / v.answer),
        slip("vector_result", scaled(2 / 3)),
    ),
    hints=(
        "Two inputs, and one number out.",
        "About 2 FLOPs for every pair of elements.",
        "So about one FLOP for each element that is read, of {size} bytes.",
    ),
    solution=("FLOPs: 2n − 1", "bytes: {size} × (2n + 1)", "about 1 / {size}: {answer:FLOP/byte}"),
    given=SIZE,
    roof=on_h100,
    version=2,
)

MATVEC = Template(
    id="ai.matvec",
    objective="intensity",
    grid={"n": (512, 1024, 2048, 4096, 8192, 16384), "dt": ("bf16", "fp32", "fp8")},
    prompt="What is the arithmetic intensity of a {n} × {n} matrix times a vector in {dt}? Count n(2n − 1) FLOPs; "
    "matrix, vector and result are moved once.",
    answer=lambda v: v.n * (2 * v.n - 1) / (v.size * (v.n**2 + 2 * v.n)),
    unit="FLOP/byte",
    tolerance=0.03,
    slips=(
        slip("mac_as_flop", scaled(0.5)),
        slip("as_matmul", lambda v: (2 * v.n - 1) / (3 * v.size)),
        slip("per_element", lambda v: 2.0 if v.size > 1 else None),
        OTHER_DTYPE,
        slip("gave_size", lambda v: v.n),
    ),
    hints=(
        "Which of the three tensors dominates the bytes?",
        "Each element of the matrix is read once, for one multiply and one add.",
        "2 FLOPs for {size} bytes, nearly.",
    ),
    solution=(
        "FLOPs: n(2n − 1)",
        "bytes: {size} × (n² + 2n)",
        "about 2 / {size}: {answer:FLOP/byte}",
    ),
    given=SIZE,
    version=3,
    roof=on_h100,
)

SQUARE = Template(
    id="ai.matmul_square",
    objective="intensity",
    grid={"n": (128, 256, 512, 1024, 2048, 4096, 8192), "dt": ("bf16", "fp32", "fp8")},
    prompt="What is the arithmetic intensity of a square {n} × {n} matmul in {dt}? Count exactly n²(2n − 1) "
    "FLOPs; each matrix is moved once.",
    answer=lambda v: (2 * v.n - 1) / (3 * v.size),
    unit="FLOP/byte",
    tolerance=0.03,
    slips=(
        slip("mac_as_flop", scaled(0.5)),
        slip("forgot_write", scaled(1.5)),
        slip("one_matrix", scaled(3)),
        slip("per_element", lambda v: 2 * v.n / 3),
        OTHER_DTYPE,
        slip("n", lambda v: v.n),
    ),
    hints=(
        "How many matrices move, and how large are they?",
        "About 2n³ FLOPs over three matrices of n² elements.",
        "The n² cancels but for one n; an element takes {size} bytes.",
    ),
    solution=(
        "FLOPs: n²(2n − 1)",
        "bytes: 3 × {size} × n²",
        "(2 × {n} − 1) / (3 × {size}) = {answer:FLOP/byte}",
    ),
    given=SIZE,
    roof=on_h100,
)


def _without_write(v: Values) -> float | None:
    """Return the intensity without the result's bytes, or None if it is too close to m, which is another slip."""
    reads = v.m * v.k * v.n / (v.m * v.k + v.k * v.n)
    return float(reads) if reads < (1 - BAND) * v.m else None


BAND = 0.02
"""The fraction within which an answer counts as a slip's value."""

RECTANGLE = Template(
    id="ai.matmul_rect",
    objective="intensity",
    grid={"m": (16, 64, 256, 1024, 4096), "k": (4096, 8192), "n": (8192, 16384, 28672)},
    prompt="In a matmul X has shape ({m}, {k}), W has shape ({k}, {n}). What is the arithmetic intensity of `X @ "
    "W` in bf16, each matrix moved once? Count a multiply-add as 2 FLOPs.",
    answer=lambda v: v.m * v.k * v.n / (v.m * v.k + v.k * v.n + v.m * v.n),
    unit="FLOP/byte",
    tolerance=0.03,
    slips=(
        slip("batch_approx", lambda v: v.m, approximate=True),
        slip("mac_as_flop", scaled(0.5)),
        slip("other_dtype", scaled(0.5), message="You used 4 bytes an element; bf16 takes 2."),
        slip("forgot_write", _without_write, approximate=True),
        slip("elements", scaled(2)),
    ),
    hints=(
        "FLOPs of the matmul over the bytes of three matrices.",
        "2 × m × k × n FLOPs; m × k, k × n and m × n elements of 2 bytes, for m rows and an inner dimension k.",
        "The 2s cancel: the product of three sizes over the sum of their products in pairs.",
    ),
    solution=(
        "FLOPs: 2 × {m} × {k} × {n}",
        "bytes: 2 × ({m} × {k} + {k} × {n} + {m} × {n})",
        "{answer:FLOP/byte}",
    ),
    roof=on_h100,
    version=2,
    renamed={2: {"B": "m", "D": "k", "F": "n"}},
)

ATTENTION = Template(
    id="ai.attention",
    objective="inference",
    grid={"T": (1024, 4096, 16384), "q": lambda v: (v.T, v.T // 2, v.T // 4, v.T // 8, v.T // 16)},
    prompt="What is the arithmetic intensity of FlashAttention (MHA, bf16) for {q} query tokens over {T} keys "
    "in total, the query tokens' own included? No causal saving: 4 FLOPs for every query, key and unit of the "
    "head dimension; Q, K, V and the output are each moved once.",
    answer=lambda v: v.T * v.q / (v.T + v.q),
    unit="FLOP/byte",
    tolerance=0.03,
    slips=(
        slip("mac_as_flop", scaled(0.5)),
        slip("causal_half", scaled(0.5)),
        slip("forgot_av", scaled(0.5)),
        slip("forgot_write", lambda v: 2 * v.T * v.q / (2 * v.T + v.q), approximate=True),
        slip("prefill_formula", lambda v: v.T / 2),
        slip("queries_alone", lambda v: v.q, approximate=True),
        slip("elements", scaled(2)),
    ),
    checks=(Check(lambda v: v.q <= v.T, "{q} query tokens cannot be among {T} keys"),),
    hints=(
        "FLOPs over the bytes of Q, K, V and the output.",
        "K and V: 4 × {T} bytes per unit of the head dimension. Q and the output: 4 × {q}.",
        "4 × {T} × {q} FLOPs over those bytes; the head dimension cancels.",
    ),
    solution=("keys × queries / (keys + queries)", "{T} × {q} / ({T} + {q}) = {answer:FLOP/byte}"),
    roof=on_h100,
    version=4,
    renamed={2: {"S": "T", "T": "q"}},
)

GATED = Template(
    id="ai.gated_mlp",
    objective="inference",
    grid={"B": (1, 64, 256, 2048), "d": tuple(FFN_WIDTHS), "f": lambda v: FFN_WIDTHS.get(v.d, (v.d * 7 // 2,))},
    prompt="What is the arithmetic intensity of a gated MLP in bf16 for a batch of {B} tokens, width d = {d} "
    "and feed-forward width f = {f}? Count reads of the input and of the three weight matrices, and writes of the "
    "up, gate and down results; ignore re-reads. Count a multiply-add as 2 FLOPs.",
    answer=lambda v: v.flops / (4 * v.B * v.d + 4 * v.B * v.f + 6 * v.d * v.f),
    unit="FLOP/byte",
    tolerance=0.04,
    slips=(
        slip("mac_as_flop", scaled(0.5)),
        slip("other_dtype", scaled(0.5), message="You used 4 bytes an element; bf16 takes 2."),
        slip("tokens_approx", lambda v: v.B, approximate=True),
        slip("forgot_write", lambda v: v.flops / (2 * v.B * v.d + 6 * v.d * v.f), approximate=True),
        slip("elements", scaled(2)),
        slip("two_matrices", scaled(2 / 3)),
    ),
    hints=(
        "Three matmuls, and which bytes?",
        "6·B·d·f FLOPs for B tokens. Weights: 6·d·f bytes.",
        "Activations: 2·B·d bytes read, 2·B·f twice and 2·B·d written.",
    ),
    solution=(
        "FLOPs: 6 × {B} × {d} × {f}",
        "bytes: 4 × {B} × {d} + 4 × {B} × {f} + 6 × {d} × {f}",
        "{answer:FLOP/byte}",
    ),
    given={"flops": lambda v: 6 * v.B * v.d * v.f},
    roof=on_h100,
    version=3,
    renamed={3: {"n": "B", "D": "d", "F": "f"}},
)

EXERCISES = (DOT, MATVEC, SQUARE, RECTANGLE, ATTENTION, GATED)
