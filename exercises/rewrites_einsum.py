"""Define rewrites by einsum: products of tensors by the names of their axes."""

from studykit.exercise import Fill, Rewrite, arguments_of, defined, single


def _r(name: str, task: str, code: str, arguments: str, canonical: str, hint: str, *wrong: str) -> Rewrite:
    inputs = arguments_of(arguments)
    hints = (
        "Name the axes of each input; equal names are multiplied together.",
        hint,
        f"The right side is `{canonical.partition('->')[2].strip()}`: names that are missing there are summed.",
    )
    return single(name, "einsum", task, code, inputs, "einsum", canonical, hints=hints, wrong=wrong)


def _of_both(name: str, task: str, code: str, arguments: str, canonical: str, hint: str, *wrong: str) -> Rewrite:
    """Return a rewrite of two calls by one pattern, where `...` stands for the axes in which the calls differ."""
    inputs = arguments_of(arguments)
    pairs = [f"{x.name}, {y.name}" for x, y in zip(inputs[::2], inputs[1::2], strict=True)]
    signature = f"f({', '.join(pairs)})"

    def whole(text: str, call: str = "einsum") -> str:
        return defined(signature, f"[{', '.join(f'{call}({pair}, {text})' for pair in pairs)}]")

    return Rewrite(
        id=f"rewrite.{name}",
        family="einsum",
        task=task,
        code=code,
        arguments=inputs,
        must=("einsum",),
        hints=("`...` stands for any number of axes, the same on both sides.", hint, f"It is `{canonical}`."),
        solution=whole(repr(canonical)),
        alternatives=(
            f"p = {canonical!r}\n\n{whole('p')}",
            f"import einops\n\n{whole(repr(canonical), 'einops.einsum')}",
        ),
        near_misses=tuple(whole(repr(text)) for text in wrong),
        fill=Fill.INTEGERS,
    )


