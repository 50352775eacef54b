"""Define bets on the parts of a transformer and its training."""

from collections.abc import Mapping, Sequence

from studykit.exercise import BetExercise, Size, both, both_dtypes, code


def _as_trained(
    cpu: Mapping[str, Sequence[Size]], gpu: Mapping[str, Sequence[Size]]
) -> dict[str, Mapping[str, Sequence[Size]]]:
    """Return the sizes for both classes of device, in float32 on a CPU and bfloat16 on a GPU."""
    return both({**cpu, "dtype": ("float32",)}, {**gpu, "dtype": ("bfloat16",)})


HEADS = _as_trained(
    {"h": (8, 12), "s": (1536, 2048), "e": (64,)},
    {"h": (16, 32), "s": (4096,), "e": (64, 128)},
)

ATTENTION_BY_HAND = BetExercise(
    id="bet.attention_by_hand",
    version=2,
    renamed={"d": "e"},
    objective="intensity",
    source=code("""
        def setup(h, s, e, dtype):
            dtype = getattr(torch, dtype)
            return tuple(torch.randn(h, s, e, dtype=dtype) for _ in range(3))

        def run(q, k, v):
            scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
            return scores.softmax(dim=-1) @ v
    """),
    sizes=HEADS,
    lesson="The s by s scores are written and read again by every kernel between the two matmuls.",
)

ATTENTION = BetExercise(
    id="bet.attention",
    version=2,
    renamed={"d": "e"},
    objective="intensity",
    source=code("""
        def setup(h, s, e, dtype):
            dtype = getattr(torch, dtype)
            return tuple(torch.randn(1, h, s, e, dtype=dtype) for _ in range(3))

        def run(q, k, v):
            return F.scaled_dot_product_attention(q, k, v)
    """),
    sizes=HEADS,
    lesson="The same two matmuls in one kernel that never writes the scores.",
)

CAUSAL = BetExercise(
    id="bet.attention_causal",
    version=2,
    renamed={"d": "e"},
    objective="intensity",
    source=code("""
        def setup(h, s, e, dtype):
            dtype = getattr(torch, dtype)
            return tuple(torch.randn(1, h, s, e, dtype=dtype) for _ in range(3))

        def run(q, k, v):
            return F.scaled_dot_product_attention(q, k, v, is_causal=True)
    """),
    sizes=HEADS,
    lesson="The mask leaves half of the pairs, and only they count: half the FLOPs of attention without a mask. "
    "A good kernel skips the blocks that the mask hides.",
)

DECODE_ATTENTION = BetExercise(
    id="bet.attention_decode",
    version=2,
    renamed={"d": "e"},
    objective="inference",
    source=code("""
        def setup(b, h, s, e, dtype):
            dtype = getattr(torch, dtype)
            cache = tuple(torch.randn(b, h, s, e, dtype=dtype) for _ in range(2))
            return torch.randn(b, h, 1, e, dtype=dtype), *cache

        def run(q, k, v):
            return F.scaled_dot_product_attention(q, k, v)
    """),
    sizes=_as_trained(
        {"b": (4, 8), "h": (16,), "s": (4096, 8192), "e": (64,)},
        {"b": (16, 32), "h": (32,), "s": (8192,), "e": (128,)},
    ),
    lesson="One query reads the whole cache for 1 FLOP per byte in bf16, half a FLOP in float32: memory-bound at "
    "any batch.",
)

MLP = BetExercise(
    id="bet.mlp",
    objective="flops",
    source=code("""
        def setup(tokens, d, dtype):
            dtype = getattr(torch, dtype)
            w1 = torch.randn(d, 4 * d, dtype=dtype)
            w2 = torch.randn(4 * d, d, dtype=dtype)
            return torch.randn(tokens, d, dtype=dtype), w1, w2

        def run(x, w1, w2):
            return F.gelu(x @ w1) @ w2
    """),
    sizes=_as_trained({"tokens": (512, 1024), "d": (768, 1024)}, {"tokens": (8192, 16384), "d": (4096,)}),
    lesson="16d^2 FLOPs per token; the GELU between costs next to nothing.",
)

SWIGLU = BetExercise(
    id="bet.swiglu",
    objective="flops",
    source=code("""
        def setup(tokens, d, k, dtype):
            dtype = getattr(torch, dtype)
            w1, w3 = (torch.randn(d, k, dtype=dtype) for _ in range(2))
            w2 = torch.randn(k, d, dtype=dtype)
            return torch.randn(tokens, d, dtype=dtype), w1, w3, w2

        def run(x, w1, w3, w2):
            return (F.silu(x @ w1) * (x @ w3)) @ w2
    """),
    sizes=_as_trained(
        {"tokens": (512, 1024), "d": (768, 1024), "k": (2048, 2816)},
        {"tokens": (8192, 16384), "d": (4096,), "k": (11008, 14336)},
    ),
    lesson="Three matmuls of equal size: 6dk FLOPs per token.",
)

