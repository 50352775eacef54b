"""Define rewrites of whole small modules."""

from studykit.exercise import Rewrite, module

_MIX = """
y = relu(einsum(x, w, 'b s d, t s -> b t d'))
return x + einsum(y, v, 'b t d, s t -> b s d')
"""
_NORM = "return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g"
_LAYER = """
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
"""
_GATE = """
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))
return x * rearrange(s, 'b c -> b c 1 1')
"""
_GROUPS = """
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
"""

_ROOT = "sqrt(1 / (reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5))"

EXERCISES: tuple[Rewrite, ...] = (
    module(
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
            "s = reduce(x * x, 'b s d -> b s 1', 'sum')\nreturn x * (sqrt(x.shape[2] / s) * g)",
        ),
        (
            _NORM.replace("'mean'", "'sum'"),
            _NORM.replace("b s d -> b s 1", "b s d -> b 1 d"),
            _NORM.replace(" * g", ""),
        ),
        norm_axis="d",
    ),
    module(
        "layer_norm",
        "LayerNorm gives each token mean 0 and variance 1.",
        "def f(x):\n    y = x - x.mean(-1, keepdim=True)\n"
        "    return y / x.var(-1, keepdim=True, unbiased=False).sqrt()",
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
            _LAYER.replace("y * rsqrt(", "y * sqrt(1 / "),
            (
                "m = reduce(x, 'b s d -> b s 1', 'mean')\nv = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m\n"
                "return (x - m) / sqrt(v)"
            ),
            (
                "m = reduce(x, 'b s d -> b s 1', 'mean')\n"
                "r = rsqrt(reduce((x - m) ** 2, 'b s d -> b s 1', 'mean'))\nreturn x * r - m * r"
            ),
            (
                "m = reduce(x, 'b s d -> b s 1', 'mean')\nv = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m\n"
                "r = rsqrt(v)\nreturn x * r - m * r"
            ),
            (
                "m = reduce(x, 'b s d -> b s 1', 'mean')\nv = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m\n"
                "r = sqrt(v)\nreturn x / r - m / r"
            ),
            (
                "m = reduce(x, 'b s d -> b s 1', 'mean')\n"
                "r = sqrt(reduce((x - m) ** 2, 'b s d -> b s 1', 'mean'))\nreturn x / r - m / r"
            ),
        ),
        (
            _LAYER.replace("b s d -> b s 1", "b s d -> b 1 d"),
            "return x - reduce(x, 'b s d -> b s 1', 'mean')",
            _LAYER.replace("y * y, 'b s d -> b s 1', 'mean'", "y * y, 'b s d -> b s 1', 'sum'"),
        ),
    ),
    module(
        "group_norm",
        "GroupNorm gives each of g groups of neighboring channels mean 0 and variance 1, but for an epsilon.",
        "def f(x, g):\n    b, c, s = x.shape\n    y = x.reshape(b, g, -1)\n    y = y - y.mean(-1, keepdim=True)\n"
        "    y = y / (y.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt()\n    return y.reshape(b, c, s)",
        "x: b n=(g c) s; g",
        ("reduce",),
        ("rsqrt", "sqrt"),
        "b (g c) s",
        (
            "Neighboring channels are one group, so the group is the slow part: `(g c)`.",
            "The epsilon stands under the root, next to the mean of the squares.",
            "At the end the groups are merged again; give the size of s, which the merged axis hides.",
        ),
        _GROUPS,
        (
            (
                "y = rearrange(x, 'b (g c) s -> b g c s', g=g)\ny = y - reduce(y, 'b g c s -> b g 1 1', 'mean')\n"
                "y = y / sqrt(reduce(y * y, 'b g c s -> b g 1 1', 'mean') + 1e-5)\n"
                "return rearrange(y, 'b g c s -> b (g c) s')"
            ),
            _GROUPS.replace("y * y,", "y ** 2,"),
            _GROUPS.replace("rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)", _ROOT),
            (
                "y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)\nm = reduce(y, 'b g n -> b g 1', 'mean')\n"
                "v = reduce(y * y, 'b g n -> b g 1', 'mean') - m * m\n"
                "return rearrange((y - m) / sqrt(v + 1e-5), 'b g (c s) -> b (g c) s', s=x.shape[-1])"
            ),
            (
                "y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)\nm = reduce(y, 'b g n -> b g 1', 'mean')\n"
                "r = rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') - m * m + 1e-5)\n"
                "return rearrange(y * r - m * r, 'b g (c s) -> b (g c) s', s=x.shape[-1])"
            ),
            (
                "y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)\nm = reduce(y, 'b g n -> b g 1', 'mean')\n"
                "r = sqrt(reduce((y - m) ** 2, 'b g n -> b g 1', 'mean') + 1e-5)\n"
                "return rearrange(y / r - m / r, 'b g (c s) -> b (g c) s', s=x.shape[-1])"
            ),
        ),
        (
            _GROUPS.replace(" + 1e-5", ""),
            _GROUPS.replace("'b (g c) s ->", "'b (c g) s ->"),
            _GROUPS.replace("-> b (g c) s'", "-> b (c g) s'"),
        ),
    ),
    module(
        "token_mixing",
        "MLP-Mixer lets tokens talk through a small network along the sequence.",
        "def f(x, w, v):\n    y = x.transpose(1, 2)\n    y = torch.relu(y @ w.T) @ v.T\n"
        "    return x + y.transpose(1, 2)",
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
    module(
        "squeeze_excite",
        "Squeeze and excitation: channels are weighed by a gate that saw the whole image.",
        "def f(x, w):\n    s = torch.sigmoid(x.mean(dim=(2, 3)) @ w.T)\n    return x * s[:, :, None, None]",
        "x: b c h w; w: c c",
        ("reduce", "einsum"),
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
            (
                "s = reduce(x, 'b c h w -> b c', 'mean')\ns = einsum(s, w, 'b c, k c -> b k')\n"
                "return rearrange(sigmoid(s), 'b c -> b c 1 1') * x"
            ),
            (
                "s = reduce(x, 'b c h w -> b c h', 'mean')\ns = reduce(s, 'b c h -> b c', 'mean')\n"
                "s = rearrange(einsum(s, w, 'b c, k c -> b k'), 'b k -> b k 1 1')\nreturn x * sigmoid(s)"
            ),
            (
                "s = reduce(x, 'b c h w -> b c w', 'mean')\ns = reduce(s, 'b c w -> b c', 'mean')\n"
                "s = rearrange(einsum(s, w, 'b c, k c -> b k'), 'b k -> b k 1 1')\nreturn x * sigmoid(s)"
            ),
        ),
        (
            _GATE.replace("k c -> b k", "c k -> b k"),
            _GATE.replace("'mean'", "'sum'"),
            _GATE.replace("sigmoid(", "("),
        ),
    ),
)
