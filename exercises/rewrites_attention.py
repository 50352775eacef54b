"""Define rewrites of attention and rotary positions."""

from studykit.exercise import Rewrite, module

_HEADS = """
qkv = einsum(x, w, 'b s d, n d -> b s n')
q, k, v = rearrange(qkv, 'b s (three h e) -> three b h s e', three=3, h=h)
a = softmax(einsum(q, k, 'b h i e, b h j e -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j e -> b h i e')
return rearrange(y, 'b h s e -> b s (h e)')
"""
_ROPE = """
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
return rearrange([x1 * c - x2 * z, x2 * c + x1 * z], 'two b s d -> b s (two d)')
"""
_PAIRS = _ROPE.replace("(two d)", "(d two)")
_ATTEND = """
a = softmax(einsum(q, k, 'b h i e, b h j e -> b h i j') / q.shape[-1] ** 0.5)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
"""
_MASKED = """
a = einsum(q, k, 'b h i e, b h j e -> b h i j') / q.shape[-1] ** 0.5
return einsum(softmax(a + m), v, 'b h i j, b h j c -> b h i c')
"""

EXERCISES: tuple[Rewrite, ...] = (
    module(
        "attention",
        "Scaled dot-product attention, head by head.",
        "def f(q, k, v):\n    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5\n"
        "    return torch.softmax(scores, dim=-1) @ v",
        "q: b h i e; k: b h j e; v: b h j c",
        ("einsum",),
        ("softmax",),
        "b h i c",
        (
            "Queries i and keys j need two names; e is the width they share.",
            "`softmax(x)` goes over the last axis, which must be the keys.",
            "Divide the scores by `q.shape[-1] ** 0.5`.",
        ),
        _ATTEND.replace("b h j e -> b h i e", "b h j c -> b h i c"),
        (
            (
                "a = einsum(q, k, 'n h q e, n h k e -> n h q k')\na = softmax(a * q.shape[-1] ** -0.5, dim=-1)\n"
                "return einsum(a, v, 'n h q k, n h k e -> n h q e')"
            ),
            (
                "a = einsum(q / q.shape[3] ** 0.5, k, 'b h i e, b h j e -> b h i j')\n"
                "return einsum(torch.softmax(a, -1), v, 'b h i j, b h j c -> b h i c')"
            ),
        ),
        (
            (
                "a = softmax(einsum(q, k, 'b h i e, b h j e -> b h i j'))\n"
                "return einsum(a, v, 'b h i j, b h j c -> b h i c')"
            ),
            (
                "a = softmax(einsum(q, k, 'b h i e, b h j e -> b h i j') / q.shape[-1] ** 0.5, dim=-2)\n"
                "return einsum(a, v, 'b h i j, b h j c -> b h i c')"
            ),
            (
                "a = einsum(q, k, 'b h i e, b h j e -> b h i j') / q.shape[-1] ** 0.5\n"
                "return einsum(a, v, 'b h i j, b h j c -> b h i c')"
            ),
        ),
    ),
    module(
        "masked_attention",
        "Attention with a mask that is added to the scores of every head, such as a bias on distance.",
        "def f(q, k, v, m):\n    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5 + m\n"
        "    return torch.softmax(scores, dim=-1) @ v",
        "q: b h i e; k: b h j e; v: b h j c; m: i j",
        ("einsum",),
        ("softmax",),
        "b h i c",
        (
            "The scores have the axes b h i j, and the mask i j: it lines up with their end by itself.",
            "Scale first, then add the mask, then softmax over the keys.",
            "Divide the scores by `q.shape[-1] ** 0.5`.",
        ),
        _MASKED,
        (
            _MASKED.replace("softmax(a + m)", "softmax(m + a, dim=3)"),
            (
                "a = einsum(q * q.shape[3] ** -0.5, k, 'n h q e, n h k e -> n h q k') + m\na = softmax(a)\n"
                "return einsum(a, v, 'n h q k, n h k c -> n h q c')"
            ),
        ),
        (
            _MASKED.replace("a + m", "a"),
            _MASKED.replace("a + m", "a - m"),
            _MASKED.replace("softmax(a + m)", "softmax(a) + m"),
        ),
    ),
    module(
        "multi_head_attention",
        "Self-attention of h heads with one weight for queries, keys and values.",
        "def f(x, w, h):\n    b, s, d = x.shape\n    q, k, v = (x @ w.T).chunk(3, dim=-1)\n"
        "    q, k, v = (y.view(b, s, h, -1).transpose(1, 2) for y in (q, k, v))\n"
        "    a = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)\n"
        "    return (a @ v).transpose(1, 2).reshape(b, s, -1)",
        "x: b s d; w: n=(three h e) d; h",
        ("rearrange", "einsum"),
        ("softmax",),
        "b s (h e)",
        (
            "First the projection, then one pattern that makes three tensors of heads.",
            "chunk cuts the width in three whole parts, so three is the slow part; then heads, then head width.",
            "After attention, heads and head width are merged again.",
        ),
        _HEADS,
        (
            _HEADS.replace("three h e", "k h e").replace("three b", "k b").replace("three=3", "k=3"),
            _HEADS.replace("return rearrange(y,", "z = rearrange(y,") + "return z",
        ),
        (
            _HEADS.replace("(three h e)", "(h three e)"),
            _HEADS.replace("b s (h e)", "b s (e h)"),
            _HEADS.replace(" / q.shape[-1] ** 0.5", ""),
        ),
        {"three": 3},
    ),
    module(
        "rope_halves",
        "Rotary positions as Hugging Face's Llama has them: the first half of the width turns with the second.",
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
            (
                "y = rearrange(x, 'b s (two d) -> two b s d', two=2)\n"
                "return rearrange([y[0] * c - y[1] * z, y[1] * c + y[0] * z], 'two b s d -> b s (two d)')"
            ),
        ),
        (
            _PAIRS,
            _ROPE.replace("x1 * c - x2 * z", "x1 * c + x2 * z"),
            _ROPE.replace("-> b s (two d)", "-> b s (d two)"),
        ),
        {"two": 2},
    ),
    module(
        "rope_pairs",
        "Rotary positions as first published: each even element turns with its odd neighbor.",
        "def f(x, c, z):\n    a, b = x[..., 0::2], x[..., 1::2]\n"
        "    return torch.stack([a * c - b * z, b * c + a * z], dim=-1).flatten(-2)",
        "x: b s w=(d two); c: s d; z: s d",
        ("rearrange",),
        (),
        "b s (d two)",
        (
            "Pairs of neighbors: the two is the fast part of the width.",
            "`a, b = rearrange(x, 'b s (d two) -> two b s d', two=2)` gives evens and odds.",
            "rearrange takes a list as well: the list is the first axis.",
        ),
        _PAIRS,
        (
            _PAIRS.replace("d two", "d k").replace("two b", "k b").replace("two=2", "k=2"),
            (
                "y = rearrange(x, 'b s (d two) -> two b s d', two=2)\n"
                "return rearrange([y[0] * c - y[1] * z, y[1] * c + y[0] * z], 'two b s d -> b s (d two)')"
            ),
        ),
        (
            _ROPE,
            _PAIRS.replace("x2 * c + x1 * z", "x2 * c - x1 * z"),
            _PAIRS.replace("-> b s (d two)", "-> b s (two d)"),
        ),
        {"two": 2},
    ),
)
