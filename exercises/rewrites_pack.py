"""Define rewrites by pack and unpack: concatenate and split tensors whose shapes differ."""

from studykit.exercise import Rewrite, arguments_of, defined


def _p(
    name: str,
    task: str,
    code: str,
    arguments: str,
    must: str,
    hint: str,
    pattern: str,
    body: str,
    alternatives: tuple[str, ...],
    near_misses: tuple[str, ...],
    sums: dict[str, tuple[str, ...]] | None = None,
) -> Rewrite:
    inputs = arguments_of(arguments)
    signature = f"f({', '.join(argument.name for argument in inputs)})"
    hints = {
        "pack": "`pack([x, y], pattern)` gives the packed tensor and the shapes; take the first.",
        "unpack": "`unpack(x, shapes, pattern)` gives a list; each shape is a list of the sizes under the star.",
    }
    return Rewrite(
        id=f"rewrite.{name}",
        family="pack",
        task=task,
        code=code,
        arguments=inputs,
        must=(must,),
        hints=(hints[must], hint, f"The pattern is `{pattern}`."),
        solution=defined(signature, body),
        alternatives=tuple(_whole(signature, text) for text in alternatives),
        near_misses=tuple(_whole(signature, text) for text in near_misses),
        sums=sums or {},
    )


def _whole(signature: str, text: str) -> str:
    return f"def {signature}:\n    {text}\n" if "return" in text else defined(signature, text)


EXERCISES = (
    _p(
        "prepend_token",
        "A class token is put before the tokens of each image.",
        "def f(x, y):\n    return torch.cat([x.unsqueeze(1), y], dim=1)",
        "x: b d; y: b s d",
        "pack",
        "What the star stands for is nothing in x and the sequence in y.",
        "b * d",
        "pack([x, y], 'b * d')[0]",
        ("packed, shapes = pack([x, y], 'b * d')\n    return packed", "pack((x, y), 'batch * width')[0]"),
        ("pack([y, x], 'b * d')[0]", "pack([x, y], 'b d *')[0]", "pack([x, y], 'b * d')"),
    ),
    _p(
        "image_tokens",
        "A text of s tokens and an image of h by w tokens are put in one sequence.",
        "def f(x, y):\n    b, h, w, d = y.shape\n    return torch.cat([x, y.reshape(b, h * w, d)], dim=1)",
        "x: b s d; y: b h w d",
        "pack",
        "The star is one axis of x and two of y; they are flattened.",
        "b * d",
        "pack([x, y], 'b * d')[0]",
        ("pack([x, rearrange(y, 'b h w d -> b (h w) d')], 'b * d')[0]", "pack((x, y), 'a * c')[0]"),
        ("pack([y, x], 'b * d')[0]", "pack([x, rearrange(y, 'b h w d -> b (w h) d')], 'b * d')[0]"),
    ),
    _p(
        "flatten_features",
        "Features of different shapes are flattened and laid side by side.",
        "def f(x, y):\n    return torch.cat([x.flatten(1), y.flatten(1)], dim=1)",
        "x: b c h; y: b d",
        "pack",
        "All axes but the batch are under the star.",
        "b *",
        "pack([x, y], 'b *')[0]",
        ("pack([rearrange(x, 'b c h -> b (c h)'), y], 'b *')[0]", "z, ps = pack([x, y], 'n *')\n    return z"),
        ("pack([y, x], 'b *')[0]", "pack([rearrange(x, 'b c h -> b h c'), y], 'b *')[0]"),
    ),
    _p(
        "skip_connection",
        "A U-Net puts the channels of its skip connection next to its own.",
        "def f(x, y):\n    return torch.cat((x, y), 1)",
        "x: b c h w; y: b k h w",
        "pack",
        "Only the channels differ, so the star stands for them.",
        "b * h w",
        "pack([x, y], 'b * h w')[0]",
        ("out, ps = pack([x, y], 'n * i j')\n    return out", "pack((x, y), 'b * h w')[0]"),
        ("pack([y, x], 'b * h w')[0]", "pack([x, y], 'b * h w')"),
    ),
    _p(
        "split_pair",
        "A gated layer splits its width into a part of p and a part of q.",
        "def f(x, p, q):\n    return [x[..., :p], x[..., p:]]",
        "x: b s n; p; q",
        "unpack",
        "The parts lie one after the other under the star.",
        "b s *",
        "unpack(x, [[p], [q]], 'b s *')",
        ("a, c = unpack(x, [[p], [q]], 'b s *')\n    return [a, c]", "unpack(x, ((p,), (q,)), 'i j *')"),
        ("unpack(x, [[q], [p]], 'b s *')", "a, c = unpack(x, [[p], [q]], 'b s *')\n    return [c, a]"),
        {"n": ("p", "q")},
    ),
    _p(
        "take_image",
        "In each sequence an image of h by w tokens follows a text of s tokens: take the image out.",
        "def f(x, s, h, w):\n    b, _, d = x.shape\n    return x[:, s:].reshape(b, h, w, d)",
        "x: b n d; s; h; w",
        "unpack",
        "The second shape has two sizes, so its star becomes two axes.",
        "b * d",
        "unpack(x, [[s], [h, w]], 'b * d')[1]",
        (
            "text, image = unpack(x, [[s], [h, w]], 'b * d')\n    return image",
            "unpack(x, ((s,), (h, w)), 'b * d')[1]",
        ),
        ("unpack(x, [[s], [w, h]], 'b * d')[1]", "unpack(x, [[h, w], [s]], 'b * d')[0]"),
        {"n": ("s", "h*w")},
    ),
)
