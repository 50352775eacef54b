"""Counting parameters."""

from studykit.exercise import Check, Template

from ._sizes import FFN_WIDTHS
from ._slips import slip

LAYERS = {2048: (16, 24), 4096: (32, 36), 5120: (40, 48), 8192: (64, 80)}
"""Layers that models of these widths have."""

DENSE = Template(
    id="params.dense",
    objective="flops",
    grid={
        "d": tuple(LAYERS),
        "L": lambda v: LAYERS.get(v.d, (32,)),
        "f": lambda v: FFN_WIDTHS.get(v.d, (v.d * 7 // 2,)),
        "h": lambda v: (v.d // 128,),
        "kv_heads": lambda v: (8, v.h),
        "V": (32000, 128256, 151936),
    },
    prompt="How many parameters does a LLaMA-style model with {L} layers, width {d}, a feed-forward width (gated "
    "MLP) of {f}, {h} query heads and {kv_heads} KV heads of dimension 128, a vocabulary of {V} and untied "
    "embeddings have? Ignore norms and biases.",
    answer=lambda v: v.layers + 2 * v.V * v.d,
    unit="param",
    tolerance=0.01,
    slips=(
        slip(
            "two_ffn_mats",
            lambda v: v.answer - v.L * v.d * v.f,
            "How many matrices does a gated MLP have?",
            "That counts two matrices; a gated MLP has three: gate, up and down.",
        ),
        slip(
            "no_vocab",
            lambda v: v.layers,
            "What stands before the first layer and behind the last?",
            "That counts only the layers; the embedding and the output layer are missing.",
        ),
        slip("one_layer", lambda v: v.layers / v.L + 2 * v.V * v.d),
        slip(
            "no_output_projection",
            lambda v: v.answer - v.L * v.d * v.h * 128,
            "How many matrices does attention have?",
            "That counts Q, K and V; attention has an output projection too.",
        ),
        slip(
            "no_attention",
            lambda v: v.answer - v.L * 256 * v.d * (v.h + v.kv_heads),
            "What does a layer have besides its MLP?",
            "That leaves out attention, its Q, K, V and output matrices.",
        ),
        slip(
            "tied",
            lambda v: v.layers + v.V * v.d,
            "Do embedding and output layer share one matrix?",
            "That counts the embedding once, as tied embeddings would; untied, it and the output layer are two.",
            approximate=True,
        ),
        slip(
            "mha_not_gqa",
            lambda v: v.answer + v.L * 2 * v.d * (v.h - v.kv_heads) * 128,
            "How many heads have keys and values of their own?",
            "That gives all {h} query heads keys and values of their own; only {kv_heads} heads have them.",
        ),
    ),
    checks=(Check(lambda v: v.h % v.kv_heads == 0, "{h} query heads cannot share {kv_heads} KV heads evenly"),),
    hints=(
        "Count one layer, then the embeddings.",
        "A layer: three {d} × {f} matrices, Q and O of {d} × {d}, and K and V, narrower with fewer heads.",
        "K and V are {d} × ({kv_heads} × 128) each. Add 2 × {V} × {d} for embedding and output layer.",
    ),
    solution=(
        "MLP: 3 × {d} × {f}",
        "Q and O: 2 × {d} × {h} × 128; K and V: 2 × {d} × {kv_heads} × 128",
        "{L} layers: {layers:si}",
        "embedding and output layer: 2 × {V} × {d}",
        "together {answer:si}",
    ),
    given={"layers": lambda v: v.L * (3 * v.d * v.f + 2 * v.d * v.h * 128 + 2 * v.d * v.kv_heads * 128)},
    version=3,
    renamed={3: {"n": "h", "k": "kv_heads"}},
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
        slip(
            "square_head",
            lambda v: (v.L + 1) * v.d * v.d,
            "How many entries does the head have?",
            "You used a head of {d} × {d}; it is {d} × 1.",
        ),
        slip(
            "with_biases",
            lambda v: v.answer + v.L * v.d + 1,
            "Do these layers have biases?",
            "That adds a bias to each output; these layers have none.",
        ),
        slip(
            "forgot_square",
            lambda v: v.L * v.d + v.d,
            "How many entries does a {d} × {d} matrix have?",
            "That counts {d} entries for each matrix; a {d} × {d} matrix has {d}².",
        ),
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

EXERCISES = (DENSE, DEEP_LINEAR)