DECODE_STEP = BetExercise(
    id="bet.decode_step",
    objective="inference",
    source=code("""
        def setup(layers, d, dtype):
            dtype = getattr(torch, dtype)
            weights = [
                torch.randn(d, d, dtype=dtype) / d**0.5 for _ in range(layers)
            ]
            return torch.randn(1, d, dtype=dtype), weights

        def run(x, weights):
            for w in weights:
                x = x @ w
            return x
    """),
    sizes=_as_trained({"layers": (4, 8), "d": (3072, 4096)}, {"layers": (8, 16), "d": (8192,)}),
    lesson="One token through all the weights: the time to read them, 2 bytes each in bf16, 4 in float32.",
)

SGD = BetExercise(
    id="bet.sgd_step",
    objective="training",
    source=code("""
        def setup(n, dtype):
            dtype = getattr(torch, dtype)
            return tuple(torch.randn(n, dtype=dtype) for _ in range(2))

        def run(weight, gradient):
            return weight.add_(gradient, alpha=-1e-3)
    """),
    sizes=both_dtypes({"n": (1 << 24, 1 << 25)}, {"n": (1 << 27, 1 << 28)}),
    lesson="Two reads and a write per parameter, 12 bytes in float32: an optimizer never sees the matmul roof.",
)

ADAMW_BY_HAND = BetExercise(
    id="bet.adamw_by_hand",
    objective="training",
    source=code("""
        def setup(n):
            return torch.randn(n), torch.randn(n), torch.zeros(n), torch.zeros(n)

        def run(weight, gradient, m, v):
            weight.mul_(1 - 1e-5)
            m.lerp_(gradient, 0.1)
            v.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
            return weight.addcdiv_(m, v.sqrt().add_(1e-8), value=-1e-3)
    """),
    sizes=both({"n": (1 << 24, 5 << 22)}, {"n": (1 << 26, 1 << 27)}),
    lesson="Seven kernels over four arrays; the fused optimizer reads four and writes three.",
)

ADAMW_FUSED = BetExercise(
    id="bet.adamw_fused",
    objective="training",
    source=code("""
        def setup(n):
            weight = torch.nn.Parameter(torch.randn(n))
            weight.grad = torch.randn(n)
            return torch.optim.AdamW([weight], fused=True)

        def run(optimizer):
            optimizer.step()
    """),
    sizes=both({"n": (1 << 24, 5 << 22)}, {"n": (1 << 26, 1 << 27)}),
    lesson="28 bytes per parameter in float32: weight, gradient and two moments in, all but the gradient out.",
)

STEP_SMALL = BetExercise(
    id="bet.sgd_many_small",
    objective="utilization",
    source=code("""
        def setup(count, n):
            weights = [torch.randn(n) for _ in range(count)]
            return weights, [torch.randn(n) for _ in range(count)]

        def run(weights, gradients):
            for weight, gradient in zip(weights, gradients):
                weight.add_(gradient, alpha=-1e-3)
    """),
    sizes=both({"count": (100, 300), "n": (16, 64)}, {"count": (100, 500), "n": (64, 256)}),
    lesson="Hundreds of small tensors cost hundreds of overheads; a foreach or fused optimizer pays a few.",
)

TRAINING = BetExercise(
    id="bet.training_step",
    objective="training",
    source=code("""
        def setup(tokens, d, dtype):
            dtype = getattr(torch, dtype)
            w1 = torch.randn(d, 4 * d, dtype=dtype).div_(d**0.5).requires_grad_()
            w2 = torch.randn(4 * d, d, dtype=dtype).div_(d).requires_grad_()
            return torch.randn(tokens, d, dtype=dtype), w1, w2

        def run(x, w1, w2):
            w1.grad = w2.grad = None
            loss = (F.relu(x @ w1) @ w2).sum()
            loss.backward()
            return loss
    """),
    sizes=_as_trained({"tokens": (512, 1024), "d": (512, 768)}, {"tokens": (8192, 16384), "d": (4096,)}),
    lesson="Two matmuls forward and three backward: the input's gradient is not needed, so it is 5ND and not 6ND.",
)

EXERCISES = (
    ATTENTION_BY_HAND,
    ATTENTION,
    CAUSAL,
    DECODE_ATTENTION,
    MLP,
    SWIGLU,
    DECODE_STEP,
    SGD,
    ADAMW_BY_HAND,
    ADAMW_FUSED,
    STEP_SMALL,
    TRAINING,
)
