"""Define bets on moving data: copies, views, gathers, and the link between host and device."""

from studykit.exercise import BetExercise, Size, both, code

SQUARES: dict[str, dict[str, tuple[Size, ...]]] = {
    "cpu": {"n": (4096, 5120, 6144)},
    "gpu": {"n": (16384, 24576)},
}

COPY = BetExercise(
    id="bet.copy",
    objective="memory",
    source=code("""
        def setup(n):
            return torch.randn(n), torch.empty(n)

        def run(x, y):
            return y.copy_(x)
    """),
    sizes=both({"n": (1 << 24, 3 << 23, 1 << 25)}, {"n": (1 << 27, 1 << 28)}),
    lesson="4 bytes in and 4 out for each element: this is how bandwidth is measured.",
)

TRANSPOSE_VIEW = BetExercise(
    id="bet.transpose_view",
    objective="tensors",
    source=code("""
        def setup(n):
            return torch.randn(n, n)

        def run(x):
            return x.t()
    """),
    sizes=SQUARES,
    lesson="No byte moves: swapping two strides costs a Python call, whatever n is.",
)

TRANSPOSE_COPY = BetExercise(
    id="bet.transpose_copy",
    objective="tensors",
    source=code("""
        def setup(n):
            return torch.randn(n, n)

        def run(x):
            return x.t().contiguous()
    """),
    sizes=SQUARES,
    lesson="The bytes of a plain copy, but one side walks across the rows: it rarely reaches a copy's speed.",
)

STRIDED = BetExercise(
    id="bet.strided",
    objective="tensors",
    source=code("""
        def setup(n):
            return torch.randn(n, n)

        def run(x):
            return x[:, ::16].clone()
    """),
    sizes=SQUARES,
    lesson="One element in sixteen is wanted, but memory comes in lines of 64 bytes (32 on a GPU): "
    "a CPU reads all of it, a GPU half.",
)

SPLIT_HEADS = BetExercise(
    id="bet.split_heads",
    version=2,
    renamed={"d": "e"},
    objective="einops",
    source=code("""
        def setup(b, s, h, e):
            return torch.randn(b, s, h * e), h

        def run(x, h):
            b, s, he = x.shape
            return x.view(b, s, h, he // h).transpose(1, 2).contiguous()
    """),
    sizes=both(
        {"b": (8, 16), "s": (2048,), "h": (16,), "e": (64, 128)},
        {"b": (16, 32), "s": (4096,), "h": (32,), "e": (64, 128)},
    ),
    lesson="The view and the transpose are free; making them contiguous copies everything once.",
)

CAT = BetExercise(
    id="bet.cat",
    objective="inference",
    source=code("""
        def setup(b, s, d):
            return torch.randn(b, s, d), torch.randn(b, 1, d)

        def run(cache, new):
            return torch.cat([cache, new], dim=1)
    """),
    sizes=both({"b": (8, 16), "s": (2048, 4096), "d": (1024,)}, {"b": (16, 32), "s": (4096,), "d": (4096,)}),
    lesson="Appending one token by cat copies the whole cache; writing into a preallocated one moves a row.",
)

EMBEDDING = BetExercise(
    id="bet.embedding",
    objective="inference",
    source=code("""
        def setup(tokens, vocabulary, d):
            ids = torch.randint(0, vocabulary, (tokens,))
            return ids, torch.randn(vocabulary, d)

        def run(ids, table):
            return F.embedding(ids, table)
    """),
    sizes=both(
        {"tokens": (16384, 32768), "vocabulary": (50304,), "d": (768, 1024)},
        {"tokens": (131072, 262144), "vocabulary": (262144,), "d": (1024, 2048)},
    ),
    lesson="A lookup reads only the rows it picks and writes them out; the table's size does not matter.",
)

GATHER = BetExercise(
    id="bet.gather_rows",
    objective="tensors",
    source=code("""
        def setup(rows, d):
            return torch.randn(rows, d), torch.randperm(rows)

        def run(x, order):
            return x[order]
    """),
    sizes=both({"rows": (16384, 32768), "d": (1024,)}, {"rows": (131072, 262144), "d": (2048,)}),
    lesson="Shuffling whole rows costs about a copy: a row of a few kilobytes is long enough to stream.",
)

TO_DEVICE = BetExercise(
    id="bet.host_to_device",
    objective="memory",
    source=code("""
        def setup(n):
            return torch.randn(n, device="cpu").pin_memory()

        def run(x):
            return x.to("cuda", non_blocking=True)
    """),
    sizes={"gpu": {"n": (1 << 25, 1 << 26, 1 << 27)}},
    lesson="PCIe is tens of times slower than the GPU's own memory, NVLink to a Grace CPU some ten times: "
    "know where each tensor lives.",
)

TO_HOST = BetExercise(
    id="bet.device_to_host",
    objective="memory",
    source=code("""
        def setup(n):
            return torch.randn(n), torch.empty(n, device="cpu").pin_memory()

        def run(x, y):
            return y.copy_(x, non_blocking=True)
    """),
    sizes={"gpu": {"n": (1 << 25, 1 << 26, 1 << 27)}},
    lesson="The way back is as narrow as the way there. A .item() sends only 4 bytes, "
    "but waits for the GPU each time.",
)

EXERCISES = (
    COPY,
    TRANSPOSE_VIEW,
    TRANSPOSE_COPY,
    STRIDED,
    SPLIT_HEADS,
    CAT,
    EMBEDDING,
    GATHER,
    TO_DEVICE,
    TO_HOST,
)
