"""Define bets on elementwise work: few FLOPs, many bytes, and what fusing saves."""

from studykit.exercise import BetExercise, Size, both, code

ARRAYS: dict[str, dict[str, tuple[Size, ...]]] = {
    "cpu": {"n": (1 << 24, 3 << 23, 1 << 25)},
    "gpu": {"n": (1 << 27, 1 << 28)},
}

RELU = BetExercise(
    id="bet.relu",
    objective="intensity",
    source=code("""
        def setup(n):
            return torch.randn(n)

        def run(x):
            return F.relu(x)
    """),
    sizes=ARRAYS,
    lesson="One FLOP (a comparison) for 8 bytes moved: the FLOP is free, the bytes are not.",
)

GELU = BetExercise(
    id="bet.gelu",
    objective="intensity",
    source=code("""
        def setup(n):
            return torch.randn(n)

        def run(x):
            return F.gelu(x, approximate="tanh")
    """),
    sizes=ARRAYS,
    lesson="Twenty times the FLOPs of ReLU on the same bytes: on a GPU it takes the same time; "
    "a CPU's cores may feel the exponential.",
)

ADD = BetExercise(
    id="bet.add",
    objective="intensity",
    source=code("""
        def setup(n):
            return torch.randn(n), torch.randn(n)

        def run(x, y):
            return x + y
    """),
    sizes=ARRAYS,
    lesson="Two arrays in, one out: 12 bytes for each addition.",
)

ADD_IN_PLACE = BetExercise(
    id="bet.add_in_place",
    objective="tensors",
    source=code("""
        def setup(n):
            return torch.randn(n), torch.randn(n)

        def run(x, y):
            return x.add_(y)
    """),
    sizes=ARRAYS,
    lesson="In place saves the allocation, not the traffic: both arrays are still read and one is written.",
)

ADD_HALF = BetExercise(
    id="bet.add_bf16",
    objective="precision",
    source=code("""
        def setup(n):
            x = torch.randn(n, dtype=torch.bfloat16)
            return x, torch.randn(n, dtype=torch.bfloat16)

        def run(x, y):
            return x + y
    """),
    sizes={"cpu": {"n": (1 << 25, 3 << 24, 1 << 26)}, "gpu": {"n": (1 << 28, 1 << 29)}},
    lesson="Half the bytes of float32, so half the time, and no tensor core in sight.",
)

SCALAR_CHAIN = BetExercise(
    id="bet.chain",
    objective="intensity",
    source=code("""
        def setup(n):
            return torch.randn(n), torch.randn(n)

        def run(x, y):
            return torch.relu(2 * x + 1) * y
    """),
    sizes=ARRAYS,
    lesson="Four kernels, each reading and writing everything: 36 bytes per element where one fused moves 12.",
)

CHAIN_IN_PLACE = BetExercise(
    id="bet.chain_in_place",
    objective="tensors",
    source=code("""
        def setup(n):
            return torch.randn(n)

        def run(x):
            return x.mul_(0.5).add_(1).relu_()
    """),
    sizes=ARRAYS,
    lesson="Three passes over one array: in place, and still 24 bytes per element against 8 fused.",
)

UNFUSED = BetExercise(
    id="bet.multiply_add",
    objective="intensity",
    source=code("""
        def setup(n):
            return torch.randn(n), torch.randn(n), torch.randn(n)

        def run(x, y, z):
            return x + y * z
    """),
    sizes=ARRAYS,
    lesson="The product goes to memory and comes back: 24 bytes per element. torch.addcmul moves 16.",
)

FUSED = BetExercise(
    id="bet.multiply_add_fused",
    objective="intensity",
    source=code("""
        def setup(n):
            return torch.randn(n), torch.randn(n), torch.randn(n)

        def run(x, y, z):
            return torch.addcmul(x, y, z)
    """),
    sizes=ARRAYS,
    lesson="The same arithmetic as x + y * z in one kernel: three arrays in, one out, nothing in between.",
)

CAST = BetExercise(
    id="bet.cast",
    objective="precision",
    source=code("""
        def setup(n):
            return torch.randn(n)

        def run(x):
            return x.to(torch.bfloat16)
    """),
    sizes=ARRAYS,
    lesson="Casting is a copy: 4 bytes in and 2 out for each element, and no FLOP at all.",
)

FILL = BetExercise(
    id="bet.fill",
    objective="memory",
    source=code("""
        def setup(n):
            return torch.randn(n)

        def run(x):
            return x.fill_(1.0)
    """),
    sizes=ARRAYS,
    lesson="Nothing is read: 4 bytes per element, though a CPU may fetch each line before it overwrites it.",
)

TINY = BetExercise(
    id="bet.add_tiny",
    objective="utilization",
    source=code("""
        def setup(n):
            return torch.randn(n), torch.randn(n)

        def run(x, y):
            return x + y
    """),
    sizes=both({"n": (1, 4, 16, 64)}, {"n": (1, 16, 256)}),
    lesson="Neither FLOPs nor bytes: this is what one torch operation costs.",
)

TINY_LOOP = BetExercise(
    id="bet.add_tiny_loop",
    objective="utilization",
    source=code("""
        def setup(n, steps):
            return torch.zeros(n), steps

        def run(x, steps):
            for _ in range(steps):
                x = x + 1
            return x
    """),
    sizes=both({"n": (8, 32), "steps": (100, 300, 1000)}, {"n": (8, 256), "steps": (100, 1000)}),
    lesson="Overhead adds up one operation at a time; a fused or compiled loop would pay it once.",
)

EXERCISES = (
    RELU,
    GELU,
    ADD,
    ADD_IN_PLACE,
    ADD_HALF,
    SCALAR_CHAIN,
    CHAIN_IN_PLACE,
    UNFUSED,
    FUSED,
    CAST,
    FILL,
    TINY,
    TINY_LOOP,
)
