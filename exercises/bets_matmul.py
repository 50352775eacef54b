"""Define bets on matrix products: where the FLOPs are, and where they do not matter."""

from studykit.exercise import BetExercise, both, both_dtypes, code

SQUARE = BetExercise(
    id="bet.matmul",
    objective="flops",
    source=code("""
        def setup(n, dtype):
            dtype = getattr(torch, dtype)
            return tuple(torch.randn(n, n, dtype=dtype) for _ in range(2))

        def run(a, b):
            return a @ b
    """),
    sizes=both_dtypes({"n": (1024, 1536, 2048)}, {"n": (4096, 6144, 8192)}),
    lesson="2n^3 FLOPs on 3n^2 numbers: a large square matmul comes nearest to the arithmetic peak. In float32, "
    "without TF32, that is the peak of the vector units; tensor cores take bf16.",
)

HALF = BetExercise(
    id="bet.matmul_bf16",
    objective="precision",
    source=code("""
        def setup(n):
            a = torch.randn(n, n, dtype=torch.bfloat16)
            return a, torch.randn(n, n, dtype=torch.bfloat16)

        def run(a, b):
            return a @ b
    """),
    sizes=both({"n": (1024, 1536, 2048)}, {"n": (4096, 8192, 12288)}),
    lesson="The same FLOPs as in float32, on units that do several times as many a second, where there are any.",
)

SKINNY = BetExercise(
    id="bet.matmul_skinny",
    objective="intensity",
    source=code("""
        def setup(n, k, dtype):
            dtype = getattr(torch, dtype)
            return torch.randn(n, n, dtype=dtype), torch.randn(n, k, dtype=dtype)

        def run(w, x):
            return w @ x
    """),
    sizes=both_dtypes({"n": (4096, 6144, 8192), "k": (2, 64)}, {"n": (8192, 16384), "k": (4, 256)}),
    lesson="Each weight is read once for 2k FLOPs: k/2 FLOP per byte in float32, so k decides on which "
    "side of the ridge it falls.",
)

MATVEC = BetExercise(
    id="bet.matvec",
    objective="intensity",
    source=code("""
        def setup(n):
            return torch.randn(n, n), torch.randn(n)

        def run(w, x):
            return w @ x
    """),
    sizes=both({"n": (4096, 6144, 8192)}, {"n": (16384, 24576, 32768)}),
    lesson="Two FLOPs for every weight of four bytes: the time is the time to read the matrix.",
)

DOT = BetExercise(
    id="bet.dot",
    objective="intensity",
    source=code("""
        def setup(n):
            return torch.randn(n), torch.randn(n)

        def run(x, y):
            return torch.dot(x, y)
    """),
    sizes=both({"n": (1 << 24, 3 << 23, 1 << 25)}, {"n": (1 << 27, 1 << 28)}),
    lesson="A quarter of a FLOP per byte: two arrays are read, and one number is written.",
)

OUTER = BetExercise(
    id="bet.outer",
    objective="intensity",
    source=code("""
        def setup(n):
            return torch.randn(n), torch.randn(n)

        def run(x, y):
            return torch.outer(x, y)
    """),
    sizes=both({"n": (4096, 6144, 8192)}, {"n": (16384, 24576)}),
    lesson="A matmul with an inner dimension of one: n^2 numbers are written for one FLOP each.",
)

BATCHED = BetExercise(
    id="bet.matmul_batched",
    objective="flops",
    source=code("""
        def setup(b, n, dtype):
            dtype = getattr(torch, dtype)
            return tuple(torch.randn(b, n, n, dtype=dtype) for _ in range(2))

        def run(x, y):
            return x @ y
    """),
    sizes=both_dtypes({"b": (16, 32, 64), "n": (256, 384)}, {"b": (64, 256), "n": (1024, 2048)}),
    lesson="2bn^3: the batch dimension only repeats the work.",
)

LEFT = BetExercise(
    id="bet.product_left",
    objective="flops",
    source=code("""
        def setup(n, dtype):
            dtype = getattr(torch, dtype)
            a, b = (torch.randn(n, n, dtype=dtype) for _ in range(2))
            return a, b, torch.randn(n, dtype=dtype)

        def run(a, b, v):
            return (a @ b) @ v
    """),
    sizes=both_dtypes({"n": (1024, 1536, 2048)}, {"n": (4096, 8192)}),
    lesson="The product of the matrices comes first: 2n³ FLOPs, where a @ (b @ v) takes 4n² in all.",
)

RIGHT = BetExercise(
    id="bet.product_right",
    objective="flops",
    source=code("""
        def setup(n):
            return torch.randn(n, n), torch.randn(n, n), torch.randn(n)

        def run(a, b, v):
            return a @ (b @ v)
    """),
    sizes=both({"n": (4096, 5120, 6144)}, {"n": (16384, 24576)}),
    lesson="The same product as (a @ b) @ v, as two matrix-vector products: each matrix is read once.",
)

LINEAR = BetExercise(
    id="bet.linear",
    objective="flops",
    source=code("""
        def setup(tokens, d, k, dtype):
            dtype = getattr(torch, dtype)
            w, b = torch.randn(k, d, dtype=dtype), torch.randn(k, dtype=dtype)
            return torch.randn(tokens, d, dtype=dtype), w, b

        def run(x, w, b):
            return F.linear(x, w, b)
    """),
    sizes=both_dtypes(
        {"tokens": (512, 1024, 2048), "d": (768, 1024), "k": (3072, 4096)},
        {"tokens": (8192, 16384), "d": (4096,), "k": (4096, 16384)},
    ),
    lesson="2 FLOPs per weight per token; the bias rides along.",
)

SCORES = BetExercise(
    id="bet.attention_scores",
    version=2,
    renamed={"d": "e"},
    objective="einops",
    source=code("""
        def setup(b, h, s, e, dtype):
            dtype = getattr(torch, dtype)
            return tuple(torch.randn(b, h, s, e, dtype=dtype) for _ in range(2))

        def run(q, k):
            return torch.einsum("b h i e, b h j e -> b h i j", q, k)
    """),
    sizes=both_dtypes(
        {"b": (1,), "h": (8, 12), "s": (1536, 2048), "e": (64,)},
        {"b": (4,), "h": (16, 32), "s": (4096,), "e": (64, 128)},
    ),
    lesson="An einsum costs 2 times the product of its distinct names; here the scores are larger than q and k.",
)

TINY = BetExercise(
    id="bet.matmul_tiny",
    objective="utilization",
    source=code("""
        def setup(n):
            return torch.randn(n, n), torch.randn(n, n)

        def run(a, b):
            return a @ b
    """),
    sizes=both({"n": (4, 8, 12)}, {"n": (8, 16, 32)}),
    lesson="So few FLOPs take no time at all; what you waited for is torch starting the operation.",
)

MANY = BetExercise(
    id="bet.matmul_many_small",
    objective="utilization",
    source=code("""
        def setup(count, n):
            return [torch.randn(n, n) for _ in range(count)], torch.randn(n, n)

        def run(xs, w):
            return [x @ w for x in xs]
    """),
    sizes=both({"count": (100, 200), "n": (8, 12)}, {"count": (100, 300), "n": (16, 64)}),
    lesson="One overhead for each call: stack them into one batched matmul and it is paid once.",
)

EXERCISES = (SQUARE, HALF, SKINNY, MATVEC, DOT, OUTER, BATCHED, LEFT, RIGHT, LINEAR, SCORES, TINY, MANY)
