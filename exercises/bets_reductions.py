"""Define bets on reductions, softmax and norms: one pass or several."""

from studykit.exercise import BetExercise, Size, both, code

ROWS: dict[str, dict[str, tuple[Size, ...]]] = {
    "cpu": {"rows": (4096, 8192), "d": (4096, 5120)},
    "gpu": {"rows": (16384, 32768), "d": (4096, 8192)},
}

SUM = BetExercise(
    id="bet.sum",
    objective="intensity",
    source=code("""
        def setup(n):
            return torch.randn(n)

        def run(x):
            return x.sum()
    """),
    sizes=both({"n": (1 << 25, 3 << 24, 1 << 26)}, {"n": (1 << 28, 1 << 29)}),
    lesson="Every number is read once and one is written: a quarter of a FLOP per byte.",
)

ROW_SUM = BetExercise(
    id="bet.sum_rows",
    objective="tensors",
    source=code("""
        def setup(rows, d):
            return torch.randn(rows, d)

        def run(x):
            return x.sum(dim=1)
    """),
    sizes=ROWS,
    lesson="A row lies in one piece: the sum runs at the speed of reading.",
)

COLUMN_SUM = BetExercise(
    id="bet.sum_columns",
    objective="tensors",
    source=code("""
        def setup(rows, d):
            return torch.randn(rows, d)

        def run(x):
            return x.sum(dim=0)
    """),
    sizes=ROWS,
    lesson="The same bytes as along the rows; the bound is the same, the library decides whether you reach it.",
)

ARGMAX = BetExercise(
    id="bet.argmax",
    objective="inference",
    source=code("""
        def setup(batch, vocabulary):
            return torch.randn(batch, vocabulary)

        def run(logits):
            return logits.argmax(dim=-1)
    """),
    sizes=both(
        {"batch": (512, 1024), "vocabulary": (50304, 65536)},
        {"batch": (4096, 8192), "vocabulary": (50304, 131072)},
    ),
    lesson="Greedy decoding reads every logit and only compares: what it reads sets the time.",
)

SOFTMAX = BetExercise(
    id="bet.softmax",
    objective="intensity",
    source=code("""
        def setup(rows, d):
            return torch.randn(rows, d)

        def run(x):
            return x.softmax(dim=-1)
    """),
    sizes=ROWS,
    lesson="torch's softmax is one kernel: a row is read, kept close, and written once.",
)

SOFTMAX_BY_HAND = BetExercise(
    id="bet.softmax_by_hand",
    objective="intensity",
    source=code("""
        def setup(rows, d):
            return torch.randn(rows, d)

        def run(x):
            e = (x - x.amax(dim=-1, keepdim=True)).exp()
            return e / e.sum(dim=-1, keepdim=True)
    """),
    sizes=ROWS,
    lesson="Five kernels, eight passes over the array, for what one kernel does in two.",
)

LAYER_NORM = BetExercise(
    id="bet.layer_norm",
    objective="intensity",
    source=code("""
        def setup(rows, d):
            return torch.randn(rows, d), torch.ones(d), torch.zeros(d)

        def run(x, gain, bias):
            return F.layer_norm(x, x.shape[-1:], gain, bias)
    """),
    sizes=ROWS,
    lesson="One kernel: each value in once and out once, whatever happens to it between.",
)

RMS_NORM = BetExercise(
    id="bet.rms_norm_by_hand",
    objective="intensity",
    source=code("""
        def setup(rows, d):
            return torch.randn(rows, d), torch.ones(d)

        def run(x, gain):
            mean = x.pow(2).mean(dim=-1, keepdim=True)
            return x * torch.rsqrt(mean + 1e-6) * gain
    """),
    sizes=ROWS,
    lesson="Square, average, scale, gain: four big kernels and seven passes where a fused norm makes two.",
)

CROSS_ENTROPY = BetExercise(
    id="bet.cross_entropy",
    objective="training",
    source=code("""
        def setup(tokens, vocabulary):
            targets = torch.randint(0, vocabulary, (tokens,))
            return torch.randn(tokens, vocabulary), targets

        def run(logits, targets):
            return F.cross_entropy(logits, targets)
    """),
    sizes=both(
        {"tokens": (512, 1024), "vocabulary": (32000, 50304)},
        {"tokens": (4096, 8192), "vocabulary": (50304, 128256)},
    ),
    lesson="The log-softmax writes an array as large as the logits; the loss then picks one number from each row.",
)

EXERCISES = (
    SUM,
    ROW_SUM,
    COLUMN_SUM,
    ARGMAX,
    SOFTMAX,
    SOFTMAX_BY_HAND,
    LAYER_NORM,
    RMS_NORM,
    CROSS_ENTROPY,
)
