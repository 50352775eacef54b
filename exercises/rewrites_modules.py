"""Whole small modules, rewritten line by line."""

from collections.abc import Mapping

from studykit import pattern
from studykit.rewrite import Fill, Rewrite, size, tensor


def _m(  # noqa: PLR0913, PLR0917 - a table's row
    name: str,
    task: str,
    code: str,
    arguments: str,
    must: tuple[str, ...],
    helpers: tuple[str, ...],
    result: str,
    hints: tuple[str, ...],
    solution: str,
    alternatives: tuple[str, ...],
    near_misses: tuple[str, ...],
    fixed: Mapping[str, int] | None = None,
    *,
    gradient: bool = False,
) -> Rewrite:
    parts = [part.strip() for part in arguments.split(";")]
    given = tuple(tensor(*part.split(": ")) if ":" in part else size(part) for part in parts)
    signature = f"f({', '.join(argument.name for argument in given)})"

    def whole(body: str) -> str:
        lines = "\n".join(f"    {line.strip()}" for line in body.strip().splitlines())
        return f"def {signature}:\n{lines}\n"

    return Rewrite(
        id=f"rewrite.{name}",
        family="modules",
        task=task,
        code=code,
        arguments=given,
        must=must,
        helpers=helpers,
        hints=hints,
        solution=whole(solution),
        alternatives=tuple(whole(text) for text in alternatives),
        near_misses=tuple(whole(text) for text in near_misses),
        result=pattern.side(result),
        fill=Fill.NORMAL,
        tolerance=1e-9,
        fixed=fixed or {},
        gradient=gradient,
    )


_HEADS = """
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (three h d) -> three b h s d', three=3, h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
"""
_MIX = """
y = relu(einsum(x, w, 'b s d, t s -> b t d'))
return x + einsum(y, v, 'b t d, s t -> b s d')
"""
_ROPE = """
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
return rearrange([x1 * c - x2 * z, x2 * c + x1 * z], 'two b s d -> b s (two d)')
"""
_PAIRS = _ROPE.replace("(two d)", "(d two)")
_NORM = "return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g"
_LAYER = """
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
"""
_GATE = """
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))
return x * rearrange(s, 'b c -> b c 1 1')
"""
_ATTEND = """
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
return einsum(a, v, 'b h i j, b h j d -> b h i d')
"""