EXERCISES = (
    _of_both(
        "scores_of_both",
        "The same scores for a batch of heads (q and k) and for a plain batch (x and y): one pattern does both.",
        "def f(q, k, x, y):\n    return [a @ b.transpose(-1, -2) for a, b in ((q, k), (x, y))]",
        "q: b h s e; k: b h t e; x: b s e; y: b t e",
        "... s e, ... t e -> ... s t",
        "Only the last two axes have names: queries s, keys t, and the width e, which is summed.",
        "... s e, ... t e -> ... t s",
        "... s e, ... t e -> ... s",
    ),
    _of_both(
        "linear_of_both",
        "A linear layer on sequences and another on single vectors: one pattern does both.",
        "def f(x, w, y, v):\n    return [torch.nn.functional.linear(x, w), torch.nn.functional.linear(y, v)]",
        "x: b s d; w: o d; y: b d; v: o d",
        "... d, o d -> ... o",
        "Of the input only the last axis has a name; of the weights both have.",
        "... d, o d -> o ...",
        "... d, o d -> ... d",
    ),
    _r(
        "attention_scores",
        "The score of a query and a key is their dot product, head by head.",
        "def f(x, y):\n    return x @ y.transpose(-1, -2)",
        "x: b h q e; y: b h k e",
        "b h q e, b h k e -> b h q k",
        "Both have a head width e; queries and keys need two different names.",
        "b h q e, b h k e -> b h k q",
        "b h q e, b h k e -> b h q",
    ),
    _r(
        "attention_values",
        "Attention weights mix the values.",
        "def f(x, y):\n    return x @ y",
        "x: b h q k; y: b h k e",
        "b h q k, b h k e -> b h q e",
        "The keys' axis k is summed.",
        "b h q k, b h k e -> b h e q",
        "b h q k, b h k e -> b h k e",
    ),
    _r(
        "linear",
        "A linear layer keeps its weights with the output axis first.",
        "def f(x, w):\n    return torch.nn.functional.linear(x, w)",
        "x: b s d; w: o d",
        "b s d, o d -> b s o",
        "The input axis d is summed.",
        "b s d, o d -> b o s",
        "b s d, o d -> b s d",
    ),
    _r(
        "bilinear",
        "A bilinear form weighs every pair of features of two vectors.",
        "def f(x, w, y):\n    return torch.nn.functional.bilinear(x, y, w)",
        "x: b i; w: o i j; y: b j",
        "b i, o i j, b j -> b o",
        "Three inputs; i and j are summed.",
        "b i, o i j, b j -> o b",
        "b i, o i j, b j -> b i",
    ),
    _r(
        "outer_products",
        "At each position linear attention adds one outer product of a key and a value to its state.",
        "def f(x, y):\n    return x.unsqueeze(2) * y.unsqueeze(1)",
        "x: b i; y: b j",
        "b i, b j -> b i j",
        "Nothing is summed.",
        "b i, b j -> b j i",
        "b i, b j -> b i",
    ),
    _r(
        "batch_dot",
        "The similarity of two batches of vectors, pair by pair.",
        "def f(x, y):\n    return (x * y).sum(-1)",
        "x: b d; y: b d",
        "b d, b d -> b",
        "d is summed, b is not.",
        "b d, b d -> d",
        "b d, b d -> b d",
    ),
    _r(
        "gram",
        "Two images are compared by the dot products of their channels.",
        "def f(x, y):\n    return torch.bmm(x, y.transpose(1, 2))",
        "x: b c n; y: b k n",
        "b c n, b k n -> b c k",
        "The positions n are summed.",
        "b c n, b k n -> b k c",
        "b c n, b k n -> b n",
    ),
    _r(
        "batched_matmul",
        "A product of two batches of matrices.",
        "def f(x, y):\n    return torch.bmm(x, y)",
        "x: b i k; y: b k j",
        "b i k, b k j -> b i j",
        "The inner axis is summed.",
        "b i k, b k j -> b j i",
        "b i k, b k j -> b i k",
    ),
    _r(
        "weighted_sum",
        "Attention pooling: each token counts by its weight.",
        "def f(x, y):\n    return (x.unsqueeze(-1) * y).sum(1)",
        "x: b s; y: b s d",
        "b s, b s d -> b d",
        "The sequence s is summed.",
        "b s, b s d -> d b",
        "b s, b s d -> b s",
    ),
    _r(
        "trace",
        "The trace of each of a batch of matrices.",
        "def f(x):\n    return x.diagonal(dim1=1, dim2=2).sum(-1)",
        "x: b i i",
        "b i i -> b",
        "One name twice in one input reads the diagonal.",
        "b i i -> i",
        "b i j -> b",
    ),
    _r(
        "moe_dispatch",
        "x[s, e, c] is 1 where token s is sent to slot c of expert e, else 0. Collect each slot's token vector.",
        "def f(x, y):\n    return torch.tensordot(x, y, dims=([0], [0]))",
        "x: s e c; y: s d",
        "s e c, s d -> e c d",
        "The tokens are summed: each slot gets what was sent to it.",
        "s e c, s d -> c e d",
        "s e c, s d -> s e d",
    ),
    _r(
        "moe_combine",
        "What the experts made is brought back to the tokens.",
        "def f(x, y):\n    s, e, c = x.shape\n    return x.reshape(s, e * c) @ y.reshape(e * c, -1)",
        "x: s e c; y: e c d",
        "s e c, e c d -> s d",
        "Experts and slots are summed.",
        "s e c, e c d -> d s",
        "s e c, e c d -> s e d",
    ),
    _r(
        "one_by_one",
        "A convolution of 1 by 1 mixes the channels of each pixel.",
        "def f(x, w):\n    return torch.nn.functional.conv2d(x, w[:, :, None, None])",
        "x: b c h w; w: o c",
        "b c h w, o c -> b o h w",
        "The channels c are summed.",
        "b c h w, o c -> b o w h",
        "b c h w, o c -> b c h w",
    ),
)