EXERCISES = (
    _m(
        "attention",
        "Scaled dot-product attention, head by head.",
        "def f(q, k, v):\n    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5\n"
        "    return torch.softmax(scores, dim=-1) @ v",
        "q: b h i d; k: b h j d; v: b h j e",
        ("einsum",),
        ("softmax",),
        "b h i e",
        (
            "Queries i and keys j need two names; d is the width they share.",
            "`softmax(x)` goes over the last axis, which must be the keys.",
            "Divide the scores by `q.shape[-1] ** 0.5`.",
        ),
        _ATTEND.replace("b h j d -> b h i d", "b h j e -> b h i e"),
        (
            "a = einsum(q, k, 'n h q d, n h k d -> n h q k')\na = softmax(a * q.shape[-1] ** -0.5, dim=-1)\n"
            "return einsum(a, v, 'n h q k, n h k d -> n h q d')",
            "return einsum(torch.softmax(einsum(q / q.shape[3] ** 0.5, k, 'b h i d, b h j d -> b h i j'), -1), v, "
            "'b h i j, b h j e -> b h i e')",
        ),
        (
            "return einsum(softmax(einsum(q, k, 'b h i d, b h j d -> b h i j')), v, 'b h i j, b h j e -> b h i e')",
            "a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5, dim=-2)\n"
            "return einsum(a, v, 'b h i j, b h j e -> b h i e')",
            "a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5\n"
            "return einsum(a, v, 'b h i j, b h j e -> b h i e')",
        ),
    ),
    _m(
        "multi_head_attention",
        "Self-attention of h heads with one weight for queries, keys and values.",
        "def f(x, w, h):\n    b, s, m = x.shape\n    q, k, v = (x @ w.T).chunk(3, dim=-1)\n"
        "    q, k, v = (y.view(b, s, h, -1).transpose(1, 2) for y in (q, k, v))\n"
        "    a = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)\n"
        "    return (a @ v).transpose(1, 2).reshape(b, s, -1)",
        "x: b s m; w: n=(three h d) m; h",
        ("rearrange", "einsum"),
        ("softmax",),
        "b s (h d)",
        (
            "First the projection, then one pattern that makes three tensors of heads.",
            "chunk cuts the width in three whole parts, so the three is the slow part; then heads, then head width.",
            "After attention, heads and head width are merged again.",
        ),
        _HEADS,
        (
            _HEADS.replace("three h d", "k h d").replace("three b", "k b").replace("three=3", "k=3"),
            _HEADS.replace("return rearrange(y,", "z = rearrange(y,") + "return z",
        ),
        (
            _HEADS.replace("(three h d)", "(h three d)"),
            _HEADS.replace("b s (h d)", "b s (d h)"),
            _HEADS.replace(" / q.shape[-1] ** 0.5", ""),
        ),
        {"three": 3},
    ),
    _m(
        "rms_norm",
        "RMSNorm divides each token by its root mean square and scales it by a gain.",
        "def f(x, g):\n    return x / x.pow(2).mean(dim=-1, keepdim=True).sqrt() * g",
        "x: b s d; g: d",
        ("reduce",),
        ("rsqrt", "sqrt"),
        "b s d",
        (
            "The mean of the squares is one number per token.",
            "A `1` on the right keeps an axis for broadcasting.",
            "`x * x` squares; `rsqrt` is one over the root.",
        ),
        _NORM,
        (
            "return x / sqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g",
            "m = reduce(x ** 2, 'i j k -> i j 1', 'sum') / x.shape[2]\nreturn g * x / sqrt(m)",
        ),
        (
            _NORM.replace("'mean'", "'sum'"),
            _NORM.replace("b s d -> b s 1", "b s d -> b 1 d"),
            _NORM.replace(" * g", ""),
        ),
        gradient=True,
    ),
    _m(
        "layer_norm",
        "LayerNorm gives each token mean 0 and variance 1.",
        "def f(x):\n    y = x - x.mean(-1, keepdim=True)\n    return y / x.var(-1, keepdim=True, unbiased=False).sqrt()",
        "x: b s d",
        ("reduce",),
        ("rsqrt", "sqrt"),
        "b s d",
        (
            "Two means: of the values, then of the squared differences.",
            "A `1` on the right keeps an axis for broadcasting.",
            "unbiased=False: the variance is a plain mean.",
        ),
        _LAYER,
        (
            _LAYER.replace("y * rsqrt(", "y / sqrt("),
            "m = reduce(x, 'b s d -> b s 1', 'mean')\nv = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m\n"
            "return (x - m) / sqrt(v)",
        ),
        (
            _LAYER.replace("b s d -> b s 1", "b s d -> b 1 d"),
            "return x - reduce(x, 'b s d -> b s 1', 'mean')",
            _LAYER.replace("y * y, 'b s d -> b s 1', 'mean'", "y * y, 'b s d -> b s 1', 'sum'"),
        ),
    ),
    _m(
        "rope_halves",
        "Rotary positions as Llama has them: the first half of the width turns with the second.",
        "def f(x, c, z):\n    half = x.shape[-1] // 2\n    a, b = x[..., :half], x[..., half:]\n"
        "    return torch.cat([a * c - b * z, b * c + a * z], dim=-1)",
        "x: b s w=(two d); c: s d; z: s d",
        ("rearrange",),
        (),
        "b s (two d)",
        (
            "The width is two halves, one after the other: a composite with the two as its slow part.",
            "`a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)` gives both halves.",
            "rearrange takes a list as well: the list is the first axis.",
        ),
        _ROPE,
        (
            _ROPE.replace("two d", "k d").replace("two b", "k b").replace("two=2", "k=2"),
            "y = rearrange(x, 'b s (two d) -> two b s d', two=2)\n"
            "return rearrange([y[0] * c - y[1] * z, y[1] * c + y[0] * z], 'two b s d -> b s (two d)')",
        ),
        (
            _PAIRS,
            _ROPE.replace("x1 * c - x2 * z", "x1 * c + x2 * z"),
            _ROPE.replace("-> b s (two d)", "-> b s (d two)"),
        ),
        {"two": 2},
    ),
    _m(
        "rope_pairs",
        "Rotary positions as first published: each even element turns with its odd neighbour.",
        "def f(x, c, z):\n    a, b = x[..., 0::2], x[..., 1::2]\n"
        "    return torch.stack([a * c - b * z, b * c + a * z], dim=-1).flatten(-2)",
        "x: b s w=(d two); c: s d; z: s d",
        ("rearrange",),
        (),
        "b s (d two)",
        (
            "Pairs of neighbours: the two is the fast part of the width.",
            "`a, b = rearrange(x, 'b s (d two) -> two b s d', two=2)` gives evens and odds.",
            "rearrange takes a list as well: the list is the first axis.",
        ),
        _PAIRS,
        (
            _PAIRS.replace("d two", "d k").replace("two b", "k b").replace("two=2", "k=2"),
            "y = rearrange(x, 'b s (d two) -> two b s d', two=2)\n"
            "return rearrange([y[0] * c - y[1] * z, y[1] * c + y[0] * z], 'two b s d -> b s (d two)')",
        ),
        (
            _ROPE,
            _PAIRS.replace("x2 * c + x1 * z", "x2 * c - x1 * z"),
            _PAIRS.replace("-> b s (d two)", "-> b s (two d)"),
        ),
        {"two": 2},
    ),
    _m(
        "token_mixing",
        "MLP-Mixer lets tokens talk through a small network along the sequence.",
        "def f(x, w, v):\n    y = x.transpose(1, 2)\n    y = torch.relu(y @ w.T) @ v.T\n    return x + y.transpose(1, 2)",
        "x: b s d; w: t s; v: s t",
        ("einsum",),
        ("relu",),
        "b s d",
        (
            "The transpositions only bring the sequence to the end; names make them needless.",
            "The first product sums s and makes t, the second the other way.",
            "`relu` stands between them, and x is added at the end.",
        ),
        _MIX,
        (
            "y = einsum(x, w, 'n s c, t s -> n c t')\nreturn x + einsum(relu(y), v, 'n c t, s t -> n s c')",
            "y = einsum(w, x, 't s, b s d -> b t d')\nreturn einsum(v, relu(y), 's t, b t d -> b s d') + x",
        ),
        (_MIX.replace("x + ", ""), _MIX.replace("relu(", "("), _MIX.replace("x + ", "2 * x + ")),
    ),
    _m(
        "squeeze_excite",
        "Squeeze and excitation: channels are weighed by a gate that saw the whole image.",
        "def f(x, w):\n    s = torch.sigmoid(x.mean(dim=(2, 3)) @ w.T)\n    return x * s[:, :, None, None]",
        "x: b c h w; w: c c",
        ("reduce", "einsum", "rearrange"),
        ("sigmoid",),
        "b c h w",
        (
            "Three steps: squeeze with reduce, mix the channels with einsum, bring the axes back with rearrange.",
            "The weight has its output first: `k c`.",
            "Two axes of size 1 make the gate broadcast.",
        ),
        _GATE,
        (
            _GATE.replace("'b c h w -> b c', 'mean'", "'n c i j -> n c', 'mean'"),
            "s = reduce(x, 'b c h w -> b c', 'mean')\ns = einsum(s, w, 'b c, k c -> b k')\n"
            "return rearrange(sigmoid(s), 'b c -> b c 1 1') * x",
        ),
        (
            _GATE.replace("k c -> b k", "c k -> b k"),
            _GATE.replace("'mean'", "'sum'"),
            _GATE.replace("sigmoid(", "("),
        ),
    ),
)
